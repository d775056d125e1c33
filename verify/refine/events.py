"""What a function does, in a normal form: a tree of effects on terms that two programs share.

Pure computation has no place in it: integers are linear terms, everything else are interned
expressions, and views are resolved to bytes. A load is an expression too, of the last effect that
may have written its bytes. What is left are writes, allocations, calls, loops and branches.

A *path* names a place in the tree: the indices of the loops and branches around it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from verify.semantics.term import Condition, Number

Path: TypeAlias = tuple[Any, ...]
Value: TypeAlias = Any
Partial: TypeAlias = tuple[tuple[Condition, ...], Any]
"""A computation that may be undefined, or not end, and the conditions under which it runs."""


@dataclass(frozen=True, slots=True)
class Place:
    """Bytes of one memory: `size` from `address` on."""

    memory: Any
    address: Number
    size: int


@dataclass(frozen=True, slots=True)
class Write:
    """One element is written; of several places the one whose condition holds."""

    place: Place | tuple[tuple[Condition, Place], ...]
    kind: str
    value: Value


@dataclass(frozen=True, slots=True)
class WriteAll:
    """Every element of a view is written, with one scalar or with the elements of another."""

    view: Value
    kind: str
    value: Value


@dataclass(frozen=True, slots=True)
class Allocate:
    """A fresh memory; it is named by its place in the tree, and `op` says who ends its life."""

    op: str
    memory: Any
    kind: str
    sizes: tuple[Number, ...]
    space: str


@dataclass(frozen=True, slots=True)
class Free:
    """A memory ends."""

    view: Value


@dataclass(frozen=True, slots=True)
class Opaque:
    """Something without a meaning of its own, a call without a body say.

    It may touch all memory.
    """

    name: str
    attributes: tuple[tuple[str, str], ...]
    operands: tuple[Value, ...]
    kinds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Loop:
    """`count` iterations (one number a dimension), run on carried values.

    Where it `is_parallel` they may run in any order, which others may not.
    """

    is_parallel: bool
    count: tuple[Number, ...]
    initial: tuple[Value, ...]
    body: tuple[Any, ...]
    handed_on: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class While:
    """Iterations for as long as the condition after the first part says so."""

    initial: tuple[Value, ...]
    before: tuple[Any, ...]
    condition: Condition
    after: tuple[Any, ...]
    handed_on: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Branch:
    """Effects under a condition, and other effects where it does not hold."""

    condition: Condition
    then: tuple[Any, ...]
    otherwise: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Graph:
    """Blocks with a cycle: of each its effects, and where it goes with which values."""

    blocks: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Final:
    """What memory holds in the end, byte by byte, where all addresses are known."""

    content: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Summary:
    """A function in normal form.

    `partial` are computations that may be undefined (divisions, say): a target may not run one
    where the source does not. `demands` are conditions that must
    hold where other conditions do, or the run is undefined. `globals` are those that it uses, with
    what they hold first.
    """

    events: tuple[Any, ...]
    results: tuple[Value, ...]
    partial: frozenset[Partial]
    demands: tuple[tuple[tuple[Condition, ...], tuple[Condition, ...]], ...]
    globals: tuple[tuple[str, str], ...]
    assumed_no_alias: bool
