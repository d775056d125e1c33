"""The machine that brings a function into normal form."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from xdsl.dialects import builtin
from xdsl.ir import Attribute, Operation, Region, SSAValue

from verify.ir.names import op_name, symbol_ref
from verify.model.windows import known_positive, unwrapped
from verify.refine import blocks, flow, loops
from verify.refine.attributes import attributes_of, promises_of
from verify.refine.events import (
    Allocate,
    Free,
    Opaque,
    Partial,
    Path,
    Place,
    Summary,
    Write,
    WriteAll,
)
from verify.refine.history import Effect, History, last_effect_on, last_write
from verify.refine.liveness import Liveness
from verify.refine.terms import Interner, known, plain, shape_key
from verify.semantics import term as t
from verify.semantics.algebra import bit_range
from verify.semantics.arith import scalar_bits
from verify.semantics.machine import PURE_DIALECTS, edges_of, parameters, rule_for
from verify.semantics.memref import dense_strides
from verify.semantics.term import Condition, Number
from verify.semantics.types import (
    Layout,
    UnsupportedError,
    element_of,
    is_memref,
    layout_of,
    space_of,
    touches_memory,
)
from verify.semantics.values import OPAQUE, View, Views

COMMUTATIVE = frozenset({"addf", "mulf", "maximumf", "minimumf", "maxnumf", "minnumf"})
PARTIAL = ("div", "rem")
MAX_BYTES = (1 << 63) - 1


@dataclass(slots=True)
class Scope:
    """A list of events under construction, at a path, after what happened before it."""

    path: Path
    events: list[Any] = field(default_factory=list)
    history: History = field(default_factory=History)


class NormalMachine:
    """See the module. Both programs of a question use one `interner`."""

    def __init__(
        self, symbols: Mapping[str, Operation], interner: Interner, *, may_alias: bool
    ) -> None:
        self.symbols = symbols
        self.interner = interner
        self.algebra = interner.algebra
        self.may_alias = may_alias
        self.liveness = Liveness()
        self.env: dict[SSAValue, Any] = {}
        self.scopes: list[Scope] = [Scope(())]
        self.partial: set[Partial] = set()
        self.assumed_no_alias = False
        self.ids: Mapping[str, Number] = {}
        self.depth = 0
        self.ordinal = 0
        self.emitted = 0
        self.globals: dict[str, str] = {}
        self.conditions: list[Condition] = []
        self.demands: list[tuple[tuple[Condition, ...], tuple[Condition, ...]]] = []

    def summary(self, function: Operation) -> Summary:
        """The normal form of a function."""
        region = function.regions[0]
        arguments = [self._argument(i, a.type) for i, a in enumerate(region.blocks[0].args)]
        results = self.run_region(region, arguments)
        return Summary(
            tuple(self.here.events),
            tuple(known(v) for v in results),
            frozenset(self.partial),
            tuple(self.demands),
            tuple(sorted(self.globals.items())),
            self.assumed_no_alias,
        )

    @property
    def here(self) -> Scope:
        """The innermost list of events."""
        return self.scopes[-1]

    def _argument(self, position: int, kind: Attribute) -> Any:
        if is_memref(kind):
            return self._view_of(("argument", position), kind)
        return self.interner.symbol(("argument", position), kind)

    # Values

    def value(self, operand: SSAValue) -> Any:
        return self.env[operand]

    def number(self, operand: SSAValue) -> Number:
        value = self.env[operand]
        if isinstance(value, bool):
            return -1 if value else 0
        if isinstance(value, t.Cond):
            return self.algebra.choose(value, -1, 0)
        if isinstance(value, int | t.Lin):
            return value
        raise UnsupportedError(f"a number of type {operand.type}")

    def truth(self, operand: SSAValue) -> Condition:
        value = self.env[operand]
        if isinstance(value, bool | t.Cond):
            return value
        if isinstance(value, int | t.Lin):
            return t.negation(t.equal(value, 0))
        raise UnsupportedError(f"a truth value of type {operand.type}")

    def unknown(self, op: Operation, kind: Attribute) -> Any:
        self.ordinal += 1
        key = (*self._key(op), self.ordinal, *self._moment(op))
        if is_memref(kind):
            return self._view_of(("unknown", key), kind)
        return self.interner.symbol(key, kind)

    def _moment(self, op: Operation) -> tuple[Any, ...]:
        """Where in the program an op stands that may look at memory."""
        has_emitted = len(self.here.events) > self.emitted
        sees_memory = has_emitted or any(touches_memory(v.type) for v in op.operands)
        return (self.here.path, len(self.here.events)) if sees_memory else ()

    def arbitrary(self, op: Operation, kind: Attribute, example: Number) -> Any:
        return self.interner.symbol(("arbitrary", op_name(op)), kind)

    def _key(self, op: Operation) -> tuple[Any, ...]:
        operands = [known(self.env[v]) for v in op.operands]
        name = op_name(op)
        if name.partition(".")[2] in COMMUTATIVE:
            operands.sort(key=repr)
        return name, attributes_of(op), tuple(operands)

    def compute(self, op: Operation, function: Callable[..., Any], operands: Sequence[Any]) -> Any:
        return self.interner.symbol(self._key(op), op.results[0].type)

    def merge(self, condition: Condition, a: Any, b: Any, kind: Attribute) -> Any:
        return flow.merge(self, condition, a, b, kind)

    def map_view(self, value: Any, change: Callable[[View], View]) -> Any:
        if not isinstance(value, Views):
            raise UnsupportedError("a view of something that is not a memref")
        return value.map(lambda v: replace(change(v), is_contained=True))

    def measure(self, value: Any, read: Callable[[View], Number]) -> Number:
        return read(self.single(value))

    def symbol(self, key: Any, kind: Attribute) -> Any:
        """A value that nothing is known of; a memref may lie anywhere."""
        if is_memref(kind):
            return self._view_of(("open", key), kind)
        return self.interner.symbol(key, kind)

    # Memory

    def _view_of(self, memory: Any, kind: Attribute) -> Views:
        if not isinstance(kind, builtin.MemRefType):
            view = View(memory, 0, None, (), None, 0, space_of(kind))
            return Views(((True, view),))
        layout = layout_of(kind)
        unit = layout.element.size
        sizes = [
            self.interner.number((memory, "size", d), 0, MAX_BYTES // unit) if s is None else s
            for d, s in enumerate(layout.shape)
        ]
        return self._placed(memory, layout, sizes)

    def _placed(self, memory: Any, layout: Layout, sizes: Sequence[Number]) -> Views:
        unit = layout.element.size
        strides = (
            dense_strides(self, sizes, unit)
            if layout.is_identity
            else [
                t.times(self.interner.number((memory, "stride", d), None, None), unit)
                if s is None
                else s * unit
                for d, s in enumerate(layout.strides)
            ]
        )
        offset = layout.offset
        if offset is None:
            offset = self.interner.number((memory, "offset"), None, None)
        start = t.times(offset, unit)
        view = View(memory, start, tuple(sizes), tuple(strides), layout.element, 0, layout.space)
        return Views(((True, view),))

    def allocate(self, op: Operation, kind: Attribute, sizes: Sequence[Number], space: str) -> Any:
        layout = layout_of(kind)
        dynamic = iter(sizes)
        shape = [next(dynamic, 0) if s is None else s for s in layout.shape]
        memory = ("alloc", self.here.path, len(self.here.events))
        self.emit(Allocate(op_name(op), memory, str(kind), tuple(shape), space))
        return self._placed(memory, layout, shape)

    def allocate_bytes(self, op: Operation, size: Number, space: str) -> Any:
        memory = ("alloc", self.here.path, len(self.here.events))
        self.emit(Allocate(op_name(op), memory, "bytes", (size,), space))
        return Views(((True, View(memory, 0, None, (), None, 0, space)),))

    def global_memory(self, op: Operation, symbol: str, kind: Attribute | None) -> Any:
        target = self.symbols.get(symbol)
        self.globals[symbol] = "" if target is None else str(attributes_of(target))
        return self._view_of(("global", symbol), kind or op.results[0].type)

    def open_size(self, op: Operation, view: View, unit: int) -> Number:
        return self.interner.number(("open size", view.memory, view.offset, unit), 0, MAX_BYTES)

    def free(self, op: Operation, view: Any) -> None:
        self.emit(Free(view))
        self.here.history.append(Effect(self._id(), None, None, None))

    def distinct(self, op: Operation, values: Sequence[Any]) -> Sequence[Any]:
        return values

    # Effects

    def emit(self, event: Any) -> None:
        """Add an event at the current point."""
        self.here.events.append(event)

    def _id(self) -> Path:
        """The name of the event that was emitted last."""
        return (*self.here.path, len(self.here.events) - 1)

    def single(self, value: Any) -> View:
        """A view that is the same on every path."""
        if not isinstance(value, Views) or len(value.choices) != 1:
            raise UnsupportedError("a memref that is one of several")
        return value.choices[0][1]

    def place(self, view: View, indices: Sequence[Number], kind: Attribute) -> Place:
        """The bytes of one element, which must be there."""
        address = view.offset
        inside = list(view.assumed)
        if view.sizes is not None:
            for index, size, stride in zip(indices, view.sizes, view.strides, strict=True):
                address = address + self.algebra.multiply(index, stride)
                inside += [t.at_most(0, index), t.less(index, size)]
        self.demand(inside)
        address = unwrapped(address, known_positive(inside))
        place = Place(view.memory, address, element_of(kind).size)
        if view.sizes is None:
            self.note(("bytes", place))
        return place

    def demand(self, conditions: Sequence[Condition]) -> None:
        """What must hold here, or the run is undefined."""
        wanted = [c for c in conditions if c is not True]
        if wanted:
            self.demands.append((tuple(self.conditions), tuple(wanted)))

    def note(self, key: Any) -> None:
        """A computation that may be undefined runs where the conditions of this place hold."""
        self.partial.add((tuple(self.conditions), key))

    def load(self, op: Operation, view: Any, indices: Sequence[Number], kind: Attribute) -> Any:
        if not isinstance(view, Views):
            raise UnsupportedError("an access through something that is not a memref")
        *others, (_, last) = view.choices
        with self.under([t.negation(c) for c, _ in others]):
            result = self._load(last, indices, kind)
        for number, (condition, choice) in reversed(list(enumerate(others))):
            with self.under([*(t.negation(c) for c, _ in others[:number]), condition]):
                found = self._load(choice, indices, kind)
            result = flow.merge(self, condition, found, result, kind)
        return result

    def _load(self, view: View, indices: Sequence[Number], kind: Attribute) -> Any:
        place = self.place(view, indices, kind)
        version, value = last_write(self, place, str(kind))
        if value is not None:
            return value
        key = ("load", version, place)
        if is_memref(kind):
            return self._view_of(("loaded", key), kind)
        return self.interner.symbol(key, kind)

    @contextmanager
    def under(self, conditions: Sequence[Condition]) -> Generator[None]:
        """Where these hold too."""
        saved = self.conditions
        self.conditions = [*saved, *(c for c in conditions if c is not True)]
        try:
            yield
        finally:
            self.conditions = saved

    def store(
        self, op: Operation, view: Any, indices: Sequence[Number], value: Any, kind: Attribute
    ) -> None:
        if not isinstance(view, Views):
            raise UnsupportedError("an access through something that is not a memref")
        if len(view.choices) == 1:
            place = self.place(view.choices[0][1], indices, kind)
            self.emit(Write(place, str(kind), known(value)))
            self.here.history.append(Effect(self._id(), place, str(kind), value))
            return
        places: list[tuple[Condition, Place]] = []
        for condition, choice in view.choices:
            with self.under([condition]):
                places.append((condition, self.place(choice, indices, kind)))
        self.emit(Write(tuple(places), str(kind), known(value)))
        memories = {place.memory for _, place in places}
        self.here.history.append(Effect(self._id(), None, None, None, memories))

    def update(
        self, op: Operation, view: Any, indices: Sequence[Number], kind: Attribute, change: object
    ) -> Any:
        """The new value is not followed."""
        if op.regions:
            raise UnsupportedError(f"`{op_name(op)}` has a region that is not followed")
        old = self.load(op, view, indices, kind)
        self.store(op, view, indices, self.unknown(op, kind), kind)
        return old

    def read_all(self, op: Operation, view: Any) -> Any:
        memories = dict.fromkeys(choice.memory for choice in self._choices(view))
        versions = tuple(last_effect_on(self, memory) for memory in memories)
        return ("contents", versions, plain(view))

    def write_all(self, op: Operation, view: Any, contents: Any, kind: Attribute) -> None:
        targets = self._choices(view)
        element = kind.element_type if isinstance(kind, builtin.MemRefType) else kind
        self.emit(WriteAll(plain(view), str(element), known(contents)))
        memories = {target.memory for target in targets}
        self.here.history.append(Effect(self._id(), None, None, None, memories))

    def _choices(self, view: Any) -> list[View]:
        """The views that an access to all elements may be of, each as it must be there."""
        if not isinstance(view, Views):
            raise UnsupportedError("an access through something that is not a memref")
        for condition, choice in view.choices:
            with self.under([condition]):
                self.demand(choice.assumed)
        return [choice for _, choice in view.choices]

    def effects(
        self,
        op: Operation,
        reads: Sequence[Any],
        writes: Sequence[Any],
        *,
        reads_anywhere: bool = False,
        writes_anywhere: bool = False,
    ) -> None:
        self.opaque(op)

    def opaque(self, op: Operation) -> None:
        """An event for something that may do anything."""
        operands = tuple(plain(self.env.get(v)) for v in op.operands)
        kinds = tuple(str(r.type) for r in op.results)
        self.emit(Opaque(op_name(op), attributes_of(op), operands, kinds))
        self.here.history.append(Effect(self._id(), None, None, None))

    def believe(self, op: Operation, attribute: str) -> None:
        return

    def touch_some(self, op: Operation, reads: Sequence[Any], writes: Sequence[Any]) -> None:
        self.opaque(op)

    def assume(self, condition: Condition) -> None:
        self.demand([condition])

    def require(self, condition: Condition) -> None:
        self.demand([condition])

    def reads_base(self, op: Operation, view: View) -> None:
        return

    def address_of(self, op: Operation, view: Any, kind: Attribute) -> Any:
        return self.interner.symbol(("address", shape_key(self.single(view))), kind)

    def check_alignment(self, op: Operation, view: Any, alignment: int) -> None:
        self.note(("aligned", shape_key(self.single(view)), alignment))

    def layout_offset(self, op: Operation, view: Any, kind: Attribute) -> Number:
        layout = layout_of(kind)
        if layout.offset is not None:
            return layout.offset
        choice = self.single(view)
        return self.algebra.divide(choice.offset - choice.base, layout.element.size)

    # Control flow

    def execute(self, op: Operation) -> None:
        """Run one op that is not a terminator."""
        name = op_name(op)
        self.ordinal, self.emitted = 0, len(self.here.events)
        rule = rule_for(name)
        if any(part in name for part in PARTIAL) and name.startswith(("arith.", "llvm.")):
            self.note_partial(op)
        for flag in promises_of(op):
            if not self._promises_no_overflow(op, name, flag):
                self.note((*self._key(op), flag))
        if rule is not None:
            values: Sequence[Any] = rule(self, op)
        elif op.regions:
            raise UnsupportedError(f"`{name}` has a region that is not followed")
        else:
            if name.partition(".")[0] not in PURE_DIALECTS:
                self.opaque(op)
            values = [self._result(op, i) for i in range(len(op.results))]
        for result, value in zip(op.results, values, strict=True):
            self.env[result] = value

    def note_partial(self, op: Operation) -> None:
        """A computation runs here that may be undefined, unless it divides by a known number."""
        divisor = self.env[op.operands[-1]]
        if not isinstance(divisor, int) or divisor in (0, -1):
            self.note(self._key(op))

    def _promises_no_overflow(self, op: Operation, name: str, flag: tuple[str, str]) -> bool:
        """Demand what `nsw` says of sums and products; whether that is all that the flag says."""
        bits = scalar_bits(op.results[0].type) if op.results else None
        if bits is None or "nuw" in flag[1] or "nsw" not in flag[1] or name not in _SUMS:
            return False
        a, b = (self.number(v) for v in op.operands)
        low, high = bit_range(bits)
        exact = _SUMS[name](self, a, b)
        self.demand([t.at_most(low, exact), t.at_most(exact, high)])
        return True

    def _result(self, op: Operation, index: int) -> Any:
        kind = op.results[index].type
        is_pure = op_name(op).partition(".")[0] in PURE_DIALECTS
        key = ("pure", *self._key(op), index) if is_pure else ("result", self._id(), index)
        if is_memref(kind):
            return self._view_of(("unknown", key), kind)
        return self.interner.symbol(key, kind)

    def run_region(self, region: Region, arguments: Sequence[Any]) -> Sequence[Any]:
        if len(region.blocks) > 1:
            return blocks.run_blocks(self, region, arguments)
        last = self.run_terminator(region, arguments)
        return [self.env[v] for v in last.operands]

    def run_terminator(self, region: Region, arguments: Sequence[Any]) -> Operation:
        block = region.blocks[0]
        for parameter, argument in parameters(block, arguments):
            self.env[parameter] = argument
        last = None
        for op in block.ops:
            last = op
            self.execute(op)
        if last is None:
            raise UnsupportedError("an empty block")
        return last

    def branch(
        self, op: Operation, cases: Sequence[tuple[Condition, Callable[[], Sequence[Any]]]]
    ) -> Sequence[Any]:
        kinds = [r.type for r in op.results]
        return flow.branch(self, list(cases), kinds)

    def for_loop(
        self,
        op: Operation,
        bounds: tuple[Number, Number, Number],
        initial: Sequence[Any],
        region: Region,
    ) -> Sequence[Any]:
        return loops.for_loop(self, op, bounds, initial, region)

    def while_loop(self, op: Operation, initial: Sequence[Any]) -> Sequence[Any]:
        return loops.while_loop(self, op, initial)

    def grid_loop(
        self,
        op: Operation,
        bounds: Sequence[tuple[Number, Number, Number]],
        initial: Sequence[Any],
        body: Callable[[Sequence[Number], Sequence[Any]], Sequence[Any]],
    ) -> Sequence[Any]:
        return loops.grid_loop(self, op, bounds, initial, body)

    def function_named(self, op: Operation, symbol: str) -> Operation | None:
        return self.symbols.get(symbol)

    def call(self, op: Operation, symbol: str, arguments: Sequence[Any]) -> Sequence[Any]:
        if self.depth > 16:
            raise UnsupportedError(f"the call of `@{symbol}` is recursive or too deep")
        self.depth += 1
        saved = dict(self.env)
        results = self.run_region(self.symbols[symbol].regions[0], arguments)
        self.env = saved
        self.depth -= 1
        if len(results) != len(op.results):
            raise UnsupportedError(f"`@{symbol}` does not return")
        return results

    # Asynchronous work, in its sequential meaning

    def device_op(
        self, op: Operation, dependencies: Sequence[Any], body: Callable[[], None]
    ) -> Any:
        body()
        return OPAQUE

    def wait(self, op: Operation, tokens: Sequence[Any]) -> Any:
        return OPAQUE

    def task(
        self, op: Operation, dependencies: Sequence[Any], body: Callable[[], Sequence[Any]]
    ) -> tuple[Any, Sequence[Any]]:
        return OPAQUE, body()

    def await_value(self, op: Operation, value: Any) -> Any:
        return value

    def begin_life(self, op: Operation, view: Any) -> None:
        return

    def unwrap(self, value: Any) -> Any:
        return value

    def create_group(self, op: Operation, group: SSAValue) -> Any:
        return OPAQUE

    def add_to_group(self, op: Operation, group: SSAValue, member: Any) -> None:
        return

    def await_group(self, op: Operation, group: SSAValue) -> None:
        return

    def thread_ids(self) -> Mapping[str, Number]:
        return self.ids

    def barrier(self, op: Operation) -> None:
        return

    def launch_compiled(
        self, op: Operation, region: Region, grid: Sequence[Number], arguments: Sequence[Any]
    ) -> bool:
        return False

    @contextmanager
    def in_kernel(self, ids: Mapping[str, Number]) -> Generator[None]:
        old, self.ids = self.ids, ids
        try:
            yield
        finally:
            self.ids = old

    def edges(self, op: Operation) -> Any:
        """Where a branching terminator may go."""
        return edges_of(self, op, op_name(op))

    def callee(self, op: Operation) -> str:
        """The symbol that a call names."""
        return symbol_ref(op, "callee") or ""


_SUMS: dict[str, Callable[[NormalMachine, Number, Number], Number]] = {
    "arith.addi": lambda _, a, b: a + b,
    "arith.subi": lambda _, a, b: a - b,
    "arith.muli": lambda m, a, b: m.algebra.multiply(a, b),
}
