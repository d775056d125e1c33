"""The machine that prints: it runs the rules of a kernel's ops once, and writes C++ as it goes.

Each SSA value becomes a variable that is assigned where its op stands. A variable of an inner
expression is written out at its use, which is right for as long as what it is made of keeps its
value there: that holds for SSA values, whose definitions are on the way to every use.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from typing import Any, NoReturn

from xdsl.dialects import builtin
from xdsl.ir import Attribute, Operation, Region, SSAValue

from verify.ir.names import nearest_symbol, op_name
from verify.replay.cuda import flow, memory
from verify.replay.cuda.algebra import CudaAlgebra, bounds_of
from verify.replay.cuda.expressions import Node, exact
from verify.replay.cuda.places import (
    Pointer,
    Real,
    float_type,
    integer_bits,
    take_over,
    truth_variable,
    variable,
)
from verify.replay.cuda.writer import Writer
from verify.semantics import term as t
from verify.semantics.algebra import bit_range
from verify.semantics.floats import is_scalar_float
from verify.semantics.machine import parameters, rule_for
from verify.semantics.memref import byte_offset, dense_strides
from verify.semantics.rounding import Formula
from verify.semantics.term import Condition, Number, Truth, Var
from verify.semantics.types import (
    Layout,
    UnsupportedError,
    element_of,
    is_token,
    layout_of,
)
from verify.semantics.values import OPAQUE, View

MOST_LOCAL_BYTES = 1 << 16
MOST_SHARED_BYTES = 48 << 10
MOST_CALLS = 16
WORKGROUP = "3"


class CudaMachine:
    """See the module. `entry` is the kernel's op; `inputs` are globals that it takes as well.

    A `checked` kernel traps where an index is out of its view's bounds.
    """

    def __init__(
        self, symbols: Mapping[str, Operation], entry: Operation, *, checked: bool = False
    ) -> None:
        self.symbols = symbols
        self.entry = entry
        self.checked = checked
        self.writer = Writer()
        self.algebra = CudaAlgebra(self._name)
        self.env: dict[SSAValue, Any] = {}
        self.ids: Mapping[str, Number] = {}
        self.loops: tuple[int, ...] = ()
        self.depth = 0
        self.bytes = {False: 0, True: 0}
        self.ulps: dict[str, int] = {}
        self.globals: dict[str, tuple[Attribute | None, View]] = {}
        self.new_global: Callable[[str, Operation, Attribute | None], View] | None = None

    # Values

    def value(self, operand: SSAValue) -> Any:
        return self.env[operand]

    def number(self, operand: SSAValue) -> Number:
        return self.as_number(self.env[operand])

    def truth(self, operand: SSAValue) -> Condition:
        return self.as_truth(self.env[operand])

    def as_number(self, value: Any) -> Number:
        """A value as a number."""
        if isinstance(value, bool | t.Cond):
            return self.algebra.choose(value, -1, 0)
        if isinstance(value, int | t.Lin):
            return value
        raise UnsupportedError("a number that has no form in C")

    def as_truth(self, value: Any) -> Condition:
        """A value as a truth value."""
        if isinstance(value, bool | t.Cond):
            return value
        return t.negation(t.equal(self.as_number(value), 0))

    def named(self, hint: str | None, low: int, high: int) -> Number:
        """A number in a new variable."""
        return variable(self.writer, hint, low, high)

    def number_of(self, text: str, bits: int, hint: str | None) -> Number:
        """A number of `bits` bits in a new variable with the value of an expression."""
        number = self.named(hint, *bit_range(bits))
        self.writer.put(f"{exact(number)} = {text};")
        return number

    def _name(self, var: Var) -> Number:
        number = self.named(None, *bounds_of(var.term()))
        self.writer.assign(take_over(number, var.term()))
        return number

    def settled(self, value: Any, hint: str | None) -> Any:
        """A value in variables of its own, unless it is a constant or is in one already."""
        if isinstance(value, t.Lin) and not _is_named(value):
            return self._settle(value, self.named(hint, *bounds_of(value)))
        if isinstance(value, t.Cond) and not isinstance(value, Truth):
            return self._settle(value, truth_variable(self.writer, hint))
        return value

    def _settle(self, value: Any, place: Any) -> Any:
        self.writer.assign(take_over(place, value))
        return place

    def unknown(self, op: Operation, kind: Attribute) -> Any:
        return OPAQUE if is_token(kind) else self.refuse(op)

    def refuse(self, op: Operation) -> NoReturn:
        """There is no source for an op."""
        raise UnsupportedError(f"`{op_name(op)}` in a kernel")

    def arbitrary(self, op: Operation, kind: Attribute, example: Number) -> Any:
        return example

    def compute(self, op: Operation, function: Formula, operands: Sequence[Any]) -> Any:
        kind = op.results[0].type
        text = function.text([self._operand(v) for v in operands])
        if function.ulps:
            self.ulps[op_name(op)] = function.ulps
        hint = op.results[0].name_hint
        bits = integer_bits(kind)
        if bits == 1:
            return self._assigned(truth_variable(self.writer, hint), text)
        if bits is not None:
            return self.number_of(text, bits, hint)
        if not is_scalar_float(kind):
            self.refuse(op)
        element = element_of(kind)
        if not operands:
            return Real(f"({text})", element)
        place = Real(self.writer.declare(hint, float_type(element)), element)
        return self._assigned(place, text)

    def _assigned(self, place: Any, text: str) -> Any:
        name = place.var.name if isinstance(place, Truth) else place.text
        self.writer.put(f"{name} = {text};")
        return place

    def _operand(self, value: Any) -> str:
        if isinstance(value, Real):
            return value.text
        return exact(self.as_number(value), 64)

    def merge(self, condition: Condition, a: Any, b: Any, kind: Attribute) -> Any:
        return flow.merge(self, condition, a, b, kind)

    def map_view(self, value: Any, change: Callable[[View], View]) -> Any:
        if not isinstance(value, View):
            raise UnsupportedError("a view of something that is not a memref")
        return replace(change(value), assumed=())

    def measure(self, value: Any, read: Callable[[View], Number]) -> Number:
        return read(value)

    # Memory

    def in_loop(self) -> AbstractContextManager[None]:
        """Where code may run several times."""
        return flow.in_loop(self)

    def local_bytes(self, hint: str, size: int, *, is_shared: bool) -> str:
        """An array of a thread or of a block, in a variable."""
        self.bytes[is_shared] += size
        if self.bytes[is_shared] > (MOST_SHARED_BYTES if is_shared else MOST_LOCAL_BYTES):
            raise UnsupportedError("more local memory than a kernel has")
        name = self.writer.fresh(hint)
        space = "__shared__ " if is_shared else ""
        self.writer.declarations.append(f"alignas(16) {space}byte {name}[{size}];")
        return name

    def allocate(self, op: Operation, kind: Attribute, sizes: Sequence[Number], space: str) -> View:
        layout = layout_of(kind)
        shape = _static(layout, sizes)
        if space == WORKGROUP and op is not self.entry:
            raise UnsupportedError(f"`{op_name(op)}` of workgroup memory in a kernel")
        unit = layout.element.size
        strides = dense_strides(self, shape, unit) if layout.is_identity else _strides(layout)
        start = (layout.offset or 0) * unit
        steps = [s for s in strides if isinstance(s, int)]
        reach = sum((n - 1) * s for n, s in zip(shape, steps, strict=True)) if all(shape) else 0
        hint = "shared" if space == WORKGROUP else "local"
        name = self.local_bytes(hint, start + reach + unit, is_shared=space == WORKGROUP)
        pointer = Pointer(name, {self.loops})
        return View(pointer, start, tuple(shape), tuple(strides), layout.element, 0, layout.space)

    def allocate_bytes(self, op: Operation, size: Number, space: str) -> View:
        if not isinstance(size, int) or not 0 <= size <= MOST_LOCAL_BYTES:
            raise UnsupportedError(f"`{op_name(op)}` of unknown or great size in a kernel")
        pointer = Pointer(self.local_bytes("local", size or 1, is_shared=False), {self.loops})
        return View(pointer, 0, None, (), None, 0, space)

    def global_memory(self, op: Operation, symbol: str, kind: Attribute | None) -> View:
        if self.new_global is None:
            self.refuse(op)
        symbol = nearest_symbol(self.symbols, op, symbol)
        if symbol not in self.globals:
            self.globals[symbol] = (kind, self.new_global(symbol, op, kind))
        known, view = self.globals[symbol]
        if known != kind:
            raise UnsupportedError(f"the global `@{symbol}` as two types in a kernel")
        return view

    def free(self, op: Operation, view: Any) -> None:
        if not view.memory.owners:
            self.refuse(op)

    def open_size(self, op: Operation, view: View, unit: int) -> Number:
        node = Node("unknown", ("a size that a kernel does not know",))
        return self.algebra.node(node, 0, (1 << 63) - 1)

    def distinct(self, op: Operation, values: Sequence[Any]) -> Sequence[Any]:
        return values

    def load(self, op: Operation, view: Any, indices: Sequence[Number], kind: Attribute) -> Any:
        hint = op.results[0].name_hint if op.results else None
        return memory.loaded(self, self._place(view, indices), kind, hint)

    def store(
        self, op: Operation, view: Any, indices: Sequence[Number], value: Any, kind: Attribute
    ) -> None:
        memory.stored(self, self._place(view, indices), value, kind)

    def update(
        self,
        op: Operation,
        view: Any,
        indices: Sequence[Number],
        kind: Attribute,
        change: Callable[[Any], Any],
    ) -> Any:
        return memory.updated(self, self._place(view, indices), kind, change)

    def _place(self, view: View, indices: Sequence[Number]) -> str:
        if view.sizes is None:
            return memory.address(view, view.offset)
        if self.checked:
            bounds = zip(indices, view.sizes, strict=True)
            inside = t.all_of(c for i, n in bounds for c in (t.at_most(0, i), t.less(i, n)))
            self.assume(inside)
        return memory.address(view, byte_offset(self, view, indices))

    def read_all(self, op: Operation, view: Any) -> Any:
        return memory.Contents(view)

    def write_all(self, op: Operation, view: Any, contents: Any, kind: Attribute) -> None:
        if isinstance(contents, memory.Contents):
            memory.copied(self, view, contents.view)
            return
        element = kind.element_type if isinstance(kind, builtin.MemRefType) else kind
        memory.filled(self, view, contents, element)

    def effects(
        self,
        op: Operation,
        reads: Sequence[Any],
        writes: Sequence[Any],
        *,
        reads_anywhere: bool = False,
        writes_anywhere: bool = False,
    ) -> None:
        raise UnsupportedError(f"`{op_name(op)}` of something without a body in a kernel")

    def touch_some(self, op: Operation, reads: Sequence[Any], writes: Sequence[Any]) -> None:
        self.refuse(op)

    def believe(self, op: Operation, attribute: str) -> None:
        return

    def assume(self, condition: Condition) -> None:
        flow.trap_unless(self, condition)

    def require(self, condition: Condition) -> None:
        return

    def reads_base(self, op: Operation, view: View) -> None:
        return

    def address_of(self, op: Operation, view: Any, kind: Attribute) -> Any:
        return self.number_of(f"(i64)({memory.address(view, view.offset)})", 64, None)

    def check_alignment(self, op: Operation, view: Any, alignment: int) -> None:
        return

    def layout_offset(self, op: Operation, view: Any, kind: Attribute) -> Number:
        return self.algebra.divide(view.offset - view.base, layout_of(kind).element.size)

    # Control flow

    def execute(self, op: Operation) -> None:
        """Print one op that is not a terminator."""
        rule = rule_for(op_name(op))
        if rule is None:
            self.refuse(op)
        for result, value in zip(op.results, rule(self, op), strict=True):
            self.env[result] = self.settled(value, result.name_hint)

    def run_region(self, region: Region, arguments: Sequence[Any]) -> Sequence[Any]:
        if len(region.blocks) > 1:
            return flow.run_blocks(self, region, arguments)
        last = self.run_terminator(region, arguments)
        return [self.env[v] for v in last.operands]

    def run_terminator(self, region: Region, arguments: Sequence[Any]) -> Operation:
        if len(region.blocks) != 1:
            raise UnsupportedError("a loop body of several blocks in a kernel")
        block = region.blocks[0]
        for parameter, argument in parameters(block, arguments):
            self.env[parameter] = argument
        return self.run_ops(block.ops)

    def run_ops(self, ops: Any) -> Operation:
        """Print the ops of a block; the last one."""
        last = None
        for op in ops:
            last = op
            self.execute(op)
        if last is None:
            raise UnsupportedError("an empty block")
        return last

    def branch(
        self, op: Operation, cases: Sequence[tuple[Condition, Callable[[], Sequence[Any]]]]
    ) -> Sequence[Any]:
        return flow.branch(self, op, cases)

    def for_loop(
        self,
        op: Operation,
        bounds: tuple[Number, Number, Number],
        initial: Sequence[Any],
        region: Region,
    ) -> Sequence[Any]:
        return flow.for_loop(self, op, bounds, initial, region)

    def while_loop(self, op: Operation, initial: Sequence[Any]) -> Sequence[Any]:
        return flow.while_loop(self, op, initial)

    def grid_loop(
        self,
        op: Operation,
        bounds: Sequence[tuple[Number, Number, Number]],
        initial: Sequence[Any],
        body: Callable[[Sequence[Number], Sequence[Any]], Sequence[Any]],
    ) -> Sequence[Any]:
        """The kernel's own grid is the hardware's; a loop inside runs in order."""
        if op is self.entry:
            return body(self.hardware_ids(), [])
        return flow.grid_loop(self, op, bounds, initial, body)

    def hardware_ids(self) -> list[Number]:
        """The ids of the block and of the thread in it."""
        most = {"blockIdx": ((1 << 31) - 2, 65534, 65534), "threadIdx": (1023, 1023, 63)}
        return [
            self.builtin(f"{name}.{axis}", 0, limit)
            for name, limits in most.items()
            for axis, limit in zip("xyz", limits, strict=True)
        ]

    def hardware_sizes(self) -> list[Number]:
        """The dimensions of the grid and of a block."""
        most = {"gridDim": ((1 << 31) - 1, 65535, 65535), "blockDim": (1024, 1024, 64)}
        return [
            self.builtin(f"{name}.{axis}", 1, limit)
            for name, limits in most.items()
            for axis, limit in zip("xyz", limits, strict=True)
        ]

    def builtin(self, text: str, low: int, high: int) -> Number:
        """A number that CUDA gives."""
        return self.algebra.node(Node("text", (f"(i64){text}",)), low, high)

    def barrier(self, op: Operation) -> None:
        self.writer.put("__syncthreads();")

    def launch_compiled(
        self, op: Operation, region: Region, grid: Sequence[Number], arguments: Sequence[Any]
    ) -> bool:
        return False

    def function_named(self, op: Operation, symbol: str) -> Operation | None:
        return self.symbols.get(nearest_symbol(self.symbols, op, symbol))

    def call(self, op: Operation, symbol: str, arguments: Sequence[Any]) -> Sequence[Any]:
        if self.depth >= MOST_CALLS:
            raise UnsupportedError(f"the call of `@{symbol}` is recursive or too deep")
        self.depth += 1
        saved = dict(self.env)
        target = self.symbols[nearest_symbol(self.symbols, op, symbol)]
        results = self.run_region(target.regions[0], arguments)
        self.env = saved
        self.depth -= 1
        if len(results) != len(op.results):
            raise UnsupportedError(f"`@{symbol}` does not return")
        return results

    def thread_ids(self) -> Mapping[str, Number]:
        return self.ids

    @contextmanager
    def in_kernel(self, ids: Mapping[str, Number]) -> Generator[None]:
        old, self.ids = self.ids, ids
        try:
            yield
        finally:
            self.ids = old

    # Asynchronous work, which a kernel does not start

    def device_op(
        self, op: Operation, dependencies: Sequence[Any], body: Callable[[], None]
    ) -> Any:
        self.refuse(op)

    def wait(self, op: Operation, tokens: Sequence[Any]) -> Any:
        self.refuse(op)

    def task(
        self, op: Operation, dependencies: Sequence[Any], body: Callable[[], Sequence[Any]]
    ) -> tuple[Any, Sequence[Any]]:
        self.refuse(op)

    def await_value(self, op: Operation, value: Any) -> Any:
        self.refuse(op)

    def begin_life(self, op: Operation, view: Any) -> None:
        self.refuse(op)

    def unwrap(self, value: Any) -> Any:
        return value

    def create_group(self, op: Operation, group: SSAValue) -> Any:
        self.refuse(op)

    def add_to_group(self, op: Operation, group: SSAValue, member: Any) -> None:
        self.refuse(op)

    def await_group(self, op: Operation, group: SSAValue) -> None:
        self.refuse(op)


def _is_named(number: t.Lin) -> bool:
    if number.constant or len(number.coefficients) != 1:
        return False
    ((var, factor),) = number.coefficients.items()
    return factor == 1 and not isinstance(var.origin, Node)


def _static(layout: Layout, sizes: Sequence[Number]) -> list[int]:
    dynamic = iter(sizes)
    shape = [next(dynamic, None) if s is None else s for s in layout.shape]
    if any(not isinstance(s, int) or s < 0 for s in shape):
        raise UnsupportedError("an allocation of unknown size in a kernel")
    return [s for s in shape if isinstance(s, int)]


def _strides(layout: Layout) -> list[Number]:
    if None in layout.strides:
        raise UnsupportedError("an allocation with a dynamic stride")
    return [s * layout.element.size for s in layout.strides if s is not None]
