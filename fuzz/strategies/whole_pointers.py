"""LLVM pointers and Enzyme's own views for the family `whole`; only Enzyme knows the latter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from xdsl.ir import SSAValue

from fuzz.strategies.whole_memory import extent_of, new_buffer
from fuzz.strategies.whole_places import index_below
from fuzz.strategies.whole_types import BYTES, Dim, Mem, Ref
from fuzz.strategies.whole_writer import Writer

_PTR = "!llvm.ptr"
_UNIT = BYTES["f32"]
# More than any buffer has: nobody knows how far a pointer is into its buffer.
_FAR = 1 << 20


def _line(w: Writer) -> Ref:
    """A dense line of floats, two at least, in the default space."""
    return w.pick(_is_line) or new_buffer(w, Mem("f32", (w.draw.choice([4, 8]),)))


def _is_line(ref: Ref) -> bool:
    is_floats = (ref.kind.element, len(ref.sizes), ref.kind.space) == ("f32", 1, "")
    return is_floats and ref.kind.strides in (None, (1,)) and (ref.sizes[0] or 0) >= 2


def to_pointer(w: Writer) -> None:
    """The pointer to the first element of a memref."""
    ref = _line(w)
    value = w.op("enzymexla.memref2pointer", [ref.value], [_PTR]).results[0]
    _point(w, value, ref, ref.sizes[0] or 0)


def _point(w: Writer, value: SSAValue, ref: Ref, count: int) -> None:
    """Remember a pointer to so many floats."""
    kind = Mem("f32", (count,))
    w.scope.pointers.append((value, replace(ref, value=value, kind=kind, sizes=(count,))))


def _pointer(w: Writer) -> tuple[SSAValue, Ref]:
    fits = [(p, r) for p, r in w.scope.pointers if w.is_here(r)]
    if not fits:
        stack(w) if w.flip(40) else to_pointer(w)
        return w.scope.pointers[-1]
    return w.draw.choice(fits[-4:])


def stack(w: Writer) -> None:
    """`llvm.alloca`, with a number stored to each element."""
    count = w.draw.randint(2, 4)
    size = w.constant(count, "i64")
    value = w.op("llvm.alloca", [size], [_PTR], {"elem_type": "f32"}).results[0]
    root = w.root(extent_of(Mem("f32", (count,))), "device" if w.place == "kernel" else "host")
    ref = Ref(value, Mem("f32", (count,)), (count,), (root,))
    _point(w, value, ref, count)
    for number in range(count):
        w.op("llvm.store", [w.scalar("f32"), _step(w, value, number)])


def _step(w: Writer, pointer: SSAValue, count: int, *, index: SSAValue | None = None) -> SSAValue:
    """`llvm.getelementptr`, by a number or a value, in floats or in bytes."""
    attributes = {"elem_type": "f32", "rawConstantIndices": f"array<i32: {count}>"}
    if index is not None:
        index = w.op("arith.index_cast", [index], ["i64"]).results[0]
        attributes["rawConstantIndices"] = f"array<i32: {-(1 << 31)}>"
    elif w.flip(30):
        attributes = {"elem_type": "i8", "rawConstantIndices": f"array<i32: {count * _UNIT}>"}
    operands = [pointer, *([index] if index is not None else [])]
    return w.op("llvm.getelementptr", operands, [_PTR], attributes).results[0]


def move(w: Writer) -> None:
    """A pointer into the same memory, further on."""
    pointer, ref = _pointer(w)
    count = ref.sizes[0] or 0
    if count < 2:
        return
    if w.flip(30):
        place = index_below(w, replace(ref, sizes=(count - 1,)), 0)
        _point(w, _step(w, pointer, 0, index=place.value), ref, 1)
        return
    number = w.draw.randint(0, count - 1)
    _point(w, _step(w, pointer, number), ref, count - number)


def recast(w: Writer) -> None:
    """A pointer by way of another address space, or of a cast that changes nothing."""
    pointer, ref = _pointer(w)
    count = ref.sizes[0] or 0
    if w.flip(40):
        value = w.op("llvm.bitcast", [pointer], [_PTR]).results[0]
    else:
        there = w.op("llvm.addrspacecast", [pointer], ["!llvm.ptr<1>"]).results
        value = w.op("llvm.addrspacecast", there, [_PTR]).results[0]
    _point(w, value, ref, count)


def to_memref(w: Writer) -> None:
    """A memref from a pointer."""
    pointer, ref = _pointer(w)
    count = w.draw.randint(1, ref.sizes[0] or 1)
    size: Dim = None if w.flip(40) else count
    kind = Mem("f32", (size,))
    value = w.op("enzymexla.pointer2memref", [pointer], [kind.type()]).results[0]
    w.add(Ref(value, kind, (size,), ref.roots, ref.is_fixed, shift=_FAR))


def access(w: Writer) -> None:
    """`llvm.load` or `llvm.store`."""
    pointer, ref = _pointer(w)
    if w.flip(50) or ref.is_fixed:
        w.touch(ref, is_write=False)
        w.keep("f32", w.op("llvm.load", [pointer], ["f32"]).results[0])
        return
    value = w.scalar("f32")
    w.touch(ref, is_write=True)
    w.op("llvm.store", [value, pointer])


def subindex(w: Writer) -> None:
    """A line of memory from an index on."""
    ref = _line(w)
    count = ref.sizes[0] or 0
    start = w.draw.randint(0, count - 1)
    kind = Mem("f32", (None,))
    if ref.kind.strides is not None:
        return to_pointer(w)
    operands = [ref.value, w.constant(start)]
    value = w.op("enzymexla.subindex", operands, [kind.type()]).results[0]
    w.add(replace(ref, value=value, kind=kind, sizes=(count - start,), shift=_FAR))
    return None


def copy(w: Writer) -> None:
    """`enzymexla.memcpy` between two buffers, in bytes."""
    target = _line(w)
    others = [r for r in w.fitting(_is_line) if not set(r.roots) & set(target.roots)]
    source = w.draw.choice(others) if others else new_buffer(w, Mem("f32", (4,)))
    size = min(target.sizes[0] or 0, source.sizes[0] or 0)
    if not size or target.is_fixed:
        return to_memref(w)
    w.touch(source, is_write=False)
    w.touch(target, is_write=True)
    w.op("enzymexla.memcpy", [target.value, source.value, w.constant(size * _UNIT)])
    return None


def wrapper(w: Writer) -> None:
    """`enzymexla.gpu_wrapper` around statements, as Enzyme's front end raises kernels."""
    one, place = w.constant(1), w.place

    def body(_: Sequence[SSAValue]) -> None:
        w.place = "raised"
        w.statements(w.draw.randint(1, 2))
        w.settle(w.scope.inherited)
        w.op("enzymexla.polygeist_yield")

    region = w.region([], body)
    w.place = place
    w.op("enzymexla.gpu_wrapper", [one] * 6, ["index"], {}, [region])


POINTERS: dict[Callable[[Writer], None], int] = {
    to_pointer: 3, stack: 1, move: 2, recast: 1, to_memref: 5, access: 3, subindex: 1, copy: 2,
    wrapper: 1,
}  # fmt: skip
"""The productions, each with a weight."""
