"""Which values of a function anything can come to depend on.

What only dead computations look at has no place in a normal form. A value that this page does not
follow (an operand of an unknown op, say) is taken to be needed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from xdsl.ir import Block, Operation, SSAValue

from verify.ir.names import op_name
from verify.model.analyse import FUNCTIONS

_PURE = frozenset({"arith", "math", "complex", "index"})
_REMOVABLE = frozenset(
    {
        "affine.apply",
        "affine.load",
        "affine.max",
        "affine.min",
        "llvm.getelementptr",
        "llvm.load",
        "llvm.mlir.constant",
        "memref.cast",
        "memref.collapse_shape",
        "memref.dim",
        "memref.expand_shape",
        "memref.extract_strided_metadata",
        "memref.load",
        "memref.memory_space_cast",
        "memref.reinterpret_cast",
        "memref.subview",
        "memref.transpose",
        "memref.view",
    }
)
_LOOPS = frozenset({"scf.for", "affine.for"})
_CHOICES = frozenset({"scf.if", "scf.index_switch", "scf.execute_region", "affine.if"})

Reason = tuple[SSAValue, SSAValue]
"""The second value is needed if the first is."""


@dataclass(slots=True)
class Liveness:
    """The needed values of functions, found when first asked for."""

    known: dict[Operation, set[SSAValue]] = field(default_factory=dict)

    def is_dead(self, *values: SSAValue) -> bool:
        """Whether nothing depends on any of these."""
        return not any(v in self._needed(v) for v in values)

    def _needed(self, value: SSAValue) -> set[SSAValue]:
        owner = value.owner
        op = owner.parent_op() if isinstance(owner, Block) else owner
        while op is not None and op_name(op) not in FUNCTIONS:
            op = op.parent_op()
        if op is None:
            return {value}
        if op not in self.known:
            self.known[op] = needed_in(op)
        return self.known[op]


def needed_in(function: Operation) -> set[SSAValue]:
    """All values in a function that effects, control or results depend on."""
    leads: dict[SSAValue, list[SSAValue]] = {}
    todo: deque[SSAValue] = deque()
    for op in function.walk():
        needed, reasons = _uses(op)
        todo.extend(needed)
        for cause, value in reasons:
            leads.setdefault(cause, []).append(value)
    found: set[SSAValue] = set()
    while todo:
        value = todo.popleft()
        if value not in found:
            found.add(value)
            todo.extend(leads.get(value, ()))
    return found


def _uses(op: Operation) -> tuple[Sequence[SSAValue], Sequence[Reason]]:
    """The operands of an op that are needed in any case, and those that others make needed."""
    name = op_name(op)
    if name in _REMOVABLE or (name.partition(".")[0] in _PURE and not op.regions):
        return (), [(r, v) for r in op.results for v in op.operands]
    if name == "scf.while":
        return (), list(zip(op.regions[0].blocks[0].args, op.operands, strict=False))
    if name in _LOOPS:
        return _loop(op)
    if name in ("scf.yield", "affine.yield"):
        return _yield(op)
    if name == "scf.condition":
        return _condition(op)
    if name in ("cf.br", "cf.cond_br"):
        return _edges(op)
    return op.operands, []


def _loop(op: Operation) -> tuple[Sequence[SSAValue], Sequence[Reason]]:
    carried = op.regions[0].blocks[0].args[1:]
    if len(carried) != len(op.results):
        return op.operands, []
    bounds = len(op.operands) - len(carried)
    initial = op.operands[bounds:]
    reasons = [*zip(carried, initial, strict=True), *zip(op.results, initial, strict=True)]
    return op.operands[:bounds], reasons


def _yield(op: Operation) -> tuple[Sequence[SSAValue], Sequence[Reason]]:
    parent = op.parent_op()
    if parent is None:
        return op.operands, []
    name = op_name(parent)
    if name in _CHOICES and len(parent.results) == len(op.operands):
        return (), list(zip(parent.results, op.operands, strict=True))
    first = parent.regions[0].blocks[0].args
    if name == "scf.while" and len(first) == len(op.operands):
        return (), list(zip(first, op.operands, strict=True))
    if name in _LOOPS and len(parent.results) == len(op.operands) == len(first) - 1:
        both = zip(first[1:], parent.results, op.operands, strict=True)
        return (), [reason for c, r, v in both for reason in ((c, v), (r, v))]
    return op.operands, []


def _condition(op: Operation) -> tuple[Sequence[SSAValue], Sequence[Reason]]:
    parent = op.parent_op()
    passed = op.operands[1:]
    if parent is None or op_name(parent) != "scf.while" or len(parent.results) != len(passed):
        return op.operands, []
    second = parent.regions[1].blocks[0].args
    both = zip(second, parent.results, passed, strict=True)
    return op.operands[:1], [reason for a, r, v in both for reason in ((a, v), (r, v))]


def _edges(op: Operation) -> tuple[Sequence[SSAValue], Sequence[Reason]]:
    parameters = list(_parameters(op))
    fixed = len(op.operands) - len(parameters)
    if fixed != (op_name(op) == "cf.cond_br"):
        return op.operands, []
    return op.operands[:fixed], list(zip(parameters, op.operands[fixed:], strict=True))


def _parameters(op: Operation) -> Iterator[SSAValue]:
    for successor in op.successors:
        yield from successor.args
