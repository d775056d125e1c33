"""The state that the productions of the family `whole` share: where they write, and what is there.

A production appends ops to the writer's block and adds what they define to its scope.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from fuzz.strategies.whole_ops import Attributes, make_op, type_of
from fuzz.strategies.whole_types import Dim, Index, Mem, Ref, Root, Work

T = TypeVar("T")
Fill = Callable[[Sequence[SSAValue]], None]
Kinds = Mapping[tuple[str, bool], Mapping[Callable[["Writer"], None], int]]
"""The productions of a place, without and with those that nest."""
_MOST_REFS = 14
_MOST_DEPTH = 3


@dataclass(slots=True)
class Scope:
    """What a block can name; `owned` are buffers that it made, `pending` what is still at work.

    What is `inherited` of the pending work, an outer block waits for.
    """

    refs: list[Ref] = field(default_factory=list[Ref])
    indices: list[Index] = field(default_factory=list[Index])
    scalars: dict[str, list[SSAValue]] = field(default_factory=dict[str, list[SSAValue]])
    pointers: list[tuple[SSAValue, Ref]] = field(default_factory=list[tuple[SSAValue, Ref]])
    owned: list[Ref] = field(default_factory=list[Ref])
    pending: list[Work] = field(default_factory=list[Work])
    inherited: tuple[Work, ...] = ()
    depth: int = 0
    is_parallel: bool = False

    def inner(self) -> Scope:
        """The scope of a region in it."""
        scalars = {kind: [*values] for kind, values in self.scalars.items()}
        return Scope(
            [*self.refs], [*self.indices], scalars, [*self.pointers], [], [*self.pending],
            tuple(self.pending), self.depth + 1, self.is_parallel,
        )  # fmt: skip


@dataclass(slots=True)
class Touched:
    """The buffers that some ops read and write, in the order of the first access."""

    reads: dict[int, None] = field(default_factory=dict[int, None])
    writes: dict[int, None] = field(default_factory=dict[int, None])


@dataclass(slots=True)
class Module:
    """What a program has besides the function that is written."""

    globals: list[Operation] = field(default_factory=list[Operation])
    kernels: list[Operation] = field(default_factory=list[Operation])
    functions: list[Operation] = field(default_factory=list[Operation])
    known: list[Any] = field(default_factory=list[Any])
    callees: list[Any] = field(default_factory=list[Any])


class Writer:
    """Writes one function; `place` is `host`, `task` or `kernel`."""

    def __init__(self, draw: random.Random, module: Module, block: Block) -> None:
        """`block` is the entry of the function."""
        self.draw = draw
        self.module = module
        self.block = block
        self.scope = Scope()
        self.roots: list[Root] = []
        self.place = "host"
        self.may_branch = True
        self.left = 0
        self.carelessness = 0
        self.checkpointed = 45
        self.focus: int | None = None
        self.kinds: Kinds = {}
        self._touched: list[Touched] = []

    def statements(self, number: int) -> None:
        """Some statements of the kinds that there are, as long as the program is not too long."""
        for _ in range(number):
            if self.left <= 0:
                return
            self.left -= 1
            is_deep = self.scope.depth >= _MOST_DEPTH
            self.weighted(self.kinds[self.place, is_deep])(self)

    # Choices

    def weighted(self, weights: Mapping[T, int]) -> T:
        """A key, as often as its weight says."""
        return self.draw.choices(list(weights), list(weights.values()))[0]

    def flip(self, percent: int) -> bool:
        """True in so many of a hundred cases."""
        return self.draw.random() * 100 < percent

    # Ops

    def op(
        self,
        name: str,
        operands: Sequence[SSAValue] = (),
        results: Sequence[Attribute | str] = (),
        attributes: Attributes | None = None,
        regions: Sequence[Region] = (),
        successors: Sequence[Block] = (),
    ) -> Operation:
        """Append an op to the block."""
        made = make_op(name, operands, results, attributes or {}, regions, successors)
        self.block.add_op(made)
        return made

    def constant(self, number: int, kind: str = "index") -> SSAValue:
        """A constant of an integer type."""
        value = {0: "false", 1: "true"}[number % 2] if kind == "i1" else f"{number} : {kind}"
        return self.op("arith.constant", (), [kind], {"value": value}).results[0]

    def scalar(self, kind: str) -> SSAValue:
        """A value of an element type, from the scope or a constant."""
        known = self.scope.scalars.get(kind, [])
        if known and self.flip(85):
            return self.draw.choice(known[-4:])
        number = self.draw.randint(0, 4)
        if kind[0] != "f":
            return self.constant(number, kind)
        text = f"{number}.0 : {kind}"
        return self.op("arith.constant", (), [kind], {"value": text}).results[0]

    def keep(self, kind: str, value: SSAValue) -> None:
        """Let later ops use a value of an element type."""
        self.scope.scalars.setdefault(kind, []).append(value)
        if kind == "index":
            self.scope.indices.append(Index(value, None))

    # Regions

    def region(self, kinds: Sequence[Attribute | str], fill: Fill) -> Region:
        """A region of one block that `fill` writes; it sees the scope, which does not see it."""
        block = Block(arg_types=[type_of(kind) for kind in kinds])
        region = Region(block)
        with self.inside(block):
            fill(block.args)
        return region

    @contextmanager
    def inside(self, block: Block) -> Generator[None]:
        """Write to a block with a scope of its own."""
        before = self.block, self.scope, self.may_branch
        self.block, self.scope, self.may_branch = block, self.scope.inner(), False
        try:
            yield
        finally:
            self.block, self.scope, self.may_branch = before

    def new_block(self, kinds: Sequence[Attribute | str] = ()) -> Block:
        """Another block at the end of the region that is written."""
        region = self.block.parent
        assert region is not None
        block = Block(arg_types=[type_of(kind) for kind in kinds])
        region.add_block(block)
        return block

    # Memory

    def root(self, extent: Dim, place: str) -> int:
        """A new buffer of so many bytes."""
        self.roots.append(Root(extent, place))
        return len(self.roots) - 1

    def add(self, ref: Ref) -> Ref:
        """Let later ops use a memref; the oldest ones but two are forgotten."""
        self.scope.refs.append(ref)
        if len(self.scope.refs) > _MOST_REFS:
            del self.scope.refs[2]
        return ref

    def view(self, source: Ref, value: SSAValue, kind: Mem, sizes: Sequence[Dim]) -> Ref:
        """Add a view of a memref."""
        return self.add(
            Ref(value, kind, tuple(sizes), source.roots, source.is_fixed, source.is_spread,
                source.inner)
        )  # fmt: skip

    def fitting(self, wanted: Callable[[Ref], bool]) -> list[Ref]:
        """The memrefs that can be used where the writer is, and are as wanted."""
        return [r for r in self.scope.refs if self.is_here(r) and wanted(r)]

    def pick(self, wanted: Callable[[Ref], bool]) -> Ref | None:
        """One of them, rather a late one, or one of the buffer in focus."""
        fits = self.fitting(wanted)
        if not fits:
            return None
        near = [r for r in fits if self.focus in r.roots]
        if near and self.flip(60):
            return self.draw.choice(near)
        return self.draw.choice(fits[-3:] if self.flip(50) else fits)

    def is_here(self, ref: Ref) -> bool:
        """Whether the memory can be touched from where the writer is."""
        here = ("device", "both") if self.place == "kernel" else ("host", "both")
        return all(self.roots[root].place in here for root in ref.roots)

    def is_on_device(self, ref: Ref) -> bool:
        """Whether GPU ops may touch it."""
        return all(self.roots[root].place in ("device", "both") for root in ref.roots)

    # What is touched

    @contextmanager
    def recorded(self) -> Generator[Touched]:
        """What is touched meanwhile."""
        touched = Touched()
        self._touched.append(touched)
        try:
            yield touched
        finally:
            self._touched.pop()

    def note(self, roots: Sequence[int], *, is_write: bool) -> None:
        """Remember an access to some buffers."""
        for touched in self._touched:
            (touched.writes if is_write else touched.reads).update(dict.fromkeys(roots))

    def touch(self, ref: Ref, *, is_write: bool) -> None:
        """Say that the next op accesses a memref here and now; what is in its way is awaited."""
        for work in [w for w in self.scope.pending if w.meets(ref.roots, is_write=is_write)]:
            if not self.flip(self.carelessness):
                self.await_(work)
        self.note(ref.roots, is_write=is_write)

    def await_(self, work: Work) -> None:
        """Wait until something asynchronous is done."""
        self.op("gpu.wait" if work.kind == "gpu" else "async.await", [work.token])
        if work.result is not None and self.flip(60):
            kind = work.result.type
            element = str(kind).removeprefix("!async.value<").removesuffix(">")
            value = self.op("async.await", [work.result], [element]).results[0]
            self.receive(work, value)
        self.scope.pending.remove(work)

    def receive(self, work: Work, value: SSAValue) -> None:
        """Let later ops use what a task gave, unless it is a memref of something that is freed."""
        if work.ref is None:
            self.keep(str(value.type), value)
        elif any(r.roots == work.ref.roots for r in self.scope.refs):
            self.add(replace(work.ref, value=value))

    def settle(self, outer: Sequence[Work] = ()) -> None:
        """Wait for everything at work, but for what an outer scope waits for."""
        for work in [w for w in self.scope.pending if w not in outer]:
            if not self.flip(self.carelessness):
                self.await_(work)
            else:
                self.scope.pending.remove(work)
