"""Memory ops of a drawn kernel: accesses, views, local memory, copies, atomics and pointers."""

from __future__ import annotations

from dataclasses import replace

from fuzz.strategies.kernel_scalars import Scalars
from fuzz.strategies.kernel_values import (
    DYNAMIC,
    FLOATS,
    IN_MEMORY,
    INTEGERS,
    Memory,
    Scope,
    bits_of,
    dense,
)

ATOMIC_INTEGER = (
    "addi", "andi", "assign", "maxs", "maxu", "mins", "minu", "muli", "ori",
)  # fmt: skip
ATOMIC_FLOAT = ("addf", "mulf", "assign", "maximumf", "minimumf", "maxnumf", "minnumf")


class MemoryOps(Scalars):
    """Statements on memory; a thread writes only what is its own."""

    def memory(self, scope: Scope, *, is_written: bool = False) -> Memory | None:
        """A memory that has elements."""
        found = [
            m for m in scope.memories if (m.is_written or not is_written) and all(m.sizes)
        ]
        return self.draw.choice([*found, *found[-3:]]) if found else None

    def add(self, scope: Scope, memory: Memory, text: str) -> None:
        """Write the op that makes a memory."""
        scope.memories.append(replace(memory, name=self.put(text)))

    def indices(self, scope: Scope, memory: Memory) -> str:
        """Indices within bounds."""
        return ", ".join(self.below(scope, size) for size in memory.sizes)

    # Accesses

    def load(self, scope: Scope) -> None:
        """A read of an element."""
        if (m := self.memory(scope)) is not None:
            name = self.pick("memref", "memref", "affine")
            place = self.place(scope, m, name)
            scope.add(m.element, self.put(f"{name}.load {m.name}[{place}] : {m.type}"))

    def store(self, scope: Scope) -> None:
        """A write of an element."""
        if (m := self.memory(scope, is_written=True)) is not None:
            value = self.value(scope, m.element)
            name = self.pick("memref", "memref", "affine")
            self.lines.append(
                f"{name}.store {value}, {m.name}[{self.place(scope, m, name)}] : {m.type}"
            )

    def place(self, scope: Scope, memory: Memory, dialect: str) -> str:
        """Indices, as constants where `affine` has no symbol for them."""
        if dialect == "memref":
            return self.indices(scope, memory)
        return ", ".join(str(self.draw.randrange(size)) for size in memory.sizes)

    def fill(self, scope: Scope) -> None:
        """A write of every element."""
        if (m := self.memory(scope, is_written=True)) is not None:
            value = self.value(scope, m.element)
            self.lines.append(f"linalg.fill ins({value} : {m.element}) outs({m.name} : {m.type})")

    def copy(self, scope: Scope) -> None:
        """A copy between two memories, or of one to itself."""
        target = self.memory(scope, is_written=True)
        if target is None:
            return
        pairs = [
            m
            for m in scope.memories
            if (m.sizes, m.element, m.space) == (target.sizes, target.element, target.space)
        ]
        source = self.draw.choice(pairs)
        types = f"{source.type} to {target.type}"
        self.lines.append(f"memref.copy {source.name}, {target.name} : {types}")

    def size(self, scope: Scope) -> None:
        """A dimension."""
        if (m := self.memory(scope)) is not None and m.sizes:
            d = self.constant(self.draw.randrange(len(m.sizes)))
            scope.add("index", self.put(f"memref.dim {m.name}, {d} : {m.type}"))

    # Views

    def subview(self, scope: Scope) -> None:
        """A part of a memory."""
        m = self.memory(scope)
        if m is None or not m.sizes:
            return
        offsets, sizes, strides = self.window(m)
        static = self.draw.random() < 0.5
        starts = [str(o) if static else self.constant(o) for o in offsets]
        steps = [
            str(s * int(step)) if step != DYNAMIC else DYNAMIC
            for s, step in zip(strides, m.steps, strict=True)
        ]
        offset = self.moved(m, offsets) if static else DYNAMIC
        text = (
            f"memref.subview {m.name}[{', '.join(starts)}] [{', '.join(map(str, sizes))}]"
            f" [{', '.join(map(str, strides))}] : {m.type} to "
        )
        shape = tuple(str(s) for s in sizes)
        kept = replace(
            m, sizes=tuple(sizes), shape=shape, strides=tuple(steps), offset=offset, is_own=False
        )
        self.add(scope, kept, text + kept.type)

    def window(self, m: Memory) -> tuple[list[int], list[int], list[int]]:
        """Offsets, sizes and strides of a part that is inside."""
        offsets = [self.draw.randrange(size) for size in m.sizes]
        strides = [self.draw.choice((1, 1, 2)) for _ in m.sizes]
        sizes = [
            self.draw.randint(1, (n - o - 1) // s + 1)
            for n, o, s in zip(m.sizes, offsets, strides, strict=True)
        ]
        return offsets, sizes, strides

    @staticmethod
    def moved(m: Memory, offsets: list[int]) -> str:
        """The offset in the type of a part at static offsets."""
        pairs = [(o, s) for o, s in zip(offsets, m.steps, strict=True) if o]
        if m.offset == DYNAMIC or any(s == DYNAMIC for _, s in pairs):
            return DYNAMIC
        return str(int(m.offset) + sum(o * int(s) for o, s in pairs))

    def cast(self, scope: Scope) -> None:
        """The same memory under a type that says less."""
        m = self.memory(scope)
        if m is None:
            return
        shape = tuple(self.pick(s, DYNAMIC) for s in m.shape)
        if m.strides is None:
            to = replace(m, shape=shape)
            if to.steps != m.steps:
                to = replace(m, strides=(DYNAMIC,) * len(shape), offset=DYNAMIC, shape=shape)
        else:
            to = replace(m, shape=shape, strides=(DYNAMIC,) * len(shape), offset=DYNAMIC)
        if to.type != m.type:
            self.add(scope, to, f"memref.cast {m.name} : {m.type} to {to.type}")

    def reshape(self, scope: Scope) -> None:
        """Two dimensions in another order, made into one, or made out of one."""
        m = self.memory(scope)
        if m is None:
            return
        if len(m.sizes) == 2:
            steps = (m.steps[1], m.steps[0])
            to = replace(
                m, sizes=m.sizes[::-1], shape=m.shape[::-1], strides=steps, is_own=False
            )
            maps = "(d0, d1) -> (d1, d0)"
            self.add(scope, to, f"memref.transpose {m.name} {maps} : {m.type} to {to.type}")
        elif len(m.sizes) == 1 and m.shape[0] != DYNAMIC and m.sizes[0] % 2 == 0:
            self.expand(scope, m)

    def expand(self, scope: Scope, m: Memory) -> None:
        """One dimension as two; then perhaps as one again."""
        half, step = m.sizes[0] // 2, m.steps[0]
        steps = (DYNAMIC if step == DYNAMIC else str(2 * int(step)), step)
        to = replace(m, sizes=(half, 2), shape=(str(half), "2"), is_own=False)
        if m.strides is not None:
            to = replace(to, strides=steps)
        text = f"memref.expand_shape {m.name} [[0, 1]] output_shape [{half}, 2]"
        self.add(scope, to, f"{text} : {m.type} into {to.type}")
        if self.draw.random() < 0.5:
            wide = scope.memories[-1]
            back = f"memref.collapse_shape {wide.name} [[0, 1]] : {wide.type} into {m.type}"
            self.add(scope, replace(m, is_own=False), back)

    def reinterpret(self, scope: Scope) -> None:
        """Other sizes and strides over a memory of this thread."""
        own = [m for m in scope.memories if m.is_own and len(m.sizes) == 1 and m.sizes[0] >= 4]
        if not own:
            return
        m = self.draw.choice(own)
        offset, stride = self.draw.choice((0, 1)), self.draw.choice((1, 2))
        size = self.draw.randint(1, (m.sizes[0] - offset - 1) // stride + 1)
        to = Memory(
            "", m.element, (size,), (str(size),), (str(stride),), str(offset), m.space, m.is_written
        )
        text = (
            f"memref.reinterpret_cast {m.name} to offset: [{offset}], sizes: [{size}],"
            f" strides: [{stride}] : {m.type} to {to.type}"
        )
        self.add(scope, to, text)

    def choice(self, scope: Scope) -> None:
        """One of two memories of the same type."""
        m = self.memory(scope)
        if m is None:
            return
        other = self.alike(scope, m)
        flag = self.value(scope, "i1")
        text = f"arith.select {flag}, {m.name}, {other.name} : {m.type}"
        is_written = m.is_written and other.is_written
        self.add(scope, replace(m, is_written=is_written, is_own=False), text)

    def alike(self, scope: Scope, m: Memory) -> Memory:
        """A memory of the same type and sizes."""
        same = [o for o in scope.memories if (o.type, o.sizes) == (m.type, m.sizes)]
        return self.draw.choice(same)

    # Local memory and pointers

    def local(self, scope: Scope) -> None:
        """Memory of this thread, filled."""
        element = self.draw.choice(IN_MEMORY)
        sizes = self.draw.choice(((4,), (8,), (2, 3), ()))
        m = replace(dense("", element, sizes), is_own=True)
        self.add(scope, m, f"memref.alloca() : {m.type}")
        m, value = scope.memories[-1], self.value(scope, element)
        self.lines.append(f"linalg.fill ins({value} : {element}) outs({m.name} : {m.type})")

    def bytes_view(self, scope: Scope) -> None:
        """Bytes of this thread, seen as elements of another type."""
        element = self.pick(*INTEGERS, *FLOATS)
        unit = bits_of(element) // 8
        raw = self.put("memref.alloca() : memref<64xi8>")
        value = self.value(scope, "i8")
        self.lines.append(f"linalg.fill ins({value} : i8) outs({raw} : memref<64xi8>)")
        shift = self.constant(self.draw.choice((0, 8, 16)))
        m = dense("", element, (self.draw.randint(1, 40 // unit),))
        self.add(scope, m, f"memref.view {raw}[{shift}][] : memref<64xi8> to {m.type}")

    def pointer(self, scope: Scope) -> None:
        """A pointer: local memory, or further on from another one."""
        kind = self.pick(*INTEGERS)
        count = self.constant(8, "i32")
        name = self.put(f"llvm.alloca {count} x {kind} : (i32) -> !llvm.ptr")
        length = self.constant(bits_of(kind), "i64")
        byte = self.value(scope, "i8")
        self.lines.append(
            f'"llvm.intr.memset"({name}, {byte}, {length}) <{{isVolatile = false}}>'
            " : (!llvm.ptr, i8, i64) -> ()"
        )
        scope.pointers.append((kind, name))

    def element_pointer(self, scope: Scope) -> tuple[str, str] | None:
        """A pointer to an element."""
        if not scope.pointers:
            return None
        kind, name = self.draw.choice(scope.pointers)
        if self.draw.random() < 0.4:
            place = str(self.draw.randrange(4))
            return kind, self.put(f"llvm.getelementptr {name}[{place}] : (!llvm.ptr) -> !llvm.ptr, {kind}")
        at = self.put(f"arith.index_cast {self.below(scope, 4)} : index to i64")
        return kind, self.put(f"llvm.getelementptr {name}[{at}] : (!llvm.ptr, i64) -> !llvm.ptr, {kind}")

    def pointer_access(self, scope: Scope) -> None:
        """A load, a store or an atomic update through a pointer."""
        found = self.element_pointer(scope)
        if found is None:
            return self.pointer(scope)
        kind, name = found
        value = self.value(scope, kind)
        match self.pick("load", "store", "update"):
            case "load":
                scope.add(kind, self.put(f"llvm.load {name} : !llvm.ptr -> {kind}"))
            case "store":
                self.lines.append(f"llvm.store {value}, {name} : {kind}, !llvm.ptr")
            case _:
                what = self.pick("xchg", "add", "sub", "_and", "_or", "_xor", "max", "umin")
                text = f"llvm.atomicrmw {what} {name}, {value} monotonic : !llvm.ptr, {kind}"
                scope.add(kind, self.put(text))
        return None

    def pointer_copy(self, scope: Scope) -> None:
        """A copy of bytes between two pointers that may be the same."""
        if len(scope.pointers) < 2:
            return
        (_, a), (_, b) = self.draw.sample(scope.pointers, 2)
        length = self.constant(self.draw.choice((0, 3, 8)), "i64")
        name = self.pick("memcpy", "memmove")
        self.lines.append(
            f'"llvm.intr.{name}"({a}, {b}, {length}) <{{isVolatile = false}}>'
            " : (!llvm.ptr, !llvm.ptr, i64) -> ()"
        )

    def atomic(self, scope: Scope) -> None:
        """An atomic update of memory that no other thread uses; its old value is used."""
        m = self.memory(scope, is_written=True)
        if m is None or m.element in ("i1", "index"):
            return
        value, place = self.value(scope, m.element), self.indices(scope, m)
        if self.draw.random() < 0.7:
            name = self.pick(*(ATOMIC_FLOAT if m.element in FLOATS else ATOMIC_INTEGER))
            types = f"({m.element}, {m.type}) -> {m.element}"
            text = f"memref.atomic_rmw {name} {value}, {m.name}[{place}] : {types}"
            scope.add(m.element, self.put(text))
            return
        result, old, new = self.fresh(), self.fresh(), self.fresh()
        op = "addf" if m.element in FLOATS else "xori"
        self.lines += [
            f"{result} = memref.generic_atomic_rmw {m.name}[{place}] : {m.type} {{",
            f"^bb0({old}: {m.element}):",
            f"{new} = arith.{op} {old}, {value} : {m.element}",
            f"memref.atomic_yield {new} : {m.element}",
            "}",
        ]
        scope.add(m.element, result)


MEMORY = (
    "load", "load", "load", "store", "store", "store", "fill", "copy", "size", "subview",
    "subview", "cast", "reshape", "reinterpret", "choice", "local", "bytes_view", "pointer",
    "pointer_access", "pointer_access", "pointer_copy", "atomic",
)  # fmt: skip
