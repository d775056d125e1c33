"""Drawn programs come to the same on the interpreter and natively, bit for bit where defined.

`python -m tests.conformance.native --count 2000` runs more of them.
"""

from __future__ import annotations

import os
import random
from collections.abc import Sequence
from dataclasses import replace

import pytest

from tests.conformance.native.__main__ import judge_batch, prepared_number
from tests.conformance.native.draw import build
from tests.conformance.native.judge import Prepared, faults_of, judge
from tests.conformance.native.program import (
    Function,
    Parameter,
    Program,
    Statement,
    op_names,
    render,
)
from tests.conformance.native.shrink import shrink
from verify.replay.native_call import Interpreted
from verify.toolchain import native
from verify.toolchain.mlir_runner import find_runner, run_with_runner
from verify.toolchain.native import NativeCall, NativeOptions, NativeOutcome, NativeScalar

PROGRAMS = int(os.environ.get("VERIFY_IR_NATIVE_PROGRAMS", "40"))

needs_jit = pytest.mark.skipif(not native.has_jit(), reason=native.info().reason)
needs_runner = pytest.mark.skipif(find_runner() is None, reason="mlir-runner is not installed")


@needs_jit
@pytest.mark.parametrize("start", range(0, PROGRAMS, 20))
def test_interpreter_and_native_code_agree(start: int) -> None:
    numbers = range(start, min(start + 20, PROGRAMS))

    found = judge_batch(17, numbers)

    assert [] == [
        (n, judgement.faults, judgement.text) for n, judgement in found if judgement.faults
    ]
    runs = sum(judgement.runs for _, judgement in found)
    assert sum(len(judgement.left_out) for _, judgement in found) < 0.2 * runs


@needs_runner
def test_mlir_runner_agrees_too() -> None:
    for number in range(100, 103):
        prepared, _ = prepared_number(17, number)
        outcomes = run_with_runner(prepared.text, prepared.calls, prepared.options(2))

        assert [] == faults_of(prepared, outcomes)


def test_drawn_programs_have_ops_of_every_dialect() -> None:
    draw = random.Random("ops")
    seen = {name for _ in range(300) for name in op_names(render(build(draw)))}

    assert {"affine", "arith", "cf", "func", "linalg", "llvm", "math", "memref", "scf"} == {
        name.partition(".")[0] for name in seen
    }
    assert len(seen) > 180


def squared(kind: str = "i32") -> Program:
    """A function that gives the square of its argument, and what it was given."""
    product = Statement((f"%r = arith.muli %x, %x : {kind}",), (("%r", kind),))
    idle = Statement((f"%s = arith.addi %x, %x : {kind}",), (("%s", kind),))
    main = Function(
        "main", (Parameter("%x", kind),), (), (idle, product), (("%r", kind), ("%s", kind))
    )
    return Program((), (main,), ())


def outcome_of(*contents: bytes) -> NativeOutcome:
    """A native run with these results."""
    return NativeOutcome("ran", (), tuple(NativeScalar(content) for content in contents))


def wrong(text: str, calls: Sequence[NativeCall], _: NativeOptions) -> list[NativeOutcome]:
    """A compiler that makes 0 of every product."""
    zero, four = bytes(4), (4).to_bytes(4, "little")
    return [outcome_of(*[zero, four][: text.count("arith")]) for _ in calls]


def prepared_square(number: int) -> Prepared:
    """One call of `squared`, which comes to `number` squared."""
    results: list[bytes | None] = [
        (number * number).to_bytes(4, "little"),
        (2 * number).to_bytes(4, "little"),
    ]
    expected = Interpreted("ran", results=results, kinds=["i32", "i32"])
    return Prepared(squared(), "", (), (expected,), ())


def test_a_wrong_result_is_a_fault_that_shows_both_values() -> None:
    right = outcome_of(*(n.to_bytes(4, "little") for n in (9, 6)))
    other = outcome_of(*(n.to_bytes(4, "little") for n in (8, 6)))

    assert [] == faults_of(prepared_square(3), [right])
    (fault,) = faults_of(prepared_square(3), [other])
    assert fault.startswith("result 0 (i32): ")
    assert "0x00000009" in fault
    assert "0x00000008" in fault


@pytest.mark.parametrize("status", ["crash", "refused", "timeout"])
def test_what_does_not_run_natively_is_a_fault(status: str) -> None:
    outcome = replace(outcome_of(), status=status, message="some words")

    (fault,) = faults_of(prepared_square(3), [outcome])

    assert fault.startswith(f"{status}: ")
    assert "some words" in fault


def test_a_program_with_a_fault_becomes_small() -> None:
    draw = random.Random(5)
    program = next(p for p in (build(draw) for _ in range(50)) if "arith.muli" in render(p))

    small = shrink(program, lambda p: "arith.muli" in render(p))

    assert "arith.muli" in render(small)
    assert len(render(small).splitlines()) < len(render(program).splitlines())
    assert len(op_names(render(small))) < 12


@needs_jit
def test_a_compiler_that_is_wrong_is_found() -> None:
    assert [] == judge(squared(), "x").faults
    assert judge(squared(), "x", wrong).faults
