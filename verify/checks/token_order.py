"""E0201 to E0204 and W0205: asynchronous work and the order that tokens give it.

Two accesses conflict when they may touch a common byte and one of them writes. The earlier one
in program order must be complete before the later one starts. What is complete where is part of
the model; a pair that this leaves open is asked of the solver together with its addresses, and
an answer counts only after a run on such a schedule shows a different result.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import TypeAlias

from xdsl.ir import Operation, SSAValue

from verify.checklist import LIFETIME, OF_TOKENS, ORDER, WAITS, check_of
from verify.checks.context import Context, input_values, is_open
from verify.checks.evidence import place_of
from verify.checks.open import doubtful
from verify.checks.schedules import ScheduleSearch, Shown
from verify.diagnostic import Counterexample, Diagnostic, Picture, Related, Replay
from verify.ir.names import op_name
from verify.ir.spans import op_location, value_name
from verify.model.memory import Access
from verify.model.order import Event
from verify.model.pictures import race_picture
from verify.recipe import Recipe
from verify.replay.recipes import plain_value, write_recipe
from verify.replay.rows import difference_evidence
from verify.replay.schedule import Pair
from verify.semantics.types import is_token
from verify.smt.memories import relation
from verify.smt.overlap import Decision, Question
from verify.smt.solver import Answer

NAME = "token-order"
MOST_FINDINGS = 20
MOST_TRIED = 4
"""Pairs of accesses of two ops that are looked at before their order stays open."""
_Key: TypeAlias = tuple[int, int, str]
MOST_PICTURES = 5


@dataclass(slots=True)
class _Race:
    """A pair without an order: `first` comes first in program order."""

    first: Access
    second: Access
    decision: Decision

    @property
    def code(self) -> str:
        """Which invariant the pair breaks."""
        if self.first.lifetime or self.second.lifetime:
            return "E0204"
        return "E0202" if self.is_on_host else "E0201"

    is_on_host: bool = False


def check(context: Context) -> None:
    """Check one function that has asynchronous work."""
    model = context.model
    if not model.events and not any(_deals_in_tokens(r.op) for r in model.unsupported):
        return
    context.asked += _asked(context)
    search = ScheduleSearch(context.search)
    _check_pairs(context, search)
    _check_unknown(context)
    _check_return(context, search)
    _check_waits(context)


def _check_pairs(context: Context, search: ScheduleSearch) -> None:
    """E0201, E0202 and E0204: accesses without an order."""
    shown: set[_Key] = set()
    tried: dict[_Key, list[_Race]] = {}
    for race in _races(context):
        key = (id(site_of(race.first)), id(site_of(race.second)), race.code)
        group = tried.setdefault(key, [])
        if key in shown or len(group) >= MOST_TRIED:
            continue
        group.append(race)
        if (diagnostic := _settle(context, search, race)) is not None:
            context.diagnostics.append(diagnostic)
            shown.add(key)
        if len(tried) >= MOST_FINDINGS:
            # What has not been looked at is not proven.
            context.asked = [check for check in context.asked if check not in (ORDER, LIFETIME)]
            break
    for key, group in tried.items():
        if key not in shown:
            context.diagnostics.append(_doubt(context, search, group[0]))


def _asked(context: Context) -> list[str]:
    """The checks of tokens that this function gives something to look at."""
    has_lives = any(access.lifetime for access in context.model.accesses)
    return [ORDER, LIFETIME, WAITS] if has_lives else [ORDER, WAITS]


def _races(context: Context) -> Iterator[_Race]:
    """Pairs that may touch a common byte while the first is not known to be complete."""
    model = context.model
    by_event: dict[int, list[Access]] = {}
    masks: dict[int, int] = {}
    for access in model.accesses:
        if access.event >= 0:
            by_event.setdefault(access.event, []).append(access)
            memory = access.view.memory.id
            masks[memory] = masks.get(memory, 0) | 1 << access.event
    meets = _meeting_memories(model.accesses)
    tasks = {e.index for e in model.events if e.kind == "task"}
    for second in model.accesses:
        reachable = 0
        for memory in meets[second.view.memory.id]:
            reachable |= masks.get(memory, 0)
        for event in _bits(second.pending & reachable):
            for first in by_event[event]:
                race = _race(context, first, second, event)
                if race is not None:
                    race.is_on_host = second.event < 0 or second.event in tasks
                    yield race


def _bits(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def _meeting_memories(accesses: Sequence[Access]) -> dict[int, list[int]]:
    """For each memory those that may be the same."""
    views = {a.view.memory.id: a.view for a in accesses}
    open_ones = [v for v in views.values() if v.memory.kind == "unknown" or v.memory.address]
    found: dict[int, list[int]] = {}
    for number, view in views.items():
        is_open_one = view.memory.kind == "unknown" or view.memory.address
        others = views.values() if is_open_one else open_ones
        found[number] = [number] + [
            o.memory.id
            for o in others
            if o.memory is not view.memory and relation(view, o) not in ("distinct", "assumed")
        ]
    return found


def _race(context: Context, first: Access, second: Access, event: int) -> _Race | None:
    if not (first.is_write or second.is_write) or relation(first.view, second.view) == "distinct":
        return None
    if second.lifetime == "alloc":
        return None  # whatever came before it cannot have had the memory that it makes
    needs_strict = first.event == second.event or _latest_is_done(first, second, event)
    decision = context.queries.decide(Question(first, second, only_strict=needs_strict))
    context.count(NAME, decision)
    return _Race(first, second, decision) if is_open(decision) else None


def _latest_is_done(first: Access, second: Access, event: int) -> bool:
    """Whether, within one iteration, `first` belongs to the latest instance and that is done."""
    if second.pending_last >> event & 1:
        return False
    mine = list(takewhile(lambda i: i.kind != "elements" and i.op is not first.site, first.loops))
    return tuple(mine) == second.loops[: len(mine)]


def _settle(context: Context, search: ScheduleSearch, race: _Race) -> Diagnostic | None:
    """The finding, if a schedule shows it."""
    kinds = {"E0204": ("lifetime", "read", "memory")}.get(race.code, ("read", "memory"))
    late = _event_op(context, race.first.event)
    second_event = _event_op(context, race.second.event) if race.second.event >= 0 else None
    lives = {
        kind: frozenset(a.op for a in (race.first, race.second) if a.lifetime == kind)
        for kind in ("alloc", "free")
    }
    pair = Pair(race.first.op, late, race.second.op, second_event, lives["alloc"], lives["free"])
    shown = search.show(late, race.decision.solution, kinds, pair=pair)
    return None if shown is None else _diagnostic(context, race, shown)


def _doubt(context: Context, search: ScheduleSearch, race: _Race) -> Diagnostic:
    what = f"`{op_name(race.second.op)}` may run before `{op_name(race.first.op)}` is complete"
    accesses = [race.second, race.first]
    return doubtful(context, what, accesses, race.decision, search, check_of(race.code)[0])


def site_of(access: Access) -> Operation:
    """The op to speak of: the GPU op that runs a kernel, else the op itself."""
    return access.site or access.op


def _event_op(context: Context, event: int) -> Operation:
    return context.model.events[event].op


_MESSAGES = {
    "E0201": "`{second}` may run before `{first}`, which touches the same memory, is complete",
    "E0202": "the host touches memory while `{first}` may still use it",
    "E0204": "memory is used outside its lifetime: `{second}` does not wait for `{first}`",
}
_CARRY = "let `{first}` depend on the token that the loop carries, and yield its own"
_OVERTAKES = "an iteration of `{first}` may run before an earlier one is complete"
_HELP = {
    "E0201": "make `{second}` depend on the token of `{first}`, or on one that follows it",
    "E0202": "wait for the token of `{first}` before this access",
    "E0204": "make `{second}` depend on the token of `{first}`",
}


def _diagnostic(context: Context, race: _Race, shown: Shown) -> Diagnostic:
    first, second = site_of(race.first), site_of(race.second)
    names = {"first": op_name(first), "second": op_name(second)}
    code = race.code
    verbs = ["writes" if a.is_write else "reads" for a in (race.first, race.second)]
    first_place = place_of(first, race.first.calls)
    return Diagnostic(
        code,
        (_OVERTAKES if first is second else _MESSAGES[code]).format(**names),
        context.model.name,
        context.stage,
        place_of(second, race.second.calls),
        f"{verbs[1]} here",
        (
            Related(f"{verbs[0]} here, and may still run", first_place, is_primary=True),
            *_calls(race.first),
            *_calls(race.second),
        ),
        (_schedule_note(race),),
        (_CARRY if first is second else _HELP[code]).format(**names),
        _counterexample(context, race, shown),
        _replay(shown),
        "replay",
        picture=_drawn(context, race, shown),
        recipe=_recipe(context, shown),
    )


def _drawn(context: Context, race: _Race, shown: Shown) -> Picture | None:
    """The happens-before picture of one of the first findings."""
    if len(context.diagnostics) >= MOST_PICTURES:
        return None
    span = shown.difference.span
    name = race.first.view.memory.name or "one buffer"
    label = f"memory of {name}" if span is None else f"bytes {span[0]} to {span[1] - 1} of {name}"
    ops = [_box(context, race.first), _box(context, race.second)]
    return race_picture(context.model.op, ops[0], ops[1], label)


def _box(context: Context, access: Access) -> Operation:
    """The op of the function that stands for an access: a launch for its kernel, a call."""
    if access.calls:
        return access.calls[0]
    if access.event >= 0 and context.model.events[access.event].kind == "device":
        return context.model.events[access.event].op
    return site_of(access)


def _calls(access: Access) -> list[Related]:
    return [Related("called here", op_location(call)) for call in access.calls]


def _schedule_note(race: _Race) -> str:
    if race.first.event == race.second.event:
        return "an instance may overtake the one of an earlier iteration"
    return "no token or wait orders the two"


def _replay(shown: Shown) -> Replay:
    difference = shown.difference
    return Replay(
        "cpu", "confirmed", plain_value(difference.expected), plain_value(difference.actual)
    )


def _recipe(context: Context, shown: Shown) -> Recipe | None:
    """How to run a schedule again, where that is asked for."""
    if not context.options.recipes:
        return None
    pair = shown.pair
    ops = pair and [pair.first, pair.first_event, pair.second, pair.second_event]
    settings = {**shown.order.settings(), "pair": ops}
    op, symbols = context.model.op, context.search.symbols
    evidence = difference_evidence(shown.difference)
    return write_recipe("schedule", op, symbols, shown.inputs, settings, evidence)


def _counterexample(context: Context, race: _Race | None, shown: Shown) -> Counterexample:
    span = shown.difference.span
    accesses = [] if race is None else [_say(race.first, span), _say(race.second, span)]
    schedule = tuple(
        {"op": op_name(op), "line": place.line if (place := op_location(op)) else None}
        for op in shown.trace.order[:50]
    )
    inputs = input_values(shown.inputs, context, shown.trace.arguments, shown.trace.initial)
    return Counterexample(inputs, {}, tuple(accesses), schedule)


def _say(access: Access, span: tuple[int, int] | None) -> dict[str, object]:
    place = op_location(access.op)
    return {
        "op": op_name(access.op),
        "capture": None,
        "kind": "write" if access.is_write else "read",
        "iteration": None,
        "bytes": None if span is None else list(span),
        "line": None if place is None else place.line,
    }


_STARTS_WORK = (
    "gpu.launch",
    "nvgpu.",
    "amdgpu.",
    "async.",
    "enzymexla.",
    "memref.dma_",
    "nvvm.cp.",
)
"""Ops of these dialects may start work that goes on after them."""


def _deals_in_tokens(op: Operation) -> bool:
    has_token = any(is_token(v.type) for v in [*op.operands, *op.results])
    return has_token or op_name(op).startswith(_STARTS_WORK)


def _check_unknown(context: Context) -> None:
    """U0002 for ops of unknown effects while something runs, or that deal in tokens."""
    for record in {id(r.op): r for r in context.model.unsupported}.values():
        if record.pending or _deals_in_tokens(record.op):
            context.diagnostics.append(
                Diagnostic(
                    "U0002",
                    f"{record.reason}, so its order against running work cannot be judged",
                    context.model.name,
                    context.stage,
                    place_of(record.op),
                    checks=OF_TOKENS,
                )
            )


def _check_return(context: Context, search: ScheduleSearch) -> None:
    """E0203: work that may still run when the function returns."""
    model = context.model
    for event in model.events:
        if model.unwaited >> event.index & 1:
            _settle_return(context, search, event)


def _settle_return(context: Context, search: ScheduleSearch, event: Event) -> None:
    context.count(NAME, Decision(Answer.FOUND, "happens-before"))
    shown = search.show(event.op, None, ("open",), wanted=event.op)
    name = op_name(event.op)
    if shown is None:
        what = f"`{name}` may still run when the function returns"
        context.diagnostics.append(doubtful(context, what, [], None, search, WAITS, event.op))
        return
    context.diagnostics.append(
        Diagnostic(
            "E0203",
            f"`{name}` may still run when the function returns",
            context.model.name,
            context.stage,
            place_of(event.op),
            "nothing waits for this on some path",
            (),
            (),
            "wait for its token before the return, or return the token",
            _counterexample(context, None, shown),
            Replay("cpu", "confirmed", "done at the return", "still to run"),
            "replay",
            picture=race_picture(context.model.op, event.op, None, "still running at the return"),
            recipe=_recipe(context, shown),
        )
    )


def _no_order(what: SSAValue | str) -> str:
    if isinstance(what, str):
        return "this wait adds no order"
    return f"the dependency on `{value_name(what)}` adds no order"


def _check_waits(context: Context) -> None:
    """W0205: waits that add nothing wherever they stand."""
    adding = {(id(w.op), w.what) for w in context.model.waits if w.adds}
    seen: set[tuple[int, SSAValue | str]] = set()
    for wait in context.model.waits:
        key = (id(wait.op), wait.what)
        if key in adding or key in seen:
            continue
        seen.add(key)
        context.diagnostics.append(
            Diagnostic(
                "W0205",
                _no_order(wait.what),
                context.model.name,
                context.stage,
                place_of(wait.op, wait.calls),
                "everything that it waits for is complete here anyway",
                help="leave it out: it can only cost overlap",
            )
        )
