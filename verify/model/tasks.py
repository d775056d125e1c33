"""Asynchronous work in the symbolic machine: GPU ops, host tasks, waits.

Source: the `gpu` and `async` dialects' documentation. A GPU op with a token starts after it is
issued and after its dependencies, and completes when it likes; a wait blocks its task.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any

from xdsl.ir import Operation, SSAValue

from verify.model.done import NOTHING, Done
from verify.model.memory import Wait
from verify.model.order import AsyncValue, Event, Token
from verify.semantics.types import is_token

if TYPE_CHECKING:
    from verify.model.symbolic import SymbolicMachine


def known(m: SymbolicMachine, value: Any) -> Done:
    """What is complete once a token or asynchronous value is ready."""
    if isinstance(value, AsyncValue):
        return m.order.now(value.token)
    return m.order.now(value) if isinstance(value, Token) else NOTHING


def all_known(m: SymbolicMachine, values: Iterable[Any]) -> Done:
    """What is complete once all of `values` are ready."""
    return reduce(or_, (known(m, value) for value in values), NOTHING)


def actor(m: SymbolicMachine) -> tuple[int, Done]:
    """Who performs an access here, and what is complete before it."""
    if m.actor is not None:
        return m.actor[0].index, m.actor[1]
    return (m.tasks[-1].index if m.tasks else -1), m.order.host


def after_access(m: SymbolicMachine) -> None:
    """A task's access is new work of the task; the task itself knows that it is done."""
    if m.tasks and m.actor is None:
        m.order.go_on(m.tasks[-1])


def is_repeated(m: SymbolicMachine) -> bool:
    """Whether the current op may run more than once in the function."""
    return bool(m.loops or m.tasks or m.calls)


def device_op(
    m: SymbolicMachine, op: Operation, dependencies: Sequence[Any], body: Callable[[], None]
) -> Any:
    """See `Machine.device_op`; where control cannot come, nothing is issued."""
    if False in m.conditions:
        is_async = any(is_token(r.type) for r in op.results)
        return m.order.token(m.order.host) if is_async else None
    told = [known(m, value) for value in dependencies]
    start = reduce(or_, told, m.order.host)
    _note_dependencies(m, op, dependencies, told)
    outer, around = m.actor, m.site
    m.site = op
    event = None
    if any(is_token(r.type) for r in op.results):
        event = m.order.event(op, "device", m.calls)
        m.actor = (event, start)
    else:
        m.order.host = start
        m.order.waited |= may_of(dependencies)
    try:
        body()
    finally:
        m.actor, m.site = outer, around
    if event is None:
        return None
    after = m.order.issue(event, start, is_repeated=is_repeated(m))
    return m.order.token(after, may_of(dependencies) | 1 << event.index)


def _note_dependencies(
    m: SymbolicMachine, op: Operation, dependencies: Sequence[Any], told: Sequence[Done]
) -> None:
    """A dependency is redundant when the others and the host know all that it tells."""
    if len(dependencies) < 2:
        return
    for i, dependency in enumerate(dependencies):
        may = may_of([dependency])
        if may and _is_known(dependency):
            rest = reduce(or_, (*told[:i], *told[i + 1 :]), m.order.host)
            m.waits.append(Wait(op, bool(may & ~rest.every), op.operands[i], tuple(m.calls)))


def may_of(tokens: Iterable[Any]) -> int:
    """The events that tokens may speak for."""
    found = 0
    for value in tokens:
        token = value.token if isinstance(value, AsyncValue) else value
        found |= token.may if isinstance(token, Token) else 0
    return found


def _is_known(value: Any) -> bool:
    token = value.token if isinstance(value, AsyncValue) else value
    return isinstance(token, Token) and token.is_known


def wait(m: SymbolicMachine, op: Operation, tokens: Sequence[Any]) -> Any:
    """See `Machine.wait`."""
    told = all_known(m, tokens)
    if op.results:
        return replace(
            m.order.token(m.order.host | told, may_of(tokens)),
            is_known=all(_is_known(token) for token in tokens),
        )
    m.order.waited |= may_of(tokens)
    if tokens and all(_is_known(token) for token in tokens):
        adds = bool(may_of(tokens) & ~m.order.host.every)
        m.waits.append(Wait(op, adds, "wait", tuple(m.calls)))
    m.order.host = m.order.host | told
    return None


def task(
    m: SymbolicMachine,
    op: Operation,
    dependencies: Sequence[Any],
    body: Callable[[], Sequence[Any]],
) -> tuple[Any, Sequence[Any]]:
    """See `Machine.task`: a host task that starts when its dependencies are ready."""
    event = m.order.event(op, "task", m.calls)
    seen, waited = m.order.touched, m.order.waited
    start = m.order.host | all_known(m, dependencies)
    m.order.touched = m.order.waited = 0
    begun = m.order.issue(event, start, is_repeated=is_repeated(m))
    outside, m.order.host = m.order.host, begun
    m.tasks.append(event)
    outer, m.actor = m.actor, None
    try:
        values = body()
    finally:
        m.tasks.pop()
        m.actor = outer
    inside = m.order.touched
    bit = 1 << event.index
    token = m.order.token(m.order.host, may_of(dependencies) | m.order.waited | bit)
    m.order.waited = waited
    m.order.after[event.index] = m.order.host
    m.order.touched = seen | inside
    m.order.host = outside.without(inside & ~bit)
    return token, [AsyncValue(token, v) for v in values]


def await_value(m: SymbolicMachine, op: Operation, value: Any) -> Any:
    """See `Machine.await_value`."""
    told = known(m, value)
    m.order.waited |= may_of([value])
    if not op.results and _is_known(value):
        adds = bool(may_of([value]) & ~m.order.host.every)
        m.waits.append(Wait(op, adds, "await", tuple(m.calls)))
    m.order.host = m.order.host | told
    if isinstance(value, AsyncValue):
        return value.value
    return m.unknown(op, op.results[0].type) if op.results else None


def create_group(m: SymbolicMachine, group: SSAValue) -> Any:
    """An empty group."""
    m.order.groups[group] = m.order.host
    return m.order.token(Done())


def add_to_group(m: SymbolicMachine, group: SSAValue, member: Any) -> None:
    """A group tells what all of its members do."""
    if group in m.order.groups:
        m.order.groups[group] |= known(m, member)


def await_group(m: SymbolicMachine, group: SSAValue) -> None:
    """Block the task until all of a group is ready."""
    told = m.order.groups.get(group, Done())
    m.order.waited |= m.order.issued
    m.order.host = m.order.host | told


def unwaited(m: SymbolicMachine, results: Sequence[Any]) -> int:
    """Events that may still run when the function returns, and that no result speaks for.

    Where one follows from another that is open as well, only the latter counts.
    """
    inner = [v.value for v in results if isinstance(v, AsyncValue)]
    done = m.order.host | all_known(m, [*results, *inner])
    found = m.order.issued & ~done.every
    causes = found
    for event in m.order.events:
        bit = 1 << event.index
        told = m.order.after.get(event.index, Done()).every & ~bit
        if not found & bit:
            continue
        for other in m.order.events:
            mutual = m.order.after.get(other.index, Done()).every & bit
            mutual = 0 if (event.kind, other.kind) == ("task", "device") else mutual
            if told >> other.index & 1 and not mutual:
                causes &= ~(1 << other.index)
    return causes


def events_in(events: Sequence[Event], mask: int) -> list[Event]:
    """The events of a set, in order."""
    return [e for e in events if mask >> e.index & 1]
