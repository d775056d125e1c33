"""Small edits of a module that somebody wrote: its ops, their operands, numbers and views.

An edit keeps to what dominates an op, to isolated regions and to symbols. An edited module may
still be invalid for a reason of one op's own; whoever asks for it finds out by reading it.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation

from fuzz import edit_flow, edit_views
from fuzz.edit_places import ends_block, is_statement, uses_results_of, values_before
from verify.ir.names import attr, op_name, set_attr, symbol_name
from verify.ir.printing import to_generic_text
from verify.semantics.views_by_name import LOOP_OPS


def edited(text: str, seed: int, edits: int) -> str:
    """The text after some edits; as it is when there are none, or when it cannot be read."""
    from verify.ir.frontend import read_text

    module = read_text(text).module if edits else None
    if module is None:
        return text
    draw = random.Random(seed)
    for _ in range(edits):
        ops = [op for op in module.walk() if op.parent is not None and symbol_name(op) is None]
        if ops:
            draw.choices([*KINDS], [*KINDS.values()])[0](draw, ops)
    return to_generic_text(module, locations=False)


def _other_operand(draw: random.Random, ops: list[Operation]) -> None:
    """Another value of the same type, from before the op."""
    fits = [o for o in ops if _exchangeable(o)]
    if not fits:
        return
    op = draw.choice(fits)
    place = draw.choice(_exchangeable(op))
    values = [v for v in values_before(op) if v.type == op.operands[place].type]
    if values:
        op.operands[place] = draw.choice(values)


def _exchangeable(op: Operation) -> list[int]:
    """The places of operands that can be any value: affine ops ask for affine indices, and
    `scf.parallel` for a step above zero.
    """
    is_choosy = op_name(op).startswith("affine.") or op_name(op) == "scf.parallel"
    return [i for i, v in enumerate(op.operands) if not (is_choosy and str(v.type) == "index")]


def _other_number(draw: random.Random, ops: list[Operation]) -> None:
    """Another constant; one that a loop uses stays above zero."""
    op = draw.choice([o for o in ops if op_name(o) == "arith.constant"] or ops)
    value = attr(op, "value")
    if not isinstance(value, IntegerAttr) or op_name(op) != "arith.constant":
        return
    number = draw.choice([0, 1, 2, 3, value.value.data + 1, value.value.data - 1])
    if str(value.type) == "i1":
        number %= 2
    if any(op_name(use.operation) in LOOP_OPS for use in op.results[0].uses):
        number = max(1, number)
    set_attr(op, "value", IntegerAttr(number, value.type))


def _without(draw: random.Random, ops: list[Operation]) -> None:
    """One op less, where nothing uses it."""
    free = [o for o in ops if not any(r.uses for r in o.results) and not ends_block(o)]
    if free:
        op = draw.choice(free)
        op.detach()
        op.erase(safe_erase=False)


def _twice(draw: random.Random, ops: list[Operation]) -> None:
    """One op twice, the second after the first or after a later one of its block."""
    fits = [o for o in ops if is_statement(o)]
    if not fits:
        return
    op = draw.choice(fits)
    block = op.parent
    assert block is not None
    later = [o for o in block.ops if not ends_block(o)]
    after = draw.choice(later[later.index(op) :])
    block.insert_ops_after([op.clone()], after)


def _moved(draw: random.Random, ops: list[Operation]) -> None:
    """Two neighbours the other way round."""
    op = draw.choice(ops)
    other = op.next_op
    if other is None or op.parent is None or ends_block(other) or uses_results_of(other, op):
        return
    other.detach()
    op.parent.insert_ops_before([other], op)


KINDS: dict[Callable[[random.Random, list[Operation]], None], int] = {
    _other_operand: 3,
    _other_number: 2,
    _without: 2,
    _twice: 2,
    _moved: 2,
    edit_flow.checkpointing: 2,
    edit_flow.scheduled: 1,
    edit_flow.in_a_branch: 1,
    edit_flow.in_a_loop: 1,
    edit_flow.swapped_bounds: 1,
    edit_flow.without_token: 2,
    edit_views.other_window: 2,
    edit_views.through_subview: 1,
    edit_views.through_cast: 1,
    edit_views.chosen: 1,
    edit_views.other_space: 1,
}
"""The kinds of edits, each with a weight."""
