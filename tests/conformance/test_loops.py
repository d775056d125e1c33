"""Integers and views that loops carry: closed forms, wrap-around, nesting, results."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import pytest

from tests.conformance.carriers import Program, about, programs, scalars
from tests.conformance.tracing import Event, in_iterations, trace, uncovered
from verify.replay.inputs import Inputs
from verify.semantics import term as t


class Case(NamedTuple):
    """A function `f(%A, %B, %n, %k, %flag)`; `is_exact` when addresses are known exactly."""

    body: str
    is_exact: bool = True


BUFFER = "memref<?xi8>"
SIGNATURE = f"%A: {BUFFER}, %B: {BUFFER}, %n: index, %k: index, %flag: i1"
STORE = "memref.store %x, {0}[{1}] : memref<?xi8>"
CONSTANTS = "\n".join(
    [
        *(f"%c{c} = arith.constant {c} : index" for c in (0, 1, 2, 3, 5)),
        "%x = arith.constant 7 : i8",
        "%long = arith.constant 4294967298 : i64",
        "%high = arith.constant 126 : i8",
        "%most = arith.constant 9223372036854775806 : index",
    ]
)


def _loop(carried: str, types: str, body: str, bounds: str = "%c0 to %n step %c1") -> str:
    head = f"%r:{carried.count('=')} = scf.for %i = {bounds} iter_args({carried}) -> ({types})"
    return f"{head} {{\n{body}\n}}"


CASES = {
    "counts up": Case(
        _loop(
            "%a = %k",
            "index",
            STORE.format("%A", "%a") + "\n%b = arith.addi %a, %c2 : index\nscf.yield %b : index",
        )
    ),
    "counts down": Case(
        _loop(
            "%a = %c5",
            "index",
            STORE.format("%A", "%a") + "\n%b = arith.subi %a, %c1 : index\nscf.yield %b : index",
        )
    ),
    "counts in steps of the loop": Case(
        _loop(
            "%a = %c0",
            "index",
            STORE.format("%A", "%a") + "\n%b = arith.addi %a, %c1 : index\nscf.yield %b : index",
            "%k to %n step %c3",
        )
    ),
    "wraps as eight bits": Case(
        _loop(
            "%a = %high",
            "i8",
            "%p = arith.index_castui %a : i8 to index\n"
            "%q = arith.subi %p, %c5 : index\n"
            "%o = arith.remui %p, %c5 : index\n"
            + STORE.format("%A", "%o")
            + "\n%one = arith.constant 100 : i8\n%b = arith.addi %a, %one : i8\nscf.yield %b : i8",
        )
    ),
    "wraps as an index": Case(
        _loop(
            "%a = %most",
            "index",
            "%o = arith.remui %a, %c5 : index\n"
            + STORE.format("%A", "%o")
            + "\n%b = arith.addi %a, %c1 : index\nscf.yield %b : index",
        )
    ),
    "is truncated each time": Case(
        _loop(
            "%a = %long",
            "i64",
            "%p = arith.index_cast %a : i64 to index\n"
            "%o = arith.remui %p, %c5 : index\n"
            + STORE.format("%A", "%o")
            + "\n%s = arith.trunci %a : i64 to i32\n%b = arith.extsi %s : i32 to i64\n"
            "scf.yield %b : i64",
        ),
        is_exact=False,
    ),
    "swaps two numbers": Case(
        _loop(
            "%a = %c0, %b = %k",
            "index, index",
            STORE.format("%A", "%a") + "\nscf.yield %b, %a : index, index",
        ),
        is_exact=False,
    ),
    "doubles": Case(
        _loop(
            "%a = %c1",
            "index",
            STORE.format("%A", "%a") + "\n%b = arith.addi %a, %a : index\nscf.yield %b : index",
        ),
        is_exact=False,
    ),
    "steps by a size that changes": Case(
        "%s = memref.alloc() : memref<1xi8>\n%d = memref.cast %s : memref<1xi8> to memref<?xi8>\n"
        "%u = memref.alloc() : memref<2xi8>\n%v = memref.cast %u : memref<2xi8> to memref<?xi8>\n"
        + _loop(
            "%a = %c0, %m = %d",
            "index, memref<?xi8>",
            STORE.format("%A", "%a") + "\n%z = memref.dim %m, %c0 : memref<?xi8>\n"
            "%b = arith.addi %a, %z : index\nscf.yield %b, %v : index, memref<?xi8>",
        ),
        is_exact=False,
    ),
    "swaps two buffers": Case(
        _loop(
            "%a = %A, %b = %B",
            f"{BUFFER}, {BUFFER}",
            STORE.format("%a", "%i") + f"\nscf.yield %b, %a : {BUFFER}, {BUFFER}",
        )
    ),
    "starts from one of two buffers": Case(
        f"%m = arith.select %flag, %A, %B : {BUFFER}\n"
        + _loop("%a = %m", BUFFER, STORE.format("%a", "%i") + f"\nscf.yield %A : {BUFFER}")
    ),
    "moves a window along": Case(
        f"%m = memref.cast %A : {BUFFER} to memref<?xi8, strided<[1], offset: ?>>\n"
        + _loop(
            "%a = %m",
            "memref<?xi8, strided<[1], offset: ?>>",
            "memref.store %x, %a[%c0] : memref<?xi8, strided<[1], offset: ?>>\n"
            "%b = memref.subview %a[1] [%c2] [1] : memref<?xi8, strided<[1], offset: ?>> to"
            " memref<?xi8, strided<[1], offset: ?>>\n"
            "scf.yield %b : memref<?xi8, strided<[1], offset: ?>>",
        ),
        is_exact=False,
    ),
    "nests": Case(
        _loop(
            "%a = %k",
            "index",
            "%s = scf.for %j = %c0 to %i step %c1 iter_args(%b = %a) -> (index) {\n"
            + STORE.format("%A", "%b")
            + "\n%d = arith.addi %b, %c1 : index\nscf.yield %d : index\n}\n"
            "%e = arith.addi %a, %c2 : index\nscf.yield %e : index",
        )
    ),
    "carries the result of an inner loop": Case(
        _loop(
            "%a = %c0",
            "index",
            "%s = scf.for %j = %c0 to %k step %c1 iter_args(%b = %a) -> (index) {\n"
            + STORE.format("%A", "%b")
            + "\n%d = arith.addi %b, %c1 : index\nscf.yield %d : index\n}\nscf.yield %s : index",
        ),
        is_exact=False,
    ),
    "uses a result afterwards": Case(
        _loop("%a = %k", "index", "%b = arith.addi %a, %c1 : index\nscf.yield %b : index")
        + "\n"
        + STORE.format("%A", "%r#0"),
        is_exact=False,
    ),
    "while it counts": Case(
        "%r = scf.while (%a = %k) : (index) -> (index) {\n"
        "%o = arith.remui %a, %c5 : index\n"
        + STORE.format("%A", "%o")
        + "\n%m = arith.cmpi slt, %a, %n : index\nscf.condition(%m) %a : index\n} do {\n"
        "^bb0(%b: index):\n"
        + STORE.format("%B", "%b")
        + "\n%d = arith.addi %b, %c2 : index\nscf.yield %d : index\n}\n"
        "%o2 = arith.remui %r, %c5 : index\n" + STORE.format("%A", "%o2"),
        is_exact=False,
    ),
    "steps by a number that is not known": Case(
        "%and = arith.andi %k, %c1 : index\n%by = arith.addi %and, %c1 : index\n"
        "scf.for %i = %c0 to %n step %by {\n" + STORE.format("%A", "%i") + "\n}"
    ),
    "two loops side by side": Case(
        "scf.for %i = %c0 to %n step %c1 {\n"
        + STORE.format("%A", "%i")
        + "\n}\nscf.for %j = %c1 to %n step %c2 {\n"
        + STORE.format("%A", "%j")
        + "\n}"
    ),
}


@cache
def case_program(name: str) -> Program:
    """The function of a case, run on terms."""
    text = f"func.func @f({SIGNATURE}) {{\n{CONSTANTS}\n{CASES[name].body}\nreturn\n}}"
    return programs(text)["f"]


def runs() -> list[Inputs]:
    """Inputs that bring out several iterations."""
    found = []
    for n, k, flag in ((0, 0, 0), (1, 1, 1), (3, 0, 0), (4, 2, 1), (6, 1, 0), (5, -1, 0)):
        inputs = scalars(0, 0, n, k, flag)
        inputs.sizes.update({(0, 0): 12, (1, 0): 12})
        found.append(inputs)
    return found


def _can_be_elsewhere(program: Program, arguments: list[object], event: Event) -> bool:
    """Whether the access of an event may, in these iterations, lie at another byte."""
    question = about(program, arguments)
    return any(
        question.answer(
            *access.conditions,
            *in_iterations(access, event),
            t.negation(t.equal(access.address, event.place)),
        )
        != "unsat"
        for access in program.machine.accesses
        if access.op is event.op
    )


@pytest.mark.parametrize("name", CASES)
def test_accesses_are_covered_in_a_loop_that(name: str) -> None:
    program = case_program(name)
    assert program.machine.unsupported == []
    for inputs in runs():
        arguments, events, _ = trace(program, inputs)

        assert uncovered(program, arguments, events) == []
        if CASES[name].is_exact:
            assert not any(_can_be_elsewhere(program, arguments, e) for e in events)
