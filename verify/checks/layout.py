"""E0106: a loop relies on the base pointer, offset or alignment of a capture.

A copy has the type and the elements of the capture, but lies somewhere else.
"""

from __future__ import annotations

from verify.checklist import LAYOUT
from verify.checks.context import Context, is_open
from verify.checks.evidence import (
    assumed_in,
    counterexample,
    defined_here,
    loop_here,
    place_of,
    recipe_of,
    replayed,
)
from verify.checks.open import undecided
from verify.diagnostic import Diagnostic
from verify.ir.spans import value_name
from verify.model.memory import Capture, Checkpoint, LayoutUse
from verify.replay.checkpoint import Divergence
from verify.replay.run import Outcome

NAME = "snapshot-layout"
_WHAT = {
    "offset": "the offset of `{0}` in its buffer",
    "address": "the address of `{0}`",
    "alignment": "the alignment of `{0}`",
}


def check(context: Context, point: Checkpoint) -> None:
    """One diagnostic an op that uses a layout."""
    context.deciders[NAME, "uses"] += 1
    seen: set[int] = set()
    for use in point.layout_uses:
        if id(use.op) in seen:
            continue
        seen.add(id(use.op))
        _settle(context, point, use)


def _settle(context: Context, point: Checkpoint, use: LayoutUse) -> None:
    layout_ops = frozenset(u.op for u in point.layout_uses if u.what != "alignment")
    wanted = ("misaligned",) if use.what == "alignment" else ("layout", "outside", "stale", "stray")

    def find(outcome: Outcome) -> Divergence | None:
        for divergence in outcome.observation.divergences:
            if divergence.loop is point.info.op and divergence.kind in wanted:
                return divergence
        return None

    reached = context.queries.can_run(use.conditions, use.loops)
    if not is_open(reached):
        context.count(NAME, reached)
        return
    capture: Capture | None = use.view.capture_in(point.info.id)
    name = "?" if capture is None else value_name(capture.value)
    what = _WHAT[use.what].format(name)
    found = context.search.confirm(find, None, shifted=True, layout_ops=layout_ops)
    if found is None:
        reached = context.queries.can_run(use.conditions, use.loops, thorough=True)
        if not is_open(reached):
            context.count(NAME, reached)
            return
    if found is None or capture is None:
        text = f"the loop may rely on {what}"
        context.diagnostics.append(undecided(context, point, text, [], None, LAYOUT))
        return
    context.diagnostics.append(
        Diagnostic(
            "E0106",
            f"the loop relies on {what}, which its snapshot need not keep",
            context.model.name,
            context.stage,
            place_of(use.op),
            f"uses {what}",
            (
                defined_here(capture.value, f"a snapshot of `{name}` lies elsewhere"),
                loop_here(point.info.op),
            ),
            assumed_in(found),
            "make the derived value above the loop, or derive it from the view's own elements",
            counterexample(context, found, found.evidence),
            replayed(found.evidence),
            "replay",
            recipe=recipe_of(context, found, found.evidence),
        )
    )
