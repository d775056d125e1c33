"""Schedules of a run: every order of its nodes that happens-before allows, and what it shows."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from fuzz.references.orders import Machine, Run

ALL_UP_TO = 7
MOST_ORDERS = 5040
RANDOM_ORDERS = 200


def orders(run: Run, draw: random.Random) -> Iterator[list[int]]:
    """All orders of the nodes that act when they are few, random ones otherwise."""
    acting = sorted(run.actions)
    if len(acting) <= ALL_UP_TO:
        yield from _all_orders(run, acting, [], MOST_ORDERS)
    else:
        for _ in range(RANDOM_ORDERS):
            yield _random_order(run, acting, draw)


def _waiting_for(run: Run, acting: list[int]) -> dict[int, int]:
    mask = sum(1 << n for n in acting)
    return {n: run.before[n] & mask for n in acting}


def _all_orders(run: Run, acting: list[int], done: list[int], most: int) -> Iterator[list[int]]:
    needs = _waiting_for(run, acting)

    def extend(taken: list[int], mask: int) -> Iterator[list[int]]:
        if len(taken) == len(acting):
            yield list(taken)
            return
        for node in acting:
            if not mask >> node & 1 and not needs[node] & ~mask:
                yield from extend([*taken, node], mask | 1 << node)

    for number, order in enumerate(extend(done, 0)):
        if number >= most:
            return
        yield order


def _random_order(run: Run, acting: list[int], draw: random.Random) -> list[int]:
    """A random order in which some nodes come as late as they can."""
    needs = _waiting_for(run, acting)
    weight = {n: draw.random() for n in acting}
    mask, order = 0, []
    waiting = list(acting)
    while waiting:
        ready = [n for n in waiting if not needs[n] & ~mask]
        node = min(ready, key=weight.__getitem__)
        waiting.remove(node)
        order.append(node)
        mask |= 1 << node
    return order


def perform(run: Run, order: list[int]) -> tuple[Any, ...]:
    """What can be seen of a run in this order: the values read, memory, results."""
    machine = Machine()
    for node in order:
        for action in run.actions[node]:
            action(machine)
    results = tuple(machine.registers.get(r, hash(r)) for r in run.returned)
    return machine.seen, machine.memory, results


def differs(run: Run, draw: random.Random) -> list[int] | None:
    """An order that gives another result than program order does."""
    expected = perform(run, sorted(run.actions))
    return next((o for o in orders(run, draw) if perform(run, o) != expected), None)
