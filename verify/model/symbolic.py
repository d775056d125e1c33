"""The symbolic machine: runs a function once on terms and records what it does to memory.

Every value is over-approximated: what is not followed becomes a fresh variable, so a claim that
holds for the recorded accesses holds for every run.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import Any

from xdsl.ir import Attribute, Operation, Region, SSAValue

from verify.ir.names import op_name, symbol_ref
from verify.model import graphs, joins, loops, placing, tasks
from verify.model.contents import Copied, computed, content_of, idle
from verify.model.dense import is_empty, spread_of
from verify.model.done import Done
from verify.model.forwarding import stored_before
from verify.model.memory import (
    Access,
    Checkpoint,
    Defined,
    LayoutUse,
    LoopInfo,
    Memory,
    Place,
    Unsupported,
    Wait,
)
from verify.model.order import AsyncValue, Event, Order
from verify.model.placing import MAX_BYTES
from verify.model.recording import any_element, record
from verify.semantics import term as t
from verify.semantics.algebra import SymbolicAlgebra
from verify.semantics.arith import scalar_bits
from verify.semantics.machine import PURE_DIALECTS, parameters, rule_for
from verify.semantics.term import Condition, Number, Scope, Var
from verify.semantics.types import (
    UnsupportedError,
    element_of,
    is_memref,
    is_token,
    layout_of,
    space_of,
    touches_memory,
)
from verify.semantics.values import OPAQUE, Opaque, View, Views

MAX_CALL_DEPTH = 16
_SILENT_PREFIXES = ("nvvm.read.ptx", "dlti.", "index.")
_SILENT = frozenset(
    {
        "gpu.all_reduce",
        "gpu.num_subgroups",
        "gpu.printf",
        "gpu.rotate",
        "gpu.shuffle",
        "gpu.subgroup_broadcast",
        "gpu.subgroup_reduce",
        "gpu.subgroup_size",
    }
)
"""Ops that touch no memory of the program."""


class SymbolicMachine:
    """See the module; one instance analyses one function."""

    def __init__(
        self, module: Operation, symbols: dict[str, Operation], *, may_alias: bool
    ) -> None:
        self.algebra = SymbolicAlgebra()
        self.module = module
        self.symbols = symbols
        self.may_alias = may_alias
        self.env: dict[SSAValue, Any] = {}
        self.conditions: list[Condition] = []
        self.loops: list[LoopInfo] = []
        self.positions: list[int] = [0]
        self.accesses: list[Access] = []
        self.checkpoints: list[Checkpoint] = []
        self.active: list[Checkpoint] = []
        self.unsupported: list[Unsupported] = []
        self.calls: list[Operation] = []
        self.memories: dict[object, Memory] = {}
        self.ids: dict[str, Number] = {}
        self.groups = 0
        self.order = Order()
        self.actor: tuple[Event, Done] | None = None
        self.tasks: list[Event] = []
        self.site: Operation | None = None
        self.waits: list[Wait] = []
        self.defined: list[Defined] = []
        self.layout_ops: dict[Var | t.BoolVar, Operation] = {}

    # Values

    @property
    def scope(self) -> Scope:
        """The loops that the current point is in."""
        return tuple(info.id for info in self.loops)

    @property
    def memory_scope(self) -> Scope:
        """The loops in whose iterations an allocation made here is a new one.

        A block of a cyclic region counts only when control can come back to it.
        """
        graph = self.order.graphs[-1] if self.order.graphs else None
        innermost = next((i for i in reversed(self.loops) if i.kind == "graph"), None)
        again = graph is not None and graph.is_repeated(self.order.home)
        return tuple(
            info.id for info in self.loops if info.kind != "graph" or (info is innermost and again)
        )

    def value(self, operand: SSAValue) -> Any:
        if operand not in self.env:
            value = self._unknown(operand.type, "value", operand)
            self.env[operand] = OPAQUE if isinstance(value, Opaque) else value
        return self.env[operand]

    def is_known(self, operand: SSAValue) -> bool:
        """Whether a value has been computed."""
        return operand in self.env

    def number(self, operand: SSAValue) -> Number:
        value = self.value(operand)
        if isinstance(value, bool):
            return -1 if value else 0
        if isinstance(value, t.Cond):
            return self.algebra.choose(value, -1, 0)
        if isinstance(value, int | t.Lin):
            return value
        return self.algebra.fresh("number", 64, self.scope)

    def truth(self, operand: SSAValue) -> Condition:
        value = self.value(operand)
        if isinstance(value, bool | t.Cond):
            return value
        if isinstance(value, int | t.Lin):
            return t.negation(t.equal(value, 0))
        return self.algebra.fresh_truth("truth", self.scope)

    def unknown(self, op: Operation, kind: Attribute) -> Any:
        return self._unknown(kind, "result", op)

    def arbitrary(self, op: Operation, kind: Attribute, example: Number) -> Any:
        return self._unknown(kind, "result", op)

    def _unknown(self, kind: Attribute, name: str, origin: object) -> Any:
        bits = scalar_bits(kind)
        if bits == 1:
            return self.algebra.fresh_truth(name, self.scope, origin)
        if bits is not None:
            return self.algebra.fresh(name, bits, self.scope, origin)
        if is_token(kind):
            return self.order.outside_token()
        if is_memref(kind):
            return self.view_of(Memory("unknown", name, space_of(kind)), kind, is_placed=False)
        return Opaque(object())

    def compute(self, op: Operation, function: Callable[..., Any], operands: Sequence[Any]) -> Any:
        self._taint(op, operands)
        result = self._unknown(op.results[0].type, "computed", op)
        return computed(op, operands) if isinstance(result, Opaque) else result

    def _taint(self, op: Operation, operands: Sequence[Any]) -> None:
        """An integer that leaves the terms must not hide that it depends on a layout."""
        for operand in operands:
            if isinstance(operand, t.Lin | t.Cond):
                self.note_layout(op, operand)

    def note_layout(self, op: Operation, value: Number | Condition) -> None:
        """Record a use of a capture's offset in `value`."""
        for var in t.variables(value):
            for checkpoint in self.active:
                for capture in checkpoint.captures:
                    if var in capture.layout_vars:
                        source = self.layout_ops.get(var, op)
                        view = capture.view.choices[0][1].through(checkpoint.info.id, capture)
                        use = LayoutUse(source, view, "offset", 1, *self._here())
                        checkpoint.layout_uses.append(use)

    def _here(self) -> tuple[tuple[Condition, ...], tuple[LoopInfo, ...]]:
        return tuple(self.conditions), tuple(self.loops)

    def merge(self, condition: Condition, a: Any, b: Any, kind: Attribute) -> Any:
        return joins.merge(self.algebra, condition, a, b)

    def measure(self, value: Any, read: Callable[[View], Number]) -> Number:
        if not isinstance(value, Views):
            raise UnsupportedError("a size of something that is not a memref")
        *others, (_, last) = value.choices
        result = read(last)
        for condition, view in reversed(others):
            result = self.algebra.choose(condition, read(view), result)
        return result

    def map_view(self, value: Any, change: Callable[[View], View]) -> Any:
        if not isinstance(value, Views):
            raise UnsupportedError("a view of something that is not a memref")
        changed = value.map(change)
        for (condition, old), (_, new) in zip(value.choices, changed.choices, strict=True):
            fresh = new.assumed[len(old.assumed) :]
            if fresh:
                reached = (*self.conditions, condition)
                self.defined.append(Defined(reached, fresh, tuple(self.loops)))
        return changed

    # Memory

    def view_of(self, memory: Memory, kind: Attribute, *, is_placed: bool = True) -> Views:
        """A view of a whole memory by its type; dynamic parts are fresh."""
        return placing.view_of(self, memory, kind, is_placed=is_placed)

    def allocate(self, op: Operation, kind: Attribute, sizes: Sequence[Number], space: str) -> Any:
        return placing.allocate(self, op, kind, sizes, space)

    def allocate_bytes(self, op: Operation, size: Number, space: str) -> Any:
        memory = Memory("alloc", "", space, extent=size, origin=op, scope=self.memory_scope)
        return Views(((True, View(memory, 0, None, (), None, 0, space)),))

    def global_memory(self, op: Operation, symbol: str, kind: Attribute | None) -> Any:
        return placing.global_memory(self, op, symbol, kind)

    def fresh(
        self, name: str, low: int | None, high: int | None = MAX_BYTES, origin: object = None
    ) -> Number:
        """An unknown number within bounds, new in each iteration of the current loops."""
        return Var(name, low, high, self.scope, origin).term()

    def open_size(self, op: Operation, view: View, unit: int) -> Number:
        return self.fresh("size", 0, MAX_BYTES // unit)

    def free(self, op: Operation, view: Any) -> None:
        self.touch(op, view, is_write=True, lifetime="free")

    def distinct(self, op: Operation, values: Sequence[Any]) -> Sequence[Any]:
        """Outside loops the op runs once, so its results can carry a common mark."""
        if self.loops:
            return values
        self.groups += 1
        return [
            self.map_view(
                v, lambda view, i=i: replace(view, objects=(*view.objects, (self.groups, i)))
            )
            for i, v in enumerate(values)
        ]

    # Accesses

    def load(self, op: Operation, view: Any, indices: Sequence[Number], kind: Attribute) -> Any:
        before = len(self.accesses)
        self._access(op, view, indices, kind, is_write=False)
        found = self.accesses[before:]
        value = None
        if len(found) == 1 and scalar_bits(kind) not in (None, 1):
            value = stored_before(self.accesses[:before], found[0], self.conditions, self.loops)
        if value is None:
            value = self._unknown(kind, "loaded", ("load", op))
        for access in found:
            access.content = content_of(value, access.size)
        return value

    def store(
        self, op: Operation, view: Any, indices: Sequence[Number], value: Any, kind: Attribute
    ) -> None:
        self._taint(op, [value])
        self._access(op, view, indices, kind, is_write=True, content=value)

    def _access(
        self,
        op: Operation,
        value: Any,
        indices: Sequence[Number],
        kind: Attribute,
        *,
        is_write: bool,
        content: Any = OPAQUE,
    ) -> None:
        size = element_of(kind).size
        if not isinstance(value, Views):
            raise UnsupportedError("an access through something that is not a memref")
        for condition, view in value.choices:
            address, inside = view.offset, list(view.assumed)
            if view.sizes is not None:
                if len(indices) != len(view.sizes):
                    raise UnsupportedError("an access with the wrong number of indices")
                for index, limit, stride in zip(indices, view.sizes, view.strides, strict=True):
                    address = address + self.algebra.multiply(index, stride)
                    inside += [t.at_most(0, index), t.less(index, limit)]
            place = Place(
                view, address, size, condition, tuple(inside), content=content_of(content, size)
            )
            record(self, op, place, is_write=is_write)
        self.step()

    def step(self) -> None:
        """Go to the next position of the program."""
        self.positions[-1] += 1

    def update(
        self, op: Operation, view: Any, indices: Sequence[Number], kind: Attribute, change: object
    ) -> Any:
        """The new value is not followed."""
        old = self.load(op, view, indices, kind)
        self.store(op, view, indices, self.unknown(op, kind), kind)
        return old

    def read_all(self, op: Operation, view: Any) -> Any:
        self.touch(op, view, is_write=False)
        return Copied(view) if isinstance(view, Views) else OPAQUE

    def write_all(self, op: Operation, view: Any, contents: Any, kind: Attribute) -> None:
        self.touch(op, view, is_write=True, contents=contents)

    def touch(
        self,
        op: Operation,
        value: Any,
        *,
        is_write: bool,
        contents: Any = OPAQUE,
        is_modelled: bool = True,
        lifetime: str = "",
    ) -> None:
        """One access to every element, as a loop over them without an order."""
        if not isinstance(value, Views):
            raise UnsupportedError("an access to something that is not a memref")
        for condition, view in value.choices:
            if is_empty(view):
                continue
            whole = spread_of(view)
            element = view.element
            content = None if element is None else content_of(contents, element.size)
            with ExitStack() as stack:
                if whole is not None and not whole.dims and isinstance(whole.run, int):
                    start, run = whole.start, whole.run
                    place = Place(view, start, run, condition, view.assumed, content=content)
                else:
                    elements = LoopInfo(op, "elements", is_unordered=True)
                    stack.enter_context(loops.inside(self, elements))
                    place = any_element(self, view, whole, condition, content)
                if isinstance(contents, Copied):
                    place = replace(place, idle=idle(contents.source, view, place))
                record(
                    self, op, place, is_write=is_write, is_modelled=is_modelled, lifetime=lifetime
                )
        self.step()

    def effects(
        self,
        op: Operation,
        reads: Sequence[Any],
        writes: Sequence[Any],
        *,
        reads_anywhere: bool = False,
        writes_anywhere: bool = False,
    ) -> None:
        for view in reads:
            self.touch(op, view, is_write=False, is_modelled=False)
        for view in writes:
            self.touch(op, view, is_write=True, is_modelled=False)
        anywhere = Views(((True, View(Memory("unknown", "any memory"), 0, None, (), None, 0)),))
        if reads_anywhere:
            self.touch(op, anywhere, is_write=False, is_modelled=False)
        if writes_anywhere:
            self.touch(op, anywhere, is_write=True, is_modelled=False)

    def touch_some(self, op: Operation, reads: Sequence[Any], writes: Sequence[Any]) -> None:
        self.effects(op, reads, writes)

    def believe(self, op: Operation, attribute: str) -> None:
        for checkpoint in self.active:
            checkpoint.believed.add(attribute)

    def assume(self, condition: Condition) -> None:
        self.conditions.append(condition)

    def require(self, condition: Condition) -> None:
        if condition is not True:
            place = Defined(tuple(self.conditions), (condition,), tuple(self.loops))
            self.defined.append(place)

    def reads_base(self, op: Operation, view: View) -> None:
        for var in t.variables(view.base):
            self.layout_ops[var] = op

    def address_of(self, op: Operation, view: Any, kind: Attribute) -> Any:
        for _, choice in view.choices:
            for checkpoint in self.active:
                if choice.capture_in(checkpoint.info.id) is not None:
                    use = LayoutUse(op, choice, "address", 1, *self._here())
                    checkpoint.layout_uses.append(use)
        return self._unknown(kind, "address", op)

    def check_alignment(self, op: Operation, view: Any, alignment: int) -> None:
        for _, choice in view.choices:
            natural = choice.element.size if choice.element is not None else 1
            if alignment <= natural:
                continue
            for checkpoint in self.active:
                if choice.capture_in(checkpoint.info.id) is not None:
                    use = LayoutUse(op, choice, "alignment", alignment, *self._here())
                    checkpoint.layout_uses.append(use)

    def layout_offset(self, op: Operation, view: Any, kind: Attribute) -> Number:
        layout = layout_of(kind)
        if layout.offset is not None:
            return layout.offset
        choice: View = view.choices[0][1]
        for var in t.variables(choice.base):
            self.layout_ops[var] = op
        return self.algebra.divide(choice.offset - choice.base, layout.element.size)

    # Control flow

    def execute(self, op: Operation) -> None:
        """Run one op that is not a terminator."""
        name = op_name(op)
        rule = rule_for(name)
        try:
            if rule is None:
                self._unknown_op(op, name)
            else:
                for result, value in zip(op.results, rule(self, op), strict=True):
                    self.env[result] = value
        except UnsupportedError as error:
            self.cannot_follow(op, str(error))

    def _unknown_op(self, op: Operation, name: str) -> None:
        is_pure = name.partition(".")[0] in PURE_DIALECTS or name in _SILENT
        is_pure = is_pure or name.startswith(_SILENT_PREFIXES)
        values = (*op.operands, *op.results)
        if is_pure and not op.regions and not any(touches_memory(v.type) for v in values):
            self._taint(op, [self.env.get(v) for v in op.operands])
            self.havoc_results(op)
        else:
            self.cannot_follow(op, f"the effects of `{name}` are not known")

    def havoc_results(self, op: Operation) -> None:
        """Nothing is known about the results of `op`."""
        for result in op.results:
            self.env[result] = self._unknown(result.type, "result", op)

    def cannot_follow(self, op: Operation, reason: str) -> None:
        """Record an op whose effects are not known, for every loop that it is in."""
        record = Unsupported(op, reason, self.order.issued & ~self.order.host.every)
        self.unsupported.append(record)
        for checkpoint in self.active:
            checkpoint.unsupported.append(record)
        self.havoc_results(op)
        self.step()

    def run_region(self, region: Region, arguments: Sequence[Any]) -> Sequence[Any]:
        if len(region.blocks) == 1:
            last = self.run_terminator(region, arguments)
            return [self.value(v) for v in last.operands]
        return graphs.run_graph(self, region, arguments)

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
        results: list[joins.End] = []
        missed: list[Condition] = []
        start = self.order.path()
        for condition, run in cases:
            taken = t.all_of([*missed, condition])
            missed.append(t.negation(condition))
            if t.all_of([*self.conditions, taken]) is False:
                continue
            self.order.resume(start)
            with self.under(taken):
                results.append(joins.end_of(self.order, condition, run()))
            if condition is True:
                break
        if not results:  # this point is never reached
            return [self._unknown(r.type, "result", op) for r in op.results]
        values = joins.join_ends(self.algebra, self.order, results)
        return values if op.results else []

    @contextmanager
    def under(self, condition: Condition) -> Generator[None]:
        """Run with one more path condition."""
        depth = len(self.conditions)
        self.conditions.append(condition)
        try:
            yield
        finally:
            del self.conditions[depth:]

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
        target = self.symbols[symbol]
        if len(self.calls) >= MAX_CALL_DEPTH or any(
            self.symbols.get(_callee(c)) is target for c in self.calls
        ):
            raise UnsupportedError(f"the call of `@{symbol}` is recursive or too deep")
        self.calls.append(op)
        try:
            results = self.run_region(target.regions[0], arguments)
        finally:
            self.calls.pop()
        if len(results) != len(op.results):  # it never returns
            return [self._unknown(r.type, "result", op) for r in op.results]
        return results

    def device_op(
        self, op: Operation, dependencies: Sequence[Any], body: Callable[[], None]
    ) -> Any:
        return tasks.device_op(self, op, dependencies, body)

    def wait(self, op: Operation, tokens: Sequence[Any]) -> Any:
        return tasks.wait(self, op, tokens)

    def task(
        self, op: Operation, dependencies: Sequence[Any], body: Callable[[], Sequence[Any]]
    ) -> tuple[Any, Sequence[Any]]:
        return tasks.task(self, op, dependencies, body)

    def await_value(self, op: Operation, value: Any) -> Any:
        return tasks.await_value(self, op, value)

    def begin_life(self, op: Operation, view: Any) -> None:
        self.touch(op, view, is_write=True, lifetime="alloc")

    def unwrap(self, value: Any) -> Any:
        return value.value if isinstance(value, AsyncValue) else value

    def create_group(self, op: Operation, group: SSAValue) -> Any:
        return tasks.create_group(self, group)

    def add_to_group(self, op: Operation, group: SSAValue, member: Any) -> None:
        tasks.add_to_group(self, group, member)

    def await_group(self, op: Operation, group: SSAValue) -> None:
        tasks.await_group(self, group)

    def thread_ids(self) -> dict[str, Number]:
        return self.ids

    def barrier(self, op: Operation) -> None:
        return

    def launch_compiled(
        self, op: Operation, region: Region, grid: Sequence[Number], arguments: Sequence[Any]
    ) -> bool:
        return False

    @contextmanager
    def in_kernel(self, ids: dict[str, Number]) -> Generator[None]:
        old, self.ids = self.ids, ids
        try:
            yield
        finally:
            self.ids = old


def _callee(call: Operation) -> str:
    return symbol_ref(call, "callee") or ""
