"""E0101 and W0102: captures that overlap.

A read is stale when, in some replay, the write that it should see went through another snapshot
of the same byte. It is enough to look at two arbitrary iterations, because the segment of a
replay may start at the iteration of the write.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from verify.checklist import SNAPSHOTS
from verify.checks.context import Context, capture_name, capture_of, is_open, meeting, short
from verify.checks.evidence import (
    counterexample,
    defined_here,
    loop_here,
    place_of,
    recipe_of,
    replayed,
)
from verify.checks.open import undecided
from verify.checks.search import Confirmed
from verify.diagnostic import Counterexample, Diagnostic, Related, Replay
from verify.ir.spans import op_location, value_name
from verify.model.memory import Access, Capture, Checkpoint
from verify.replay.checkpoint import Divergence
from verify.replay.run import Outcome
from verify.smt.overlap import Decision, Question

NAME = "stale-snapshot"
MOST_TRIED = 4
"""Suspicions about one pair of captures that are looked at."""


@dataclass(slots=True)
class _Suspicion:
    read: Access
    write: Access
    decision: Decision


def check(context: Context, point: Checkpoint) -> bool:
    """Check one loop; whether every replay is faithful as far as captures go."""
    if len(point.captures) < 2:
        return True
    groups: dict[frozenset[int], list[_Suspicion]] = {}
    for suspicion in _suspicions(context, point):
        group = groups.setdefault(_pair(suspicion.read, suspicion.write, point), [])
        if len(group) < MOST_TRIED:
            group.append(suspicion)
    settled = [_settle(context, point, pair, group) for pair, group in groups.items()]
    return all(settled)


def _pair(read: Access, write: Access, point: Checkpoint) -> frozenset[int]:
    first, second = capture_of(read, point), capture_of(write, point)
    assert first is not None
    assert second is not None
    return frozenset((first.index, second.index))


def _suspicions(
    context: Context, point: Checkpoint, pair: frozenset[int] | None = None
) -> Iterator[_Suspicion]:
    """A read and an earlier write through another capture that may share a byte.

    With a `pair` of captures only theirs, asked thoroughly.
    """
    seen = [a for a in point.accesses if capture_of(a, point) is not None]
    reads = [a for a in seen if not a.is_write]
    writes = [a for a in seen if a.is_write]
    everything = [a for a in point.accesses if a.is_write]
    enough: Counter[frozenset[int]] = Counter()
    outer = len(point.outer)
    asked = 0
    for read, write in meeting(reads, writes, point):
        asked += 1
        here = _pair(read, write, point)
        if len(here) < 2 or enough[here] >= MOST_TRIED or pair not in (None, here):
            continue
        thorough = pair is not None
        question = Question(write, read, outer, everything, in_replays=True, thorough=thorough)
        decision = context.queries.decide(question)
        context.count(NAME, decision)
        if is_open(decision):
            enough[here] += 1
            yield _Suspicion(read, write, decision)
    if asked < len(reads) * len(writes) and pair is None:
        context.deciders[NAME, "bounds"] += len(reads) * len(writes) - asked


def _settle(
    context: Context, point: Checkpoint, pair: frozenset[int], group: list[_Suspicion]
) -> bool:
    """Confirm a suspicion about one pair of captures, or dispel all; whether it is dispelled."""
    if _confirm(context, point, pair, group, is_last=False) or _already_refuted(context, point):
        return False
    left = list(_suspicions(context, point, pair))
    if left and not _confirm(context, point, pair, left):
        context.diagnostics.append(_open(context, point, left[0]))
    return not left


def _confirm(
    context: Context,
    point: Checkpoint,
    pair: frozenset[int],
    group: list[_Suspicion],
    *,
    is_last: bool = True,
) -> bool:
    values = {c.value for c in point.captures if c.index in pair}

    def find(outcome: Outcome) -> Divergence | None:
        for divergence in outcome.observation.divergences:
            writer = divergence.writer
            if divergence.loop is not point.info.op or divergence.kind != "stale" or not writer:
                continue
            if writer.capture is not divergence.capture and writer.iteration >= divergence.segment:
                involved = {writer.capture, divergence.capture}
                if involved == values:
                    return divergence
        return None

    is_enough = context.options.effort.is_brief and _already_refuted(context, point)
    for suspicion in group:
        found = context.search.confirm(
            find, suspicion.decision.solution, is_last=is_last, only_known=is_enough
        )
        if found is not None:
            context.diagnostics.append(_stale(context, point, found))
            return True
    return False


def _already_refuted(context: Context, point: Checkpoint) -> bool:
    """One confirmed pair is enough to make the loop's other suspicions uninteresting."""
    place = op_location(point.info.op)
    return any(
        d.code == "E0101" and any(r.location == place for r in d.related)
        for d in context.diagnostics
    )


def _captures_of(suspicion: _Suspicion, point: Checkpoint) -> list[Capture]:
    found = [capture_of(suspicion.read, point), capture_of(suspicion.write, point)]
    return [c for c in found if c is not None]


def _open(context: Context, point: Checkpoint, suspicion: _Suspicion) -> Diagnostic:
    read, write = suspicion.read, suspicion.write
    names = [value_name(c.value) for c in _captures_of(suspicion, point)]
    what = f"a read through `{names[0]}` may see a stale copy of a write through `{names[1]}`"
    return undecided(context, point, what, [read, write], suspicion.decision, SNAPSHOTS)


def _stale(context: Context, point: Checkpoint, found: Confirmed[Divergence]) -> Diagnostic:
    divergence = found.evidence
    writer = divergence.writer
    assert writer is not None
    reader_name, writer_name = capture_name(divergence.capture), capture_name(writer.capture)
    related = [Related(f"written through `{writer_name}`", place_of(writer.op), is_primary=True)]
    for value, name in ((divergence.capture, reader_name), (writer.capture, writer_name)):
        if value is not None:
            related.append(defined_here(value, f"`{name}` gets a snapshot of its own"))
    related.append(loop_here(point.info.op))
    return Diagnostic(
        "E0101",
        f"a replay reads a stale copy of what is written through `{writer_name}`",
        context.model.name,
        context.stage,
        place_of(divergence.op),
        f"read through `{reader_name}`",
        tuple(related),
        (
            (
                f"the replay starts at iteration {divergence.segment}, where `{reader_name}` and "
                f"`{writer_name}` are two copies of one memory"
            ),
        ),
        _help(point),
        counterexample(context, found, divergence),
        replayed(divergence),
        "replay",
        recipe=recipe_of(context, found, divergence),
    )


def _help(point: Checkpoint) -> str:
    from verify.semantics.views_by_name import is_sinkable_view

    if any(is_sinkable_view(c.value.owner) for c in point.captures):
        return "sink the views into the loop (sink-checkpoint-views), so that one value is captured"
    return "let the loop capture one value only for this memory, and derive the others inside it"


def warn_duplicates(context: Context, point: Checkpoint) -> None:
    """W0102 for captures that overlap though every replay is faithful."""
    whole = [(a, c) for c in point.captures if not c.is_argument for a in c.elements]
    owner = {id(a): c.index for a, c in whole}
    elements = [a for a, _ in whole]
    pairs = {(owner[id(a)], owner[id(b)]) for a, b in meeting(elements, elements, point)}
    for i, j in sorted(pairs):
        if i < j:
            _warn_pair(context, point, point.captures[i], point.captures[j])


def _warn_pair(context: Context, point: Checkpoint, first: Capture, second: Capture) -> None:
    decision = _overlap(context, point, first, second)
    if decision is None:
        return

    def find(outcome: Outcome) -> tuple[int, int] | None:
        for loop, a, b, start, end in outcome.observation.overlaps:
            if loop is point.info.op and {a, b} == {first.value, second.value}:
                return start, end
        return None

    found = context.search.confirm(find, decision.solution, is_last=False)
    if found is not None:
        context.diagnostics.append(_duplicate(context, point, first, second, found))


def _overlap(
    context: Context, point: Checkpoint, first: Capture, second: Capture
) -> Decision | None:
    for a in first.elements:
        for b in second.elements:
            decision = context.queries.overlap_at_entry(a, b, len(point.outer))
            if is_open(decision):
                return decision
    return None


def _duplicate(
    context: Context,
    point: Checkpoint,
    first: Capture,
    second: Capture,
    found: Confirmed[tuple[int, int]],
) -> Diagnostic:
    from verify.checks.context import input_values

    names = [value_name(c.value) for c in (first, second)]
    start, end = found.evidence
    where = f"byte {start}" if end - start == 1 else f"bytes within {start} to {end - 1}"
    return Diagnostic(
        "W0102",
        f"`{names[0]}` and `{names[1]}` overlap and are snapshotted twice",
        context.model.name,
        context.stage,
        place_of(point.info.op),
        "this checkpointed loop captures both",
        tuple(
            defined_here(c.value, f"`{n}` is snapshotted")
            for c, n in zip((first, second), names, strict=True)
        ),
        (f"both hold {where} of one buffer; every replay is faithful all the same",),
        _help(point),
        Counterexample(
            input_values(found.inputs, context, found.outcome.arguments, found.outcome.initial)
        ),
        Replay("cpu", "confirmed"),
        "replay",
    )


def describe(access: Access) -> str:
    """An access in a few words."""
    return f"{'write' if access.is_write else 'read'} by {short(access.op)}"
