"""Casts and changes of shape for the family `whole`: all view ops but windows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from xdsl.ir import Attribute

from fuzz.strategies.whole_memory import any_memory, is_plain, new_buffer
from fuzz.strategies.whole_ops import segments
from fuzz.strategies.whole_types import BYTES, Dim, Mem, Ref, product
from fuzz.strategies.whole_views import Number, open_values, perhaps_open, static_numbers
from fuzz.strategies.whole_writer import Writer

_SPACES = ("1", "#gpu.address_space<global>", "3")
_PARTS = {1: (1, 1), 2: (1, 2), 4: (2, 2), 6: (2, 3), 8: (2, 4), 9: (3, 3)}


def any_ref(w: Writer) -> Ref:
    """A memref of numbers, perhaps without an element."""
    return w.pick(is_plain) or new_buffer(w)


def cast(w: Writer) -> None:
    """A type that says less, or what is so in fact."""
    source = any_ref(w)
    kind = source.kind
    if w.flip(70):
        target = looser(w, kind)
    else:
        shape = tuple(s if d is None else d for d, s in zip(kind.shape, source.sizes, strict=True))
        target = replace(kind, shape=shape)
    cast_to(w, source, target)


def looser(w: Writer, kind: Mem) -> Mem:
    """A type that leaves open some of what another one says."""
    shape = tuple(None if w.flip(50) else size for size in kind.shape)
    if w.flip(50):
        return replace(kind, shape=shape)
    strides = tuple(None if w.flip(70) else stride for stride in kind.all_strides())
    return replace(kind, shape=shape, strides=strides, offset=None if w.flip(70) else kind.offset)


def cast_to(w: Writer, source: Ref, kind: Mem) -> Ref:
    """`memref.cast`."""
    value = w.op("memref.cast", [source.value], [kind.type()]).results[0]
    return w.add(replace(source, value=value, kind=kind))


def unranked(w: Writer) -> None:
    """A memref without a rank, and one with a rank again."""
    source = any_ref(w)
    space = f", {source.kind.space}" if source.kind.space else ""
    middle = f"memref<*x{source.kind.element}{space}>"
    value = w.op("memref.cast", [source.value], [middle]).results[0]
    again = source.kind if w.flip(60) else looser(w, source.kind)
    back = w.op("memref.cast", [value], [again.type()]).results[0]
    w.add(replace(source, value=back, kind=again))


def reinterpret(w: Writer) -> None:
    """A memref of a place in the buffer that does not depend on that of its source."""
    source = w.pick(lambda r: is_plain(r) and room_of(w, r) > 0) or new_buffer(w, Mem("f32", (8,)))
    if w.flip(20):
        return metadata(w, source)
    room = room_of(w, source)
    rank = w.weighted({0: 1, 1: 8, 2: 4, 3: 1})
    offset, left = w.draw.randrange(room), room
    sizes: list[int] = []
    strides: list[int] = []
    left = room - offset
    for _ in range(rank):
        stride = w.weighted({1: 8, 2: 3, 0: 1, 4: 1})
        most = (left - 1) // stride + 1 if stride else 3
        sizes.append(0 if w.flip(2) else w.draw.randint(1, min(most, 6)))
        strides.append(stride)
        left -= max(0, sizes[-1] - 1) * stride
    if rank == 1 and w.flip(12):
        sizes, strides = [w.draw.randint(1, offset + 1)], [-1]
    return _reinterpret(w, source, [offset, *sizes, *strides], rank)


def _reinterpret(w: Writer, source: Ref, plain: Sequence[int], rank: int) -> None:
    drawn = [perhaps_open(w, number, 20) for number in plain]
    offset, sizes, strides = drawn[0], drawn[1 : 1 + rank], drawn[1 + rank :]
    _reinterpret_as(w, source, offset, sizes, strides)


def _reinterpret_as(
    w: Writer, source: Ref, offset: Number, sizes: Sequence[Number], strides: Sequence[Number]
) -> Ref:
    groups = [open_values(group) for group in ([offset], sizes, strides)]
    attributes: dict[str, Attribute | str] = {
        "static_offsets": static_numbers([offset]),
        "static_sizes": static_numbers(sizes),
        "static_strides": static_numbers(strides),
        "operandSegmentSizes": segments(1, *map(len, groups)),
    }
    kind = Mem(
        source.kind.element, tuple(n.static for n in sizes), tuple(n.static for n in strides),
        offset.static, source.kind.space,
    )  # fmt: skip
    operands = [source.value, *(v for group in groups for v in group)]
    value = w.op("memref.reinterpret_cast", operands, [kind.type()], attributes).results[0]
    real = [n.real for n in sizes]
    is_spread = len(sizes) < 2 and all(n.real for n in strides)
    return w.add(replace(source, value=value, kind=kind, sizes=tuple(real), is_spread=is_spread))


def metadata(w: Writer, source: Ref) -> None:
    """A memref taken apart and put together again."""
    rank = len(source.sizes)
    base = replace(source.kind, shape=(), strides=None, offset=0)
    kinds: list[Attribute | str] = [base.type(), *["index"] * (1 + 2 * rank)]
    results = w.op("memref.extract_strided_metadata", [source.value], kinds).results
    middle = replace(source, value=results[0], kind=base, sizes=())
    parts = [Number(None, value) for value in results[1:]]
    sizes = [replace(n, real=s) for n, s in zip(parts[1 : 1 + rank], source.sizes, strict=True)]
    ref = _reinterpret_as(w, middle, parts[0], sizes, parts[1 + rank :])
    w.scope.refs[-1] = replace(ref, is_spread=source.is_spread)


def room_of(w: Writer, ref: Ref) -> int:
    """How many elements the buffer behind a memref has for certain."""
    extents = [w.roots[root].extent for root in ref.roots]
    if not extents or None in extents:
        return 0
    room = min(e for e in extents if e is not None) - ref.shift
    return max(0, room // BYTES.get(ref.kind.element, 8))


def of_bytes(w: Writer) -> None:
    """A memref of another element type into a buffer of bytes."""
    fits = w.fitting(lambda r: r.kind.element == "i8" and _is_dense(r) and (r.sizes[0] or 0) >= 8)
    source = w.draw.choice(fits) if fits else new_buffer(w, Mem("i8", (w.draw.choice([16, 24]),)))
    total = source.sizes[0]
    assert total is not None
    element = w.draw.choice(["f32", "f32", "i32", "f64", "i8"])
    unit = BYTES[element]
    start = unit * w.draw.randrange(total // unit)
    length = w.draw.randint(1, (total - start) // unit)
    size = perhaps_open(w, length, 25)
    kind = Mem(element, (size.static,), None, 0, source.kind.space)
    operands = [source.value, w.constant(start), *open_values([size])]
    value = w.op("memref.view", operands, [kind.type()]).results[0]
    shift = source.shift + start
    w.add(replace(source, value=value, kind=kind, sizes=(length,), shift=shift))


def _is_dense(ref: Ref) -> bool:
    return len(ref.sizes) == 1 and ref.kind.strides is None


def collapse(w: Writer) -> None:
    """All dimensions as one, or two neighbours as one."""
    source = w.pick(lambda r: _is_known(r) and r.kind.strides is None and len(r.sizes) > 1)
    if source is None:
        shape = (w.draw.randint(1, 3), w.draw.randint(1, 3), 2)[w.draw.randint(0, 1) :]
        source = new_buffer(w, Mem("f32", shape))
    if not source.kind.is_static:
        return transpose(w)
    rank = len(source.sizes)
    first = 0 if w.flip(60) else w.draw.randrange(rank - 1)
    last = rank - 1 if first == 0 and w.flip(60) else first + 1
    groups = [[d] for d in range(first)] + [[*range(first, last + 1)]]
    groups += [[d] for d in range(last + 1, rank)]
    shape = [product([source.kind.shape[d] or 0 for d in group]) for group in groups]
    kind = replace(source.kind, shape=tuple(shape))
    attributes = {"reassociation": _groups(groups)}
    value = w.op("memref.collapse_shape", [source.value], [kind.type()], attributes).results[0]
    w.add(replace(source, value=value, kind=kind, sizes=tuple(shape)))
    return None


def _is_known(ref: Ref) -> bool:
    return is_plain(ref) and ref.kind.is_static and ref.has_elements


def expand(w: Writer) -> None:
    """One dimension as two."""
    source = w.pick(lambda r: _is_known(r) and any(s in _PARTS for s in r.sizes))
    if source is None:
        return transpose(w)
    at = w.draw.choice([d for d, s in enumerate(source.sizes) if s in _PARTS])
    parts = _PARTS[source.kind.shape[at] or 1]
    shape = (*source.kind.shape[:at], *parts, *source.kind.shape[at + 1 :])
    old = source.kind.all_strides()
    wide = None if old[at] is None else (old[at] or 0) * parts[1]
    strides = None if source.kind.is_identity else (*old[:at], wide, *old[at:])
    kind = replace(source.kind, shape=shape, strides=strides)
    groups = [[d] for d in range(at)] + [[at, at + 1]]
    groups += [[d + 1] for d in range(at + 1, len(old))]
    sizes = [Number(size) for size in shape]
    attributes = {
        "reassociation": _groups(groups), "static_output_shape": static_numbers(sizes),
    }  # fmt: skip
    value = w.op("memref.expand_shape", [source.value], [kind.type()], attributes).results[0]
    w.add(replace(source, value=value, kind=kind, sizes=shape))
    return None


def _groups(groups: Sequence[Sequence[int]]) -> str:
    inner = ", ".join(f"[{', '.join(f'{d} : i64' for d in group)}]" for group in groups)
    return f"[{inner}]"


def transpose(w: Writer) -> None:
    """The dimensions in another order."""
    source = any_memory(w)
    order = [*range(len(source.sizes))]
    w.draw.shuffle(order)
    old = source.kind.all_strides()
    kind = replace(
        source.kind,
        shape=tuple(source.kind.shape[d] for d in order),
        strides=tuple(old[d] for d in order),
    )
    names = [f"d{d}" for d in range(len(order))]
    permutation = f"affine_map<({', '.join(names)}) -> ({', '.join(names[d] for d in order)})>"
    attributes = {"permutation": permutation}
    value = w.op("memref.transpose", [source.value], [kind.type()], attributes).results[0]
    sizes: list[Dim] = [source.sizes[d] for d in order]
    w.add(replace(source, value=value, kind=kind, sizes=tuple(sizes)))


def space_cast(w: Writer) -> None:
    """The same memory in another memory space."""
    source = any_ref(w)
    space = "" if source.kind.space else w.draw.choice(_SPACES)
    kind = replace(source.kind, space=space)
    value = w.op("memref.memory_space_cast", [source.value], [kind.type()]).results[0]
    w.add(replace(source, value=value, kind=kind))


def alignment(w: Writer) -> None:
    """A memref that is said to be aligned."""
    align(w, w.pick(lambda r: is_plain(r) and r.kind.offset == 0) or new_buffer(w))


def align(w: Writer, source: Ref) -> None:
    """Say of a memref how it is aligned, by its buffer where it lies at the start of that."""
    known = 4 if source.shift else min((w.roots[r].alignment for r in source.roots), default=4)
    attributes = {"alignment": f"{w.draw.choice([1, known, known])} : i32"}
    kinds = [source.kind.type()]
    value = w.op("memref.assume_alignment", [source.value], kinds, attributes).results[0]
    w.add(replace(source, value=value))


def distinct(w: Writer) -> None:
    """Memrefs that are said not to overlap, which is so."""
    first = any_ref(w)
    others = w.fitting(lambda r: is_plain(r) and not set(r.roots) & set(first.roots))
    refs = [first, *others[-1:]]
    kinds = [ref.kind.type() for ref in refs]
    results = w.op("memref.distinct_objects", [r.value for r in refs], kinds).results
    for ref, value in zip(refs, results, strict=True):
        w.add(replace(ref, value=value))


def as_vector(w: Writer) -> None:
    """A buffer as one vector, which is read and written as a whole."""
    source = w.pick(lambda r: r.kind.strides is None and _is_known(r) and bool(r.sizes))
    if source is None or source.kind.element == "index":
        return alignment(w)
    shape = "x".join(map(str, source.kind.shape))
    kind = Mem(f"vector<{shape}x{source.kind.element}>", (), None, 0, source.kind.space)
    value = w.op("vector.type_cast", [source.value], [kind.type()]).results[0]
    w.touch(source, is_write=not source.is_fixed)
    whole = w.op("memref.load", [value], [kind.element]).results[0]
    if not source.is_fixed:
        w.op("memref.store", [whole, value])
    return None


CASTS: dict[Callable[[Writer], None], int] = {
    cast: 4, unranked: 2, reinterpret: 5, of_bytes: 3, collapse: 2, expand: 2, transpose: 2,
    space_cast: 1, alignment: 1, distinct: 1, as_vector: 1,
}  # fmt: skip
"""The productions, each with a weight."""
