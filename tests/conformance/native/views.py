"""Draws ops on memrefs: views of every kind, accesses, copies, allocations and globals."""

from __future__ import annotations

import math
from dataclasses import replace

from tests.conformance.native.draft import Draft, Memref
from tests.conformance.native.literals import ELEMENTS, draw_bits, literal, size_of


def load(d: Draft) -> None:
    """Read an element."""
    m = pick(d)
    if m is not None and all(m.sizes):
        d.put(f"memref.load {m.name}[{places(d, m)}] : {m.kind}", m.element)


def store(d: Draft) -> None:
    """Write an element."""
    m = pick(d)
    if m is not None and all(m.sizes):
        d.do(f"memref.store {d.value(m.element)}, {m.name}[{places(d, m)}] : {m.kind}")


def atomic(d: Draft) -> None:
    """Read an element and write what becomes of it, as one; MLIR 22.1.8 lowers no product."""
    m = pick(d)
    if m is None or not all(m.sizes) or m.element == "index":
        return
    names = ["addf", "maximumf", "minimumf", "assign"]
    if m.element.startswith("i"):
        names = ["addi", "andi", "maxs", "maxu", "mins", "minu", "ori", "xori", "assign"]
    where = f"{m.name}[{places(d, m)}] : ({m.element}, {m.kind}) -> {m.element}"
    name = d.draw.choice(names)
    d.put(f"memref.atomic_rmw {name} {d.value(m.element)}, {where}", m.element)


def places(d: Draft, m: Memref) -> str:
    """Indices of an element."""
    return ", ".join(d.below(size) for size in m.sizes)


def pick(d: Draft) -> Memref | None:
    """A visible memref, the newest often."""
    found = d.scope.memrefs
    if not found:
        return None
    return found[-1] if d.chance(35) else d.draw.choice(found)


def keep(d: Draft, m: Memref, text: str) -> None:
    """Write an op that gives the memref `m`."""
    name = d.quiet(text)
    d.has_backwards |= any(s is None or s < 0 for s in m.strides)
    d.scope.memrefs.append(replace(m, name=name))


def view(d: Draft) -> None:
    """A view of a visible memref."""
    m = pick(d)
    if m is None:
        return
    makers = (
        subview, subview, subview, cast, cast, reinterpret, reinterpret, transpose, expand,
        collapse, collapse, space, aligned, view_of_bytes, view_of_bytes,
    )  # fmt: skip
    d.draw.choice(makers)(d, m)


def operand(d: Draft, number: int) -> tuple[str, int | None]:
    """A number as it stands in an op: static, or as a constant operand."""
    return (str(number), number) if d.chance(60) else (d.index(number), None)


def subview(d: Draft, m: Memref) -> None:
    """A window with offsets, sizes and strides, some of them dynamic."""
    if not all(m.sizes):
        return
    texts: list[list[str]] = [[], [], []]
    typed_sizes: list[int | None] = []
    strides: list[int | None] = []
    typed_strides: list[int | None] = []
    sizes: list[int] = []
    offset, typed_offset = m.offset, m.typed_offset
    for size, stride, typed in zip(m.sizes, m.strides, m.known_strides, strict=True):
        start, count, step = _window(d, size)
        words = [operand(d, start), operand(d, count), operand(d, step)]
        if d.chance(25) and step > 0:
            span = max(0, (count - 1) * step)
            words[0] = (d.below(max(1, size - span)), None)
            offset = None
        for text, (word, _) in zip(texts, words, strict=True):
            text.append(word)
        sizes.append(count)
        typed_sizes.append(words[1][1])
        strides.append(times(stride, step))
        typed_strides.append(times(typed, words[2][1]))
        typed_offset = plus(typed_offset, times(typed, words[0][1]))
        offset = plus(offset, times(stride, start))
    # Where only some unit dimensions go, MLIR 22.1.8 may die of not knowing which.
    kept = [i for i, n in enumerate(typed_sizes) if n != 1]
    if d.chance(60):
        kept = list(range(len(sizes)))
    result = replace(
        m,
        sizes=tuple(sizes[i] for i in kept),
        strides=tuple(strides[i] for i in kept),
        offset=offset,
        typed_sizes=tuple(typed_sizes[i] for i in kept),
        typed_strides=tuple(typed_strides[i] for i in kept),
        typed_offset=typed_offset,
    )
    window = "".join(f"[{', '.join(text)}]" for text in texts)
    keep(d, result, f"memref.subview {m.name}{window} : {m.kind} to {result.kind}")


def _window(d: Draft, size: int) -> tuple[int, int, int]:
    """Offset, size and stride of a window of a dimension."""
    if d.chance(3):
        return d.draw.randrange(size), 0, 1
    step = d.draw.choice((1, 1, 1, 2, 3))
    start = d.draw.randrange(size)
    count = d.draw.randint(1, (size - 1 - start) // step + 1)
    if d.chance(12):
        return start, d.draw.randint(1, start + 1), -1
    if d.chance(3):
        return start, d.draw.randint(1, 3), 0
    return start, count, step


def times(a: int | None, b: int | None) -> int | None:
    """A product of which a factor may be unknown."""
    if 0 in (a, b):
        return 0
    return None if a is None or b is None else a * b


def plus(a: int | None, b: int | None) -> int | None:
    """A sum of which a part may be unknown."""
    return None if a is None or b is None else a + b


def cast(d: Draft, m: Memref) -> None:
    """The same memref under a type that tells more or less."""

    def forget(typed: int | None, known: int | None) -> int | None:
        if known is None or (typed is None and d.chance(50)):
            return typed
        return known if d.chance(60) else None

    sizes = tuple(map(forget, m.typed_sizes, m.sizes))
    if m.typed_strides is None and d.chance(50):
        result = replace(m, typed_sizes=sizes)
    else:
        result = replace(
            m,
            typed_sizes=sizes,
            typed_strides=tuple(map(forget, m.known_strides, m.strides)),
            typed_offset=forget(m.typed_offset, m.offset),
        )
    if _casts(m, result):
        keep(d, result, f"memref.cast {m.name} : {m.kind} to {result.kind}")


def _casts(a: Memref, b: Memref) -> bool:
    """Whether every number that both types tell is the same."""
    pairs = [
        *zip(a.typed_sizes, b.typed_sizes, strict=True),
        *zip(a.known_strides, b.known_strides, strict=True),
        (a.typed_offset, b.typed_offset),
    ]
    return all(x is None or y is None or x == y for x, y in pairs)


def reinterpret(d: Draft, m: Memref) -> None:
    """Other sizes and strides, counted from the base pointer."""
    if m.below is None or m.above is None:
        return
    unit = size_of(m.element)
    low, high = -(m.below // unit), m.above // unit - 1
    if high < low:
        return
    offset = d.draw.randint(low, high)
    sizes: list[int] = []
    strides: list[int] = []
    first = last = offset
    for _ in range(d.draw.randint(0, 3)):
        size, stride = d.draw.randint(1, 4), d.draw.choice((1, 1, 2, 3, 4, -1, -2, 0))
        span = (size - 1) * stride
        if first + min(0, span) < low or last + max(0, span) > high:
            continue
        first, last = first + min(0, span), last + max(0, span)
        sizes.append(size)
        strides.append(stride)
    start = operand(d, offset) if offset >= 0 else (d.index(offset), None)
    words = [[operand(d, n) for n in numbers] for numbers in (sizes, strides)]
    result = replace(
        m,
        sizes=tuple(sizes),
        strides=tuple(strides),
        offset=offset,
        typed_sizes=tuple(n for _, n in words[0]),
        typed_strides=tuple(n for _, n in words[1]),
        typed_offset=start[1],
    )
    text = ", ".join(
        f"{name}: [{', '.join(word for word, _ in part)}]"
        for name, part in zip(("offset", "sizes", "strides"), ([start], *words), strict=True)
    )
    keep(d, result, f"memref.reinterpret_cast {m.name} to {text} : {m.kind} to {result.kind}")


def transpose(d: Draft, m: Memref) -> None:
    """The dimensions in another order."""
    order = list(range(len(m.sizes)))
    d.draw.shuffle(order)
    result = replace(
        m,
        sizes=tuple(m.sizes[i] for i in order),
        strides=tuple(m.strides[i] for i in order),
        typed_sizes=tuple(m.typed_sizes[i] for i in order),
        typed_strides=tuple(m.known_strides[i] for i in order),
    )
    names = [f"d{i}" for i in range(len(order))]
    turned = f"({', '.join(names)}) -> ({', '.join(names[i] for i in order)})"
    keep(d, result, f"memref.transpose {m.name} {turned} : {m.kind} to {result.kind}")


def expand(d: Draft, m: Memref) -> None:
    """One dimension as two."""
    if not m.sizes:
        return
    at = d.draw.randrange(len(m.sizes))
    size, typed = m.sizes[at], m.typed_sizes[at]
    factor = d.draw.choice([f for f in range(1, size + 1) if size % f == 0] or [1])
    outer = (size // factor, None if typed is None else size // factor)
    stride, known = m.strides[at], m.known_strides[at]
    dims = [*zip(m.sizes, m.typed_sizes, strict=True)]
    dims[at : at + 1] = [outer, (factor, factor)]
    strides = [*zip(m.strides, m.known_strides, strict=True)]
    strides[at : at + 1] = [(times(stride, factor), times(known, factor)), (stride, known)]
    result = replace(
        m,
        sizes=tuple(n for n, _ in dims),
        strides=tuple(s for s, _ in strides),
        typed_sizes=tuple(n for _, n in dims),
        typed_strides=None if m.typed_strides is None else tuple(s for _, s in strides),
    )
    plain = replace(result, typed_strides=None)
    is_known = None not in result.known_strides
    if is_known and (plain.known_strides, 0) == (result.known_strides, result.typed_offset):
        result = plain
    groups = _groups(len(m.sizes), at)
    shape = ", ".join(d.index(n) if known is None else str(n) for n, known in dims)
    keep(
        d,
        result,
        f"memref.expand_shape {m.name} {groups} output_shape [{shape}]"
        f" : {m.kind} into {result.kind}",
    )


def _groups(rank: int, at: int) -> str:
    """Groups of dimensions of which the one at `at` has two."""
    parts = [f"[{i + (i > at)}]" if i != at else f"[{i}, {i + 1}]" for i in range(rank)]
    return f"[{', '.join(parts)}]"


def collapse(d: Draft, m: Memref) -> None:
    """Two dimensions, the inner one of which fills a step of the outer one, as one."""
    rank = len(m.sizes)
    inner = [
        i
        for i in range(rank - 1)
        if m.typed_strides is None
        or (
            None not in (m.known_strides[i], m.known_strides[i + 1], m.typed_sizes[i + 1])
            and m.known_strides[i] == times(m.known_strides[i + 1], m.typed_sizes[i + 1])
        )
    ]
    if not inner:
        return
    at = d.draw.choice(inner)
    result = replace(
        m,
        sizes=(*m.sizes[:at], m.sizes[at] * m.sizes[at + 1], *m.sizes[at + 2 :]),
        strides=(*m.strides[:at], *m.strides[at + 1 :]),
        typed_sizes=(
            *m.typed_sizes[:at],
            times(m.typed_sizes[at], m.typed_sizes[at + 1]),
            *m.typed_sizes[at + 2 :],
        ),
        typed_strides=None
        if m.typed_strides is None
        else (*m.typed_strides[:at], *m.typed_strides[at + 1 :]),
    )
    groups = _groups(rank - 1, at)
    keep(d, result, f"memref.collapse_shape {m.name} {groups} : {m.kind} into {result.kind}")


def space(d: Draft, m: Memref) -> None:
    """The same memory under the name of another memory space."""
    result = replace(m, space="" if m.space else "1")
    keep(d, result, f"memref.memory_space_cast {m.name} : {m.kind} to {result.kind}")


def aligned(d: Draft, m: Memref) -> None:
    """The same memref, stated to be aligned as its elements are."""
    unit = size_of(m.element)
    keep(d, m, f"memref.assume_alignment {m.name}, {unit} : {m.kind}")


def view_of_bytes(d: Draft, _: Memref) -> None:
    """Bytes of a one-dimensional `i8` memref as elements of another type."""
    found = [
        m
        for m in d.scope.memrefs
        if m.element == "i8" and len(m.sizes) == 1 and m.typed_strides is None and m.sizes[0] >= 8
    ]
    if not found:
        return
    m = d.draw.choice(found)
    kind = d.kind(ELEMENTS)
    unit = size_of(kind)
    room = m.sizes[0] // unit
    sizes = [d.draw.randint(1, max(1, min(4, room))) for _ in range(d.draw.randint(1, 2))]
    if math.prod(sizes) > room:
        return
    shift = d.draw.randint(0, room - math.prod(sizes)) * unit
    words = [operand(d, n) for n in sizes]
    result = Memref(
        "", kind, tuple(sizes), dense(sizes), 0, tuple(n for _, n in words), space=m.space
    )
    if m.below is not None and m.above is not None:
        result = replace(result, below=m.below + shift, above=m.above - shift)
    dynamic = ", ".join(word for word, n in words if n is None)
    start = d.index(shift)
    keep(d, result, f"memref.view {m.name}[{start}][{dynamic}] : {m.kind} to {result.kind}")


def dense(sizes: list[int]) -> tuple[int, ...]:
    """Row-major strides in elements."""
    return tuple(math.prod(sizes[i + 1 :]) for i in range(len(sizes)))


def metadata(d: Draft) -> None:
    """What the descriptor of a memref holds."""
    m = pick(d)
    if m is None:
        return
    rank = len(m.sizes)
    base = replace(
        m, sizes=(), strides=(), offset=0, typed_sizes=(), typed_strides=None, typed_offset=0
    )
    kinds = ", ".join([base.kind, *["index"] * (1 + 2 * rank)])
    name = d.fresh()
    count = f":{2 + 2 * rank}"
    results = [(f"{name}#{i}", "index") for i in range(1, 2 + 2 * rank)]
    d.whole(
        [f"{name}{count} = memref.extract_strided_metadata {m.name} : {m.kind} -> {kinds}"],
        *results,
    )
    if (m.above or 0) >= size_of(m.element):
        d.scope.memrefs.append(replace(base, name=f"{name}#0"))


def dimension(d: Draft) -> None:
    """A size, or how many there are."""
    m = pick(d)
    if m is None:
        return
    if not m.sizes or d.chance(20):
        d.put(f"memref.rank {m.name} : {m.kind}", "index")
    else:
        place = d.index(d.draw.randrange(len(m.sizes)))
        d.put(f"memref.dim {m.name}, {place} : {m.kind}", "index")


def allocation(d: Draft) -> None:
    """A new buffer, filled at once."""
    kind = d.kind(ELEMENTS)
    sizes = [d.draw.randint(1, 4) for _ in range(d.draw.randint(0, 3))]
    words = [operand(d, n) for n in sizes]
    m = Memref("", kind, tuple(sizes), dense(sizes), 0, tuple(n for _, n in words))
    m = replace(m, below=0, above=math.prod(sizes) * size_of(kind))
    dynamic = ", ".join(word for word, n in words if n is None)
    name = d.draw.choice(("alloc", "alloca"))
    keep(d, m, f"memref.{name}({dynamic}) : {m.kind}")
    filled(d, d.scope.memrefs[-1])
    if name == "alloc" and not d.depth:
        d.heap.append(d.scope.memrefs[-1])


def on_stack(d: Draft) -> None:
    """A buffer of one or two elements on the stack, filled by stores."""
    kind = d.kind(ELEMENTS)
    size = d.draw.randint(1, 2)
    m = Memref("", kind, (size,), (1,), 0, (size,), below=0, above=size * size_of(kind))
    keep(d, m, f"memref.alloca() : {m.kind}")
    m = d.scope.memrefs[-1]
    for place in range(size):
        d.do(f"memref.store {d.value(kind)}, {m.name}[{d.index(place)}] : {m.kind}")


def filled(d: Draft, m: Memref) -> None:
    """Every element is written."""
    value = d.value(m.element)
    d.do(f"linalg.fill ins({value} : {m.element}) outs({m.name} : {m.kind})")


def fill(d: Draft) -> None:
    """Every element of a visible memref is written."""
    m = pick(d)
    if m is not None:
        filled(d, m)


def copy(d: Draft) -> None:
    """The elements of one memref into another of the same sizes."""
    source = pick(d)
    if source is None:
        return
    found = [
        m
        for m in d.scope.memrefs
        if (m.element, m.sizes) == (source.element, source.sizes) and m.name != source.name
    ]
    if not found:
        return
    target = d.draw.choice(found)
    if d.chance(60) and _casts(
        replace(source, typed_strides=None), replace(target, typed_strides=None)
    ):
        d.do(f"memref.copy {source.name}, {target.name} : {source.kind} to {target.kind}")
    elif all(
        x is None or y is None or x == y
        for x, y in zip(source.typed_sizes, target.typed_sizes, strict=True)
    ):
        d.do(f"linalg.copy ins({source.name} : {source.kind}) outs({target.name} : {target.kind})")


def select(d: Draft) -> None:
    """One of two memrefs of the same type and sizes."""
    m = pick(d)
    if m is None:
        return
    found = [o for o in d.scope.memrefs if (o.kind, o.sizes) == (m.kind, m.sizes)]
    other = d.draw.choice(found)
    either = replace(
        m,
        strides=tuple(a if a == b else None for a, b in zip(m.strides, other.strides, strict=True)),
        offset=m.offset if m.offset == other.offset else None,
        below=None if m.below is None or other.below is None else min(m.below, other.below),
        above=None if m.above is None or other.above is None else min(m.above, other.above),
    )
    keep(d, either, f"arith.select {d.value('i1')}, {m.name}, {other.name} : {m.kind}")


def global_(d: Draft) -> None:
    """A global of the module, constant or not."""
    kind = d.kind(ELEMENTS)
    sizes = [d.draw.randint(1, 4) for _ in range(d.draw.randint(0, 2))]
    is_constant = d.chance(50)
    name = f"{d.prefix}g{len(d.globals)}"
    m = Memref("", kind, tuple(sizes), dense(sizes), 0, tuple(sizes))
    value = _dense_text([draw_bits(d.draw, kind) for _ in range(math.prod(sizes))], sizes, kind)
    if is_constant:
        d.globals.append(f'memref.global "private" constant @{name} : {m.kind} = dense<{value}>')
        view_name = d.quiet(f"memref.get_global @{name} : {m.kind}")
        if all(sizes):
            indices = ", ".join(d.below(size) for size in sizes)
            d.put(f"memref.load {view_name}[{indices}] : {m.kind}", kind)
        return
    d.globals.append(f'memref.global "private" @{name} : {m.kind} = dense<{value}>')
    d.is_stateful = True
    m = replace(m, below=0, above=math.prod(sizes) * size_of(kind))
    keep(d, m, f"memref.get_global @{name} : {m.kind}")


def _dense_text(bits: list[int], sizes: list[int], kind: str) -> str:
    """Nested lists of the elements of a `dense` attribute."""
    if not sizes:
        return literal(bits[0], kind).split(" :")[0]
    step = len(bits) // sizes[0]
    parts = [_dense_text(bits[i * step : (i + 1) * step], sizes[1:], kind) for i in range(sizes[0])]
    return f"[{', '.join(parts)}]"


MEMORY_OPS = (
    load, load, load, store, store, store, view, view, view, view, view, metadata, dimension,
    allocation, fill, copy, copy, select, global_, atomic,
)  # fmt: skip
