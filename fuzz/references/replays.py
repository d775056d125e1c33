"""Runs programs and replays their checkpointed loops, from the words of the contract alone.

Every checkpointed loop is judged at each of its executions in the primal run: from every
iteration on it is run again, with each captured memref replaced by a copy of exactly the
elements that it spans, taken when the primal was about to run that iteration. Each read must
give the bytes that it gave in the primal. Inner loops run plainly in a replay of an outer one.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from fuzz.references.memory import (
    SLACK,
    Block,
    StrayWriteError,
    Strided,
    UndefinedError,
    decode,
    encode,
    read,
    snapshot,
    write,
)
from fuzz.strategies import syntax as s

State: TypeAlias = tuple[int, list[Any]]
MAX_STEPS = 30_000


class DivergedError(Exception):
    """A read of a replay gave other bytes than in the primal."""

    def __init__(self, words: str) -> None:
        super().__init__(words)
        self.words = words


@dataclass(frozen=True, slots=True)
class Inputs:
    """Scalars by name, sizes of the dynamic memrefs by name, and integers that buffers hold.

    Contents that are not given come from the seed.
    """

    seed: int
    scalars: dict[str, int] = field(default_factory=dict)
    sizes: dict[str, tuple[int, ...]] = field(default_factory=dict)
    contents: dict[str, list[int]] = field(default_factory=dict)


@dataclass(slots=True)
class Observed:
    """What a run showed; `divergence` is empty when every replay was faithful."""

    is_defined: bool
    divergence: str = ""
    overlapping: set[tuple[str, str, str]] = field(default_factory=set)
    iterations: int = 0
    reads: int = 0


def observe(program: s.Program, inputs: Inputs) -> Observed:
    """Run a program on inputs and replay its checkpointed loops."""
    executor = Executor(program, inputs)
    try:
        executor.run()
    except UndefinedError as error:
        return Observed(is_defined=False, divergence=str(error))
    executor.seen.reads = len(executor.log)
    return executor.seen


def captures_of(loop: s.Loop) -> list[str]:
    """Names used in the regions of a loop and not defined in it, in the order of first use."""
    regions = (loop.before, loop.body)
    inside = {loop.counter, *(value.name for value in loop.carried)}
    for node in s.nodes(regions):
        inside.update({getattr(node, key, "") for key in ("name", "counter", "result")})
    used = dict.fromkeys(s.used_names((*regions, loop.yields)))
    return [name for name in used if name not in inside]


class Executor:
    """One run of one program."""

    def __init__(self, program: s.Program, inputs: Inputs) -> None:
        self.program, self.inputs = program, inputs
        self.env: dict[str, Any] = {}
        self.blocks: list[Block] = []
        self.globals: dict[str, Block] = {}
        self.captures: dict[int, list[str]] = {}
        self.seen = Observed(is_defined=True)
        self.log: list[bytes] = []
        self.depth = 0
        self.position: int | None = None
        self.steps = 0
        self.draw = random.Random(inputs.seed)

    def run(self) -> None:
        """The whole function."""
        for symbol, kind in self.program.globals:
            self.globals[symbol] = self.allocate(kind, list(self.static_sizes(kind))).block
        for parameter in self.program.parameters:
            self.env[parameter.name] = self.argument(parameter)
        self.block(self.program.body)

    def static_sizes(self, kind: s.MemType) -> Sequence[int]:
        """The sizes of a static type."""
        return [d for d in kind.shape if d is not None]

    def argument(self, parameter: s.Parameter) -> Any:
        """A value for a parameter."""
        kind = parameter.type
        if isinstance(kind, s.MemType):
            dynamic = iter(self.inputs.sizes.get(parameter.name, ()))
            shape = [next(dynamic) if d is None else d for d in kind.shape]
            view = self.allocate(kind, shape, slack=SLACK)
            given = self.inputs.contents.get(parameter.name, [])
            for place, number in zip(view.places(), given, strict=False):
                write(view.block, int(place), encode(number, kind.element))
            return view
        if kind.startswith("f"):
            return decode(encode(self.draw.uniform(0.5, 1.5), kind), kind)
        return self.inputs.scalars[parameter.name]

    def allocate(self, kind: s.MemType, sizes: list[int], slack: int = 0) -> Strided:
        """A new buffer of an identity layout, with drawn contents, and more elements behind it."""
        if any(size < 0 for size in sizes):
            raise UndefinedError("an allocation of negative size")
        unit = s.SIZES[kind.element]
        strides: list[int] = []
        running = unit
        for size in reversed(sizes):
            strides.insert(0, running)
            running *= size
        block = Block(self.contents(kind.element, running + slack * unit))
        self.blocks.append(block)
        return Strided(block, 0, 0, tuple(sizes), tuple(strides), kind)

    def contents(self, element: str, size: int) -> NDArray[np.uint8]:
        """Harmless values, distinct where that is possible; bytes hold floats half of the time."""
        if element == "i8" and self.draw.random() < 0.6:
            padded = self.contents("f32", size + 3 - (size + 3) % 4)
            return padded[:size].copy()
        raw = bytearray()
        while len(raw) < size:
            is_float = element.startswith("f")
            value = self.draw.uniform(0.5, 1.5) if is_float else self.draw.randint(0, 3)
            raw += encode(value, element)
        return np.frombuffer(bytes(raw), np.uint8).copy()

    # Expressions

    def index(self, ix: int | s.Ix) -> int:
        """The number that an index expression stands for."""
        match ix:
            case int():
                return ix
            case s.Const(value):
                return value
            case s.Var(name):
                return self.env[name]
            case s.DimOf(memory, position):
                return self.env[memory].sizes[position]
            case s.Bin(op, left, right):
                return arithmetic(op, self.index(left), self.index(right))

    def numbers(self, numbers: Sequence[int | s.Ix]) -> list[int]:
        """Several of them."""
        return [self.index(n) for n in numbers]

    def truth(self, condition: s.Condition) -> bool:
        """Whether a condition holds."""
        match condition:
            case s.Flag(name):
                return bool(self.env[name])
            case s.Compare(predicate, left, right):
                a, b = self.index(left), self.index(right)
                return {"eq": a == b, "slt": a < b, "sge": a >= b}[predicate]

    def mix(self, value: s.Mix) -> bytes:
        """The bytes that a store writes."""
        total: Any = self.index(value.bias)
        for part in value.parts:
            term = self.env[part]
            total += term * 0.5 if value.element.startswith("f") else term
        return encode(total, value.element)

    # Statements

    def block(self, statements: Sequence[s.Stmt]) -> None:
        """Run statements in order."""
        for statement in statements:
            self.steps += 1
            if self.steps > MAX_STEPS:
                raise UndefinedError("the run takes too long")
            ACTIONS[type(statement)](self, statement)

    def read(self, view: Strided, place: int) -> bytes:
        """Read an element; a replay compares it with the primal's."""
        content = read(view.block, place, view.unit)
        if self.position is not None:
            expected = self.log[self.position]
            self.position += 1
            if expected != content:
                raise DivergedError(f"expected {expected.hex()}, replay gave {content.hex()}")
        elif self.depth:
            self.log.append(content)
        return content

    def load(self, st: s.Load) -> None:
        view: Strided = self.env[st.memory]
        content = self.read(view, view.place(self.numbers(st.indices)))
        self.env[st.name] = decode(content, view.kind.element)

    def load_index(self, st: s.LoadIndex) -> None:
        view: Strided = self.env[st.memory]
        content = self.read(view, view.place(self.numbers(st.indices)))
        value = decode(content, view.kind.element)
        self.env[st.name] = (value % (1 << 64)) % st.bound if st.bound else value

    def store(self, st: s.Store) -> None:
        view: Strided = self.env[st.memory]
        write(view.block, view.place(self.numbers(st.indices)), self.mix(st.value))

    def copy(self, st: s.Copy) -> None:
        source, target = self.env[st.source], self.env[st.target]
        if source.sizes != target.sizes:
            raise UndefinedError("a copy between different shapes")
        contents = [self.read(source, int(place)) for place in source.places()]
        for place, content in zip(target.places(), contents, strict=True):
            write(target.block, int(place), content)

    def fill(self, st: s.Fill) -> None:
        view: Strided = self.env[st.memory]
        content = self.mix(st.value)
        for place in view.places():
            write(view.block, int(place), content)

    def choose(self, st: s.Choose) -> None:
        self.env[st.name] = self.env[st.first if self.truth(st.condition) else st.second]

    def alloc(self, st: s.Alloc) -> None:
        sizes = iter(self.numbers(st.sizes))
        shape = [next(sizes) if d is None else d for d in st.type.shape]
        self.env[st.name] = self.allocate(st.type, shape)

    def get_global(self, st: s.GetGlobal) -> None:
        fresh = dense_view(self.globals[st.symbol], st.type, self.static_sizes(st.type))
        self.env[st.name] = fresh

    def if_(self, st: s.If) -> None:
        self.block(st.then if self.truth(st.condition) else st.other)

    def view(self, st: s.View) -> None:
        source: Strided = self.env[st.source]
        made = VIEWS[type(st)](self, st, source)
        self.env[st.name] = replace(made, kind=s.result_type(st, source.kind))

    # Views

    def subview(self, st: s.Subview, source: Strided) -> Strided:
        offsets, sizes = self.numbers(st.offsets), self.numbers(st.sizes)
        steps = self.numbers(st.strides)
        for offset, size, step, limit in zip(offsets, sizes, steps, source.sizes, strict=True):
            last = offset + (size - 1) * step
            if size < 0 or (size and not (0 <= offset < limit and 0 <= last < limit)):
                raise UndefinedError("a window that is not inside its source")
        start = source.offset + sum(o * t for o, t in zip(offsets, source.strides, strict=True))
        strides = [a * b for a, b in zip(steps, source.strides, strict=True)]
        return replace(
            source,
            offset=start,
            sizes=tuple(sizes[d] for d in st.kept),
            strides=tuple(strides[d] for d in st.kept),
        )

    def cast(self, st: s.Cast, source: Strided) -> Strided:
        unit = source.unit
        offset, layout = (source.offset - source.base) // unit, s.strides_of(st.type)
        pairs = [*zip(source.sizes, st.type.shape, strict=True)]
        pairs += [(t // unit, want) for t, want in zip(source.strides, layout, strict=True)]
        pairs.append((offset, s.offset_of(st.type)))
        if any(want is not None and have != want for have, want in pairs):
            raise UndefinedError("a cast to a type that does not fit")
        return source

    def view_bytes(self, st: s.ViewBytes, source: Strided) -> Strided:
        shift, sizes = self.index(st.shift), self.numbers(st.shape)
        kind = s.MemType(st.element, tuple(sizes))
        total = s.SIZES[st.element]
        for size in sizes:
            total *= size
        if shift < 0 or min(sizes, default=0) < 0 or shift + total > source.sizes[0]:
            raise UndefinedError("elements beyond a buffer of bytes")
        dense = dense_view(source.block, kind, sizes)
        start = source.offset + shift
        return replace(dense, base=start, offset=start)

    def collapse(self, st: s.Collapse, source: Strided) -> Strided:
        total = int(np.prod(source.sizes))
        return replace(source, sizes=(total,), strides=(source.strides[-1],))

    def expand(self, st: s.Expand, source: Strided) -> Strided:
        strides: list[int] = []
        running = source.strides[0]
        for size in reversed(st.shape):
            strides.insert(0, running)
            running *= size
        return replace(source, sizes=st.shape, strides=tuple(strides))

    def transpose(self, st: s.Transpose, source: Strided) -> Strided:
        return replace(source, sizes=source.sizes[::-1], strides=source.strides[::-1])

    def reinterpret(self, st: s.Reinterpret, source: Strided) -> Strided:
        sizes, unit = self.numbers(st.sizes), source.unit
        if min(sizes, default=0) < 0:
            raise UndefinedError("a view of negative size")
        return replace(
            source,
            offset=source.base + self.index(st.offset) * unit,
            sizes=tuple(sizes),
            strides=tuple(n * unit for n in self.numbers(st.strides)),
        )

    # Loops

    def loop(self, st: s.Loop) -> None:
        low, high, step = self.numbers((st.low, st.high, st.step))
        if step <= 0:
            raise UndefinedError("a step that is not positive")
        start = (low, [self.env[c.initial] for c in st.carried])
        if st.is_checkpointed and self.position is None:
            state = Judged(self, st, high, step).run(start)
        else:
            state = start
            while (after := self.step(st, state, high, step)) is not None:
                state = after
        for value, result in zip(st.carried, state[1], strict=True):
            self.env[value.result] = result

    def step(self, st: s.Loop, state: State, high: int, step: int) -> State | None:
        """One iteration; `None` when the loop is at its end."""
        self.env[st.counter] = state[0]
        for value, given in zip(st.carried, state[1], strict=True):
            self.env[value.name] = given
        self.block(st.before)
        if state[0] >= high:
            return None
        self.block(st.body)
        return state[0] + step, [self.env[name] for name in st.yields]


class Judged:
    """One execution of a checkpointed loop in the primal run, and all its replays."""

    def __init__(self, executor: Executor, st: s.Loop, high: int, step: int) -> None:
        self.at, self.st, self.high, self.step = executor, st, high, step
        if id(st) not in executor.captures:
            executor.captures[id(st)] = captures_of(st)
        names = executor.captures[id(st)]
        self.captured = [n for n in names if isinstance(executor.env.get(n), Strided)]
        self.saved: list[tuple[State, dict[int, NDArray[np.uint8]], int]] = []

    def run(self, state: State) -> State:
        """The primal, then every replay; memory and values are the primal's afterwards."""
        self.note_overlaps()
        self.at.depth += 1
        before = dict(self.at.env)
        while True:
            self.saved.append((state, self.memory(), len(self.at.log)))
            after = self.at.step(self.st, state, self.high, self.step)
            if after is None:
                break
            state = after
        self.at.depth -= 1
        self.at.seen.iterations += len(self.saved) - 1
        if not self.at.seen.divergence:
            self.replays(before)
        return state

    def memory(self) -> dict[int, NDArray[np.uint8]]:
        return {id(block): block.data.copy() for block in self.at.blocks}

    def note_overlaps(self) -> None:
        """Pairs of captures that share a byte as the loop starts."""
        views = [(name, self.at.env[name]) for name in self.captured]
        for i, (name, view) in enumerate(views):
            for other, second in views[i + 1 :]:
                if view.block is second.block and np.intersect1d(view.bytes(), second.bytes()).size:
                    self.at.seen.overlapping.add((self.st.counter, name, other))

    def replays(self, before: dict[str, Any]) -> None:
        has_layout = any(
            isinstance(n, s.Reinterpret) for n in s.nodes((self.st.body, self.st.before))
        )
        modes: list[int | None] = [None, 0, 3] if has_layout else [None]
        env, memory, count = self.at.env, self.memory(), len(self.at.blocks)
        for segment in range(len(self.saved) - 1):
            for mode in modes:
                self.at.env = dict(before)
                try:
                    self.replay(segment, mode)
                except DivergedError as error:
                    self.found(segment, error.words)
                except StrayWriteError:
                    self.found(segment, "a write beyond a copy")
                finally:
                    self.at.position = None
                    del self.at.blocks[count:]
                    for block in self.at.blocks:
                        block.data[:] = memory[id(block)]
                    self.at.env = env
                if self.at.seen.divergence:
                    return

    def found(self, segment: int, words: str) -> None:
        self.at.seen.divergence = f"loop {self.st.counter}, from iteration {segment}: {words}"

    def replay(self, segment: int, mode: int | None) -> None:
        (counter, carried), memory, position = self.saved[segment]

        def copied(value: Any) -> Any:
            if not isinstance(value, Strided):
                return value
            shift = mode if s.offset_of(value.kind) is None else None
            return snapshot(value, memory[id(value.block)], shift)

        for name in self.captured:
            self.at.env[name] = copied(self.at.env[name])
        state: State | None = counter, [copied(value) for value in carried]
        self.at.position = position
        while state is not None:
            state = self.at.step(self.st, state, self.high, self.step)


def dense_view(block: Block, kind: s.MemType, sizes: Sequence[int]) -> Strided:
    """A row-major view of a whole block."""
    strides: list[int] = []
    running = s.SIZES[kind.element]
    for size in reversed(sizes):
        strides.insert(0, running)
        running *= size
    return Strided(block, 0, 0, tuple(sizes), tuple(strides), kind)


def arithmetic(op: str, a: int, b: int) -> int:
    """One op on indices; division is unsigned, by a positive number."""
    match op:
        case "add":
            return a + b
        case "sub":
            return a - b
        case "mul":
            return a * b
        case "rem":
            return a % (1 << 64) % b
        case "div":
            return a % (1 << 64) // b
        case _:
            return min(a, b)


VIEWS: dict[type, Callable[[Executor, Any, Strided], Strided]] = {
    s.Subview: Executor.subview,
    s.Cast: Executor.cast,
    s.ViewBytes: Executor.view_bytes,
    s.Collapse: Executor.collapse,
    s.Expand: Executor.expand,
    s.Transpose: Executor.transpose,
    s.Reinterpret: Executor.reinterpret,
}

ACTIONS: dict[type, Callable[[Executor, Any], None]] = {
    s.Load: Executor.load,
    s.LoadIndex: Executor.load_index,
    s.Store: Executor.store,
    s.Copy: Executor.copy,
    s.Fill: Executor.fill,
    s.Choose: Executor.choose,
    s.Alloc: Executor.alloc,
    s.GetGlobal: Executor.get_global,
    s.If: Executor.if_,
    s.Loop: Executor.loop,
    **dict.fromkeys(VIEWS, Executor.view),
}
