"""Ops that are valid and yet senseless to whoever reads the result, such as a loop with step 0."""

from collections.abc import Sequence

from xdsl.dialects.builtin import IntegerAttr, MemRefType, ModuleOp
from xdsl.ir import Operation, SSAValue

from verify.ir.names import attr, op_name

_STEPS = {"scf.for": 2}
_DIVISIONS = frozenset(
    f"arith.{name}"
    for name in ("divsi", "divui", "remsi", "remui", "ceildivsi", "ceildivui", "floordivsi")
)
_FIRST_INDEX = {"memref.load": 1, "memref.store": 2}


def senseless_ops(module: ModuleOp) -> int:
    """How many ops have undefined behaviour whenever they run, by their constants alone."""
    return sum(_is_senseless(op) for op in module.walk())


def _is_senseless(op: Operation) -> bool:
    name = op_name(op)
    if name in _STEPS:
        step = _constant(op.operands[_STEPS[name]])
        return step is not None and step <= 0
    if name in _DIVISIONS:
        return _constant(op.operands[1]) == 0
    if name in _FIRST_INDEX:
        first = _FIRST_INDEX[name]
        return _is_outside(op.operands[first - 1], op.operands[first:])
    return False


def _is_outside(buffer: SSAValue, indices: Sequence[SSAValue]) -> bool:
    kind = buffer.type
    if not isinstance(kind, MemRefType):
        return False
    places = zip(kind.get_shape(), map(_constant, indices), strict=False)
    return any(at is not None and size >= 0 and not 0 <= at < size for size, at in places)


def _constant(value: SSAValue) -> int | None:
    owner = value.owner
    if not isinstance(owner, Operation) or op_name(owner) != "arith.constant":
        return None
    number = attr(owner, "value")
    return number.value.data if isinstance(number, IntegerAttr) else None
