"""The machine that runs a function step by step on data that need not be known.

Loops and addresses must be; what is loaded, computed and stored are terms. Where control depends
on no input, one run stands for all inputs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
from xdsl.dialects import builtin
from xdsl.ir import Attribute, Block, Operation, Region

from verify.ir.names import op_name
from verify.refine import flow
from verify.refine.attributes import attributes_of
from verify.refine.cells import Cells
from verify.refine.events import Final, Opaque, Place, Summary
from verify.refine.fixed import Fixed
from verify.refine.loops import BARRIERS, Bounds
from verify.refine.normal import NormalMachine
from verify.refine.terms import Interner, plain, shape_key
from verify.semantics import term as t
from verify.semantics.algebra import UndefinedBehaviourError
from verify.semantics.machine import parameters
from verify.semantics.term import Condition, Number
from verify.semantics.types import Layout, UnsupportedError, is_memref, touches_memory
from verify.semantics.values import View, Views

MOST_BRANCHES = 12
MOST_ELEMENTS = 1 << 16


class OpenControlError(UnsupportedError):
    """Control depends on the input."""


class UnrolledMachine(NormalMachine):
    """See the module; `fixed` are the inputs that are known."""

    def __init__(
        self,
        symbols: Mapping[str, Operation],
        interner: Interner,
        *,
        may_alias: bool,
        fixed: Fixed | None = None,
        max_steps: int = 20_000,
    ) -> None:
        super().__init__(symbols, interner, may_alias=may_alias)
        self.fixed = fixed or Fixed({}, {})
        self.cells = Cells(interner)
        self.steps_left = max_steps
        self.freed: set[Any] = set()
        self.allocations = 0
        self.branches = 0
        self.used: set[Any] = set()
        self.watches: list[_Watch] = []

    def summary(self, function: Operation) -> Summary:
        """What a run of the function does; undefined behaviour raises."""
        found = super().summary(function)
        results = tuple(self._visible(v) for v in found.results)
        final = Final(self._contents(lambda m: not _is_local(m)))
        seen = {m[0] for m in self.used if not _is_local(m)}
        is_assumed = "argument" in seen and len({m for m in self.used if not _is_local(m)}) > 1
        if is_assumed and self.may_alias:
            raise UnsupportedError("arguments that may overlap")
        return replace(
            found,
            events=(*found.events, final),
            results=results,
            assumed_no_alias=is_assumed,
        )

    def _contents(self, counts: Callable[[Any], bool]) -> tuple[Any, ...]:
        """What has been written to some memories."""
        memories = sorted((m for m in self.cells.written if counts(m)), key=repr)
        found = ((m, self.cells.content(m)) for m in memories)
        return tuple((m, self.cells.origin.get(m), content) for m, content in found if content)

    def _visible(self, value: Any) -> Any:
        """A result; of a memref the place and, of one of our own, what it holds."""
        if not isinstance(value, Views):
            return value
        view = self.single(value)
        self._alive(view.memory)
        content = self.cells.content(view.memory) if _is_local(view.memory) else ()
        return shape_key(view), self.cells.origin.get(view.memory), content

    # Inputs

    def _argument(self, position: int, kind: Attribute) -> Any:
        if position in self.fixed.scalars and not is_memref(kind):
            value = self.fixed.scalars[position]
            return bool(value) if kind == builtin.i1 else value
        return super()._argument(position, kind)

    def _placed(self, memory: Any, layout: Layout, sizes: Sequence[Number]) -> Views:
        if memory[0] == "argument":
            chosen = (self.fixed.sizes.get((memory[1], d), s) for d, s in enumerate(sizes))
            sizes = list(chosen)
        return super()._placed(memory, layout, sizes)

    def _view_of(self, memory: Any, kind: Attribute) -> Views:
        if memory[0] in ("unknown", "loaded", "open"):
            raise UnsupportedError("a memref of unknown origin")
        return super()._view_of(memory, kind)

    def unknown(self, op: Operation, kind: Attribute) -> Any:
        has_emitted = len(self.here.events) > self.emitted
        if any(touches_memory(v.type) for v in op.operands) and not has_emitted:
            raise UnsupportedError(f"`{op_name(op)}` looks at memory in an unknown way")
        return super().unknown(op, kind)

    # Memory

    def allocate(self, op: Operation, kind: Attribute, sizes: Sequence[Number], space: str) -> Any:
        self.allocations += 1
        found = super().allocate(op, kind, sizes, space)
        return found.map(lambda view: self._fresh(op, view))

    def allocate_bytes(self, op: Operation, size: Number, space: str) -> Any:
        self.allocations += 1
        found = super().allocate_bytes(op, size, space)
        return found.map(lambda view: self._fresh(op, view))

    def _fresh(self, op: Operation, view: View) -> View:
        """A memory by its number; what made it says who ends its life."""
        self.here.events.pop()
        return replace(view, memory=("alloc", self.allocations, op_name(op), view.space))

    def free(self, op: Operation, view: Any) -> None:
        memory = self.single(view).memory
        if not _is_local(memory):
            super().free(op, view)
        self._alive(memory)
        self.freed.add(memory)

    def demand(self, conditions: Sequence[Condition]) -> None:
        if False in conditions and not self.conditions:
            raise UndefinedBehaviourError("an access outside of its view")
        super().demand(conditions)

    def _alive(self, memory: Any) -> None:
        if memory in self.freed:
            raise UndefinedBehaviourError("a memory is used after it was freed")

    def _bytes(self, place: Place, *, is_write: bool) -> int:
        self._alive(place.memory)
        self.used.add(place.memory)
        first = self.cells.first_byte(place)
        for watch in self.watches:
            watch.see(place.memory, range(first, first + place.size), is_write=is_write)
        return first

    def _load(self, view: View, indices: Sequence[Number], kind: Attribute) -> Any:
        place = self.place(view, indices, kind)
        if is_memref(kind):
            raise UnsupportedError("a memref in memory")
        return self.cells.read(place.memory, self._bytes(place, is_write=False), kind)

    def store(
        self, op: Operation, view: Any, indices: Sequence[Number], value: Any, kind: Attribute
    ) -> None:
        if not isinstance(view, Views) or is_memref(kind):
            raise UnsupportedError("an access through something that is not a memref")
        for condition, choice in view.choices:
            with self.under([condition]):
                place = self.place(choice, indices, kind)
            first = self._bytes(place, is_write=True)
            content = value
            if condition is not True:
                old = self.cells.read(place.memory, first, kind)
                content = flow.merge(self, condition, value, old, kind)
            self.cells.write(place.memory, first, content, kind)

    def _elements(self, view: View) -> list[tuple[int, ...]]:
        sizes = view.sizes
        if sizes is None or not all(isinstance(s, int) for s in sizes):
            raise OpenControlError("an access to a view of unknown size")
        shape = [t.whole(s) for s in sizes]
        if any(s < 0 for s in shape):
            raise UndefinedBehaviourError("a view of negative size")
        self._count(int(np.prod(shape, dtype=object)) if shape else 1)
        return list(np.ndindex(*shape))

    def read_all(self, op: Operation, view: Any) -> Any:
        source, kind = self.single(view), self._element_type(op)
        self.demand(source.assumed)
        return [self._load(source, at, kind) for at in self._elements(source)]

    def _element_type(self, op: Operation) -> Attribute:
        kinds = [v.type for v in op.operands if isinstance(v.type, builtin.MemRefType)]
        if not kinds or any(k.get_element_type() != kinds[0].get_element_type() for k in kinds):
            raise UnsupportedError(f"`{op_name(op)}` between memrefs of different types")
        return kinds[0].get_element_type()

    def write_all(self, op: Operation, view: Any, contents: Any, kind: Attribute) -> None:
        target = self.single(view)
        self.demand(target.assumed)
        element = kind.element_type if isinstance(kind, builtin.MemRefType) else kind
        places = self._elements(target)
        values = contents if isinstance(contents, list) else [contents] * len(places)
        if len(values) != len(places):
            raise UndefinedBehaviourError("a copy between views of different sizes")
        for at, value in zip(places, values, strict=True):
            place = self.place(target, at, element)
            first = self._bytes(place, is_write=True)
            self.cells.write(place.memory, first, value, element)

    def opaque(self, op: Operation) -> None:
        """It sees all memory, and may write all."""
        if self.conditions or self.watches:
            raise UnsupportedError(f"`{op_name(op)}` under a condition that depends on data")
        for memory in self.freed & {m for v in op.operands for m in _memories(self.env.get(v))}:
            self._alive(memory)
        content = self._contents(lambda _: True)
        operands = (*(plain(self.env.get(v)) for v in op.operands), content)
        kinds = tuple(str(r.type) for r in op.results)
        self.emit(Opaque(op_name(op), attributes_of(op), operands, kinds))
        self.cells.forget()

    # Control

    def execute(self, op: Operation) -> None:
        self._count(1)
        super().execute(op)

    def _count(self, steps: int) -> None:
        self.steps_left -= steps
        if self.steps_left < 0:
            raise UnsupportedError("a run of too many steps")

    def branch(
        self, op: Operation, cases: Sequence[tuple[Condition, Callable[[], Sequence[Any]]]]
    ) -> Sequence[Any]:
        return self._choose(cases, [r.type for r in op.results])

    def _choose(
        self,
        cases: Sequence[tuple[Condition, Callable[[], Sequence[Any]]]],
        kinds: Sequence[Attribute],
    ) -> Sequence[Any]:
        """Both ways where the condition is not known, and what they give by it."""
        condition, run = cases[0]
        if condition is True or len(cases) == 1:
            return run()
        if condition is False:
            return self._choose(cases[1:], kinds)
        self.branches += 1
        if self.branches > MOST_BRANCHES:
            raise UnsupportedError("too many branches that depend on data")
        before, freed = self.cells, set(self.freed)
        first, cells = self._arm(condition, before, run)
        freed_first, self.freed = self.freed, freed
        rest = cases[1:]
        second, others = self._arm(t.negation(condition), before, lambda: self._choose(rest, kinds))
        if self.freed != freed_first:
            raise UnsupportedError("memory that is freed under a condition")
        self.cells = self._merged(condition, cells, others)
        pairs = zip(first, second, kinds, strict=True)
        return [flow.merge(self, condition, a, b, k) for a, b, k in pairs]

    def _arm(
        self, condition: Condition, cells: Cells, run: Callable[[], Sequence[Any]]
    ) -> tuple[Sequence[Any], Cells]:
        self.cells = cells.copy()
        path = (*self.here.path, ("if", condition))
        scope = flow.inside(self, path, [])
        try:
            with self.under([condition]):
                values = run()
        finally:
            self.scopes.pop()
        if scope.events:
            raise UnsupportedError("an effect under a condition that depends on data")
        return values, self.cells

    def _merged(self, condition: Condition, first: Cells, second: Cells) -> Cells:
        merged = first.copy()
        for memory, byte, kind in first.differing(second):
            a, b = first.read(memory, byte, kind), second.read(memory, byte, kind)
            merged.write(memory, byte, flow.merge(self, condition, a, b, kind), kind)
        return merged

    def run_region(self, region: Region, arguments: Sequence[Any]) -> Sequence[Any]:
        if len(region.blocks) > 1:
            return self._walk(region.blocks[0], arguments)
        return super().run_region(region, arguments)

    def _walk(self, block: Block, arguments: Sequence[Any]) -> Sequence[Any]:
        while True:
            for parameter, argument in parameters(block, arguments):
                self.env[parameter] = argument
            for op in block.ops:
                self.execute(op)
            last = block.last_op
            if last is None:
                raise UnsupportedError("an empty block")
            onward = self.edges(last)
            if onward is None:
                return [self.env[v] for v in last.operands]
            open_edges = [e for e in onward if e[0] is not False]
            if len(open_edges) > 1 and open_edges[0][0] is not True:
                raise OpenControlError("a branch between blocks that depends on data")
            _, block, arguments = open_edges[0]

    def for_loop(
        self, op: Operation, bounds: Bounds, initial: Sequence[Any], region: Region
    ) -> Sequence[Any]:
        values = list(initial)
        for i in self._range(bounds):
            self._count(1)
            values = list(self.run_region(region, [i, *values]))
        return values

    def _range(self, bounds: Bounds) -> range:
        lower, upper, step = bounds
        if not (isinstance(lower, int) and isinstance(upper, int) and isinstance(step, int)):
            raise OpenControlError("a loop whose bounds depend on the input")
        if step <= 0:
            raise UndefinedBehaviourError("a loop whose step is not positive")
        return range(lower, upper, step)

    def while_loop(self, op: Operation, initial: Sequence[Any]) -> Sequence[Any]:
        before, after = op.regions
        values = list(initial)
        while True:
            self._count(1)
            condition, *passed = self.run_region(before, values)
            if condition is False:
                return passed
            if condition is not True:
                raise OpenControlError("a loop whose condition depends on data")
            values = list(self.run_region(after, passed))

    def grid_loop(
        self,
        op: Operation,
        bounds: Sequence[Bounds],
        initial: Sequence[Any],
        body: Callable[[Sequence[Number], Sequence[Any]], Sequence[Any]],
    ) -> Sequence[Any]:
        if any(op_name(inner) in BARRIERS for inner in op.walk()):
            raise UnsupportedError("a barrier between the threads of a loop")
        if initial:
            raise UnsupportedError("a reduction, whose order is open")
        watch = _Watch()
        self.watches.append(watch)
        for point in product(*(self._range(b) for b in bounds)):
            self._count(1)
            watch.current = point
            body(point, [])
        self.watches.remove(watch)
        return []


class _Watch:
    """Which iterations of a parallel loop touch which bytes; they may run in any order."""

    def __init__(self) -> None:
        self.current: Any = None
        self.writers: dict[tuple[Any, int], Any] = {}
        self.readers: dict[tuple[Any, int], set[Any]] = {}

    def see(self, memory: Any, span: range, *, is_write: bool) -> None:
        """Note an access; one that meets another iteration's is an error."""
        for byte in span:
            key = (memory, byte)
            writer = self.writers.get(key, self.current)
            readers = self.readers.setdefault(key, set())
            if writer != self.current or (is_write and readers - {self.current}):
                raise UnsupportedError("iterations of a parallel loop that meet")
            if is_write:
                self.writers[key] = self.current
            else:
                readers.add(self.current)


def _is_local(memory: Any) -> bool:
    """Whether nothing outside can see a memory, unless it is handed out."""
    return memory[0] == "alloc"


def _memories(value: Any) -> set[Any]:
    return {view.memory for _, view in value.choices} if isinstance(value, Views) else set()
