"""Enzyme's `llvm_ext` dialect: the stated extent of a pointer."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation

from verify.semantics.machine import Machine, Value, rule


@rule("llvm_ext.ptr_size_hint")
def ptr_size_hint(m: Machine, op: Operation) -> Sequence[Value]:
    pointer, size = op.operands[:2]
    m.size_hint(pointer, m.number(size))
    return []
