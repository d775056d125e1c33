"""`linalg` on buffers: fill and copy as whole-view accesses."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation

from verify.semantics.machine import Machine, Value, rule
from verify.semantics.memref import require_same_shape
from verify.semantics.types import UnsupportedError, is_memref


@rule("linalg.fill")
def fill(m: Machine, op: Operation) -> Sequence[Value]:
    value, target = op.operands
    _require_buffers(op)
    m.write_all(op, m.value(target), m.value(value), target.type)
    return []


@rule("linalg.copy")
def copy(m: Machine, op: Operation) -> Sequence[Value]:
    source, target = op.operands
    _require_buffers(op)
    require_same_shape(m, m.value(source), m.value(target), source.type)
    m.write_all(op, m.value(target), m.read_all(op, m.value(source)), target.type)
    return []


def _require_buffers(op: Operation) -> None:
    if not is_memref(op.operands[-1].type):
        raise UnsupportedError("`linalg` on tensors")


@rule("linalg.yield")
def terminator(_: Machine, __: Operation) -> Sequence[Value]:
    return []
