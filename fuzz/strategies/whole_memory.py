"""Buffers and accesses for the family `whole`: what is allocated, filled, read and written."""

from __future__ import annotations

from xdsl.ir import SSAValue

from fuzz.strategies.whole_ops import make_op, segments
from fuzz.strategies.whole_places import constant_index, place_in, values_of
from fuzz.strategies.whole_types import BYTES, Dim, Index, Mem, Ref, product
from fuzz.strategies.whole_writer import Writer

_RANKS = {1: 12, 2: 6, 0: 2, 3: 2, 4: 2}
_ELEMENTS = {"f32": 12, "f64": 2, "i32": 2, "i64": 1, "index": 1, "i8": 3}
_ALIGNMENT = 64
# Where symbols of the module can be named: not inside an op that MLIR does not know.
_SEES = ("host", "task", "callee")
_FLOATS = ("f32", "f64")


def draw_kind(w: Writer) -> Mem:
    """A type with the identity layout, all of its sizes known."""
    element = w.weighted(_ELEMENTS)
    if element == "i8":
        return Mem(element, (w.draw.choice([8, 16, 24]),))
    rank = w.weighted(_RANKS)
    if rank == 1:
        return Mem(element, (w.draw.choice([4, 4, 4, 6, 8, w.draw.randint(1, 9)]),))
    shape = [w.draw.randint(1, 4 if rank < 3 else 2) for _ in range(rank)]
    if rank and w.flip(6):
        shape[w.draw.randrange(rank)] = 0
    return Mem(element, tuple(shape))


def extent_of(kind: Mem) -> Dim:
    """The bytes of a buffer of a type with the identity layout."""
    sizes = [size for size in kind.shape if size is not None]
    unit = BYTES.get(kind.element)
    return product(sizes) * unit if unit and len(sizes) == len(kind.shape) else None


def new_buffer(w: Writer, kind: Mem | None = None) -> Ref:
    """A buffer with something in it."""
    drawn = kind or draw_kind(w)
    makers = {"alloc": 6, "alloca": 2, "gpu": 1, "global": int(kind is None and w.place in _SEES)}
    how = "alloca" if w.place == "kernel" else w.weighted(makers)
    if how == "global":
        return get_global(w, drawn)
    ref = _allocated(w, drawn, how)
    initialise(w, ref)
    return ref


def _allocated(w: Writer, kind: Mem, how: str) -> Ref:
    """The buffer, some of its sizes left open in its type."""
    shape = tuple(None if how != "gpu" and w.flip(20) else size for size in kind.shape)
    open_kind = Mem(kind.element, shape, None, 0, kind.space)
    given = [w.constant(s or 0) for s, d in zip(kind.shape, shape, strict=True) if d is None]
    names = {"alloc": "memref.alloc", "alloca": "memref.alloca", "gpu": "gpu.alloc"}
    groups = segments(0, len(given), 0) if how == "gpu" else segments(len(given), 0)
    attributes = {"operandSegmentSizes": groups, **({"hostShared": "unit"} if how == "gpu" else {})}
    is_aligned = how == "alloc" and w.flip(20)
    if is_aligned:
        attributes["alignment"] = f"{_ALIGNMENT} : i64"
    made = w.op(names[how], given, [open_kind.type()], attributes)
    here = "device" if w.place == "kernel" else "both" if how == "gpu" else "host"
    ref = Ref(made.results[0], open_kind, kind.shape, (w.root(extent_of(kind), here),))
    w.add(ref)
    if is_aligned:
        w.roots[ref.roots[0]].alignment = _ALIGNMENT
    if how != "alloca":
        w.scope.owned.append(ref)
    return ref


def initialise(w: Writer, ref: Ref) -> None:
    """Fill a buffer, which may have no element to store to."""
    value = w.scalar(ref.kind.element)
    if w.place == "kernel":
        return store_everywhere(w, ref, value)
    w.note(ref.roots, is_write=True)
    fill_op(w, ref, value)
    return None


def store_everywhere(w: Writer, ref: Ref, value: SSAValue) -> None:
    """Store one value to each element, op by op."""
    total = product([size or 0 for size in ref.sizes])
    for number in range(min(total, 4)):
        place: list[Index] = []
        rest = number
        for size in reversed(ref.sizes):
            place.insert(0, constant_index(w, rest % (size or 1)))
            rest //= size or 1
        w.op("memref.store", [value, ref.value, *values_of(place)])


def fill_op(w: Writer, ref: Ref, value: SSAValue) -> None:
    """`linalg.fill`."""

    def body(arguments: object) -> None:
        assert isinstance(arguments, tuple)
        w.op("linalg.yield", [arguments[0]])

    kind = ref.kind.element
    region = w.region([kind, kind], body)
    w.op("linalg.fill", [value, ref.value], (), {"operandSegmentSizes": segments(1, 1)}, [region])


def get_global(w: Writer, kind: Mem) -> Ref:
    """A buffer of the module, some of which are constant."""
    name = f"g{len(w.module.globals)}"
    is_constant = w.flip(45)
    zero = "1.5" if kind.element in _FLOATS else "1"
    shape = "x".join([*map(str, kind.shape), kind.element])
    attributes = {
        "sym_name": f'"{name}"', "type": kind.type(), "sym_visibility": '"private"',
        "initial_value": f"dense<{'' if 0 in kind.shape else zero}> : tensor<{shape}>",
    }  # fmt: skip
    more = {"constant": "unit"} if is_constant else {}
    w.module.globals.append(make_op("memref.global", (), (), {**attributes, **more}))
    made = w.op("memref.get_global", (), [kind.type()], {"name": f"@{name}"})
    root = w.root(extent_of(kind), "host")
    return w.add(Ref(made.results[0], kind, kind.shape, (root,), is_fixed=is_constant))


def any_memory(w: Writer, *, is_written: bool = False) -> Ref:
    """A memref with elements of a scalar type, made where there is none."""
    found = w.pick(lambda r: is_plain(r) and r.has_elements and not (is_written and r.is_fixed))
    if found is not None:
        return found
    return new_buffer(w, Mem("f32", (w.draw.choice([4, 8]),)))


def is_plain(ref: Ref) -> bool:
    """Whether its elements are numbers."""
    return ref.kind.element in BYTES


def load(w: Writer) -> None:
    """Read an element."""
    load_from(w, any_memory(w))


def load_from(w: Writer, ref: Ref, place: list[Index] | None = None) -> SSAValue:
    """Read an element of a memref."""
    where = place_in(w, ref) if place is None else place
    w.touch(ref, is_write=False)
    kind = ref.kind.element
    if w.flip(40) and all(index.is_affine for index in where):
        operands, attributes = [ref.value, *values_of(where)], affine_map(len(where))
        value = w.op("affine.load", operands, [kind], attributes).results[0]
    else:
        value = w.op("memref.load", [ref.value, *values_of(where)], [kind]).results[0]
    w.keep(kind, value)
    return value


def affine_map(count: int) -> dict[str, str]:
    """The map of an affine access that takes its indices as they are."""
    names = ", ".join(f"d{i}" for i in range(count))
    return {"map": f"affine_map<({names}) -> ({names})>"}


def store(w: Writer) -> None:
    """Write an element."""
    store_to(w, any_memory(w, is_written=True))


def store_to(w: Writer, ref: Ref, place: list[Index] | None = None) -> None:
    """Write an element of a memref."""
    value = combined(w, ref.kind.element)
    where = place_in(w, ref) if place is None else place
    w.touch(ref, is_write=True)
    operands = [value, ref.value, *values_of(where)]
    if w.flip(40) and all(index.is_affine for index in where):
        w.op("affine.store", operands, (), affine_map(len(where)))
    else:
        w.op("memref.store", operands)


def combined(w: Writer, kind: str) -> SSAValue:
    """A value to store, worked out from others."""
    value = w.scalar(kind)
    for _ in range(w.draw.randint(0, 2)):
        ops = ("addf", "mulf", "subf") if kind[0] == "f" else ("addi", "muli", "subi")
        name = f"arith.{w.draw.choice(ops)}"
        value = w.op(name, [value, w.scalar(kind)], [kind]).results[0]
    return value


def pair(w: Writer) -> None:
    """Write one memref and read another one of the same buffer, at the same place if it fits."""
    ref = any_memory(w, is_written=True)
    others = w.fitting(lambda r: is_plain(r) and r.has_elements and r.roots == ref.roots)
    other = w.draw.choice(others)
    place = place_in(w, ref)
    store_to(w, ref, place)
    load_from(w, other, place if ref.sizes == other.sizes else None)


MEMORY = {load: 8, store: 8, pair: 4}
"""The productions, each with a weight."""
