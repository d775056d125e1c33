"""The project's own `gpu-async-region` beside a real one, on one module."""

from collections.abc import Generator
from contextlib import contextmanager
from enum import Enum
from unittest.mock import patch

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from verify.ir.module import ParsedModule
from verify.ir.printing import to_generic_text
from verify.passes import gpu_async_execute
from verify.passes.gpu_async_execute import OperandLists
from verify.toolchain.registry import run_pass

OWN = "gpu-async-region"
OWN_THREADING = "gpu-async-region{existing=thread}"
MLIR = "mlir:func.func(gpu-async-region)"
ENZYME = "enzyme:func.func(gpu-async-region)"


class Comparison(Enum):
    """`FREED` is a program on which the real pass goes on with ops that it has freed."""

    SAME = "same"
    DIFFERENT = "different"
    FREED = "freed"


class FreedWaits:
    """Sees waits that the real pass would find freed: inside a region that was cloned meanwhile."""

    def __init__(self) -> None:
        self.any = False
        self._late: list[Operation] = []

    @contextmanager
    def watching(self) -> Generator[None]:
        yield_also, depend_after = gpu_async_execute._yield_also, gpu_async_execute._depend_after

        def watch_clone(execute: Operation, *arguments: object) -> Operation:
            self.any |= any(wait in set(execute.walk()) for wait in self._late)
            return yield_also(execute, *arguments)  # pyright: ignore[reportArgumentType]

        def watch_queue(user: Operation, values: list[object], lists: OperandLists) -> object:
            queued = depend_after(user, values, lists)  # pyright: ignore[reportArgumentType]
            self._late.extend(queued)
            return queued

        with (
            patch.object(gpu_async_execute, "_yield_also", watch_clone),
            patch.object(gpu_async_execute, "_depend_after", watch_queue),
        ):
            yield


def _text(module: ModuleOp) -> str:
    return to_generic_text(module, locations=False)


def compare(module: ParsedModule, own: str = OWN, real: str = MLIR) -> Comparison:
    """Run both; a refusal or failure of the own pass is an error of the test."""
    freed = FreedWaits()
    with freed.watching():
        ours = run_pass(own, module)
    assert ours.diagnostics == ()
    assert ours.module is not None
    assert ours.module.module is not None
    if freed.any:
        return Comparison.FREED
    theirs = run_pass(real, module)
    assert theirs.diagnostics == ()
    assert theirs.module is not None
    assert theirs.module.module is not None
    # xDSL's own comparison takes a value for another where it is used before its definition.
    same = _text(theirs.module.module) == _text(ours.module.module)
    return Comparison.SAME if same else Comparison.DIFFERENT
