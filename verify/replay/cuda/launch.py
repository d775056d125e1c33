"""Launches of compiled kernels: what each parameter gets, and which kernels are compiled.

A kernel that has no form in CUDA C++ is run thread by thread instead; `refused` says why.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from xdsl.ir import Operation, Region

from verify.ir.names import op_name
from verify.replay.buffers import Buffer
from verify.replay.cuda.kernel import Input, Kernel, numbers_of, print_kernel
from verify.semantics.algebra import UndefinedBehaviourError
from verify.semantics.term import whole
from verify.semantics.types import UnsupportedError
from verify.semantics.values import View

if TYPE_CHECKING:
    from verify.replay.concrete import ConcreteMachine

MOST_THREADS = 1024
MOST_BLOCKS = ((1 << 31) - 1, 65535, 65535)
MOST_IN_BLOCK = (1024, 1024, 64)


@dataclass(frozen=True, slots=True)
class Place:
    """A pointer parameter: a byte of a buffer, which may lie outside of it."""

    buffer: Buffer
    byte: int


Parameter: TypeAlias = "Place | int | float"


@dataclass(frozen=True, slots=True)
class Launch:
    """One launch: the kernel, blocks and threads by axis, a value for each of its parameters."""

    kernel: Kernel
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    parameters: tuple[Parameter, ...]


class Backend(Protocol):
    """What compiles kernels and runs them, to their end."""

    def run(self, launch: Launch) -> None: ...


class CompiledKernels:
    """Prints each kernel once and hands its launches to a backend."""

    def __init__(self, backend: Backend) -> None:
        self.backend = backend
        self.refused: dict[Operation, str] = {}
        self._printed: dict[Operation, Kernel] = {}

    def launch(
        self,
        machine: ConcreteMachine,
        op: Operation,
        region: Region,
        grid: Sequence[int],
        arguments: Sequence[Any],
    ) -> bool:
        """Run a kernel; `False` when it has no form in CUDA C++."""
        found = self.prepared(machine, op, region, grid, arguments)
        if found is None:
            return False
        if all(found.grid) and all(found.block):
            self.backend.run(found)
        return True

    def prepared(
        self,
        machine: ConcreteMachine,
        op: Operation,
        region: Region,
        grid: Sequence[int],
        arguments: Sequence[Any],
    ) -> Launch | None:
        """The kernel with the values of its parameters, or `None` when it cannot be printed."""
        entry = region.parent_op() or op
        if entry in self.refused and entry not in self._printed:
            return None
        try:
            if entry not in self._printed:
                self._printed[entry] = print_kernel(entry, machine.symbols)
            return launch_of(machine, self._printed[entry], grid, arguments)
        except UnsupportedError as error:
            self.refused[entry] = f"`{op_name(entry)}` is run thread by thread: {error}"
            return None


def launch_of(
    machine: ConcreteMachine, kernel: Kernel, grid: Sequence[int], arguments: Sequence[Any]
) -> Launch:
    """A kernel with the values of its parameters."""
    blocks, threads = _sizes(grid)
    given = [_value(machine, part, arguments) for part in kernel.inputs]
    pairs = zip(kernel.inputs, given, strict=True)
    parameters = tuple(p for part, value in pairs for p in _parameters(value, part))
    return Launch(kernel, blocks, threads, parameters)


def _sizes(grid: Sequence[int]) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    """Blocks and threads by axis; the hardware has limits."""
    bx, by, bz, tx, ty, tz = (max(0, n) for n in grid)
    over = any(n > most for n, most in zip((bx, by, bz), MOST_BLOCKS, strict=True))
    wide = any(n > most for n, most in zip((tx, ty, tz), MOST_IN_BLOCK, strict=True))
    if over or wide or tx * ty * tz > MOST_THREADS:
        raise UnsupportedError(f"a grid of {bx}x{by}x{bz} blocks of {tx}x{ty}x{tz} threads")
    return (bx, by, bz), (tx, ty, tz)


def _value(machine: ConcreteMachine, part: Input, arguments: Sequence[Any]) -> Any:
    if part.position is not None:
        return arguments[part.position]
    if part.value is not None:
        return machine.value(part.value)
    if part.symbol_op is None or part.symbol is None:
        raise UnsupportedError("a kernel input that comes from nowhere")
    kind = None if op_name(part.symbol_op).startswith("llvm.") else part.kind
    return machine.global_memory(part.symbol_op, part.symbol, kind)


def _parameters(value: Any, part: Input) -> list[Parameter]:
    if isinstance(value, View):
        if value.memory.is_freed:
            raise UndefinedBehaviourError(f"{value.memory.name} is used after it was freed")
        start = value.base if value.sizes is not None else value.offset
        return [Place(value.memory, whole(start)), *numbers_of(value, part.kind)]
    if isinstance(value, int):
        return [int(value)]
    try:
        return [float(value)]
    except (TypeError, ValueError):
        raise UnsupportedError(f"a kernel argument of type `{part.kind}`") from None
