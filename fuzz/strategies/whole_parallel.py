"""Parallel loops for the family `whole`; each iteration writes what is its own, mostly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from xdsl.ir import SSAValue

from fuzz.strategies.whole_loops import MAP0, attributes_of, body_of, bounds
from fuzz.strategies.whole_memory import is_plain
from fuzz.strategies.whole_ops import numbers, segments
from fuzz.strategies.whole_types import Dim, Ref
from fuzz.strategies.whole_updates import close, led_to
from fuzz.strategies.whole_views import lane
from fuzz.strategies.whole_writer import Writer


def apart(w: Writer, counter: SSAValue, below: Dim) -> None:
    """What the iterations of a parallel loop may write: a lane each, or memory of their own."""
    w.scope.is_parallel = True
    if w.flip(w.carelessness):
        return
    fits = w.fitting(lambda r: r.is_spread and _is_long(r, below) and not r.is_fixed)
    mine = w.draw.choice(fits) if fits else None
    taken = mine.roots if mine is not None else ()
    others = [r for r in w.scope.refs if not set(led_to(w, r)) & set(taken)]
    w.scope.refs = [replace(r, is_fixed=True) for r in others]
    w.scope.pointers = []
    if mine is not None:
        lane(w, mine, counter)


def _is_long(ref: Ref, below: Dim) -> bool:
    first = ref.sizes[0] if ref.sizes else None
    return is_plain(ref) and first is not None and below is not None and 0 < below <= first


def parallel(w: Writer) -> None:
    """`scf.parallel`, at times with a sum."""
    limits = bounds(w)
    start = [w.scalar("f32")] if w.flip(30) else []

    def add(arguments: Sequence[SSAValue]) -> None:
        total = w.op("arith.addf", [*arguments], ["f32"]).results[0]
        w.op("scf.reduce.return", [total])

    def body(arguments: Sequence[SSAValue]) -> None:
        apart(w, arguments[0], limits.below)
        body_of(w, arguments[0], limits.below)
        given = [w.scalar("f32") for _ in start]
        regions = [w.region(["f32", "f32"], add) for _ in start]
        close(w)
        w.op("scf.reduce", given, (), {}, regions)

    region = w.region(["index"], body)
    attributes = {**attributes_of(w), "operandSegmentSizes": segments(1, 1, 1, len(start))}
    operands = [limits.low, limits.high, limits.step, *start]
    made = w.op("scf.parallel", operands, ["f32" for _ in start], attributes, [region])
    for value in made.results:
        w.keep("f32", value)


def forall(w: Writer) -> None:
    """`scf.forall` without results."""
    limit = w.draw.randint(1, 4)
    is_open = w.flip(30)

    def body(arguments: Sequence[SSAValue]) -> None:
        apart(w, arguments[0], limit)
        body_of(w, arguments[0], limit)
        close(w)
        region = w.region([], lambda _: None)
        w.op("scf.forall.in_parallel", (), (), {}, [region])

    given = [w.constant(limit)] if is_open else []
    region = w.region(["index"], body)
    attributes = {
        **attributes_of(w), "staticLowerBound": numbers([0]), "staticStep": numbers([1]),
        "staticUpperBound": numbers([-(1 << 63) if is_open else limit]),
        "operandSegmentSizes": segments(0, len(given), 0, 0),
    }  # fmt: skip
    w.op("scf.forall", given, (), attributes, [region])


def affine_parallel(w: Writer) -> None:
    """`affine.parallel` over numbers."""
    limit = w.draw.randint(1, 4)

    def body(arguments: Sequence[SSAValue]) -> None:
        apart(w, arguments[0], limit)
        body_of(w, arguments[0], limit, is_affine=True)
        close(w)
        w.op("affine.yield")

    region = w.region(["index"], body)
    groups = "dense<1> : tensor<1xi32>"
    attributes = {
        **attributes_of(w), "lowerBoundsMap": MAP0.format(0), "lowerBoundsGroups": groups,
        "upperBoundsMap": MAP0.format(limit), "upperBoundsGroups": groups,
        "steps": "[1]", "reductions": "[]",
    }  # fmt: skip
    w.op("affine.parallel", (), (), attributes, [region])


PARALLEL: dict[Callable[[Writer], None], int] = {parallel: 3, forall: 2, affine_parallel: 2}
"""The productions, each with a weight; not drawn where the nesting is deep."""
