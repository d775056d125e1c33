"""Sink views into the checkpointed loops that use them, so that a loop captures only sources.

A checkpointed loop snapshots each capture on its own. A view and its source captured together
become two copies of one memory; a view derived inside the loop is derived from the one copy.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue, Use
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from verify.semantics.views_by_name import (
    checkpointed_loops,
    is_sinkable_capture,
    region_captures,
)


@dataclass(frozen=True)
class SinkCheckpointViewsPass(ModulePass):
    """For each checkpointed loop, innermost first: clone every captured sinkable view inside it.

    A clone goes to the top of the entry block of each region that uses the view, and the uses
    in that region are redirected to it. This repeats until no such capture is left, because a
    clone may itself capture a view. The ops above the loop stay as they are.
    """

    name: ClassVar[str] = "sink-checkpoint-views"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite every checkpointed loop of the module `op`."""
        for loop in checkpointed_loops(op):
            _sink_captured_views(loop)


def _sink_captured_views(loop: Operation) -> None:
    pending = {region: region_captures(region)[::-1] for region in loop.regions}
    for first in loop.regions:
        while pending[first]:
            value = pending[first].pop()
            if not is_sinkable_capture(value):
                continue
            for region in loop.regions:
                # What a clone captures is looked at next: its operands are now used first.
                pending[region].extend(reversed(_sink_into(region, value)))


def _sink_into(region: Region, value: SSAValue) -> tuple[SSAValue, ...]:
    """Derive `value` inside `region` if it is used there; returns what the clone captures."""
    uses = list(_uses_inside(region, value))
    entry = region.blocks.first
    if not uses or entry is None or not isinstance(value.owner, Operation):
        return ()
    clone = value.owner.clone()
    Rewriter.insert_op(clone, InsertPoint.at_start(entry))
    for use in uses:
        use.operation.operands[use.index] = clone.results[0]
    return tuple(clone.operands)


def _uses_inside(region: Region, value: SSAValue) -> Iterator[Use]:
    return (use for use in value.uses if _is_inside(use.operation, region))


def _is_inside(op: Operation, region: Region) -> bool:
    block: Block | None = op.parent
    while block is not None and block.parent is not region:
        parent = block.parent_op()
        block = None if parent is None else parent.parent
    return block is not None
