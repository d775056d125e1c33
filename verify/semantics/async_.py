"""The `async` dialect: host tasks, their tokens and values.

Source: the dialect's documentation. `async.execute` starts its region once it is reached and its
dependencies are ready; its token and values are ready when the region has yielded, which does not
wait for GPU work that the region started.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation

from verify.ir.names import operand_segments
from verify.semantics.machine import Machine, Value, rule


@rule("async.yield")
def terminator(_: Machine, __: Operation) -> Sequence[Value]:
    return []


@rule("async.execute")
def execute(m: Machine, op: Operation) -> Sequence[Value]:
    segments = operand_segments(op)
    tokens, values = (segments[0], segments[1]) if len(segments) > 1 else (list(op.operands), [])
    operands = [m.value(v) for v in values]

    def body() -> Sequence[Value]:
        return m.run_region(op.regions[0], [m.unwrap(v) for v in operands])

    token, results = m.task(op, [*(m.value(v) for v in tokens), *operands], body)
    return [token, *results]


@rule("async.await")
def await_(m: Machine, op: Operation) -> Sequence[Value]:
    value = m.await_value(op, m.value(op.operands[0]))
    return [value] if op.results else []


@rule("async.create_group")
def create_group(m: Machine, op: Operation) -> Sequence[Value]:
    return [m.create_group(op, op.results[0])]


@rule("async.add_to_group")
def add_to_group(m: Machine, op: Operation) -> Sequence[Value]:
    member, group = op.operands
    m.add_to_group(op, group, m.value(member))
    return [m.arbitrary(op, op.results[0].type, 0)]


@rule("async.await_all")
def await_all(m: Machine, op: Operation) -> Sequence[Value]:
    m.await_group(op, op.operands[0])
    return []
