"""One function or kernel twice: by the interpreter, and as printed source on the CPU."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.ir import Operation

from tests.cuda.host import HostKernels
from verify.ir.frontend import read_text
from verify.ir.names import op_name, symbol_name
from verify.model.symbols import collect_symbols
from verify.replay.arguments import raw_element
from verify.replay.concrete import ConcreteMachine
from verify.replay.cuda.kernel import Kernel, print_kernel
from verify.replay.cuda.launch import launch_of
from verify.replay.inputs import Inputs
from verify.replay.loop_runs import OutOfStepsError
from verify.semantics.algebra import UndefinedBehaviourError
from verify.semantics.gpu import launch

ONE = (1, 1, 1, 1, 1, 1)


def read(text: str) -> Operation:
    """The module of an MLIR text that must be readable."""
    parsed = read_text(text)
    if parsed.module is None:
        raise ValueError(f"{parsed.errors[0]}\n{text}")
    return parsed.module


def entry_named(module: Operation, name: str) -> Operation:
    """A function or kernel of a module."""
    return next(op for op in module.walk() if symbol_name(op) == name and op_name(op) in ENTRIES)


ENTRIES = ("func.func", "gpu.func")


class Subject:
    """A function or kernel with its printed source."""

    def __init__(self, text: str, name: str = "f") -> None:
        self.module = read(text)
        self.symbols = collect_symbols(self.module)
        self.entry = entry_named(self.module, name)
        self.kernel: Kernel = print_kernel(self.entry, self.symbols)

    def start(self, inputs: Inputs, max_steps: int = 20_000) -> tuple[ConcreteMachine, list[Any]]:
        """A machine with arguments for one run."""
        machine = ConcreteMachine(self.symbols, inputs, max_steps=max_steps)
        machine.raw_element = raw_element(self.entry)
        block = self.entry.regions[0].blocks[0]
        count = sum(part.position is not None for part in self.kernel.inputs)
        return machine, [machine.argument(i, a) for i, a in enumerate(block.args[:count])]

    def interpreted(
        self, inputs: Inputs, grid: Sequence[int] = ONE
    ) -> list[tuple[str, bytes]] | None:
        """Memory after the interpreter's run, or `None` when the run proves nothing."""
        machine, arguments = self.start(inputs)
        try:
            launch(machine, self.entry, grid, self.entry.regions[0], arguments)
        except (UndefinedBehaviourError, OutOfStepsError):
            return None
        return memory(machine)

    def compiled(self, inputs: Inputs, grid: Sequence[int] = ONE) -> list[tuple[str, bytes]]:
        """Memory after the printed source ran."""
        machine, arguments = self.start(inputs)
        HostKernels().run(launch_of(machine, self.kernel, grid, arguments))
        return memory(machine)


def memory(machine: ConcreteMachine) -> list[tuple[str, bytes]]:
    """The buffers that were there before the run: arguments and globals."""
    shown = [b for b in machine.buffers if b.name != "allocation"]
    return sorted((b.name, b.data.tobytes()) for b in shown)
