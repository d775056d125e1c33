"""When asynchronous work runs in a concrete run.

Work that is issued becomes an item. An item that is not put off runs at once, after its
dependencies; one that is put off runs when something waits for it, or at the end. Any choice of
what to put off is a legal schedule: the host never waits for more than it asks for.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from xdsl.ir import Operation


@dataclass(frozen=True, slots=True)
class Instance:
    """Asynchronous work by its place in the program: the `number`th of its op within `parent`.

    The same in every schedule, since the host and each task issue their work in program order.
    """

    op: Operation
    number: int
    parent: Instance | None


@dataclass(eq=False, slots=True)
class Item:
    """One instance of asynchronous work; `running` are those that run."""

    op: Operation
    dependencies: list[Item]
    body: Callable[[], Any]
    instance: Instance
    running: list[Instance]
    is_done: bool = False
    values: Sequence[Any] = ()

    def run(self) -> None:
        """Run it now, with what it depends on first."""
        if self.is_done:
            return
        self.is_done = True
        for dependency in self.dependencies:
            dependency.run()
        self.running.append(self.instance)
        self.values = self.body() or ()
        self.running.pop()  # an error leaves what failed on top


@dataclass(frozen=True, slots=True)
class Ticket:
    """A token: the items that must be done before it is ready."""

    items: tuple[Item, ...] = ()


@dataclass(frozen=True, slots=True)
class Promise:
    """A value of a task; it is there once the task has run."""

    item: Item
    index: int

    @property
    def items(self) -> tuple[Item, ...]:
        """What must be done before the value is there."""
        return (self.item,)

    def get(self) -> Any:
        """The value, running its task if need be."""
        self.item.run()
        return self.item.values[self.index]


@dataclass(frozen=True, slots=True)
class Order:
    """A choice of what runs late: `late` and what depends on it, all but `early`, or a draw."""

    late: Operation | None = None
    is_lazy: bool = False
    early: Operation | None = None
    seed: int | None = None

    def settings(self) -> dict[str, Any]:
        """The choice by names."""
        return {
            "late": self.late,
            "is_lazy": self.is_lazy,
            "early": self.early,
            "seed": self.seed,
        }

    def scheduler(self) -> Scheduler:
        """A scheduler that makes this choice."""
        late = frozenset() if self.late is None else frozenset({self.late})
        return Scheduler(late, self.is_lazy, self.early, draw_of(self))


PROGRAM_ORDER = Order()


def draw_of(order: Order) -> random.Random | None:
    """What an order draws from, if it does."""
    return None if order.seed is None else random.Random(order.seed)


@dataclass(slots=True)
class Scheduler:
    """Puts off the ops in `late` and what depends on them, or with `is_lazy` all but `early`.

    Otherwise it puts off what `draw` picks. `issued` is all work in the order in which it was
    issued.
    """

    late: frozenset[Operation] = frozenset()
    is_lazy: bool = False
    early: Operation | None = None
    draw: random.Random | None = None
    issued: list[Item] = field(default_factory=list)
    running: list[Instance] = field(default_factory=list)
    counts: dict[tuple[Operation, Instance | None], int] = field(default_factory=dict)

    def _is_put_off(self, op: Operation, dependencies: Sequence[Item]) -> bool:
        if self.is_lazy:
            return op is not self.early
        if self.late:
            return op in self.late or any(not d.is_done for d in dependencies)
        return self.draw is not None and self.draw.random() < 0.5

    def _issue(self, op: Operation, dependencies: Sequence[Any], body: Callable[[], Any]) -> Item:
        known = list(items_of(dependencies))
        item = Item(op, known, body, self.next_instance(op), self.running)
        self.issued.append(item)
        if not self._is_put_off(op, item.dependencies):
            item.run()
        return item

    def next_instance(self, op: Operation) -> Instance:
        """What is issued next of an op."""
        parent = self.running[-1] if self.running else None
        number = self.counts.get((op, parent), 0)
        self.counts[op, parent] = number + 1
        return Instance(op, number, parent)

    def device_op(
        self,
        op: Operation,
        dependencies: Sequence[Any],
        body: Callable[[], None],
        *,
        is_async: bool,
    ) -> Ticket | None:
        """Run or issue a GPU op."""
        if not is_async:
            self.wait(dependencies)
            body()
            return None
        return Ticket((self._issue(op, dependencies, body),))

    def task(
        self,
        op: Operation,
        dependencies: Sequence[Any],
        body: Callable[[], Sequence[Any]],
        count: int,
    ) -> tuple[Ticket, list[Promise]]:
        """Issue a host task with `count` values."""
        item = self._issue(op, dependencies, body)
        return Ticket((item,)), [Promise(item, i) for i in range(count)]

    def wait(self, tokens: Sequence[Any]) -> None:
        """Block until tokens are ready."""
        for item in items_of(tokens):
            item.run()

    def join(self, tokens: Sequence[Any]) -> Ticket:
        """A token that is ready when all of `tokens` are."""
        return Ticket(tuple(items_of(tokens)))

    def finish(self) -> None:
        """Run all that is left."""
        for item in self.issued:
            item.run()


def items_of(tokens: Iterable[Any]) -> Iterable[Item]:
    """The items behind tokens and promised values."""
    for token in tokens:
        if isinstance(token, Ticket | Promise):
            yield from token.items
