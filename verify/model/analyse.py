"""From a module to one model a function: what its checkpointed loops capture, read and write."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from xdsl.dialects import builtin
from xdsl.ir import Attribute, Operation, SSAValue

from verify.ir.names import op_name, symbol_name
from verify.ir.spans import value_name
from verify.model import tasks
from verify.model.memory import FunctionModel, Memory
from verify.model.symbolic import SymbolicMachine
from verify.model.symbols import collect_symbols
from verify.semantics.algebra import bit_range
from verify.semantics.arith import scalar_bits
from verify.semantics.term import BoolVar, Truth, Var, equal, times
from verify.semantics.types import UnsupportedError, is_memref, layout_of, space_of

FUNCTIONS = frozenset({"func.func", "llvm.func", "gpu.func"})


def functions_of(module: Operation) -> Iterator[tuple[str, Operation]]:
    """Functions with a body, with their names, in the order of the file."""
    for op in module.walk():
        if op_name(op) in FUNCTIONS and op.regions and op.regions[0].blocks:
            yield symbol_name(op) or "?", op


_NONE: Mapping[int, bool] = MappingProxyType({})


class Analysis:
    """A module ready to be analysed function by function."""

    def __init__(self, module: Operation, *, may_alias: bool) -> None:
        self.module = module
        self.symbols = collect_symbols(module)
        self.may_alias = may_alias

    def function(self, op: Operation, fixed: Mapping[int, bool] = _NONE) -> FunctionModel:
        """Run one function symbolically, with the truth values at `fixed` positions given."""
        machine = SymbolicMachine(self.module, self.symbols, may_alias=self.may_alias)
        region = op.regions[0]
        arguments = [
            (fixed[i], None) if i in fixed else self._argument(machine, a, i)
            for i, a in enumerate(region.blocks[0].args)
        ]
        try:
            results = machine.run_region(region, [value for value, _ in arguments])
        except UnsupportedError as error:
            machine.cannot_follow(op, str(error))
            results = []
        return FunctionModel(
            op,
            symbol_name(op) or "?",
            {},
            machine.checkpoints,
            machine.accesses,
            machine.unsupported,
            [memory for _, memory in arguments if memory is not None],
            machine.defined,
            machine.order.events,
            tasks.unwaited(machine, results),
            machine.waits,
            fixed,
        )

    def _argument(
        self, machine: SymbolicMachine, value: SSAValue, index: int
    ) -> tuple[object, Memory | None]:
        kind = value.type
        if is_memref(kind):
            return self._buffer(machine, value, kind, index)
        bits = scalar_bits(kind)
        origin = ("argument", index)
        if bits == 1:
            return Truth(BoolVar(value_name(value), (), origin)), None
        if bits is not None:
            return Var(value_name(value), *bit_range(bits), (), origin).term(), None
        return machine.unknown(self.module, kind), None

    def _buffer(
        self, machine: SymbolicMachine, value: SSAValue, kind: Attribute, index: int
    ) -> tuple[object, Memory]:
        memory = Memory("argument", value_name(value), space_of(kind), origin=index)
        if self.may_alias:
            memory.address = _address(kind, index)
        return machine.view_of(memory, kind), memory


def _address(kind: Attribute, index: int) -> Var:
    """Where an argument starts: anywhere at its elements' natural alignment."""
    unit = layout_of(kind).element.size if is_ranked(kind) else 1
    address = Var("address", 0, None, (), ("address", index))
    if unit > 1:
        place = Var("place", 0, None, ())
        address.facts.append(equal(address.term(), times(place.term(), unit)))
    return address


def is_ranked(kind: Attribute) -> bool:
    """Whether `kind` is a ranked memref."""
    return isinstance(kind, builtin.MemRefType)
