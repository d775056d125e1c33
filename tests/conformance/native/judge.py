"""Runs a program on the interpreter and natively, and says where the two differ."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from tests.conformance.native.draw import calls_of
from tests.conformance.native.program import Program, render
from verify.ir.frontend import read_text
from verify.model.symbols import collect_symbols
from verify.replay.native_call import Interpreted, interpret, is_nan
from verify.semantics.types import Element
from verify.toolchain.native import (
    NativeCall,
    NativeOptions,
    NativeOutcome,
    NativeScalar,
    run_native,
)

Runner: TypeAlias = Callable[[str, Sequence[NativeCall], NativeOptions], list[NativeOutcome]]
"""What makes calls natively: `run_native`, or `run_with_runner`."""

TOLERANCE_ULPS = 4
"""How far apart results of functions that no standard fixes may be, in units of the last place."""

CANCELLING = ("expm1", "log1p")
"""Functions that MLIR lowers to a difference or of a sum: their error counts as one of 1.0."""

EPSILON = {"f16": 2.0**-10, "bf16": 2.0**-7, "f32": 2.0**-23, "f64": 2.0**-52}


@dataclass(slots=True)
class Judgement:
    """What came of one program: `faults` are differences, `left_out` runs and why.

    `text` is the program; where it has faults, the smallest one found that has them too.
    """

    text: str
    faults: list[str] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    runs: int = 0
    compared: int = 0


@dataclass(frozen=True, slots=True)
class Prepared:
    """A program with the calls that are defined, and what they came to on the interpreter."""

    program: Program
    text: str
    calls: tuple[NativeCall, ...]
    expected: tuple[Interpreted, ...]
    left_out: tuple[str, ...]

    def judgement(self) -> Judgement:
        """Nothing compared so far."""
        runs = len(self.calls) + len(self.left_out)
        return Judgement(self.text, left_out=list(self.left_out), runs=runs)

    def options(self, optimisation: int) -> NativeOptions:
        """How to compile the program; see `NativeOptions` on negative strides."""
        drops = self.program.has_backwards
        return NativeOptions(optimisation=optimisation, drops_promises=drops)


def prepare(program: Program, seed: object, max_steps: int = 20_000) -> Prepared:
    """Run a program on the interpreter; calls that it does not find defined are left out.

    Raises `ValueError` when the program is not valid.
    """
    text = render(program)
    parsed = read_text(text)
    if parsed.module is None:
        raise ValueError(f"not read: {parsed.errors[0].message}\n{text}")
    symbols = collect_symbols(parsed.module)
    calls = calls_of(program, random.Random(f"calls {seed}"))
    found = [interpret(symbols[program.main.name], symbols, call, max_steps) for call in calls]
    defined = [(c, f) for c, f in zip(calls, found, strict=True) if f.status == "ran"]
    return Prepared(
        program,
        text,
        tuple(c for c, _ in defined),
        tuple(f for _, f in defined),
        tuple(f"{f.status}: {f.reason}" for f in found if f.status != "ran"),
    )


def faults_of(prepared: Prepared, outcomes: Sequence[NativeOutcome]) -> list[str]:
    """Where native runs of the defined calls differ from the interpreter."""
    return [
        fault
        for expected, actual in zip(prepared.expected, outcomes, strict=True)
        for fault in _differences(prepared.program, expected, actual)
    ]


def judge(
    program: Program, seed: object, runner: Runner = run_native, optimisation: int = 0
) -> Judgement:
    """Run a program both ways, once with each drawn input."""
    prepared = prepare(program, seed)
    found = prepared.judgement()
    if prepared.calls:
        outcomes = runner(prepared.text, prepared.calls, prepared.options(optimisation))
        found.faults = faults_of(prepared, outcomes)
        found.compared = len(outcomes)
    return found


def _differences(program: Program, expected: Interpreted, actual: NativeOutcome) -> list[str]:
    if actual.status != "ran":
        return [f"{actual.status}: {_last_line(actual.message)}"]
    found = [f"writes outside buffer {number}" for number in actual.strays]
    for number, (a, b) in enumerate(zip(expected.buffers, actual.buffers, strict=True)):
        found += _memory(number, a, b, expected.nans[number])
    returned = program.main.returned
    for i, (a, b) in enumerate(zip(expected.results, actual.results, strict=True)):
        assert isinstance(b, NativeScalar)
        name, kind = returned[i][0], expected.kinds[i]
        if not _agree(a, b.content, kind, dict(program.inexact).get(name)):
            found.append(
                f"result {i} ({kind}): {_shown(a, kind)} here, {_shown(b.content, kind)} natively"
            )
    return found


def _last_line(message: str) -> str:
    lines = [line for line in message.splitlines() if "error" in line or "signal" in line]
    return (lines or message.splitlines() or [""])[-1][:160]


def _memory(number: int, a: bytes, b: bytes, nans: dict[int, Element]) -> list[str]:
    masked = bytearray(a)
    for place, element in nans.items():
        end = place + element.size
        if is_nan(b[place:end], element.name):
            masked[place:end] = b[place:end]
    places = [i for i, (x, y) in enumerate(zip(masked, b, strict=True)) if x != y]
    if not places:
        return []
    at = places[0] // 8 * 8
    here, there = a[at : at + 8].hex(), b[at : at + 8].hex()
    where = f"buffer {number}, bytes from {places[0]}"
    return [f"{where}: {here} here, {there} natively, from byte {at}"]


def _shown(content: bytes | None, kind: str) -> str:
    if content is None or is_nan(content, kind):
        return "nan"
    number = _float(content, kind)
    return f"0x{content[::-1].hex()}" + ("" if number is None else f" = {number!r}")


def _float(content: bytes, kind: str) -> float | None:
    if kind == "bf16":
        return float(np.frombuffer(b"\0\0" + content, np.float32)[0])
    kinds = {"f16": np.float16, "f32": np.float32, "f64": np.float64}
    return float(np.frombuffer(content, kinds[kind])[0]) if kind in kinds else None


def _agree(a: bytes | None, b: bytes, kind: str, function: str | None) -> bool:
    """Whether two results are the same; those of a function of `math` have a tolerance."""
    if a is None or a == b:
        return a == b or is_nan(b, kind)
    if function is None or is_nan(b, kind):
        return False
    if abs(_ordered(a) - _ordered(b)) <= TOLERANCE_ULPS:
        return True
    x, y = _float(a, kind), _float(b, kind)
    assert x is not None
    assert y is not None
    return function in CANCELLING and abs(x - y) <= TOLERANCE_ULPS * EPSILON[kind]


def _ordered(content: bytes) -> int:
    """The place of a float among all floats of its type."""
    bits, sign = int.from_bytes(content, "little"), 1 << (8 * len(content) - 1)
    return -(bits - sign) if bits & sign else bits
