"""Programs with GPU kernels that have bodies: a host function launches each kernel that it has.

`build` draws from a `random.Random`; `programs` is the same as a Hypothesis strategy. Every
result is the same in whatever order the threads run: a thread writes its own part of each array,
and updates what all share by one atomic op whose old value it does not look at.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from hypothesis import strategies as st

from fuzz.strategies.kernel_flow import CALLEES, SEEN, Flow
from fuzz.strategies.kernel_values import (
    DYNAMIC,
    FLOATS,
    IN_MEMORY,
    INTEGERS,
    ODD,
    Memory,
    Scope,
    bits_of,
    dense,
)

THREADS = 8
"""The most threads of a launch; each owns as many elements of an array."""
COMMUTATIVE = ("addi", "muli", "maxs", "mins", "maxu", "minu", "ori", "andi")
PARTS = ("block_id", "thread_id", "grid_dim", "block_dim")
GRIDS = (
    (1, 1, 1, 1, 1, 1), (2, 1, 1, 3, 1, 1), (1, 1, 1, 8, 1, 1), (2, 1, 2, 1, 2, 1),
    (1, 2, 1, 2, 1, 2), (4, 1, 1, 2, 1, 1), (1, 1, 3, 1, 2, 1),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Parameter:
    """A kernel's parameter: its type, and how the host makes it of its own argument `kind`.

    `role` is `in`, `out`, `seen`, `sum`, `pointer` or `scalar`; `op` is the atomic op on a `sum`.
    """

    name: str
    type: str
    kind: str
    role: str
    memory: Memory | None = None
    op: str = ""


@st.composite
def programs(draw: st.DrawFn, *, is_exact: bool = False, has_barriers: bool = True) -> str:
    """A strategy of programs, as MLIR text."""
    source = draw(st.randoms(use_true_random=False, note_method_calls=False))
    return build(source, is_exact=is_exact, has_barriers=has_barriers)


def build(draw: random.Random, *, is_exact: bool = False, has_barriers: bool = True) -> str:
    """Draw one program. An exact one has only float ops whose results IEEE 754 fixes."""
    kernel = KernelWriter(draw, is_exact=is_exact, has_barriers=has_barriers)
    return kernel.inline() if draw.random() < 0.25 else kernel.outlined()


class KernelWriter(Flow):
    """Draws one kernel and the host function `@main` that launches it."""

    def __init__(self, draw: random.Random, *, is_exact: bool, has_barriers: bool) -> None:
        super().__init__(draw, is_exact=is_exact)
        self.has_barriers = has_barriers and draw.random() < 0.4
        self.launched: Sequence[int] = draw.choice(GRIDS)

    # The two forms

    def outlined(self) -> str:
        """A `gpu.func` in a module, and its launch."""
        given = self.parameters()
        self.whole(given)
        head = ", ".join(f"{p.name}: {p.type}" for p in given)
        kernel = "\n".join(self.lines)
        memory = f" workgroup(%shared: {SHARED})" if self.has_barriers else ""
        private = f" private(%private: {PRIVATE})"
        self.lines = []
        names = self.arguments(given)
        sizes = [self.constant(n) for n in self.launched]
        pairs = ", ".join(f"{n} : {p.type}" for n, p in zip(names, given, strict=True))
        self.lines.append(
            f"gpu.launch_func @kernels::@kernel blocks in ({', '.join(sizes[:3])})"
            f" threads in ({', '.join(sizes[3:])}) args({pairs})"
        )
        return (
            "module attributes {gpu.container_module} {\ngpu.module @kernels {\n"
            f"{GLOBAL}gpu.func @kernel({head}){memory}{private} kernel {{\n{kernel}\n"
            f"gpu.return\n}}\n{CALLEES}}}\n{self.host(given)}}}\n"
        )

    def inline(self) -> str:
        """A `gpu.launch` whose body uses values of the host."""
        given = self.parameters()
        self.has_barriers = False
        names = self.arguments(given)
        renamed = [
            replace(p, name=n, memory=p.memory and replace(p.memory, name=n))
            for n, p in zip(names, given, strict=True)
        ]
        sizes = [self.constant(n) for n in self.launched]
        blocks = ", ".join(f"%g{a} = {n}" for a, n in zip("xyz", sizes[:3], strict=True))
        threads = ", ".join(f"%s{a} = {n}" for a, n in zip("xyz", sizes[3:], strict=True))
        self.lines.append(
            f"gpu.launch blocks(%bx, %by, %bz) in ({blocks})"
            f" threads(%tx, %ty, %tz) in ({threads}) {{"
        )
        self.whole(renamed)
        self.lines.append("gpu.terminator\n}")
        return f"module {{\n{GLOBAL}{CALLEES}{self.host(given)}}}\n"

    def host(self, given: Sequence[Parameter]) -> str:
        """The host function around the lines that are written."""
        head = ", ".join(f"%h{i}: {p.kind}" for i, p in enumerate(given))
        return f"func.func @main({head}) {{\n" + "\n".join(self.lines) + "\nreturn\n}\n"

    # Parameters

    def parameters(self) -> list[Parameter]:
        """Arrays to read and to write, counters, a pointer, and numbers."""
        roles = ["in", "out", "out", *self.draw.choices(("in", "out", "sum", "pointer"), k=2)]
        found = [self.parameter(f"%p{i}", role) for i, role in enumerate(roles)]
        found += [self.seen(f"%p{len(found) + i}", kind) for i, kind in enumerate(("i64", "f64"))]
        kinds = self.draw.sample((*INTEGERS, *FLOATS, "index", "i1", "i24"), 4)
        return [*found, *(Parameter(f"%s{i}", k, k, "scalar") for i, k in enumerate(kinds))]

    def seen(self, name: str, kind: str) -> Parameter:
        """Where the threads keep what they have seen."""
        memory = dense(name, kind, (THREADS, SEEN))
        return Parameter(name, memory.type, memory.type, "seen", memory)

    def parameter(self, name: str, role: str) -> Parameter:
        """A parameter that is memory."""
        if role == "pointer":
            return Parameter(name, "!llvm.ptr", "!llvm.ptr", role)
        if role == "sum":
            kind = f"memref<4x{self.pick(*INTEGERS)}>"
            memory = dense(name, kind[9:-1], (4,))
            return Parameter(name, kind, kind, role, memory, self.pick(*COMMUTATIVE))
        element = self.draw.choice(IN_MEMORY)
        sizes = self.draw.choice(((64,), (64,), (8, 8)))
        plain = dense(name, element, sizes)
        rank = len(sizes)
        memory = self.draw.choice(
            (
                plain,
                replace(plain, shape=(DYNAMIC,) * rank, strides=None),
                replace(plain, shape=(DYNAMIC,) * rank, strides=(DYNAMIC,) * rank, offset=DYNAMIC),
                replace(plain, strides=plain.steps, offset=DYNAMIC),
            )
        )
        memory = replace(memory, is_written=role == "out", is_own=role == "in")
        return Parameter(name, memory.type, plain.type, role, memory)

    def arguments(self, given: Sequence[Parameter]) -> list[str]:
        """The host's arguments as the kernel wants them."""
        names: list[str] = []
        for i, p in enumerate(given):
            name = f"%h{i}"
            names.append(
                name if p.kind == p.type else self.put(f"memref.cast {name} : {p.kind} to {p.type}")
            )
        return names

    # The body

    def whole(self, given: Sequence[Parameter]) -> None:
        """The body: ids, what the thread owns, then statements."""
        scope = Scope()
        number, in_block = self.ids(scope)
        for p in given:
            if p.role == "scalar":
                scope.add(p.type, p.name)
            elif p.role == "pointer":
                self.own_bytes(scope, p.name, number)
            elif p.role == "in" and p.memory is not None:
                scope.memories.append(p.memory)
            elif p.role == "out" and p.memory is not None:
                self.own_part(scope, p.memory, number)
            elif p.role == "seen" and p.memory is not None:
                self.own_row(scope, p.memory, number)
        self.own_private(scope)
        self.table(scope)
        self.first_values(scope)
        self.parts(scope, given, in_block)

    def parts(self, scope: Scope, given: Sequence[Parameter], in_block: str) -> None:
        """Statements with shared counters, and what the threads of a block exchange."""
        sums = [p for p in given if p.role == "sum"]
        for _ in range(self.draw.randint(2, 4)):
            self.left = max(self.left, 6)
            for _ in range(3):
                self.statements(scope, 3)
            for p in sums:
                self.count_up(scope, p)
            if self.has_barriers:
                self.exchange(scope, in_block)
        self.last_stores(scope)

    def ids(self, scope: Scope) -> tuple[str, str]:
        """The number of the thread in the grid and in its block."""
        names = {
            (part, axis): scope.add("index", self.put(f"gpu.{part} {axis}"))
            for part in PARTS
            for axis in "xyz"
        }
        scope.add("index", self.put(f"gpu.global_id {self.pick(*'xyz')}"))
        block = self.linear([(names["block_id", a], names["grid_dim", a]) for a in "xyz"])
        pairs = [(names["thread_id", a], names["block_dim", a]) for a in "xyz"]
        in_block = self.linear(pairs)
        size = self.put(f"arith.muli {pairs[0][1]}, {pairs[1][1]} : index")
        size = self.put(f"arith.muli {size}, {pairs[2][1]} : index")
        first = self.put(f"arith.muli {block}, {size} : index")
        return scope.add("index", self.put(f"arith.addi {first}, {in_block} : index")), in_block

    def linear(self, pairs: Sequence[tuple[str, str]]) -> str:
        """A number from ids and sizes."""
        result = pairs[0][0]
        for name, size in pairs[1:]:
            scaled = self.put(f"arith.muli {result}, {size} : index")
            result = self.put(f"arith.addi {scaled}, {name} : index")
        return result

    def own_part(self, scope: Scope, m: Memory, number: str) -> None:
        """The part of an array that this thread writes."""
        if len(m.sizes) == 2:
            step = m.steps[1]
            window = f"[{number}, 0] [1, {THREADS}] [1, 1]"
        else:
            step = m.steps[0]
            eight = self.constant(THREADS)
            start = self.put(f"arith.muli {number}, {eight} : index")
            window = f"[{start}] [{THREADS}] [1]"
        own = Memory("", m.element, (THREADS,), (str(THREADS),), (step,), DYNAMIC, m.space)
        self.add(scope, own, f"memref.subview {m.name}{window} : {m.type} to {own.type}")

    def own_row(self, scope: Scope, m: Memory, number: str) -> None:
        """The row of this thread among what all have seen."""
        row = Memory("", m.element, (SEEN,), (str(SEEN),), ("1",), DYNAMIC)
        text = f"memref.subview {m.name}[{number}, 0] [1, {SEEN}] [1, 1] : {m.type} to {row.type}"
        row = replace(row, name=self.put(text))
        if m.element == "i64":
            self.seen_integers = row
        else:
            self.seen_floats = row

    def first_values(self, scope: Scope) -> None:
        """Values of every type, from memory whose contents are drawn."""
        row, real = self.seen_integers, self.seen_floats
        for k in range(2):
            at = self.constant(k)
            wide = self.put(f"memref.load {row.name}[{at}] : {row.type}")
            scope.add("i64", wide)
            scope.add("index", self.put(f"arith.index_cast {wide} : i64 to index"))
            for kind in ("i1", "i8", "i16", "i32", *ODD):
                scope.add(kind, self.put(f"arith.trunci {wide} : i64 to {kind}"))
            scope.add("f64", self.put(f"memref.load {real.name}[{at}] : {real.type}"))
            for kind in FLOATS:
                small = scope.values["i8"][-1]
                scope.add(kind, self.put(f"arith.sitofp {small} : i8 to {kind}"))
                whole = f"i{bits_of(kind)}"
                text = f"arith.bitcast {scope.values[whole][-1]} : {whole} to {kind}"
                scope.add(kind, self.put(text))
        for m in list(scope.memories):
            place = ", ".join(self.constant(self.draw.randrange(n)) for n in m.sizes)
            scope.add(m.element, self.put(f"memref.load {m.name}[{place}] : {m.type}"))

    def own_bytes(self, scope: Scope, name: str, number: str) -> None:
        """The bytes behind a pointer that this thread writes."""
        size = self.constant(32)
        shift = self.put(f"arith.muli {number}, {size} : index")
        place = self.put(f"arith.index_cast {shift} : index to i64")
        text = f"llvm.getelementptr {name}[{place}] : (!llvm.ptr, i64) -> !llvm.ptr, i8"
        scope.pointers.append((self.pick(*INTEGERS), self.put(text)))

    def own_private(self, scope: Scope) -> None:
        """The private memory of a `gpu.func`."""
        if self.lines[0].startswith("gpu.launch") or any("gpu.launch" in x for x in self.lines):
            return
        m = replace(dense("%private", "f32", (4,), PRIVATE[len("memref<4xf32") : -1]), is_own=True)
        value = self.value(scope, "f32")
        self.lines.append(f"linalg.fill ins({value} : f32) outs({m.name} : {m.type})")
        scope.memories.append(m)

    def table(self, scope: Scope) -> None:
        """A constant array of the module."""
        if self.draw.random() < 0.4:
            m = replace(dense("", "i32", (4,)), is_written=False, is_own=True)
            self.add(scope, m, "memref.get_global @table : memref<4xi32>")

    def count_up(self, scope: Scope, p: Parameter) -> None:
        """An atomic update of a shared counter."""
        if p.memory is None:
            return
        m = p.memory
        value, place = self.value(scope, m.element), self.below(scope, 4)
        types = f"({m.element}, {m.type}) -> {m.element}"
        self.put(f"memref.atomic_rmw {p.op} {value}, {m.name}[{place}] : {types}")

    def exchange(self, scope: Scope, in_block: str) -> None:
        """Each thread of a block gives a number, waits, and takes another thread's number."""
        self.lines.append(
            f"memref.store {self.value(scope, 'i32')}, %shared[{in_block}] : {SHARED}"
        )
        self.lines.append("gpu.barrier")
        sizes = [self.put(f"gpu.block_dim {a}") for a in "xyz"]
        count = self.put(f"arith.muli {sizes[0]}, {sizes[1]} : index")
        count = self.put(f"arith.muli {count}, {sizes[2]} : index")
        place = self.put(f"arith.remui {self.value(scope, 'index')}, {count} : index")
        scope.add("i32", self.put(f"memref.load %shared[{place}] : {SHARED}"))
        self.lines.append("gpu.barrier")

    def last_stores(self, scope: Scope) -> None:
        """What was computed becomes visible."""
        for m in list(scope.memories):
            if m.is_written and m.sizes == (THREADS,):
                for k in range(3):
                    at, value = self.constant(k), self.value(scope, m.element)
                    self.lines.append(f"memref.store {value}, {m.name}[{at}] : {m.type}")


SHARED = "memref<1024xi32, #gpu.address_space<workgroup>>"
PRIVATE = "memref<4xf32, #gpu.address_space<private>>"
GLOBAL = 'memref.global "private" constant @table : memref<4xi32> = dense<[5, -7, 0, 11]>\n'
