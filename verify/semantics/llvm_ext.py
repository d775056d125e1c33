"""Enzyme's `llvm_ext` dialect: allocation, copies, and the stated extent of a pointer."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import builtin
from xdsl.ir import Operation

from verify.semantics.llvm import bytes_of, length_of
from verify.semantics.machine import Machine, Value, rule
from verify.semantics.types import space_of


@rule("llvm_ext.ptr_size_hint")
def ptr_size_hint(_: Machine, __: Operation) -> Sequence[Value]:
    return []


@rule("llvm_ext.alloc")
def alloc(m: Machine, op: Operation) -> Sequence[Value]:
    size = length_of(m, op.operands[0])
    return [m.allocate_bytes(op, size, space_of(op.results[0].type))]


@rule("llvm_ext.free")
def free(m: Machine, op: Operation) -> Sequence[Value]:
    m.free(op, m.value(op.operands[0]))
    return []


@rule("llvm_ext.memcpy")
def memcpy(m: Machine, op: Operation) -> Sequence[Value]:
    target, source, size = op.operands[:3]
    count = length_of(m, size)
    contents = m.read_all(op, bytes_of(m, m.value(source), count))
    m.write_all(op, bytes_of(m, m.value(target), count), contents, builtin.IntegerType(8))
    return []
