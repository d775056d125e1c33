"""Small edits of a module that somebody wrote: its ops, their operands and their numbers.

An edited module may be invalid; whoever asks for it finds out by reading it.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from xdsl.dialects.builtin import BoolAttr, IntegerAttr
from xdsl.ir import Operation, SSAValue

from verify.ir.names import attr, op_name, set_attr
from verify.ir.printing import to_generic_text
from verify.semantics.views_by_name import CHECKPOINT_ATTRIBUTE, is_checkpointed, is_loop

_KEPT = ("builtin.module", "func.func", "gpu.module", "gpu.func")


def edited(text: str, seed: int, edits: int) -> str:
    """The text after some edits; as it is when there are none, or when it cannot be read."""
    from verify.ir.frontend import read_text

    module = read_text(text).module if edits else None
    if module is None:
        return text
    draw = random.Random(seed)
    for _ in range(edits):
        ops = [op for op in module.walk() if op_name(op) not in _KEPT]
        if ops:
            draw.choice(_EDITS)(draw, ops)
    return to_generic_text(module, locations=False)


def _other_operand(draw: random.Random, ops: list[Operation]) -> None:
    """Another value of the same type, from before the op."""
    op = draw.choice([o for o in ops if o.operands] or ops)
    if not op.operands:
        return
    place = draw.randrange(len(op.operands))
    fits = [v for v in _values_before(op) if v.type == op.operands[place].type]
    if fits:
        op.operands[place] = draw.choice(fits)


def _other_number(draw: random.Random, ops: list[Operation]) -> None:
    """Another constant."""
    op = draw.choice([o for o in ops if op_name(o) == "arith.constant"] or ops)
    value = attr(op, "value")
    if isinstance(value, IntegerAttr) and op_name(op) == "arith.constant":
        number = draw.choice([0, 1, 2, 3, value.value.data + 1, value.value.data - 1])
        bits = 1 if str(value.type) == "i1" else 32
        set_attr(op, "value", IntegerAttr(number % 2 if bits == 1 else number, value.type))


def _without(draw: random.Random, ops: list[Operation]) -> None:
    """One op less, where nothing uses it."""
    free = [o for o in ops if not any(r.uses for r in o.results) and not _ends_block(o)]
    if free:
        op = draw.choice(free)
        op.detach()
        op.erase(safe_erase=False)


def _twice(draw: random.Random, ops: list[Operation]) -> None:
    """One op twice, the second after the first or after a later one of its block."""
    op = draw.choice([o for o in ops if not _ends_block(o)] or ops)
    block = op.parent
    if block is None or _ends_block(op):
        return
    later = [o for o in block.ops if not _ends_block(o)]
    after = draw.choice(later[later.index(op) :])
    block.insert_ops_after([op.clone()], after)


def _moved(draw: random.Random, ops: list[Operation]) -> None:
    """Two neighbours the other way round."""
    op = draw.choice(ops)
    other = op.next_op
    if other is None or op.parent is None or _ends_block(other):
        return
    if any(o in op.results for o in other.operands):
        return
    other.detach()
    op.parent.insert_ops_before([other], op)


def _checkpointing(draw: random.Random, ops: list[Operation]) -> None:
    """A loop that was not checkpointed is, or the other way round."""
    loops = [o for o in ops if is_loop(o)]
    if loops:
        loop = draw.choice(loops)
        value = BoolAttr.from_bool(not is_checkpointed(loop))
        loop.attributes[CHECKPOINT_ATTRIBUTE] = value


def _ends_block(op: Operation) -> bool:
    return op.parent is not None and op.parent.last_op is op


def _values_before(op: Operation) -> list[SSAValue]:
    found: list[SSAValue] = []
    current: Operation | None = op
    while current is not None and current.parent is not None:
        block = current.parent
        found += block.args
        for other in block.ops:
            if other is current:
                break
            found += other.results
        current = block.parent_op()
    return found


_EDITS: tuple[Callable[[random.Random, list[Operation]], None], ...] = (
    _other_operand,
    _other_operand,
    _other_number,
    _without,
    _twice,
    _moved,
    _checkpointing,
)
