"""Makes a native call on the interpreter instead: same buffers, same arguments, same answer.

The bits of a NaN that an op makes are not fixed by MLIR, so bytes that hold one are masked. A run
is left out of a comparison when it reads such bits as another type, or copies between memrefs
that overlap.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.ir import Attribute, Operation

from verify.ir.names import op_name
from verify.replay.buffers import Buffer, decode, encode
from verify.replay.concrete import ConcreteMachine
from verify.replay.inputs import Inputs
from verify.replay.loop_runs import LoopRun, OutOfStepsError, run_to_end
from verify.semantics.algebra import UndefinedBehaviourError
from verify.semantics.machine import Rule
from verify.semantics.types import Element, UnsupportedError, element_of, is_memref, layout_of
from verify.semantics.values import View
from verify.toolchain.native import NativeArgument, NativeCall, NativeMemref, NativePointer

COPIES = frozenset({"memref.copy", "linalg.copy", "llvm.intr.memcpy"})
CHOICES = frozenset({"arith.maxnumf", "arith.minnumf", "llvm.intr.maxnum", "llvm.intr.minnum"})
BITCASTS = frozenset({"arith.bitcast", "llvm.bitcast"})
SIGNS = frozenset({"math.copysign", "llvm.intr.copysign"})
_CHECKED = CHOICES | BITCASTS | SIGNS


@dataclass(slots=True)
class Interpreted:
    """What a call came to on the interpreter.

    `status` is `ran`, `undefined`, `unsupported`, `too-long` or `unspecified`; results are their
    bytes, `None` for a NaN; `nans` marks the bytes of each buffer that hold one.
    """

    status: str
    reason: str = ""
    buffers: list[bytes] = field(default_factory=list)
    nans: list[dict[int, Element]] = field(default_factory=list)
    results: list[bytes | None] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)


class UnspecifiedError(Exception):
    """A run did something whose outcome MLIR leaves open without making it undefined."""


class _Machine(ConcreteMachine):
    """The interpreter, which also notices results that MLIR leaves open."""

    def rule_of(self, op: Operation) -> Rule | None:
        rule = super().rule_of(op)
        if rule is None or op_name(op) not in _CHECKED:
            return rule

        def checked(machine: Any, op: Operation) -> Sequence[Any]:
            _specified(op, [self.value(operand) for operand in op.operands])
            return rule(machine, op)

        return checked


def _specified(op: Operation, operands: Sequence[Any]) -> None:
    """Raise where MLIR leaves open what an op makes of its operands."""
    name = op_name(op)
    if name in SIGNS and np.isnan(operands[1]):
        raise UnspecifiedError("the sign of a NaN is taken")
    if name in BITCASTS and _is_nan_value(operands[0]):
        raise UnspecifiedError("the bits of a NaN are taken")
    if name in CHOICES:
        a, b = operands
        if a == 0 == b and np.signbit(a) != np.signbit(b):
            raise UnspecifiedError("the larger one of two zeros")
        if _is_signaling(a) or _is_signaling(b):
            raise UnspecifiedError("a signaling NaN beside a number")


def _is_nan_value(value: Any) -> bool:
    return isinstance(value, np.floating) and bool(np.isnan(value))


def _is_signaling(value: Any) -> bool:
    """Whether a float is a NaN whose quiet bit, the first one of its fraction, is not set."""
    raw = np.asarray(value)
    bits = int.from_bytes(raw.tobytes(), "little")
    fraction = {2: 10, 4: 23, 8: 52}[raw.itemsize]
    return bool(np.isnan(value)) and not bits >> (fraction - 1) & 1


class Watcher:
    """Follows NaNs through memory, and copies that read what they write."""

    def __init__(self) -> None:
        self.nans: dict[int, dict[int, Element]] = {}
        self.read: tuple[Operation | None, set[tuple[int, int]]] = (None, set())

    def on_read(self, op: Operation, view: View, place: int, size: int, value: Any) -> None:
        """A NaN that is read as what it was written as is a NaN; as anything else it is open."""
        marks = self.nans.get(view.memory.id, {})
        for start, element in marks.items():
            is_touched = start < place + size and place < start + element.size
            if is_touched and (start, element.name) != (place, _float_of(op, view).name):
                raise UnspecifiedError("the bits of a NaN are read")
        if op_name(op) in COPIES:
            if self.read[0] is not op:
                self.read = (op, set())
            self.read[1].update((view.memory.id, place + k) for k in range(size))

    def on_write(self, op: Operation, view: View, place: int, size: int) -> None:
        """Remember which bytes are a NaN now."""
        own = self.read[1] if op_name(op) in COPIES and self.read[0] is op else set()
        if any((view.memory.id, place + k) in own for k in range(size)):
            raise UnspecifiedError("a copy between memrefs that overlap")
        marks = self.nans.setdefault(view.memory.id, {})
        for start, element in [*marks.items()]:
            if start < place + size and place < start + element.size:
                if start < place or start + element.size > place + size:
                    raise UnspecifiedError("a part of a NaN is overwritten")
                del marks[start]
        element = _float_of(op, view)
        if element.kind == "float" and element.size == size:
            content = view.memory.data[place : place + size].tobytes()
            if is_nan(content, element.name):
                marks[place] = element

    def on_layout(self, op: Operation, view: View, value: int) -> None:
        return

    def on_loop(self, machine: ConcreteMachine, op: Operation, run: LoopRun) -> Sequence[Any]:
        return run_to_end(machine, run)


def _float_of(op: Operation, view: View) -> Element:
    """The element type of an access."""
    if view.element is not None:
        return view.element
    kind = op.results[0].type if op.results else op.operands[0].type
    return element_of(kind)


def is_nan(content: bytes, name: str) -> bool:
    """Whether the bytes of a float are a NaN."""
    bits = int.from_bytes(content, "little")
    fraction = {"f16": 10, "bf16": 7, "f32": 23, "f64": 52}.get(name)
    if fraction is None:
        return False
    exponent = ((1 << (8 * len(content) - 1 - fraction)) - 1) << fraction
    return bits & exponent == exponent and bits & ((1 << fraction) - 1) != 0


def interpret(
    function: Operation, symbols: dict[str, Operation], call: NativeCall, max_steps: int = 20_000
) -> Interpreted:
    """Make one call on the interpreter."""
    watcher = Watcher()
    machine = _Machine(symbols, Inputs(), watcher, max_steps)
    buffers = [_buffer(machine, content, i) for i, content in enumerate(call.buffers)]
    region = function.regions[0]
    try:
        arguments = [
            _argument(buffers, argument, value.type)
            for argument, value in zip(call.arguments, region.blocks[0].args, strict=True)
        ]
        results = machine.run_region(region, arguments)
    except UndefinedBehaviourError as error:
        return Interpreted("undefined", str(error))
    except UnsupportedError as error:
        return Interpreted("unsupported", str(error))
    except UnspecifiedError as error:
        return Interpreted("unspecified", str(error))
    except OutOfStepsError:
        return Interpreted("too-long")
    last = region.blocks[-1].last_op
    assert last is not None
    kinds = [value.type for value in last.operands]
    found = [encode(value, kind) for value, kind in zip(results, kinds, strict=True)]
    names = [element_of(kind).name for kind in kinds]
    return Interpreted(
        "ran",
        "",
        [buffer.data.tobytes() for buffer in buffers],
        [watcher.nans.get(buffer.id, {}) for buffer in buffers],
        [None if is_nan(c, name) else c for c, name in zip(found, names, strict=True)],
        names,
    )


def _buffer(machine: ConcreteMachine, content: NDArray[np.uint8], number: int) -> Buffer:
    buffer = machine.new_buffer(len(content), f"buffer {number}")
    buffer.data[:] = content
    return buffer


def _argument(buffers: list[Buffer], argument: NativeArgument, kind: Attribute) -> Any:
    match argument:
        case NativePointer(number, place):
            return View(buffers[number], place, None, (), None, place)
        case NativeMemref(number, offset, sizes, strides, base):
            assert is_memref(kind)
            layout = layout_of(kind)
            unit = layout.element.size
            steps = tuple(stride * unit for stride in strides)
            start = base + offset * unit
            return View(buffers[number], start, sizes, steps, layout.element, base, layout.space)
        case _:
            return decode(argument.content, kind)
