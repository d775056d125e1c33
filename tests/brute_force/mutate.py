"""Modules with one thing changed in one function: what a faulty pass could make of them."""

from __future__ import annotations

import random
from collections.abc import Callable

from xdsl.dialects import builtin
from xdsl.ir import Operation, SSAValue

from verify.ir.names import attr, op_name


def mutate(function: Operation, draw: random.Random) -> str | None:
    """Change one thing in place; what was changed, or `None` when nothing could be."""
    ops = [op for op in function.walk() if op is not function and not op.successors]
    changes: list[Callable[[list[Operation], random.Random], str | None]]
    changes = [_other_operand, _other_operand, _swapped, _number, _dropped, _exchanged]
    draw.shuffle(changes)
    return next((done for change in changes if (done := change(ops, draw))), None)


def _candidates(op: Operation, kind: object) -> list[SSAValue]:
    """Values of a type that are seen by `op`: earlier in its block, or arguments of it."""
    block = op.parent_block()
    if block is None:
        return []
    found: list[SSAValue] = list(block.args)
    for other in block.ops:
        if other is op:
            break
        found += other.results
    return [v for v in found if v.type == kind]


def _other_operand(ops: list[Operation], draw: random.Random) -> str | None:
    op = draw.choice(ops)
    for i in draw.sample(range(len(op.operands)), len(op.operands)):
        values = [v for v in _candidates(op, op.operands[i].type) if v is not op.operands[i]]
        if values:
            op.operands[i] = draw.choice(values)
            return f"operand {i} of {op_name(op)}"
    return None


def _swapped(ops: list[Operation], draw: random.Random) -> str | None:
    pairs = [o for o in ops if len(o.operands) == 2 and o.operands[0].type == o.operands[1].type]
    if not pairs:
        return None
    op = draw.choice(pairs)
    op.operands[0], op.operands[1] = op.operands[1], op.operands[0]
    return f"operands of {op_name(op)}"


def _number(ops: list[Operation], draw: random.Random) -> str | None:
    constants = [op for op in ops if isinstance(attr(op, "value"), builtin.IntegerAttr)]
    if not constants:
        return None
    op = draw.choice(constants)
    value = attr(op, "value")
    assert isinstance(value, builtin.IntegerAttr)
    number = value.value.data + draw.choice([1, -1, 2])
    op.properties["value"] = builtin.IntegerAttr(number, value.type)
    return f"the constant {number}"


def _dropped(ops: list[Operation], draw: random.Random) -> str | None:
    stores = [op for op in ops if op_name(op) in ("memref.store", "affine.store", "memref.copy")]
    if not stores:
        return None
    op = draw.choice(stores)
    op.detach()
    op.erase()
    return f"no {op_name(op)}"


def _exchanged(ops: list[Operation], draw: random.Random) -> str | None:
    touching = [op for op in ops if "load" in op_name(op) or "store" in op_name(op)]
    for op in draw.sample(touching, len(touching)):
        after = op.next_op
        if after is None or after.next_op is None or set(after.operands) & set(op.results):
            continue
        block = op.parent_block()
        assert block is not None
        op.detach()
        block.insert_op_after(op, after)
        return f"{op_name(op)} after {op_name(after)}"
    return None
