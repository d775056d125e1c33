"""Loops for the family `whole`: of every kind, checkpointed or not, with what they carry."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from xdsl.ir import Attribute, SSAValue

from fuzz.strategies.whole_casts import any_ref
from fuzz.strategies.whole_handles import flag, joined
from fuzz.strategies.whole_memory import combined
from fuzz.strategies.whole_ops import Attributes, segments
from fuzz.strategies.whole_places import size_of
from fuzz.strategies.whole_types import Dim, Index, Ref
from fuzz.strategies.whole_updates import close
from fuzz.strategies.whole_writer import Writer

CHECKPOINT = "enzyme.enable_checkpointing"
_SCHEDULES: tuple[dict[str, str], ...] = (
    {}, {}, {"enzyme.checkpoint_period": "2 : i64"}, {"enzyme.checkpoint_period": "3 : i32"},
    {"enzyme.binomial_checkpointing": "2 : i64"}, {"enzyme.binomial_checkpointing": "true"},
)  # fmt: skip
MAP0 = "affine_map<() -> ({})>"


@dataclass(frozen=True, slots=True)
class Bounds:
    """Where a counter goes: `below` is what it stays under, where that is known."""

    low: SSAValue
    high: SSAValue
    step: SSAValue
    below: Dim
    numbers: tuple[int, int, int] | None


@dataclass(frozen=True, slots=True)
class Carried:
    """A value that a loop hands on; `ref` is set for a memref."""

    value: SSAValue
    kind: Attribute
    element: str
    ref: Ref | None = None


def attributes_of(w: Writer) -> Attributes:
    """The attributes of a loop: checkpointed with a schedule, or not."""
    if w.place not in ("host", "callee") or not w.flip(w.checkpointed):
        return {CHECKPOINT: "false"} if w.flip(8) else {}
    return {CHECKPOINT: "true", **w.draw.choice(_SCHEDULES)}


def bounds(w: Writer) -> Bounds:
    """Bounds: numbers, an argument, or the size of a memref."""
    low, step = w.weighted({0: 8, 1: 2}), w.weighted({1: 8, 2: 2})
    how = w.weighted({"number": 5, "size": 3, "argument": 3})
    below: Dim = w.draw.randint(1, 4)
    known = None
    if how == "number" or not w.scope.indices:
        high = w.constant(below or 0)
        known = (low, below or 0, step)
    elif how == "size":
        ref = any_ref(w)
        below = ref.sizes[0] if ref.sizes else 1
        high = size_of(w, ref, 0) if ref.sizes else w.constant(1)
    else:
        index = w.draw.choice(w.scope.indices)
        high, below = index.value, None if index.below is None else max(0, index.below - 1)
    return Bounds(w.constant(low), high, w.constant(step), below, known)


def carried(w: Writer) -> list[Carried]:
    """What a loop carries: memrefs, floats, indices, in any number up to two."""
    made: list[Carried] = []
    for _ in range(w.weighted({0: 5, 1: 4, 2: 1})):
        kind = w.weighted({"memref": 4, "f32": 3, "i32": 1, "f64": 1})
        if kind == "memref":
            ref = any_ref(w)
            made.append(Carried(ref.value, ref.kind.type(), "", ref))
        else:
            value = w.scalar(kind)
            made.append(Carried(value, value.type, kind))
    return made


def enter(w: Writer, values: Sequence[SSAValue], state: Sequence[Carried]) -> list[Carried]:
    """The carried values inside; memrefs of one type may have changed places by then."""
    inside: list[Carried] = []
    for value, one in zip(values, state, strict=True):
        if one.ref is None:
            w.keep(one.element, value)
            inside.append(replace(one, value=value))
            continue
        alike = [r for r in w.scope.refs if r.kind == one.ref.kind]
        ref = joined(value, [one.ref, *(r for r in alike if w.is_here(r))])
        w.add(ref)
        inside.append(replace(one, value=value, ref=ref))
    return inside


def hand_on(w: Writer, state: Sequence[Carried], before: Sequence[Ref]) -> list[SSAValue]:
    """What one iteration gives to the next; memrefs are those that were there before the loop."""
    values: list[SSAValue] = []
    for one in state:
        if one.ref is None:
            values.append(combined(w, one.element) if w.flip(80) else one.value)
            continue
        kind = one.ref.kind
        alive = [r for r in before if r in w.scope.refs]
        fits = [r.value for r in alive if r.kind == kind and w.is_here(r)]
        values.append(w.draw.choice([one.value, *fits[-2:]]))
    return values


def leave(w: Writer, results: Sequence[SSAValue], inside: Sequence[Carried]) -> None:
    """The values that come out of a loop."""
    for value, one in zip(results, inside, strict=True):
        if one.ref is None:
            w.keep(one.element, value)
        else:
            w.add(replace(one.ref, value=value))


def body_of(w: Writer, counter: SSAValue | None, below: Dim, *, is_affine: bool = False) -> None:
    """The statements of a loop."""
    if counter is not None:
        w.scope.indices.append(Index(counter, below, is_affine))
    w.statements(w.draw.randint(1, 4))


def for_(w: Writer) -> None:
    """`scf.for`."""
    limits, state, before = bounds(w), carried(w), [*w.scope.refs]
    inside: list[Carried] = []

    def body(arguments: Sequence[SSAValue]) -> None:
        inside.extend(enter(w, arguments[1:], state))
        body_of(w, arguments[0], limits.below)
        values = hand_on(w, inside, before)
        close(w)
        w.op("scf.yield", values)

    kinds: list[Attribute | str] = ["index", *(one.kind for one in state)]
    region = w.region(kinds, body)
    operands = [limits.low, limits.high, limits.step, *(one.value for one in state)]
    leave(w, w.op("scf.for", operands, kinds[1:], attributes_of(w), [region]).results, inside)


def affine_for(w: Writer) -> None:
    """`affine.for`, from 0 to a number, an argument or a size."""
    state, before = carried(w), [*w.scope.refs]
    fits = [i for i in w.scope.indices if i.is_affine]
    limit = w.draw.choice(fits) if fits and w.flip(40) else None
    number, step = w.draw.randint(1, 4), w.weighted({1: 8, 2: 2})
    below = number if limit is None else limit.below and limit.below - 1
    inside: list[Carried] = []

    def body(arguments: Sequence[SSAValue]) -> None:
        inside.extend(enter(w, arguments[1:], state))
        body_of(w, arguments[0], below, is_affine=True)
        values = hand_on(w, inside, before)
        close(w)
        w.op("affine.yield", values)

    kinds: list[Attribute | str] = ["index", *(one.kind for one in state)]
    region = w.region(kinds, body)
    high = MAP0.format(number) if limit is None else "affine_map<(d0) -> (d0)>"
    given = [] if limit is None else [limit.value]
    attributes = {
        **attributes_of(w), "lowerBoundMap": MAP0.format(0), "upperBoundMap": high,
        "step": f"{step} : index", "operandSegmentSizes": segments(0, len(given), len(state)),
    }  # fmt: skip
    operands = [*given, *(one.value for one in state)]
    leave(w, w.op("affine.for", operands, kinds[1:], attributes, [region]).results, inside)


def while_(w: Writer) -> None:
    """`scf.while` over a counter and what else it carries."""
    limits, state, before = bounds(w), carried(w), [*w.scope.refs]
    kinds: list[Attribute | str] = ["index", *(one.kind for one in state)]
    inside: list[Carried] = []

    def condition(arguments: Sequence[SSAValue]) -> None:
        operands = [arguments[0], limits.high]
        go = w.op("arith.cmpi", operands, ["i1"], {"predicate": "2 : i64"}).results[0]
        w.op("scf.condition", [go, *arguments])

    def body(arguments: Sequence[SSAValue]) -> None:
        inside.extend(enter(w, arguments[1:], state))
        body_of(w, arguments[0], limits.below)
        values = hand_on(w, inside, before)
        close(w)
        after = w.op("arith.addi", [arguments[0], limits.step], ["index"]).results[0]
        w.op("scf.yield", [after, *values])

    regions = [w.region(kinds, condition), w.region(kinds, body)]
    operands = [limits.low, *(one.value for one in state)]
    results = w.op("scf.while", operands, kinds, attributes_of(w), regions).results
    leave(w, results[1:], inside)


def if_(w: Writer) -> None:
    """`scf.if` around some statements."""
    condition = flag(w)

    def body(_: Sequence[SSAValue]) -> None:
        w.statements(w.draw.randint(1, 3))
        close(w)
        w.op("scf.yield")

    regions = [w.region([], body)]
    regions.append(w.region([], body) if w.flip(35) else type(regions[0])())
    w.op("scf.if", [condition], (), {}, regions)


LOOPS: dict[Callable[[Writer], None], int] = {
    for_: 9, while_: 3, affine_for: 3, if_: 4,
}  # fmt: skip
"""The productions, each with a weight; not drawn where the nesting is deep."""
