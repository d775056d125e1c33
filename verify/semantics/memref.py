"""The `memref` dialect: views, accesses and allocation.

Source: the dialect's documentation; byte arithmetic follows the strided memref descriptor
(base pointer, offset, sizes, strides).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from xdsl.dialects import builtin
from xdsl.ir import Attribute, Operation, SSAValue

from verify.ir.names import attr, int_array, int_attr, operand_segments, symbol_ref
from verify.semantics import term as t
from verify.semantics.machine import Machine, Value, rule
from verify.semantics.term import Number
from verify.semantics.types import Layout, UnsupportedError, element_of, layout_of, space_of
from verify.semantics.values import View

DYNAMIC = -(1 << 63)


def mixed(m: Machine, op: Operation, static: str, dynamic: Sequence[SSAValue]) -> list[Number]:
    """Static values with the dynamic operands in their places."""
    numbers = int_array(op, static)
    if numbers is None:
        return [m.number(v) for v in dynamic]
    rest = iter(dynamic)
    return [m.number(next(rest)) if n == DYNAMIC else n for n in numbers]


def located(view: View) -> tuple[tuple[Number, ...], tuple[Number, ...]]:
    """Sizes and strides of a ranked view."""
    if view.sizes is None:
        raise UnsupportedError("an unranked memref is used as a ranked one")
    return view.sizes, view.strides


def byte_offset(m: Machine, view: View, indices: Sequence[Number]) -> Number:
    """Where the element at `indices` lies in the view's memory."""
    total = view.offset
    for index, stride in zip(indices, located(view)[1], strict=True):
        total = total + m.algebra.multiply(index, stride)
    return total


@rule("memref.load")
def load(m: Machine, op: Operation) -> Sequence[Value]:
    view, *indices = op.operands
    kind = op.results[0].type
    return [m.load(op, m.value(view), [m.number(i) for i in indices], kind)]


@rule("memref.store")
def store(m: Machine, op: Operation) -> Sequence[Value]:
    value, view, *indices = op.operands
    places = [m.number(i) for i in indices]
    m.store(op, m.value(view), places, m.value(value), value.type)
    return []


@rule("memref.copy")
def copy(m: Machine, op: Operation) -> Sequence[Value]:
    source, target = op.operands
    require_same_shape(m, m.value(source), m.value(target), source.type)
    m.write_all(op, m.value(target), m.read_all(op, m.value(source)), target.type)
    return []


def require_same_shape(m: Machine, source: Value, target: Value, kind: Attribute) -> None:
    """A copy is between views of equal sizes."""
    if not isinstance(kind, builtin.MemRefType):
        return
    for d in range(len(kind.get_shape())):
        sizes = [m.measure(v, lambda view, d=d: located(view)[0][d]) for v in (source, target)]
        m.require(t.equal(*sizes))


@rule("memref.prefetch")
def prefetch(_: Machine, __: Operation) -> Sequence[Value]:
    return []


@rule("memref.alloc", "memref.alloca")
def alloc(m: Machine, op: Operation) -> Sequence[Value]:
    segments = operand_segments(op)
    sizes = segments[0] if segments else list(op.operands)
    kind = op.results[0].type
    return [m.allocate(op, kind, [m.number(s) for s in sizes], space_of(kind))]


@rule("memref.dealloc")
def dealloc(m: Machine, op: Operation) -> Sequence[Value]:
    m.free(op, m.value(op.operands[0]))
    return []


@rule("memref.get_global")
def get_global(m: Machine, op: Operation) -> Sequence[Value]:
    symbol = symbol_ref(op, "name")
    if symbol is None:
        raise UnsupportedError("`memref.get_global` without a name")
    return [m.global_memory(op, symbol, op.results[0].type)]


@rule("memref.dim")
def dim(m: Machine, op: Operation) -> Sequence[Value]:
    source, index = op.operands
    position = m.number(index)
    kind = source.type
    if isinstance(kind, builtin.MemRefType) and isinstance(position, int):
        is_inside = 0 <= position < len(kind.get_shape())
        if is_inside:
            return [m.measure(m.value(source), lambda view: located(view)[0][position])]
    return [m.unknown(op, op.results[0].type)]


@rule("memref.rank")
def rank(m: Machine, op: Operation) -> Sequence[Value]:
    kind = op.operands[0].type
    if isinstance(kind, builtin.MemRefType):
        return [len(kind.get_shape())]
    return [m.unknown(op, op.results[0].type)]


@rule("memref.subview")
def subview(m: Machine, op: Operation) -> Sequence[Value]:
    source, offsets, sizes, strides = _subview_operands(m, op)
    kept = layout_of(op.results[0].type)

    def change(view: View) -> View:
        old_sizes, old_strides = located(view)
        steps = [m.algebra.multiply(s, o) for s, o in zip(strides, old_strides, strict=True)]
        start = byte_offset(m, view, offsets)
        dims = _kept_dims(sizes, steps, kept)
        inside = [
            bound
            for o, s, step, size in zip(offsets, sizes, strides, old_sizes, strict=True)
            for bound in _inside(m, o, s, step, size)
        ]
        return replace(
            view,
            offset=start,
            sizes=tuple(sizes[d] for d in dims),
            strides=tuple(steps[d] for d in dims),
            assumed=(*view.assumed, *(c for c in inside if c is not True)),
        )

    return [m.map_view(source, change)]


def _subview_operands(
    m: Machine, op: Operation
) -> tuple[Value, list[Number], list[Number], list[Number]]:
    segments = operand_segments(op)
    (source,), offsets, sizes, strides = segments
    return (
        m.value(source),
        mixed(m, op, "static_offsets", offsets),
        mixed(m, op, "static_sizes", sizes),
        mixed(m, op, "static_strides", strides),
    )


def _inside(
    m: Machine, offset: Number, size: Number, step: Number, limit: Number
) -> list[t.Condition]:
    """An element of the window exists only where the source has one."""
    last = offset + m.algebra.multiply(size - 1, step)
    bounds = [
        t.at_most(0, offset),
        t.less(offset, limit),
        t.at_most(0, last),
        t.less(last, limit),
    ]
    return [t.any_of([t.at_most(size, 0), bound]) for bound in bounds]


def _kept_dims(sizes: Sequence[Number], steps: Sequence[Number], kept: Layout) -> list[int]:
    """Which dimensions a rank-reducing subview keeps; the others are of size 1.

    Where several choices fit they differ in unit dimensions only, whose stride never counts.
    """
    wanted = list(zip(kept.shape, kept.strides, strict=True))

    def search(d: int, found: list[int]) -> list[int] | None:
        if d == len(sizes):
            return found if len(found) == len(wanted) else None
        if len(found) < len(wanted) and _fits(
            sizes[d], steps[d], *wanted[len(found)], kept.element.size
        ):
            result = search(d + 1, [*found, d])
            if result is not None:
                return result
        return search(d + 1, found) if sizes[d] == 1 else None

    dims = search(0, [])
    if dims is None:
        raise UnsupportedError("rank-reducing `memref.subview` whose kept dimensions are unclear")
    return dims


def _fits(size: Number, step: Number, want: int | None, stride: int | None, unit: int) -> bool:
    if want is not None and size != want:
        return False
    return stride is None or not isinstance(step, int) or step == stride * unit


@rule("memref.cast")
def cast(m: Machine, op: Operation) -> Sequence[Value]:
    return [reshaped(m, m.value(op.operands[0]), op.results[0].type)]


def reshaped(m: Machine, value: Value, kind: Attribute) -> Value:
    """The same memory under another memref type that says more or less about it."""
    if not isinstance(kind, builtin.MemRefType):
        return value
    layout = layout_of(kind)

    def change(view: View) -> View:
        if view.sizes is None:
            return _ranked(m, view, layout)
        if len(view.sizes) != len(layout.shape):
            raise UnsupportedError("a memref is cast to another rank")
        facts = [
            t.equal(size, known)
            for size, known in zip(view.sizes, layout.shape, strict=True)
            if known is not None
        ]
        return replace(view, assumed=(*view.assumed, *(f for f in facts if f is not True)))

    return m.map_view(value, change)


def _ranked(m: Machine, view: View, layout: Layout) -> View:
    """A ranked view of an unranked memref: what its type leaves open is not known."""
    if None in layout.shape or None in layout.strides or layout.offset is None:
        raise UnsupportedError("a dynamic memref is made from an unranked one")
    unit = layout.element.size
    return replace(
        view,
        sizes=tuple(d for d in layout.shape if d is not None),
        strides=tuple(s * unit for s in layout.strides if s is not None),
        element=layout.element,
    )


@rule("memref.memory_space_cast")
def memory_space_cast(m: Machine, op: Operation) -> Sequence[Value]:
    space = space_of(op.results[0].type)
    return [m.map_view(m.value(op.operands[0]), lambda v: replace(v, space=space))]


@rule("memref.reinterpret_cast")
def reinterpret_cast(m: Machine, op: Operation) -> Sequence[Value]:
    segments = operand_segments(op)
    (source,), offsets, sizes, strides = segments
    (offset,) = mixed(m, op, "static_offsets", offsets)
    new_sizes = mixed(m, op, "static_sizes", sizes)
    new_strides = mixed(m, op, "static_strides", strides)
    unit = element_of(_element_type(op.results[0].type)).size

    def change(view: View) -> View:
        m.reads_base(op, view)
        return replace(
            view,
            offset=view.base + t.times(offset, unit),
            sizes=tuple(new_sizes),
            strides=tuple(t.times(s, unit) for s in new_strides),
            element=element_of(_element_type(op.results[0].type)),
            is_contained=False,
        )

    return [m.map_view(m.value(source), change)]


def _element_type(kind: Attribute) -> Attribute:
    if isinstance(kind, builtin.MemRefType | builtin.UnrankedMemRefType):
        return kind.element_type
    raise UnsupportedError(f"`{kind}` has no elements")


@rule("memref.view")
def view_of_bytes(m: Machine, op: Operation) -> Sequence[Value]:
    source, shift, *sizes = op.operands
    layout = layout_of(op.results[0].type)
    dynamic = iter([m.number(s) for s in sizes])
    shape = [next(dynamic) if d is None else d for d in layout.shape]
    start = m.number(shift)

    def change(view: View) -> View:
        return replace(
            view,
            offset=view.offset + start,
            sizes=tuple(shape),
            strides=tuple(dense_strides(m, shape, layout.element.size)),
            element=layout.element,
            base=view.offset + start,
            assumed=(*view.assumed, *_bytes_fit(m, view, start, shape, layout.element.size)),
        )

    return [m.map_view(m.value(source), change)]


def _bytes_fit(
    m: Machine, view: View, start: Number, shape: Sequence[Number], unit: int
) -> list[t.Condition]:
    total: Number = unit
    for size in shape:
        total = m.algebra.multiply(total, size)
    limit = located(view)[0][0]
    facts = [t.at_most(0, start), t.at_most(start + total, limit)]
    return [fact for fact in facts if fact is not True]


def dense_strides(m: Machine, shape: Sequence[Number], unit: int) -> list[Number]:
    """Row-major byte strides."""
    strides: list[Number] = []
    running: Number = unit
    for size in reversed(shape):
        strides.append(running)
        running = m.algebra.multiply(running, size)
    return strides[::-1]


@rule("memref.expand_shape")
def expand_shape(m: Machine, op: Operation) -> Sequence[Value]:
    source, *dynamic = op.operands
    groups = reassociation(op)
    layout = layout_of(op.results[0].type)
    static = int_array(op, "static_output_shape")
    wanted = static if static is not None else tuple(d or DYNAMIC for d in layout.shape)
    rest = iter([m.number(v) for v in dynamic])
    shape = [next(rest) if d == DYNAMIC else d for d in wanted]

    def change(view: View) -> View:
        strides: list[Number] = [0] * len(shape)
        for group, stride in zip(groups, located(view)[1], strict=True):
            running = stride
            for d in reversed(group):
                strides[d] = running
                running = m.algebra.multiply(running, shape[d])
        facts = [
            t.equal(_product(m, [shape[d] for d in group]), size)
            for group, size in zip(groups, located(view)[0], strict=True)
        ]
        return replace(
            view,
            sizes=tuple(shape),
            strides=_scalar_strides(strides, groups, shape, layout),
            assumed=(*view.assumed, *(f for f in facts if f is not True)),
        )

    return [m.map_view(m.value(source), change)]


def _scalar_strides(
    strides: list[Number], groups: Sequence[Sequence[int]], shape: Sequence[Number], layout: Layout
) -> tuple[Number, ...]:
    """A rank-0 source has no stride to split: every size is 1 and any stride does."""
    if not groups and shape:
        return tuple((s or 1) * layout.element.size for s in layout.strides)
    return tuple(strides)


def _product(m: Machine, sizes: Sequence[Number]) -> Number:
    total: Number = 1
    for size in sizes:
        total = m.algebra.multiply(total, size)
    return total


def reassociation(op: Operation) -> list[list[int]]:
    """The groups of dimensions of an expand or collapse."""
    groups = attr(op, "reassociation")
    if not isinstance(groups, builtin.ArrayAttr):
        raise UnsupportedError("a reshape without reassociation")
    result: list[list[int]] = []
    for group in groups.data:
        if not isinstance(group, builtin.ArrayAttr):
            raise UnsupportedError("a reshape without reassociation")
        result.append([i.value.data for i in group.data if isinstance(i, builtin.IntegerAttr)])
    return result


@rule("memref.collapse_shape")
def collapse_shape(m: Machine, op: Operation) -> Sequence[Value]:
    groups = reassociation(op)

    def change(view: View) -> View:
        sizes, strides = located(view)
        new_sizes = [_product(m, [sizes[d] for d in group]) for group in groups]
        new_strides = [_group_stride(m, group, sizes, strides) for group in groups]
        return replace(view, sizes=tuple(new_sizes), strides=tuple(new_strides))

    return [m.map_view(m.value(op.operands[0]), change)]


def _group_stride(
    m: Machine, group: Sequence[int], sizes: Sequence[Number], strides: Sequence[Number]
) -> Number:
    """The stride of the innermost dimension that is not of size 1."""
    result = strides[group[-1]]
    for d in group:
        result = m.algebra.choose(t.equal(sizes[d], 1), result, strides[d])
    return result


@rule("memref.transpose")
def transpose(m: Machine, op: Operation) -> Sequence[Value]:
    order = _permutation(op)

    def change(view: View) -> View:
        sizes, strides = located(view)
        return replace(
            view,
            sizes=tuple(sizes[d] for d in order),
            strides=tuple(strides[d] for d in order),
        )

    return [m.map_view(m.value(op.operands[0]), change)]


def _permutation(op: Operation) -> list[int]:
    match attr(op, "permutation"):
        case builtin.AffineMapAttr(data=data):
            from xdsl.ir.affine import AffineDimExpr

            return [e.position for e in data.results if isinstance(e, AffineDimExpr)]
        case _:
            raise UnsupportedError("`memref.transpose` without a permutation")


@rule("memref.assume_alignment")
def assume_alignment(m: Machine, op: Operation) -> Sequence[Value]:
    value = m.value(op.operands[0])
    m.check_alignment(op, value, int_attr(op, "alignment") or 1)
    return [value] if op.results else []


@rule("memref.distinct_objects")
def distinct_objects(m: Machine, op: Operation) -> Sequence[Value]:
    return m.distinct(op, [m.value(v) for v in op.operands])


def _collect(found: list[View]) -> Callable[[View], View]:
    def keep(view: View) -> View:
        found.append(view)
        return view

    return keep


@rule("memref.extract_strided_metadata")
def extract_strided_metadata(m: Machine, op: Operation) -> Sequence[Value]:
    source = op.operands[0]
    value = m.value(source)
    found: list[View] = []
    m.map_view(value, _collect(found))
    if len(found) != 1:
        return [_base_buffer(m, op, value), *(m.unknown(op, r.type) for r in op.results[1:])]
    sizes, strides = located(found[0])
    unit = layout_of(source.type).element.size
    offset = m.layout_offset(op, value, source.type)
    counts = [m.algebra.divide(s, unit) for s in strides]
    return [_base_buffer(m, op, value), offset, *sizes, *counts]


def _base_buffer(m: Machine, op: Operation, value: Value) -> Value:
    def change(view: View) -> View:
        return replace(view, offset=view.base, sizes=(), strides=(), is_contained=False)

    return m.map_view(value, change)


@rule("memref.extract_aligned_pointer_as_index")
def aligned_pointer(m: Machine, op: Operation) -> Sequence[Value]:
    return [m.address_of(op, _base_buffer(m, op, m.value(op.operands[0])), op.results[0].type)]


@rule("memref.global")
def global_(_: Machine, __: Operation) -> Sequence[Value]:
    return []


@rule("memref.alloca_scope")
def alloca_scope(m: Machine, op: Operation) -> Sequence[Value]:
    return m.run_region(op.regions[0], [])


@rule("memref.alloca_scope.return")
def alloca_scope_return(_: Machine, __: Operation) -> Sequence[Value]:
    return []
