"""How many bytes lie behind a pointer, where the program states it.

Source: Enzyme's rule for cloning `!llvm.ptr`: a size hint on the pointer, wherever it stands
(`llvm_ext.ptr_size_hint`, or a call of `__enzyme_ptr_size_hint`), also on an address space cast
of it; or the allocation that made it (`llvm.alloca`, `llvm_ext.alloc`). Other pointers cannot be
copied, for nothing tells their size.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from xdsl.dialects import builtin
from xdsl.ir import Attribute, Operation, SSAValue

from verify.ir.names import attr, op_name, symbol_ref
from verify.semantics import term as t
from verify.semantics.arith import constant_of
from verify.semantics.term import Number
from verify.semantics.types import space_of

HINT = "__enzyme_ptr_size_hint"


class Numbers(Protocol):
    """What is asked of a machine: numbers that are known at the current point."""

    def is_known(self, operand: SSAValue) -> bool: ...
    def number(self, operand: SSAValue) -> Number: ...


def extent_of(m: Numbers, pointer: SSAValue) -> Number | None:
    """The stated size of what `pointer` points to, in bytes."""
    for value in (pointer, *_casts(pointer)):
        for size in _hints(value):
            number = _number(m, size)
            if number is not None:
                return number
    return _allocated(m, pointer)


def space_behind(pointer: SSAValue) -> str:
    """The memory space that a snapshot of `pointer` is made in."""
    for value in _casts(pointer):
        if any(True for _ in _hints(value)):
            return space_of(value.type)
    return space_of(pointer.type)


def _casts(pointer: SSAValue) -> Iterator[SSAValue]:
    for use in pointer.uses:
        if op_name(use.operation) == "llvm.addrspacecast":
            yield use.operation.results[0]


def _hints(pointer: SSAValue) -> Iterator[SSAValue]:
    for use in pointer.uses:
        user = use.operation
        if use.index != 0 or len(user.operands) < 2:
            continue
        if op_name(user) == "llvm_ext.ptr_size_hint" or is_hint_call(user):
            yield user.operands[1]


def is_hint_call(op: Operation) -> bool:
    """Whether a call states the size of a pointer and does nothing else."""
    return op_name(op) == "llvm.call" and symbol_ref(op, "callee") == HINT


def _allocated(m: Numbers, pointer: SSAValue) -> Number | None:
    from verify.semantics.llvm import size_in_bytes

    owner = pointer.owner
    if not isinstance(owner, Operation):
        return None
    if op_name(owner) == "llvm_ext.alloc":
        return _number(m, owner.operands[0])
    if op_name(owner) != "llvm.alloca":
        return None
    kind: Attribute | None = attr(owner, "elem_type")
    count = _number(m, owner.operands[0])
    return None if kind is None or count is None else t.times(count, size_in_bytes(kind))


def _number(m: Numbers, value: SSAValue) -> Number | None:
    """A size, also where the hint stands after the point that asks; it is taken not to wrap."""
    if m.is_known(value):
        return _unwrapped(m.number(value))
    owner = value.owner
    if isinstance(owner, Operation) and op_name(owner) in ("arith.constant", "llvm.mlir.constant"):
        found = constant_of(attr(owner, "value"), builtin.IntegerType(64))
        return found if isinstance(found, int) else None
    return None


def _unwrapped(number: Number) -> Number:
    if isinstance(number, t.Lin) and number.constant == 0:
        for var, factor in number.coefficients.items():
            match var.origin:
                case ("wrap", inner, _) if factor == 1 and len(number.coefficients) == 1:
                    return inner
                case _:
                    break
    return number
