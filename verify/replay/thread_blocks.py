"""Kernels with barriers in a concrete run: the threads of a block take turns.

A thread runs until a barrier or its end, then the next one does, in row-major order; when all wait
they go on. Each has its own values; workgroup memory is made once for all of them.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from xdsl.ir import Operation

from verify.ir.names import op_name, symbol_ref
from verify.semantics.algebra import UndefinedBehaviourError
from verify.semantics.types import UnsupportedError

if TYPE_CHECKING:
    from verify.replay.concrete import ConcreteMachine

BARRIERS = frozenset({"gpu.barrier", "enzymexla.barrier", "nvvm.barrier0", "nvvm.barrier"})
KERNELS = frozenset({"gpu.launch", "gpu.launch_func", "gpu.func"})
MOST_THREADS = 1024


class _StoppedError(Exception):
    """Ends a thread whose block does not go on."""


@dataclass(eq=False, slots=True)
class _Member:
    """One thread: its values while it does not run, and the barrier at which it waits."""

    env: dict[Any, Any]
    ids: dict[str, int]
    depth: int
    turn: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    thread: threading.Thread | None = None
    barrier: Operation | None = None
    error: BaseException | None = None
    is_done: bool = False
    shared: int = 0


class Team:
    """The threads of one block; one of them runs at a time."""

    def __init__(self, m: ConcreteMachine) -> None:
        self.m = m
        self.members: list[_Member] = []
        self.current: _Member | None = None
        self.back = threading.Semaphore(0)
        self.memories: list[Any] = []
        self.is_stopped = False

    def run(self, bodies: Sequence[Callable[[], object]]) -> None:
        """Run all threads to their end; the first error ends them all."""
        m = self.m
        outer = (m.env, m.ids, m.depth)
        for body in bodies:
            member = _Member(dict(m.env), m.ids, m.depth)
            member.thread = threading.Thread(target=self._run, args=(member, body), daemon=True)
            self.members.append(member)
            member.thread.start()
        try:
            while self._round():
                pass
        finally:
            self._stop()
            m.env, m.ids, m.depth = outer

    def _run(self, member: _Member, body: Callable[[], object]) -> None:
        member.turn.acquire()
        try:
            if not self.is_stopped:
                body()
        except _StoppedError:
            pass
        except BaseException as error:  # noqa: BLE001 - raised again where the block was started
            member.error = error
        member.is_done = True
        self.back.release()

    def _round(self) -> bool:
        """Every thread goes on to its next barrier; whether there is one."""
        for member in self.members:
            self._go_on(member)
            if member.error is not None:
                raise member.error
        places = {None if member.is_done else member.barrier for member in self.members}
        if len(places) > 1:
            raise UndefinedBehaviourError("not all threads of a block reach the same barrier")
        return places != {None}

    def _go_on(self, member: _Member) -> None:
        m, self.current = self.m, member
        m.env, m.ids, m.depth = member.env, member.ids, member.depth
        member.turn.release()
        self.back.acquire()
        member.env, member.ids, member.depth = m.env, m.ids, m.depth

    def _stop(self) -> None:
        self.is_stopped = True
        for member in self.members:
            if not member.is_done:
                member.turn.release()
                self.back.acquire()

    def wait(self, op: Operation) -> None:
        """The running thread is at a barrier: let the others come there."""
        member = self.current
        assert member is not None
        member.barrier = op
        self.back.release()
        member.turn.acquire()
        if self.is_stopped:
            raise _StoppedError

    def shared(self, make: Callable[[], Any]) -> Any:
        """The next workgroup memory of the running thread, which the first one makes."""
        member = self.current
        assert member is not None
        number, member.shared = member.shared, member.shared + 1
        if number == len(self.memories):
            self.memories.append(make())
        return self.memories[number]


def needs_team(m: ConcreteMachine, op: Operation) -> bool:
    """Whether the kernel that `op` launches has barriers."""
    if op_name(op) not in KERNELS:
        return False
    symbol = symbol_ref(op, "kernel")
    kernel = op if symbol is None else m.function_named(op, symbol)
    return kernel is not None and any(op_name(inner) in BARRIERS for inner in kernel.walk())


def run_grid(
    m: ConcreteMachine,
    bounds: Sequence[tuple[int, int, int]],
    body: Callable[[Sequence[int], Sequence[Any]], Sequence[Any]],
) -> None:
    """Run a kernel's body at every point: three axes of blocks, then three of threads."""
    ranges = [range(*bound) for bound in bounds]
    threads = list(itertools.product(*ranges[3:]))
    if len(threads) > MOST_THREADS:
        raise UnsupportedError(f"a block of {len(threads)} threads")
    outer = m.team
    try:
        for block in itertools.product(*ranges[:3]):
            m.team = Team(m)
            m.team.run([lambda p=(*block, *thread): body(p, []) for thread in threads])
    finally:
        m.team = outer
