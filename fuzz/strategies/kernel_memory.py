"""Memory ops of a drawn kernel: accesses, copies and views."""

from __future__ import annotations

from dataclasses import replace

from fuzz.strategies.kernel_scalars import Scalars
from fuzz.strategies.kernel_values import (
    DYNAMIC,
    Memory,
    Scope,
)


class MemoryOps(Scalars):
    """Statements on memory; a thread writes only what is its own."""

    def memory(self, scope: Scope, *, is_written: bool = False) -> Memory | None:
        """A memory that has elements."""
        found = [m for m in scope.memories if (m.is_written or not is_written) and all(m.sizes)]
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
            to = replace(m, sizes=m.sizes[::-1], shape=m.shape[::-1], strides=steps, is_own=False)
            maps = "(d0, d1) -> (d1, d0)"
            self.add(scope, to, f"memref.transpose {m.name} {maps} : {m.type} to {to.type}")
        elif len(m.sizes) == 1 and m.shape[0] != DYNAMIC and m.sizes[0] % 2 == 0:
            self.expand(scope, m)

    def expand(self, scope: Scope, m: Memory) -> None:
        """One dimension as two; then perhaps as one again."""
        half, step = m.sizes[0] // 2, m.steps[0]
        steps = (DYNAMIC if step == DYNAMIC else str(2 * int(step)), step)
        to = replace(m, sizes=(half, 2), shape=(str(half), "2"), is_own=False)
        flat = replace(m, is_own=False)
        if (m.offset, steps) == ("0", ("2", "1")):
            to, flat = replace(to, strides=None), replace(flat, strides=None)
        elif m.strides is not None:
            to = replace(to, strides=steps)
        text = f"memref.expand_shape {m.name} [[0, 1]] output_shape [{half}, 2]"
        self.add(scope, to, f"{text} : {m.type} into {to.type}")
        if self.draw.random() < 0.5:
            wide = scope.memories[-1]
            back = f"memref.collapse_shape {wide.name} [[0, 1]] : {wide.type} into {flat.type}"
            self.add(scope, flat, back)

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
