"""Accesses of whole buffers and odd ones for the family `whole`: copies, atomics, cells, ends."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from fuzz.strategies.whole_memory import (
    any_memory,
    draw_kind,
    fill_op,
    is_plain,
    load_from,
    new_buffer,
    store_to,
)
from fuzz.strategies.whole_ops import segments
from fuzz.strategies.whole_places import constant_index, place_in, values_of
from fuzz.strategies.whole_types import Index, Mem, Ref, dense
from fuzz.strategies.whole_writer import Writer


def buffer(w: Writer) -> None:
    """Another buffer."""
    new_buffer(w)


def fill(w: Writer) -> None:
    """Fill a memref."""
    ref = any_memory(w, is_written=True)
    value = w.scalar(ref.kind.element)
    w.touch(ref, is_write=True)
    fill_op(w, ref, value)


def copy(w: Writer) -> None:
    """Copy between two buffers of one shape."""
    target = any_memory(w, is_written=True)
    if None in target.sizes:
        return fill(w)
    sources = w.fitting(lambda r: can_copy(w, r, target))
    source = w.draw.choice(sources) if sources else new_buffer(w, like(target))
    w.touch(source, is_write=False)
    w.touch(target, is_write=True)
    w.op("memref.copy", [source.value, target.value])
    return None


def can_copy(w: Writer, source: Ref, target: Ref) -> bool:
    """Whether one may be copied onto the other, seldom within one buffer."""
    is_alike = (source.kind.element, source.sizes) == (target.kind.element, target.sizes)
    shapes = zip(source.kind.shape, target.kind.shape, strict=False)
    is_fit = is_alike and all(None in pair or pair[0] == pair[1] for pair in shapes)
    is_apart = not set(source.roots) & set(target.roots)
    return is_fit and (is_apart or w.carelessness > 0)


def like(ref: Ref) -> Mem:
    """A static type with the sizes of a memref."""
    return Mem(ref.kind.element, tuple(1 if size is None else size for size in ref.sizes))


def atomic(w: Writer) -> None:
    """A read and a write of an element at once."""
    ref = any_memory(w, is_written=True)
    kind = ref.kind.element
    if kind == "index":
        load_from(w, ref)
        return
    place = values_of(place_in(w, ref))
    value = w.scalar(kind)
    w.touch(ref, is_write=True)
    w.touch(ref, is_write=False)
    if w.flip(60):
        # `addf`, `addi`, `assign`, in the numbers of MLIR's enumeration.
        number = w.draw.choice([0 if kind[0] == "f" else 1, 3])
        attributes = {"kind": f"{number} : i64"}
        result = w.op("memref.atomic_rmw", [value, ref.value, *place], [kind], attributes)
    else:

        def body(arguments: Sequence[SSAValue]) -> None:
            name = "arith.mulf" if kind[0] == "f" else "arith.muli"
            product = w.op(name, [arguments[0], value], [kind]).results[0]
            w.op("memref.atomic_yield", [product])

        region = w.region([kind], body)
        operands = [ref.value, *place]
        result = w.op("memref.generic_atomic_rmw", operands, [kind], {}, [region])
    w.keep(kind, result.results[0])


def size(w: Writer) -> None:
    """Ask a memref for a size or for its rank."""
    ref = any_memory(w)
    if not ref.sizes or w.flip(20):
        value = w.op("memref.rank", [ref.value], ["index"]).results[0]
    else:
        axis = w.constant(w.draw.randrange(len(ref.sizes)))
        value = w.op("memref.dim", [ref.value, axis], ["index"]).results[0]
    w.keep("index", value)


def number(w: Writer) -> None:
    """`affine.apply`, whose result affine ops may use."""
    fits = [i.value for i in w.scope.indices if i.is_affine] or [w.constant(1)]
    limit, factor = w.draw.randint(1, 4), w.draw.choice([1, 1, 3])
    attributes = {"map": f"affine_map<(d0) -> ((d0 * {factor} + 1) mod {limit})>"}
    value = w.op("affine.apply", [w.draw.choice(fits)], ["index"], attributes).results[0]
    w.scope.indices.append(Index(value, limit, is_affine=True))


def free(w: Writer) -> None:
    """Free a buffer that the block made."""
    fits = [r for r in w.scope.owned if w.is_here(r)]
    if fits:
        free_one(w, w.draw.choice(fits))


def free_one(w: Writer, ref: Ref) -> None:
    """Free a buffer; what leads there is out of scope then."""
    w.touch(ref, is_write=True)
    w.op("memref.dealloc" if w.roots[ref.roots[0]].place == "host" else "gpu.dealloc", [ref.value])
    w.scope.owned.remove(ref)
    forget(w, ref.roots)


def forget(w: Writer, roots: Sequence[int]) -> None:
    """Take all memrefs that lead to some buffers out of scope."""
    gone = set(roots)
    w.scope.refs = [r for r in w.scope.refs if not gone & set(led_to(w, r))]
    w.scope.owned = [r for r in w.scope.owned if not gone & set(r.roots)]
    w.scope.pointers = [(p, r) for p, r in w.scope.pointers if not gone & set(r.roots)]


def led_to(w: Writer, ref: Ref) -> list[int]:
    """The buffers that a memref lies in, and those that its cells lead to."""
    return [*ref.roots, *(r for root in ref.roots for r in w.roots[root].leads_to)]


def close(w: Writer) -> None:
    """The end of a block: wait for what it began, and free most of what it made."""
    w.settle(w.scope.inherited)
    for ref in [*w.scope.owned]:
        if ref in w.scope.owned and w.flip(70):
            free_one(w, ref)


def stack_scope(w: Writer) -> None:
    """An `alloca_scope` with a buffer of its own, and a value that comes out of it."""

    def body(_: Sequence[SSAValue]) -> None:
        ref = new_buffer(w, Mem("f32", (4,)))
        store_to(w, ref)
        value = load_from(w, ref)
        close(w)
        w.op("memref.alloca_scope.return", [value])

    region = w.region([], body)
    w.keep("f32", w.op("memref.alloca_scope", [], ["f32"], {}, [region]).results[0])


def cell(w: Writer) -> None:
    """A memref of memrefs, in whose cells some memref is kept."""
    kept = w.pick(lambda r: is_plain(r) and not set(r.roots) & set(leading(w)))
    if kept is None:
        return
    length = w.draw.choice([None, 1, 2])
    shape = () if length is None else (length,)
    kind = Mem(kept.kind.text(), shape)
    attributes = {"operandSegmentSizes": segments(0, 0)}
    made = w.op("memref.alloca", (), [kind.type()], attributes)
    root = w.root(None, "host")
    w.roots[root].leads_to = kept.roots
    ref = Ref(made.results[0], kind, shape, (root,), inner=kept.kind)
    w.note(ref.roots, is_write=True)
    for number in range(length or 1):
        place = [] if length is None else [constant_index(w, number).value]
        w.op("memref.store", [kept.value, ref.value, *place])
    w.add(ref)
    from_cell(w, ref, kept)


def leading(w: Writer) -> list[int]:
    """The buffers that have memrefs in them."""
    return [n for n, root in enumerate(w.roots) if root.leads_to]


def from_cell(w: Writer, ref: Ref, kept: Ref) -> None:
    """Load the memref of a cell again."""
    place = values_of(place_in(w, ref))
    w.touch(ref, is_write=False)
    value = w.op("memref.load", [ref.value, *place], [kept.kind.type()]).results[0]
    w.add(Ref(value, kept.kind, kept.sizes, kept.roots, kept.is_fixed, kept.is_spread))


def cell_again(w: Writer) -> None:
    """Load from a cell that is in scope, perhaps from inside a loop."""
    ref = w.pick(lambda r: r.inner is not None)
    if ref is None:
        return
    led = tuple(r for root in ref.roots for r in w.roots[root].leads_to)
    assert ref.inner is not None
    sizes = tuple(ref.inner.shape)
    offset = ref.inner.strides in (None, dense(ref.inner.shape))
    from_cell(w, ref, Ref(ref.value, ref.inner, sizes, led, is_fixed=True, is_spread=offset))


def drawn_buffer(w: Writer) -> None:
    """A buffer of a drawn type, written at once."""
    ref = new_buffer(w, draw_kind(w))
    if ref.has_elements and is_plain(ref):
        store_to(w, ref)


UPDATES = {
    buffer: 4, fill: 2, copy: 3, atomic: 1, size: 1, number: 1, free: 2, stack_scope: 1, cell: 1,
    cell_again: 1, drawn_buffer: 2,
}  # fmt: skip
"""The productions, each with a weight."""
