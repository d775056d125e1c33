"""What one run on terms records: accesses with their bytes, conditions, loops and order."""

from __future__ import annotations

from tests.unit.model.modelling import model_of, names, writes
from verify.semantics import term as t

STORE = "memref.store %f, %m[{0}] : memref<8xf32>"


def test_an_access_at_a_constant_is_at_a_constant_byte() -> None:
    model = model_of("%c3 = arith.constant 3 : index\n" + STORE.format("%c3"))

    assert [(a.address, a.size, a.conditions) for a in model.accesses] == [(12, 4, ())]


def test_both_sides_of_a_branch_are_recorded_under_opposite_conditions() -> None:
    model = model_of(
        f"%c = arith.cmpi slt, %n, %c1 : index\nscf.if %c {{\n{STORE.format('%c0')}\n}} else {{\n"
        f"{STORE.format('%c1')}\n}}"
    )
    (first,), (second,) = (a.conditions for a in model.accesses)

    assert t.negation(first) == second


def test_a_branch_that_is_never_taken_leaves_no_access() -> None:
    model = model_of(f"%c = arith.constant false\nscf.if %c {{\n{STORE.format('%c0')}\n}}")

    assert model.accesses == []


def test_a_loop_that_never_runs_leaves_no_access() -> None:
    body = f"scf.for %i = %c1 to %c1 step %c1 {{\n{STORE.format('%i')}\n}}"

    assert model_of(body).accesses == []


def test_later_accesses_have_later_paths() -> None:
    model = model_of(f"{STORE.format('%c0')}\n{STORE.format('%c1')}")

    assert [a.path for a in model.accesses] == [(0,), (1,)]


def test_an_access_in_nested_loops_names_them_from_the_outermost() -> None:
    model = model_of(
        "scf.for %i = %c0 to %n step %c1 {\nscf.for %j = %c0 to %i step %c1 {\n"
        f"{STORE.format('%j')}\n}}\n}}"
    )

    assert [info.kind for info in writes(model)[0].loops] == ["for", "for"]


def test_a_selected_buffer_is_accessed_in_both_memories_under_conditions() -> None:
    model = model_of(
        "%v = arith.select %c, %m, %o : memref<8xf32>\nmemref.store %f, %v[%c0] : memref<8xf32>",
        "%m: memref<8xf32>, %o: memref<8xf32>, %c: i1",
    )
    found = [(a.view.memory.name, len(a.conditions)) for a in model.accesses]

    assert found == [("%m", 1), ("%o", 1)]


def test_a_copy_reads_before_it_writes() -> None:
    model = model_of(
        "memref.copy %m, %o : memref<8xf32> to memref<8xf32>",
        "%m: memref<8xf32>, %o: memref<8xf32>",
    )

    assert [(a.is_write, a.size) for a in model.accesses] == [(False, 32), (True, 32)]


def test_an_op_of_unknown_effects_is_recorded_with_its_name() -> None:
    model = model_of('"other.op"(%m) : (memref<8xf32>) -> ()')

    assert [r.reason for r in model.unsupported] == ["the effects of `other.op` are not known"]


def test_nothing_is_known_after_an_unknown_op_but_the_run_goes_on() -> None:
    model = model_of(
        '%v = "other.op"(%m) : (memref<8xf32>) -> memref<8xf32>\n'
        "memref.store %f, %v[%c0] : memref<8xf32>"
    )

    assert [a.view.memory.kind for a in model.accesses] == ["unknown"]


def test_a_trial_run_of_a_loop_body_leaves_nothing_behind() -> None:
    model = model_of(
        "%r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %m, %b = %o) ->"
        " (memref<8xf32>, memref<8xf32>) {\nmemref.store %f, %a[%c0] : memref<8xf32>\n"
        "scf.yield %b, %a : memref<8xf32>, memref<8xf32>\n}",
        "%m: memref<8xf32>, %o: memref<8xf32>, %n: index",
    )

    assert sorted(a.view.memory.name for a in model.accesses) == ["%m", "%o"]
    assert names(model) == ["memref.store", "memref.store"]


def test_arguments_have_an_address_only_where_they_may_overlap() -> None:
    plain, placed = (
        model_of(STORE.format("%c0"), may_alias=a).arguments[0].address for a in (False, True)
    )

    assert plain is None
    assert placed is not None


def test_the_captures_of_a_checkpointed_loop_are_its_buffers() -> None:
    model = model_of(
        f"scf.for %i = %c0 to %n step %c1 {{\n{STORE.format('%i')}\n}}"
        " {enzyme.enable_checkpointing = true}"
    )

    assert [c.view.choices[0][1].memory.name for c in model.checkpoints[0].captures] == ["%m"]
