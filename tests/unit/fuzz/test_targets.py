"""What a campaign aims at: sets of passes, passes behind one another, and what is no fault."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from fuzz import oracles
from fuzz.finding import Finding
from fuzz.runs import CampaignError, oracles_of, targets_of
from fuzz.settings import ASYNC, CONSUMER, GRADIENT, TARGETS, first_look_s, is_due
from fuzz.strategies import differentiated
from fuzz.subject import Limits, Subject, last_pass, subject_of
from verify.gradient.oracle import check_gradient
from verify.gradient.result import Options
from verify.gradient.signature import signature_of
from verify.ir.frontend import has_bindings, read_text
from verify.model.analyse import functions_of
from verify.semantics.views_by_name import checkpointed_loops
from verify.toolchain.enzyme import is_installed
from verify.toolchain.outcome import PassOutcome

CORPUS = Path(__file__).parents[3] / "corpus"
LOWERING = "mlir:gpu-to-llvm"
needs_bindings = pytest.mark.skipif(not has_bindings(), reason="MLIR's bindings are not installed")
needs_enzyme = pytest.mark.skipif(not is_installed(), reason="enzyme-ad is not installed")
SPACE = """
func.func @f(%v: f32) {
  %g = gpu.alloc () : memref<8xf32, 1>
  gpu.memset %g, %v : memref<8xf32, 1>, f32
  return
}
"""
RUNTIME = """
llvm.func @mgpuStreamCreate() -> !llvm.ptr
llvm.func @mgpuStreamSynchronize(!llvm.ptr)
llvm.func @mgpuStreamDestroy(!llvm.ptr)
"""


def judge(oracle: str, text: str, *targets: str) -> list[Finding]:
    return list(oracles.load(oracle)(subject_of(text, Limits(), targets), targets))


def lowered(body: str) -> Subject:
    """A subject of which the lowering made that body."""
    about = subject_of("func.func @f() { return }", Limits(), (LOWERING,))
    text = f"{RUNTIME} func.func @f(%n: index, %p: i1) {{ {body} return }}"
    result = read_text(text)
    assert result.module is not None, result.errors
    about._outcomes[LOWERING] = PassOutcome(result)
    return about


def test_a_set_stands_for_its_passes_and_an_unknown_one_is_refused() -> None:
    usual = targets_of(())

    assert usual == targets_of(("usual",))
    assert set(targets_of(("checkpointing", "gpu"))) == set(usual)
    assert set(usual) <= set(targets_of(("all",)))
    assert (GRADIENT in usual) == is_installed()
    with pytest.raises(CampaignError, match="sets: usual, checkpointing, gpu, common, all"):
        targets_of(("unusual",))
    usual_ones = [name for name in oracles.ORACLES if name not in oracles.ON_DEMAND]
    assert tuple(usual_ones) == oracles_of(())
    assert ("native",) == oracles_of(("native",))


@needs_bindings
def test_every_pass_of_mlir_in_a_set_is_known_to_mlir() -> None:
    for target in TARGETS["all"]:
        if target.startswith("mlir:"):
            assert (target,) == targets_of((target,))


def test_dear_targets_get_one_program_in_so_many() -> None:
    wanted = (ASYNC, CONSUMER, "mlir-opt-19:x")
    asked = {t: sum(is_due(t, n, wanted) for n in range(120)) for t in wanted}

    assert 120 == asked[ASYNC]
    assert 120 > asked[CONSUMER] > asked["mlir-opt-19:x"] > 0
    assert all(is_due("mlir-opt-19:x", n, ["mlir-opt-19:x"]) for n in range(120))


def test_passes_that_many_programs_share_take_turns() -> None:
    wanted, common = TARGETS["all"], TARGETS["common"]
    asked = [[t for t in common if is_due(t, n, wanted)] for n in range(8)]

    assert {2} == {len(each) for each in asked}
    assert set(common) == {t for each in asked for t in each}
    assert all(is_due(t, n, common) for t in common for n in range(8))


def test_a_pipeline_of_mlir_goes_on_from_what_stands_in_front() -> None:
    before, last = last_pass(CONSUMER)

    assert LOWERING == last
    assert (ASYNC, "mlir:gpu.module(convert-gpu-to-nvvm)") == last_pass(before)
    assert ("", ASYNC) == last_pass(ASYNC)
    assert ("", "enzyme:a,b") == last_pass("enzyme:a,b")


@needs_bindings
def test_a_fault_of_a_consumer_is_told_under_its_own_name() -> None:
    (found,) = judge("output", SPACE, ASYNC, CONSUMER)

    assert (CONSUMER, "E0305") == (found.target, found.code)
    assert "`mlir:gpu-to-llvm` gives invalid IR" in found.message


@needs_bindings
def test_a_fault_of_a_pass_in_front_is_told_once() -> None:
    text = (CORPUS / "found/gpu_async_region_uses_freed_ops.mlir").read_text()

    assert [ASYNC] == [f.target for f in judge("crash", text, ASYNC, CONSUMER)]
    assert [CONSUMER] == [f.target for f in judge("crash", text, CONSUMER)]


@needs_bindings
@pytest.mark.parametrize(
    "ops",
    [
        "gpu.memset %m, %v : memref<8xf64>, f64",
        "%u = gpu.memset async [%t] %m, %v : memref<8xf64>, f64  gpu.wait [%u]",
        "gpu.memcpy [%t] %m, %m : memref<8xf64>, memref<8xf64>",
        "%a, %u = gpu.alloc async [%t] host_shared () : memref<8xf64>  gpu.wait [%u]",
    ],
)
def test_what_the_lowering_says_it_does_not_take_is_no_fault(ops: str) -> None:
    text = f"func.func @f(%m: memref<8xf64>, %v: f64) {{ %t = gpu.wait async  {ops}  return }}"

    assert [] == judge("refusal", text, LOWERING)


@needs_bindings
def test_a_launch_that_waits_for_two_is_no_fault_and_one_that_waits_for_one_is_lowered() -> None:
    text = """
module attributes {{gpu.container_module}} {{
  gpu.module @k {{ gpu.func @k() kernel {{ gpu.return }} }}
  func.func @f(%c: index) {{
    %a = gpu.wait async
    %b = gpu.wait async
    %d = gpu.launch_func async [{}] @k::@k blocks in (%c, %c, %c) threads in (%c, %c, %c)
    gpu.wait [%d]
    return
  }}
}}
"""
    two, one = (subject_of(text.format(w), Limits(), (LOWERING,)) for w in ("%a, %b", "%a"))

    assert ["E0301"] == [d.code for d in two.complaints(LOWERING)]
    assert [] == list(oracles.load("refusal")(two, (LOWERING,)))
    assert () == one.complaints(LOWERING)


def test_an_op_that_should_be_lowered_and_is_still_there_is_told() -> None:
    about = lowered(
        "%t = gpu.wait async  %m = memref.alloc() : memref<8xf32>  %v = arith.constant 0.0 : f32"
        " %u = gpu.memset async [%t] %m, %v : memref<8xf32>, f32  gpu.wait [%u]"
    )

    found = [f.message for f in oracles.load("refusal")(about, (LOWERING,))]
    assert "`mlir:gpu-to-llvm` leaves `gpu.memset` as it is" in found


CREATE = "%s = llvm.call @mgpuStreamCreate() : () -> !llvm.ptr "
WAIT = "llvm.call @mgpuStreamSynchronize(%s) : (!llvm.ptr) -> () "
END = "llvm.call @mgpuStreamDestroy(%s) : (!llvm.ptr) -> () "
LOOP = "%c = arith.constant 1 : index  scf.for %i = %c to %n step %c {{ {} }} "


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (CREATE + WAIT + END, 0),
        (CREATE + END + WAIT, 1),
        (CREATE + WAIT + END + WAIT + END, 1),
        (LOOP.format(CREATE + WAIT + END), 0),
        (CREATE + LOOP.format(WAIT) + END, 0),
        (CREATE + LOOP.format(WAIT + END), 1),
        (CREATE + f"scf.if %p {{ {END} }} else {{ {END} }}", 0),
        (CREATE + f"scf.if %p {{ {END} }} {WAIT}", 1),
        (CREATE + f"cf.cond_br %p, ^a, ^b ^a: {END} cf.br ^c ^b: {END} cf.br ^c ^c:", 0),
        (CREATE + f"cf.cond_br %p, ^a, ^b ^a: {END} cf.br ^c ^b: cf.br ^c ^c: {END}", 1),
        (f"cf.br ^a ^a: {CREATE + WAIT + END} cf.cond_br %p, ^a, ^b ^b:", 0),
    ],
)
def test_a_stream_is_not_used_after_its_end(body: str, told: int) -> None:
    assert told == len(list(oracles.load("streams")(lowered(body), (LOWERING,))))


def test_functions_to_differentiate_are_valid_and_have_checkpoints() -> None:
    for number in range(60):
        text = differentiated.build(random.Random(f"valid/{number}"))
        parsed = read_text(text)
        assert parsed.module is not None, (parsed.errors, text)
        ((_, function),) = functions_of(parsed.module)
        assert checkpointed_loops(function)
        assert any(each.is_active for each in signature_of(function).arguments)


@needs_enzyme
def test_gradients_belong_to_the_target_that_makes_them() -> None:
    path = CORPUS / "found/enzyme_shares_a_constant_with_another_loop.mlir"
    text = path.read_text()
    (found,) = judge("gradient", text, GRADIENT)

    assert [] == judge("gradient", text, ASYNC)
    assert (GRADIENT, "E0305") == (found.target, found.code)
    assert found.message.startswith("gradient on: `enzyme:enzyme-wrap` gives invalid IR")


@needs_enzyme
def test_what_fails_without_checkpoints_is_not_tried_with_them() -> None:
    text = (CORPUS / "found/enzyme_dies_on_an_unranked_memref.mlir").read_text()
    loop = """scf.for %i = %c0 to %c4 step %c1 {
      %x = memref.load %ranked[%i] : memref<4xf64>
      %y = arith.mulf %x, %x : f64
      memref.store %y, %ranked[%i] : memref<4xf64>
    } {enzyme.enable_checkpointing = true}
    """
    constants = """
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
    """
    head, _, _ = text.partition("  %x = memref.load")
    parsed = read_text(f"{head}{constants}{loop}return }}")
    result = check_gradient(parsed, "square", Options(samples=1, stops_at_fault=True))

    assert [("off", "crash")] == [(v.variant.name, v.status) for v in result.variants]
    assert not any("checkpointed" in note for note in result.notes)


@needs_enzyme
def test_a_stale_snapshot_that_sinking_cures_is_expected() -> None:
    text = (CORPUS / "gradient/view_at_an_unknown_place.mlir").read_text().split("// -----")[0]

    assert [] == [f for f in judge("gradient", text, GRADIENT) if f.code == "E0401"]


def test_passes_that_give_the_same_are_each_told_by_their_own_name() -> None:
    source = "func.func @f() -> i32 { %c = arith.constant 1 : i32  return %c : i32 }"
    about = subject_of(source, Limits())
    for target in ("mlir:x", "mlir:y"):
        about._outcomes[target] = PassOutcome(read_text(source.replace("1 :", "2 :")))

    found = list(oracles.load("equivalence")(about, ("mlir:x", "mlir:y")))
    assert ["`mlir:x`", "`mlir:y`"] == [f.message.split()[0] for f in found]


@needs_bindings
def test_a_call_out_of_an_op_that_mlir_does_not_know_is_no_fault_of_a_pass() -> None:
    lowered = "mlir:finalize-memref-to-llvm"
    text = """
    func.func @f(%n: index) {
      %e = "enzymexla.gpu_wrapper"(%n, %n, %n, %n, %n, %n) ({
        %m = memref.alloc() : memref<8xf32>
        memref.dealloc %m : memref<8xf32>
        "enzymexla.polygeist_yield"() : () -> ()
      }) : (index, index, index, index, index, index) -> index
      return
    }
    """

    assert "does not reference" in str(subject_of(text, Limits()).outcome(lowered).diagnostics)
    assert [] == judge("output", text, lowered)


def test_a_first_look_is_longer_with_more_passes_and_with_oracles_that_run_programs() -> None:
    few, many = TARGETS["gpu"][:3], TARGETS["all"][:8]

    assert 1.0 == first_look_s(1.0, few, ("crash", "output", "invariants"))
    assert 2.0 == first_look_s(1.0, few, ("crash", "equivalence"))
    assert 4.0 == first_look_s(1.0, many, ("equivalence", "replay"))
