"""A kernel as CUDA C++: its source, and what it must be given.

A memref argument becomes a pointer (to where its descriptor's base pointer points), then an
offset, sizes and strides as far as its type leaves them open: sizes count elements, the others
bytes. A pointer argument becomes a pointer, a scalar one number.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from xdsl.dialects import builtin
from xdsl.ir import Attribute, Operation, Region, SSAValue

from verify.ir.names import op_name, symbol_name
from verify.replay.cuda.machine import CudaMachine
from verify.replay.cuda.places import MOST, Pointer, Real, float_type, integer_bits
from verify.replay.cuda.writer import Writer
from verify.semantics import term as t
from verify.semantics.algebra import bit_range
from verify.semantics.floats import is_scalar_float
from verify.semantics.gpu import launch
from verify.semantics.term import Number, Var
from verify.semantics.types import UnsupportedError, element_of, is_memref, layout_of, space_of
from verify.semantics.values import View
from verify.semantics.views_by_name import region_captures

CONSTANTS = frozenset({"arith.constant", "llvm.mlir.constant"})
POINTER, INTEGER, FLOAT, DOUBLE = "byte *", "i64", "float", "double"


@dataclass(frozen=True, slots=True)
class Input:
    """What a kernel is given: its argument `position`, a `value` from outside, or a `symbol`."""

    kind: Attribute
    position: int | None = None
    value: SSAValue | None = None
    symbol: str | None = None
    symbol_op: Operation | None = None


@dataclass(frozen=True, slots=True)
class Kernel:
    """Source of one kernel: `text` is complete; `parameters` are C types, input by input.

    `ulps` names the ops whose results may differ between devices, with the units in the last
    place; all others are the same bit for bit, but for the bits of a NaN.
    """

    name: str
    text: str
    parameters: tuple[str, ...]
    inputs: tuple[Input, ...]
    ulps: tuple[tuple[str, int], ...] = ()


@cache
def prelude() -> str:
    """What stands in front of every kernel."""
    return files("verify.replay.cuda").joinpath("prelude.cuh").read_text()


def fields_of(kind: Attribute) -> list[tuple[str, int]]:
    """The parts of a view that a kernel of this parameter type is given after the pointer."""
    if not isinstance(kind, builtin.MemRefType):
        return []
    layout = layout_of(kind)
    offset = [("offset", 0)] if layout.offset is None else []
    sizes = [("size", d) for d, s in enumerate(layout.shape) if s is None]
    # The strides of an identity layout follow from its sizes, but are given as they are.
    strides = [("stride", d) for d, s in enumerate(layout.strides) if s is None]
    return [*offset, *sizes, *strides]


def print_kernel(
    entry: Operation, symbols: Mapping[str, Operation], *, checked: bool = False
) -> Kernel:
    """The source of a `gpu.func`, or of the body of a `gpu.launch`.

    What has no form in C is an `UnsupportedError` that names it.
    """
    return _Printer(entry, symbols, checked=checked).run()


class _Printer:
    def __init__(
        self, entry: Operation, symbols: Mapping[str, Operation], *, checked: bool
    ) -> None:
        self.entry = entry
        self.machine = CudaMachine(symbols, entry, checked=checked)
        self.machine.new_global = self._global
        self.parameters: list[tuple[str, str]] = []
        self.inputs: list[Input] = []

    def run(self) -> Kernel:
        """Print."""
        region = self.entry.regions[0]
        if not region.blocks:
            raise UnsupportedError(f"`{op_name(self.entry)}` without a body")
        m = self.machine
        if op_name(self.entry) == "gpu.launch":
            self._captures(region)
            arguments, leading = list[Any](), 12
        else:
            arguments, leading = self._arguments(region), 0
        grid = m.hardware_sizes()
        launch(m, self.entry, grid, region, arguments, leading)
        return self._kernel()

    def _kernel(self) -> Kernel:
        name = f"kernel_{Writer().fresh(symbol_name(self.entry) or 'launch').rpartition('_')[0]}"
        head = ", ".join(f"{kind}{'' if '*' in kind else ' '}{n}" for kind, n in self.parameters)
        body = self.machine.writer.body()
        text = f'{prelude()}\nextern "C" __global__ void {name}({head}) {{\n{body}\n}}\n'
        kinds = tuple(kind for kind, _ in self.parameters)
        return Kernel(name, text, kinds, tuple(self.inputs), tuple(self.machine.ulps.items()))

    def _arguments(self, region: Region) -> list[Any]:
        kind = self.entry.properties.get("function_type") or self.entry.attributes.get(
            "function_type"
        )
        args = list(region.blocks[0].args)
        if isinstance(kind, builtin.FunctionType):
            args = args[: len(kind.inputs.data)]
        return [self._given(Input(a.type, i), a.name_hint) for i, a in enumerate(args)]

    def _captures(self, region: Region) -> None:
        for value in region_captures(region):
            owner = value.owner
            if isinstance(owner, Operation) and op_name(owner) in CONSTANTS:
                self.machine.execute(owner)
            else:
                given = Input(value.type, value=value)
                self.machine.env[value] = self._given(given, value.name_hint)

    def _global(self, symbol: str, op: Operation, kind: Attribute | None) -> View:
        shown = op.results[0].type if kind is None else kind
        return self._given(Input(shown, symbol=symbol, symbol_op=op), symbol)

    def _parameter(self, hint: str | None, kind: str) -> str:
        name = self.machine.writer.fresh(hint)
        self.parameters.append((kind, name))
        return name

    def _given(self, given: Input, hint: str | None) -> Any:
        self.inputs.append(given)
        kind = given.kind
        bits = integer_bits(kind)
        if bits is not None:
            name = self._parameter(hint, INTEGER)
            number = Var(name, *(bit_range(bits) if bits > 1 else (-1, 1))).term()
            return number if bits > 1 else t.negation(t.equal(number, 0))
        if is_scalar_float(kind):
            element = element_of(kind)
            return Real(self._parameter(hint, float_type(element)), element)
        if not is_memref(kind):
            raise UnsupportedError(f"a kernel argument of type `{kind}`")
        return self._view(kind, hint)

    def _view(self, kind: Attribute, hint: str | None) -> View:
        pointer = Pointer(self._parameter(hint, POINTER))
        if not isinstance(kind, builtin.MemRefType):
            if "memref" in str(kind):
                raise UnsupportedError(f"a kernel argument of type `{kind}`")
            return View(pointer, 0, None, (), None, 0, space_of(kind))
        layout = layout_of(kind)
        unit = layout.element.size
        own = {
            field: self._number(f"{hint or 'v'}_{field[0]}{field[1]}", field[0])
            for field in fields_of(kind)
        }
        offset = own.get(("offset", 0), (layout.offset or 0) * unit)
        sizes = (own.get(("size", d), s or 0) for d, s in enumerate(layout.shape))
        strides = (own.get(("stride", d), (s or 0) * unit) for d, s in enumerate(layout.strides))
        return View(pointer, offset, tuple(sizes), tuple(strides), layout.element, 0, layout.space)

    def _number(self, hint: str, part: str) -> Number:
        name = self._parameter(hint, INTEGER)
        return Var(name, 0 if part == "size" else -MOST - 1, MOST).term()


def numbers_of(view: View, kind: Attribute) -> list[int]:
    """The numbers of a view in the order of `fields_of`.

    A view whose layout is not its type's is an `UnsupportedError`.
    """
    if not isinstance(kind, builtin.MemRefType):
        return []
    layout = layout_of(kind)
    shown = view.offset - view.base
    if view.sizes is None or (
        layout.offset is not None and shown != layout.offset * layout.element.size
    ):
        raise UnsupportedError(f"a view whose layout is not that of `{kind}`")
    parts = {"offset": [shown], "size": view.sizes, "stride": view.strides}
    return [t.whole(parts[name][d]) for name, d in fields_of(kind)]
