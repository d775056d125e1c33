"""The `vector` dialect's ops on memory, as accesses to whole views; its other ops are pure.

Source: the dialect's documentation. An op on tensors touches no memory.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation

from verify.ir.names import op_name
from verify.semantics.machine import Machine, Value, rule
from verify.semantics.types import is_memref

_READ = ("load", "maskedload", "transfer_read", "gather", "expandload")
_WRITE = ("store", "maskedstore", "transfer_write", "scatter", "compressstore")


@rule(*(f"vector.{name}" for name in (*_READ, *_WRITE)))
def access(m: Machine, op: Operation) -> Sequence[Value]:
    views = [m.value(v) for v in op.operands if is_memref(v.type)]
    is_read = op_name(op).removeprefix("vector.") in _READ
    m.touch_some(op, views if is_read else [], [] if is_read else views)
    return [m.unknown(op, r.type) for r in op.results]
