"""The concrete machine: runs a function on byte arrays, one op after the other."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Protocol, TypeAlias, TypeVar

import numpy as np
from xdsl.dialects import builtin
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from verify.ir.names import attr, nearest_symbol, op_name
from verify.replay.arrays import CPU, Arrays
from verify.replay.buffers import (
    Buffer,
    byte_place,
    decode,
    decode_element,
    encode,
    initial_bytes,
    read_bytes,
    write_bytes,
)
from verify.replay.inputs import Inputs, fill
from verify.replay.loop_runs import ForRun, GridRun, LoopRun, OutOfStepsError, WhileRun, run_to_end
from verify.replay.scheduler import Promise, Scheduler
from verify.replay.thread_blocks import BARRIERS, KERNELS, Team, needs_team, run_grid
from verify.semantics.algebra import ConcreteAlgebra, UndefinedBehaviourError
from verify.semantics.machine import Rule, edges_of, parameters, rule_for
from verify.semantics.memref import dense_strides
from verify.semantics.term import whole
from verify.semantics.types import (
    Element,
    Layout,
    UnsupportedError,
    element_of,
    is_memref,
    is_pointer,
    is_token,
    layout_of,
    space_of,
)
from verify.semantics.values import OPAQUE, View
from verify.semantics.views_by_name import is_checkpointed

_Given = TypeVar("_Given")
_Step: TypeAlias = "tuple[Operation, Rule | None, Sequence[SSAValue]]"
WORKGROUP = "3"
VIEW_OUTSIDE = "a view reaches outside its source"


class Listener(Protocol):
    """Who watches a run: told of reads, and of the iterations of checkpointed loops."""

    def on_read(self, op: Operation, view: View, place: int, size: int, value: Any) -> None: ...

    def on_write(self, op: Operation, view: View, place: int, size: int) -> None: ...

    def on_layout(self, op: Operation, view: View, value: int) -> None: ...

    def on_loop(self, machine: ConcreteMachine, op: Operation, run: LoopRun) -> Sequence[Any]: ...


class ConcreteMachine:
    """See the module. Memory lives in `buffers`; the environment maps SSA values to values.

    `arrays` says where the bytes of its buffers are held.
    """

    def __init__(
        self,
        symbols: dict[str, Operation],
        inputs: Inputs,
        listener: Listener | None = None,
        max_steps: int = 200_000,
        scheduler: Scheduler | None = None,
        arrays: Arrays = CPU,
    ) -> None:
        self.algebra = ConcreteAlgebra()
        self.symbols = symbols
        self.inputs = inputs
        self.listener = listener
        self.scheduler = scheduler or Scheduler()
        self.arrays = arrays
        self.steps_left = max_steps
        self.env: dict[SSAValue, Any] = {}
        self.buffers: list[Buffer] = []
        self.globals: dict[str, Buffer] = {}
        self.silent: list[str] = []
        self.ids: dict[str, int] = {}
        self.depth = 0
        self.team: Team | None = None
        self.next_address = 1 << 20
        self.current: Operation | None = None
        self.raw_element: Element | None = None
        self.initial: dict[int, list[int]] = {}
        self._steps: dict[int, Sequence[_Step]] = {}

    # Values

    def value(self, operand: SSAValue) -> Any:
        return self.env[operand]

    def is_known(self, operand: SSAValue) -> bool:
        """Whether a value has been computed."""
        return operand in self.env

    def number(self, operand: SSAValue) -> int:
        value = self.env[operand]
        if isinstance(value, bool):
            return -1 if value else 0
        if not isinstance(value, int):
            raise UnsupportedError(f"a number of type {operand.type}")
        return value

    def truth(self, operand: SSAValue) -> bool:
        value = self.env[operand]
        if isinstance(value, bool | np.bool_):
            return bool(value)
        if isinstance(value, int):
            return value != 0
        raise UnsupportedError(f"a truth value of type {operand.type}")

    def unknown(self, op: Operation, kind: Attribute) -> Any:
        if is_token(kind):
            return self.scheduler.join([])
        raise UnsupportedError(f"`{op_name(op)}` gives a value that is not modelled")

    def arbitrary(self, op: Operation, kind: Attribute, example: Any) -> Any:
        return example

    def compute(self, op: Operation, function: Callable[..., Any], operands: Sequence[Any]) -> Any:
        if any(v is OPAQUE for v in operands):
            raise UnsupportedError(f"`{op_name(op)}` on a value that is not modelled")
        return function(*operands)

    def merge(self, condition: Any, a: Any, b: Any, kind: Attribute) -> Any:
        return a if condition else b

    def measure(self, value: Any, read: Callable[[View], Any]) -> Any:
        return read(value)

    def map_view(self, value: Any, change: Callable[[View], View]) -> Any:
        if not isinstance(value, View):
            raise UnsupportedError("a view of something that is not a memref")
        view = change(value)
        if False in view.assumed:
            raise UndefinedBehaviourError(VIEW_OUTSIDE)
        return view

    # Memory

    def new_buffer(self, size: int, name: str, space: str = "") -> Buffer:
        """A fresh allocation of `size` bytes."""
        if not 0 <= size <= 1 << 24:
            raise UndefinedBehaviourError(f"an allocation of {size} bytes")
        data = self.arrays.zeros(size)
        buffer = Buffer(data, name, space, address=self.next_address, arrays=self.arrays)
        self.next_address += (size + 511) // 256 * 256
        self.buffers.append(buffer)
        return buffer

    def allocate(self, op: Operation, kind: Attribute, sizes: Sequence[Any], space: str) -> View:
        if space == WORKGROUP and self.team is not None:
            return self.team.shared(lambda: self._allocate(op, kind, sizes, space))
        return self._allocate(op, kind, sizes, space)

    def _allocate(self, op: Operation, kind: Attribute, sizes: Sequence[Any], space: str) -> View:
        layout = layout_of(kind)
        dynamic = iter(sizes)
        shape = [next(dynamic, 0) if s is None else s for s in layout.shape]
        unit = layout.element.size
        if any(s < 0 for s in shape):
            raise UndefinedBehaviourError("an allocation of negative size")
        strides = self._strides(layout, shape)
        start = (layout.offset or 0) * unit
        extent = start + unit + sum((n - 1) * s for n, s in zip(shape, strides, strict=True) if n)
        buffer = self.new_buffer(max(extent, 0) if all(shape) else start, "allocation", space)
        self._fill_fresh(op, buffer, layout.element)
        # A launch with a token makes workgroup memory, which is there at once.
        is_asynchronous = any(is_token(r.type) for r in op.results)
        buffer.is_freed = op_name(op) == "gpu.alloc" and is_asynchronous  # until its token is ready
        return View(buffer, start, tuple(shape), tuple(strides), layout.element, 0, layout.space)

    def _strides(self, layout: Layout, shape: Sequence[int]) -> list[int]:
        unit = layout.element.size
        if layout.is_identity:
            return [whole(s) for s in dense_strides(self, shape, unit)]
        if None in layout.strides:
            raise UnsupportedError("an allocation with a dynamic stride")
        return [s * unit for s in layout.strides if s is not None]

    def _fill_fresh(self, op: Operation, buffer: Buffer, element: Any) -> None:
        """Uninitialised memory: the same each time an op allocates at the same place."""
        size = len(buffer.data)
        draw = self._drawing(element, ("fresh", size))
        self.fill(buffer, element, f"fresh {size} bytes of {element.name}", draw)

    def fill(
        self, buffer: Buffer, element: Element, name: str, draw: Callable[[Any], None]
    ) -> None:
        """Give a buffer the contents that the inputs have under `name`, or what `draw` makes."""
        contents = buffer.host()
        self.inputs.settle(name, contents, element, partial(draw, contents[: self.inputs.drawn]))
        buffer.assign(contents)

    def _drawing(self, element: Element, salt: object) -> Callable[[Any], None]:
        return lambda contents: fill(contents, element, self.inputs.generator(salt))

    def allocate_bytes(self, op: Operation, size: Any, space: str) -> View:
        buffer = self.new_buffer(int(size), "allocation", space)
        return View(buffer, 0, None, (), None, 0, space)

    def global_memory(self, op: Operation, symbol: str, kind: Attribute | None) -> View:
        symbol = nearest_symbol(self.symbols, op, symbol)
        buffer = self.globals.get(symbol)
        target = self.symbols.get(symbol)
        if buffer is None:
            buffer = self._make_global(symbol, target, kind)
            self.globals[symbol] = buffer
        if not isinstance(kind, builtin.MemRefType):
            return View(buffer, 0, None, (), None, 0, space_of(op.results[0].type))
        layout = layout_of(kind)
        shape = [s for s in layout.shape if s is not None]
        strides = self._strides(layout, shape)
        return View(buffer, 0, tuple(shape), tuple(strides), layout.element, 0, layout.space)

    def _make_global(self, symbol: str, target: Operation | None, kind: Attribute | None) -> Buffer:
        if kind is None and target is not None:
            from verify.semantics.llvm import size_in_bytes

            content = attr(target, "global_type")
            if content is None:
                raise UnsupportedError(f"the global `@{symbol}`")
            buffer = self.new_buffer(size_in_bytes(content), f"@{symbol}")
            raw = initial_bytes(attr(target, "value"))
            if len(raw) == len(buffer.data):
                buffer.data[:] = self.arrays.from_bytes(raw)
            else:
                self.fill(buffer, Element("i8", "int", 8), buffer.name, self._any_bytes(symbol))
            return buffer
        if not isinstance(kind, builtin.MemRefType):
            raise UnsupportedError(f"the global `@{symbol}`")
        layout = layout_of(kind)
        total = layout.element.size
        for size in layout.shape:
            total *= size or 0
        buffer = self.new_buffer(total, f"@{symbol}", layout.space)
        draw = self._drawing(layout.element, ("global", symbol))
        self.fill(buffer, layout.element, buffer.name, draw)
        initial = attr(target, "initial_value") if target is not None else None
        if raw := initial_bytes(initial):
            repeat = total // max(1, len(raw)) if len(raw) < total else 1
            buffer.data[:] = self.arrays.from_bytes((raw * repeat)[:total])
        return buffer

    def _any_bytes(self, symbol: str) -> Callable[[Any], None]:
        def draw(contents: Any) -> None:
            drawn = self.inputs.generator(("global", symbol)).randbytes(len(contents))
            contents[:] = np.frombuffer(drawn, np.uint8)

        return draw

    def open_size(self, op: Operation, view: View, unit: int) -> int:
        return max(0, (len(view.memory.data) - whole(view.offset)) // unit)

    def free(self, op: Operation, view: Any) -> None:
        view.memory.is_freed = True
        self._touch_all(op, view)

    def _touch_all(self, op: Operation, view: View) -> None:
        """The beginning or end of a memory counts as a write of all of it."""
        if self.listener is not None:
            self.listener.on_write(op, view, 0, len(view.memory.data))

    def distinct(self, op: Operation, values: Sequence[Any]) -> Sequence[Any]:
        seen: set[tuple[int, int]] = set()
        for view in values:
            unit = view.element.size if view.element is not None else 1
            own = {(view.memory.id, p + k) for p in self.places(view) for k in range(unit)}
            if seen & own:
                raise UndefinedBehaviourError("objects that are stated to be distinct overlap")
            seen |= own
        return values

    # Accesses

    def load(self, op: Operation, view: Any, indices: Sequence[Any], kind: Attribute) -> Any:
        place = byte_place(view, tuple(indices))
        buffer: Buffer = view.memory
        if is_memref(kind):
            value = buffer.objects.get(place)
            if value is None:
                raise UnsupportedError("a pointer loaded from memory")
            return value
        size = element_of(kind).size
        value = decode(read_bytes(buffer, place, size), kind)
        if self.listener is not None:
            self.listener.on_read(op, view, place, size, value)
        return value

    def store(
        self, op: Operation, view: Any, indices: Sequence[Any], value: Any, kind: Attribute
    ) -> None:
        place = byte_place(view, tuple(indices))
        if is_memref(kind):
            view.memory.objects[place] = value
            return
        if value is OPAQUE:
            raise UnsupportedError(f"`{op_name(op)}` stores a value that is not modelled")
        content = encode(value, kind)
        write_bytes(view.memory, place, content)
        if self.listener is not None:
            self.listener.on_write(op, view, place, len(content))

    def update(
        self,
        op: Operation,
        view: Any,
        indices: Sequence[Any],
        kind: Attribute,
        change: Callable[[Any], Any],
    ) -> Any:
        old = self.load(op, view, indices, kind)
        self.store(op, view, indices, change(old), kind)
        return old

    def places(self, view: View) -> Iterator[int]:
        """The byte of every element, in row-major order."""
        if view.sizes is None:
            raise UnsupportedError("an access to a whole unranked memref")
        shape = tuple(whole(s) for s in view.sizes)
        if any(size < 0 for size in shape):
            raise UndefinedBehaviourError("a view of negative size")
        for indices in np.ndindex(*shape):
            yield byte_place(view, indices)

    def read_all(self, op: Operation, view: Any) -> list[bytes]:
        unit = view.element.size
        contents: list[bytes] = []
        for place in self.places(view):
            contents.append(read_bytes(view.memory, place, unit))
            if self.listener is not None:
                value = decode_element(contents[-1], view.element)
                self.listener.on_read(op, view, place, unit, value)
        return contents

    def write_all(self, op: Operation, view: Any, contents: Any, kind: Attribute) -> None:
        places = list(self.places(view))
        if not isinstance(contents, list):
            element = kind.element_type if isinstance(kind, builtin.MemRefType) else kind
            contents = [encode(contents, element)] * len(places)
        if len(contents) != len(places):
            raise UndefinedBehaviourError("a copy between views of different sizes")
        for place, content in zip(places, contents, strict=True):
            write_bytes(view.memory, place, content)
            if self.listener is not None:
                self.listener.on_write(op, view, place, len(content))

    def effects(
        self,
        op: Operation,
        reads: Sequence[Any],
        writes: Sequence[Any],
        *,
        reads_anywhere: bool = False,
        writes_anywhere: bool = False,
    ) -> None:
        """Something without a body may do nothing at all, and in a concrete run it does so."""
        self.silent.append(op_name(op))

    def touch_some(self, op: Operation, reads: Sequence[Any], writes: Sequence[Any]) -> None:
        raise UnsupportedError(f"`{op_name(op)}` is not run")

    def believe(self, op: Operation, attribute: str) -> None:
        return

    def assume(self, condition: Any) -> None:
        if not condition:
            raise UndefinedBehaviourError("an assumption does not hold")

    def require(self, condition: Any) -> None:
        if not condition:
            raise UndefinedBehaviourError("an op is used on operands that do not fit")

    def reads_base(self, op: Operation, view: View) -> None:
        return

    def address_of(self, op: Operation, view: Any, kind: Attribute) -> Any:
        address = view.memory.address + int(view.offset)
        if self.listener is not None:
            self.listener.on_layout(op, view, address)
        return self.algebra.wrap(address, element_of(kind).bits)

    def check_alignment(self, op: Operation, view: Any, alignment: int) -> None:
        address = view.memory.address + int(view.offset)
        if view.memory.valid is not None and address % alignment:
            raise MisalignedCopyError(op, address, alignment)

    def layout_offset(self, op: Operation, view: Any, kind: Attribute) -> int:
        offset = (int(view.offset) - int(view.base)) // layout_of(kind).element.size
        if self.listener is not None and layout_of(kind).offset is None:
            self.listener.on_layout(op, view, offset)
        return offset

    # Control flow

    def _prepared(self, block: Block) -> Sequence[_Step]:
        """The ops of a block with their rules; blocks stay as they are during a run."""
        if id(block) not in self._steps:
            steps = [(op, self.rule_of(op), tuple(op.results)) for op in block.ops]
            self._steps[id(block)] = steps
        return self._steps[id(block)]

    def rule_of(self, op: Operation) -> Rule | None:
        """What an op means, if that is modelled."""
        return rule_for(op_name(op))

    def run_region(self, region: Region, arguments: Sequence[Any]) -> Sequence[Any]:
        block = region.blocks[0]
        while True:
            for parameter, argument in parameters(block, arguments):
                self.env[parameter] = argument
            last = self._run_ops(block)
            onward = edges_of(self, last, op_name(last))
            if onward is None:
                return [self.env[v] for v in last.operands]
            self.steps_left -= 1
            block, arguments = next((b, v) for c, b, v in onward if c)

    def _run_ops(self, block: Block) -> Operation:
        op = None
        for op, rule, results in self._prepared(block):
            self.steps_left -= 1
            if self.steps_left < 0:
                raise OutOfStepsError
            if rule is None:
                raise UnsupportedError(f"`{op_name(op)}` is not modelled")
            self.current = op
            for result, value in zip(results, rule(self, op), strict=True):
                self.env[result] = value
        if op is None:
            raise UnsupportedError("an empty block")
        return op

    def run_terminator(self, region: Region, arguments: Sequence[Any]) -> Operation:
        if len(region.blocks) != 1:
            raise UnsupportedError("a loop body of several blocks")
        block = region.blocks[0]
        for parameter, argument in parameters(block, arguments):
            self.env[parameter] = argument
        return self._run_ops(block)

    def branch(
        self, op: Operation, cases: Sequence[tuple[Any, Callable[[], Sequence[Any]]]]
    ) -> Sequence[Any]:
        return next(run() for condition, run in cases if condition)

    def for_loop(
        self,
        op: Operation,
        bounds: tuple[Any, Any, Any],
        initial: Sequence[Any],
        region: Region,
    ) -> Sequence[Any]:
        lower, upper, step = bounds
        if step <= 0:
            raise UndefinedBehaviourError("a loop whose step is not positive")
        return self._run_loop(op, ForRun(self, lower, upper, step, initial, region))

    def while_loop(self, op: Operation, initial: Sequence[Any]) -> Sequence[Any]:
        return self._run_loop(op, WhileRun(self, op, initial))

    def grid_loop(
        self,
        op: Operation,
        bounds: Sequence[tuple[Any, Any, Any]],
        initial: Sequence[Any],
        body: Callable[[Sequence[Any], Sequence[Any]], Sequence[Any]],
    ) -> Sequence[Any]:
        if any(step <= 0 for _, _, step in bounds):
            raise UndefinedBehaviourError("a loop whose step is not positive")
        if needs_team(self, op):
            run_grid(self, bounds, body)
            return []
        if op_name(op) not in KERNELS and any(op_name(inner) in BARRIERS for inner in op.walk()):
            raise UnsupportedError("a barrier between the threads of a loop")
        return self._run_loop(op, GridRun(self, bounds, initial, body))

    def _run_loop(self, op: Operation, run: LoopRun) -> Sequence[Any]:
        if self.listener is not None and is_checkpointed(op):
            return self.listener.on_loop(self, op, run)
        return run_to_end(self, run)

    def function_named(self, op: Operation, symbol: str) -> Operation | None:
        return self.symbols.get(nearest_symbol(self.symbols, op, symbol))

    def call(self, op: Operation, symbol: str, arguments: Sequence[Any]) -> Sequence[Any]:
        self.depth += 1
        if self.depth > 64:
            raise OutOfStepsError
        try:
            saved = dict(self.env)
            target = self.symbols[nearest_symbol(self.symbols, op, symbol)]
            results = self.run_region(target.regions[0], arguments)
            self.env = saved
        finally:
            self.depth -= 1
        return results

    def device_op(
        self, op: Operation, dependencies: Sequence[Any], body: Callable[[], None]
    ) -> Any:
        is_async = any(is_token(r.type) for r in op.results)
        work = self._from_here(body) if is_async and op.regions else body
        return self.scheduler.device_op(op, dependencies, work, is_async=is_async)

    def wait(self, op: Operation, tokens: Sequence[Any]) -> Any:
        return self.scheduler.join(tokens) if op.results else self.scheduler.wait(tokens)

    def task(
        self, op: Operation, dependencies: Sequence[Any], body: Callable[[], Sequence[Any]]
    ) -> tuple[Any, Sequence[Any]]:
        run = self._from_here(body)
        return self.scheduler.task(op, dependencies, run, len(op.results) - 1)

    def _from_here(self, body: Callable[[], _Given]) -> Callable[[], _Given]:
        """What runs a region later with the values of this point."""
        seen = dict(self.env)

        def run() -> _Given:
            outer, self.env = self.env, seen
            try:
                return body()
            finally:
                self.env = outer

        return run

    def await_value(self, op: Operation, value: Any) -> Any:
        self.scheduler.wait([value])
        return self.unwrap(value)

    def begin_life(self, op: Operation, view: Any) -> None:
        view.memory.is_freed = False
        self._touch_all(op, view)

    def unwrap(self, value: Any) -> Any:
        return value.get() if isinstance(value, Promise) else value

    def create_group(self, op: Operation, group: SSAValue) -> Any:
        members: list[Any] = []
        return members

    def add_to_group(self, op: Operation, group: SSAValue, member: Any) -> None:
        self.env[group].append(member)

    def await_group(self, op: Operation, group: SSAValue) -> None:
        self.scheduler.wait(self.env[group])

    def thread_ids(self) -> dict[str, int]:
        return self.ids

    def barrier(self, op: Operation) -> None:
        if self.team is not None:
            self.team.wait(op)
        elif self.ids:
            raise UnsupportedError("a barrier in a function that a kernel calls")

    def launch_compiled(
        self, op: Operation, region: Region, grid: Sequence[Any], arguments: Sequence[Any]
    ) -> bool:
        launcher = self.arrays.launcher
        return launcher is not None and launcher.launch(self, op, region, grid, arguments)

    @contextmanager
    def in_kernel(self, ids: dict[str, Any]) -> Generator[None]:
        old, self.ids = self.ids, ids
        try:
            yield
        finally:
            self.ids = old

    # Inputs

    def argument(self, position: int, value: SSAValue) -> Any:
        """The value of a function argument."""
        from verify.replay.arguments import make_argument

        return make_argument(self, position, value.type, is_raw=is_pointer(value.type))


class MisalignedCopyError(Exception):
    """A replay assumed an alignment that a snapshot's copy does not have."""

    def __init__(self, op: Operation, address: int, alignment: int) -> None:
        super().__init__(f"a copy at address {address} is not aligned to {alignment} bytes")
        self.op, self.address, self.alignment = op, address, alignment
