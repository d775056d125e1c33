"""Runs programs natively. A *program* is MLIR text with the function `ENTRY`, which takes a number
of *images* (blocks of bytes of equal size, one behind the other) and changes them in place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from verify.toolchain.mlir_runner import run_with_runner
from verify.toolchain.native import (
    NativeCall,
    NativeMemref,
    NativeOptions,
    NativeOutcome,
    NativeScalar,
    run_native,
)

ENTRY = "verify_ir_run"
_PROBE_S = 20.0
# `loc("-":3:4): text` from the JIT, `<stdin>:3:4: error: text` from the binaries.
_ERROR = re.compile(r"(?:loc\(.*\)|\S+): (?:error: )?(.+)")
NativeRun: TypeAlias = Callable[[str, Sequence[NativeCall], NativeOptions], list[NativeOutcome]]
NATIVE: dict[str, NativeRun] = {"jit": run_native, "mlir-runner": run_with_runner}
"""The runners that compile, by name."""


@dataclass(frozen=True, slots=True)
class Program:
    """MLIR text with an `ENTRY`, and the bytes of one of its images."""

    text: str
    image_bytes: int


class RunError(Exception):
    """A program that gave no result: `step` is `compile`, or `run` where it died or is undefined.

    `has_died` says that the process was ended by a signal or a time limit while it ran.
    """

    def __init__(self, step: str, reason: str, stderr: str = "", *, has_died: bool = False) -> None:
        """Keep what was printed beside the reason."""
        super().__init__(reason)
        self.step = step
        self.reason = reason
        self.stderr = stderr
        self.has_died = has_died


def run_program(runner: str, program: Program, images: bytes, timeout_s: float) -> bytes:
    """The images after the program has run on each; raises `RunError`."""
    outcome = _call(runner, program, images, len(images) // program.image_bytes, timeout_s)
    if outcome.status == "ran":
        return outcome.buffers[0]
    reason, _, stderr = outcome.message.partition("\n")
    if outcome.status == "refused":
        raise RunError("compile", _first_error(outcome.message), outcome.message)
    # A compiler may die as well as what it compiled: what runs on no image shows which it was.
    empty = _call(runner, program, images[:0], 0, max(timeout_s, _PROBE_S))
    step = "run" if empty.status == "ran" else "compile"
    raise RunError(step, reason, stderr, has_died=step == "run")


def _call(
    runner: str, program: Program, images: bytes, count: int, timeout_s: float
) -> NativeOutcome:
    content = np.frombuffer(images, np.uint8)
    memory = NativeMemref(0, 0, (len(content),), (1,))
    number = NativeScalar(count.to_bytes(8, "little"))
    call = NativeCall(ENTRY, [content], [memory, number])
    return NATIVE[runner](program.text, [call], NativeOptions(timeout_s=timeout_s))[0]


def _first_error(printed: str) -> str:
    """What the first error says, or else the first line; a module that is refused gives one."""
    lines = printed.splitlines() or ["it gives no reason"]
    return next((found[1] for line in lines if (found := _ERROR.match(line))), lines[0])
