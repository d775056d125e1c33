"""Local memory of a drawn kernel, bytes, pointers, and atomic updates."""

from __future__ import annotations

from dataclasses import replace

from fuzz.strategies.kernel_memory import MemoryOps
from fuzz.strategies.kernel_values import FLOATS, IN_MEMORY, INTEGERS, Scope, bits_of, dense

ATOMIC_INTEGER = (
    "addi", "andi", "assign", "maxs", "maxu", "mins", "minu", "muli", "ori",
)  # fmt: skip
ATOMIC_FLOAT = ("addf", "mulf", "assign", "maximumf", "minimumf", "maxnumf", "minnumf")


class PointerOps(MemoryOps):
    """Statements on memory of the thread alone."""

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
            return kind, self.put(
                f"llvm.getelementptr {name}[{place}] : (!llvm.ptr) -> !llvm.ptr, {kind}"
            )
        at = self.put(f"arith.index_cast {self.below(scope, 4)} : index to i64")
        return kind, self.put(
            f"llvm.getelementptr {name}[{at}] : (!llvm.ptr, i64) -> !llvm.ptr, {kind}"
        )

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
