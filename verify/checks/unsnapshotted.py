"""E0105: memory that a loop changes and no snapshot covers.

Such memory keeps the value that the primal left in it. A replay then reads a wrong value when the
primal wrote the byte after that read, or when the replay's own write goes to a copy.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice

from verify.checklist import STATE
from verify.checks.context import Context, capture_name, capture_of, is_local, is_open, meeting
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
from verify.checks.search import Confirmed
from verify.diagnostic import Diagnostic, Related
from verify.ir.spans import value_name
from verify.model.memory import Access, Capture, Checkpoint
from verify.replay.checkpoint import Divergence
from verify.replay.run import Outcome
from verify.smt.overlap import Decision, Question
from verify.smt.solver import Answer

NAME = "unsnapshotted-state"


def check(context: Context, point: Checkpoint) -> None:
    """Check one loop; one diagnostic for state outside snapshots, one for each wide capture."""
    for thorough in (False, True):
        open_ones = list(islice(_uncovered(context, point, thorough=thorough), 1))
        if all(_settle_uncovered(context, point, *one, last=thorough) for one in open_ones):
            break
    for thorough in (False, True):
        leaving = list(islice(_outside(context, point, thorough=thorough), 1))
        if all(_settle_outside(context, point, *one, last=thorough) for one in leaving):
            break


def _uncovered(
    context: Context, point: Checkpoint, *, thorough: bool
) -> Iterator[tuple[Access, Access, Decision]]:
    """Reads of uncovered memory with a write that the replay does not undo or does not see."""
    outer = len(point.outer)
    asked = partial(Question, outer=outer, in_replays=True, thorough=thorough)
    reads = [a for a in point.accesses if not a.is_write and _is_bare(a, point)]
    writes = [a for a in point.accesses if a.is_write and not is_local(a, point)]
    exposed = [w for w in writes if capture_of(w, point) is None]
    for read, write in meeting(reads, writes, point):
        decision = context.queries.decide(asked(read, write, exposed=exposed))
        context.count(NAME, decision)
        is_covered = capture_of(write, point) is not None
        if not is_open(decision) and is_covered and _is_undone(context, read, exposed, outer):
            decision = context.queries.decide(asked(write, read, writes=writes))
            context.count(NAME, decision)
        if is_open(decision):
            yield read, write, decision
    seen = [a for a in point.accesses if not a.is_write and capture_of(a, point) is not None]
    bare = [w for w in exposed if not w.view.memory.is_constant]
    for read, write in meeting(seen, bare, point):
        decision = context.queries.decide(asked(write, read, writes=writes))
        context.count(NAME, decision)
        if is_open(decision):
            yield read, write, decision


def _is_undone(context: Context, read: Access, exposed: Sequence[Access], outer: int) -> bool:
    """Whether a replay may write the bytes of `read` before it, past the snapshots.

    Only then can it find something older than what the primal left there.
    """
    return any(is_open(context.queries.decide(Question(write, read, outer))) for write in exposed)


def _is_bare(access: Access, point: Checkpoint) -> bool:
    return (
        capture_of(access, point) is None
        and not is_local(access, point)
        and not access.view.memory.is_constant
    )


def _settle_uncovered(
    context: Context,
    point: Checkpoint,
    read: Access,
    write: Access,
    decision: Decision,
    *,
    last: bool,
) -> bool:
    """Confirm that a replay goes wrong, or leave it open if this is the `last` try."""

    def find(outcome: Outcome) -> Divergence | None:
        for divergence in outcome.observation.divergences:
            if divergence.loop is point.info.op and _shows_bare_state(divergence):
                return divergence
        return None

    found = context.search.confirm(find, decision.solution, is_last=last)
    if found is None and not last:
        return False
    if found is None:
        what = "the loop may read memory that no snapshot covers and that it writes later"
        found_open = undecided(context, point, what, [read, write], decision, STATE)
        context.diagnostics.append(found_open)
        return True
    context.diagnostics.append(_bare(context, point, found, write))
    return True


def _shows_bare_state(divergence: Divergence) -> bool:
    """The read or the write that it should see goes to memory that no snapshot covers."""
    writer = divergence.writer
    if divergence.kind == "stale":
        return writer is not None and writer.capture is None
    return divergence.kind == "uncovered"


def _bare(
    context: Context, point: Checkpoint, found: Confirmed[Divergence], write: Access
) -> Diagnostic:
    divergence = found.evidence
    return Diagnostic(
        "E0105",
        "the loop reads and writes memory that no snapshot covers",
        context.model.name,
        context.stage,
        place_of(divergence.op),
        "a replay finds what the primal left here at its end",
        (
            Related("written in the loop", place_of(write.op, write.calls), is_primary=True),
            loop_here(point.info.op),
        ),
        (f"the replay starts at iteration {divergence.segment}", *assumed_in(found)),
        "capture the memory as a ranked memref defined above the loop, so that it is snapshotted",
        counterexample(context, found, divergence),
        replayed(divergence),
        "replay",
        recipe=recipe_of(context, found, divergence),
    )


def _outside(
    context: Context, point: Checkpoint, *, thorough: bool
) -> Iterator[tuple[Access, Capture, Decision]]:
    """Accesses through a capture that may leave the elements which it spans."""
    for access in point.accesses:
        capture = capture_of(access, point)
        if capture is None or access.view.is_contained:
            continue
        decision = context.queries.leaves(access, capture, thorough=thorough)
        context.count(NAME, decision)
        if decision.answer is not Answer.NONE:
            yield access, capture, decision


def _settle_outside(
    context: Context,
    point: Checkpoint,
    access: Access,
    capture: Capture,
    decision: Decision,
    *,
    last: bool,
) -> bool:
    """Confirm that an access leaves its snapshot, or leave it open if this is the `last` try."""

    def find(outcome: Outcome) -> Divergence | None:
        for divergence in outcome.observation.divergences:
            if divergence.loop is point.info.op and divergence.kind in ("outside", "stray"):
                return divergence
        return None

    name = value_name(capture.value)
    found = context.search.confirm(find, decision.solution, is_last=last)
    if found is None and not last:
        return False
    if found is None:
        what = f"an access through `{name}` may leave the elements that it spans"
        found_open = undecided(context, point, what, [access], decision, STATE)
        context.diagnostics.append(found_open)
        return True
    divergence = found.evidence
    through = capture_name(divergence.capture)
    context.diagnostics.append(
        Diagnostic(
            "E0105",
            f"an access through `{through}` leaves the elements that its snapshot holds",
            context.model.name,
            context.stage,
            place_of(divergence.op),
            f"{'write' if divergence.kind == 'stray' else 'read'} beyond the copy of `{through}`",
            (
                defined_here(capture.value, f"a snapshot holds what `{name}` spans, no more"),
                loop_here(point.info.op),
            ),
            (f"the replay starts at iteration {divergence.segment}", *assumed_in(found)),
            "capture the whole buffer, and make the wider view inside the loop from it",
            counterexample(context, found, divergence),
            replayed(divergence),
            "replay",
            recipe=recipe_of(context, found, divergence),
        )
    )
    return True
