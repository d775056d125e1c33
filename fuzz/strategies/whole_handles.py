"""Memrefs that are one of two in the family `whole`: selects, branches, regions, blocks, cells."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from xdsl.ir import Block, Operation, SSAValue

from fuzz.strategies.whole_casts import any_ref, cast_to, looser
from fuzz.strategies.whole_memory import is_plain
from fuzz.strategies.whole_ops import segments
from fuzz.strategies.whole_types import Dim, Ref
from fuzz.strategies.whole_writer import Fill, Writer


def flag(w: Writer) -> SSAValue:
    """A truth value: an argument, or a comparison of indices."""
    known = w.scope.scalars.get("i1", [])
    if known and w.flip(50):
        return w.draw.choice(known)
    index = w.draw.choice(w.scope.indices).value if w.scope.indices else w.constant(1)
    other = w.constant(w.draw.randint(0, 3))
    # `slt` and `eq`, in the numbers of MLIR's enumeration.
    predicate = f"{w.draw.choice([2, 2, 0])} : i64"
    value = w.op("arith.cmpi", [index, other], ["i1"], {"predicate": predicate}).results[0]
    w.keep("i1", value)
    return value


def two_refs(w: Writer) -> tuple[Ref, Ref]:
    """Two memrefs of one type, often of one buffer, the second cast if it must be."""
    first = any_ref(w)
    fits = w.fitting(
        lambda r: (
            is_plain(r)
            and r.kind.element == first.kind.element
            and len(r.sizes) == len(first.sizes)
            and r.kind.space == first.kind.space
        )
    )
    second = w.draw.choice(fits)
    if second.kind != first.kind:
        first, second = (_loose(w, ref) for ref in (first, second))
    return first, second


def _loose(w: Writer, ref: Ref) -> Ref:
    shape: tuple[Dim, ...] = (None,) * len(ref.sizes)
    return cast_to(w, ref, replace(ref.kind, shape=shape, strides=shape, offset=None))


def joined(value: SSAValue, refs: Sequence[Ref]) -> Ref:
    """What is known of a memref that is one of some."""
    first = refs[0]
    sizes = tuple(_common(values) for values in zip(*(r.sizes for r in refs), strict=True))
    roots = tuple(dict.fromkeys(root for ref in refs for root in ref.roots))
    return replace(
        first, value=value, sizes=sizes, roots=roots,
        is_fixed=any(r.is_fixed for r in refs), is_spread=all(r.is_spread for r in refs),
        shift=max(r.shift for r in refs),
    )  # fmt: skip


def _common(sizes: Sequence[Dim]) -> Dim:
    return sizes[0] if len(set(sizes)) == 1 else None


def select(w: Writer) -> None:
    """One of two memrefs, chosen by value."""
    refs = two_refs(w)
    operands = [flag(w), *(r.value for r in refs)]
    value = w.op("arith.select", operands, [refs[0].kind.type()]).results[0]
    w.add(joined(value, refs))


def chosen_by_if(w: Writer) -> None:
    """One of two memrefs, yielded by an `scf.if`, some of which are views made there."""
    refs = two_refs(w)
    condition = flag(w)
    regions = [w.region([], yielding(w, ref)) for ref in refs]
    value = w.op("scf.if", [condition], [refs[0].kind.type()], {}, regions).results[0]
    w.add(joined(value, refs))


def yielding(w: Writer, ref: Ref, name: str = "scf.yield") -> Fill:
    """A region that hands a memref out, at times by way of another cast."""

    def body(_: Sequence[SSAValue]) -> None:
        value = ref.value
        if w.flip(30):
            there = w.op("memref.cast", [value], [looser(w, ref.kind).type()]).results[0]
            value = w.op("memref.cast", [there], [ref.kind.type()]).results[0]
        w.op(name, [value])

    return body


def chosen_by_switch(w: Writer) -> None:
    """One of two memrefs, yielded by an `scf.index_switch`."""
    refs = two_refs(w)
    index = w.draw.choice(w.scope.indices).value if w.scope.indices else w.constant(0)
    regions = [w.region([], yielding(w, ref)) for ref in refs]
    cases = {"cases": f"array<i64: {w.draw.randint(0, 2)}>"}
    kinds = [refs[0].kind.type()]
    value = w.op("scf.index_switch", [index], kinds, cases, regions).results[0]
    w.add(joined(value, refs))


def from_region(w: Writer) -> None:
    """A memref out of an `scf.execute_region`, which may have several blocks."""
    refs = two_refs(w)
    kind = refs[0].kind.type()
    condition = flag(w)

    def body(_: Sequence[SSAValue]) -> None:
        if w.flip(40):
            w.op("scf.yield", [refs[0].value])
            return
        end = w.new_block([kind])
        branch(w, condition, end, [refs[0].value], [refs[1].value])
        w.block = end
        w.op("scf.yield", [end.args[0]])

    region = w.region([], body)
    value = w.op("scf.execute_region", [], [kind], {}, [region]).results[0]
    w.add(joined(value, refs))


def branch(
    w: Writer, condition: SSAValue, end: Block, yes: Sequence[SSAValue], no: Sequence[SSAValue]
) -> Operation:
    """A `cf.cond_br` to one block with this or that."""
    attributes = {"operandSegmentSizes": segments(1, len(yes), len(no))}
    return w.op("cf.cond_br", [condition, *yes, *no], (), attributes, (), [end, end])


def affine_choice(w: Writer) -> None:
    """One of two memrefs, yielded by an `affine.if`."""
    refs = two_refs(w)
    fits = [i.value for i in w.scope.indices if i.is_affine]
    index = w.draw.choice(fits) if fits else w.constant(1)
    attributes = {"condition": f"affine_set<(d0) : (d0 - {w.draw.randint(0, 2)} >= 0)>"}
    regions = [w.region([], yielding(w, ref, "affine.yield")) for ref in refs]
    kinds = [refs[0].kind.type()]
    value = w.op("affine.if", [index], kinds, attributes, regions).results[0]
    w.add(joined(value, refs))


HANDLES: dict[Callable[[Writer], None], int] = {
    select: 3, chosen_by_if: 3, chosen_by_switch: 1, from_region: 2, affine_choice: 1,
}  # fmt: skip
"""The productions, each with a weight."""
