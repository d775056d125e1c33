"""E0104: a snapshot is taken as if its memory lived in another space."""

from __future__ import annotations

from verify.checklist import SPACE
from verify.checks.context import Context
from verify.checks.evidence import defined_here, place_of
from verify.checks.open import undecided
from verify.checks.search import Confirmed
from verify.diagnostic import Counterexample, Diagnostic, Replay
from verify.ir.spans import value_name
from verify.model.memory import Capture, Checkpoint
from verify.recipe import Recipe
from verify.replay.recipes import write_recipe
from verify.replay.rows import space_text
from verify.replay.run import Outcome
from verify.semantics.extents import space_behind

NAME = "snapshot-memory-space"


def check(context: Context, point: Checkpoint) -> None:
    """Every capture's type must name the space that its buffer lives in."""
    for capture in point.captures:
        context.deciders[NAME, "types"] += 1
        for _, view in capture.view.choices:
            named = view.space if view.sizes is not None else space_behind(capture.value)
            if view.memory.kind != "unknown" and named != view.memory.space:
                _settle(context, point, capture, named, view.memory.space)
                break


def _settle(context: Context, point: Checkpoint, capture: Capture, named: str, real: str) -> None:
    def find(outcome: Outcome) -> bool | None:
        for loop, value, _, _ in outcome.observation.space_faults:
            if loop is point.info.op and value is capture.value:
                return True
        return None

    name = value_name(capture.value)
    found = context.search.confirm(find, None)
    if found is None:
        what = f"`{name}` may lie in {space_text(real)}, which its type does not name"
        context.diagnostics.append(undecided(context, point, what, [], None, SPACE))
        return
    from verify.checks.context import input_values

    context.diagnostics.append(
        Diagnostic(
            "E0104",
            f"the snapshot of `{name}` copies {space_text(real)} as {space_text(named)}",
            context.model.name,
            context.stage,
            place_of(point.info.op),
            f"this checkpointed loop snapshots `{name}`",
            (defined_here(capture.value, f"its type names {space_text(named)}"),),
            (f"the buffer behind `{name}` lives in {space_text(real)}",),
            "sink the view into the loop, so that the buffer itself is captured, "
            "or keep the memory space in the view's type",
            Counterexample(
                input_values(found.inputs, context, found.outcome.arguments, found.outcome.initial)
            ),
            Replay("cpu", "confirmed", space_text(real), space_text(named)),
            "replay",
            recipe=_recipe(context, point, found, named, real),
        )
    )


def _recipe(
    context: Context, point: Checkpoint, found: Confirmed[bool], named: str, real: str
) -> Recipe | None:
    """How to attempt the copy, where that is asked for."""
    if not context.options.recipes:
        return None
    evidence = {"loop": point.info.op, "named": named, "real": real}
    op, symbols = context.model.op, context.search.symbols
    return write_recipe("space", op, symbols, found.inputs, {}, evidence)
