"""Plain data of the symbolic model: memories, loops, captures and accesses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from xdsl.ir import Operation, SSAValue

from verify.model.dense import Spread
from verify.model.order import Event
from verify.semantics import term as t
from verify.semantics.term import Condition, Lin, Number, Var
from verify.semantics.values import View, Views

_ids = count(1)


@dataclass(eq=False, slots=True)
class Memory:
    """One allocation, or an origin that is not known.

    `kind` is `argument`, `alloc`, `global` or `unknown`; an unknown one may be any memory.
    `extent` is its size in bytes where known.
    `address` is its place in one address space, for arguments that may overlap.
    `scope` are the loops in whose iterations it is allocated; `older` stands for the instances of
    earlier iterations, which belong to the same `family`.
    """

    kind: str
    name: str
    space: str = ""
    extent: Number | None = None
    origin: Any = None
    is_constant: bool = False
    address: Var | None = None
    scope: tuple[int, ...] = ()
    family: Memory | None = None
    older: Memory | None = None
    id: int = field(default_factory=lambda: next(_ids))


@dataclass(eq=False, slots=True)
class LoopInfo:
    """A loop as the model sees it: `order` grows lexicographically from iteration to iteration.

    `is_unordered` loops have no order that is known; `counter` counts iterations from zero.
    `counted` has, for each dimension that is counted, its counter and what limits it; `starts`
    hold in the first iteration of a loop that runs, and can hold whether it runs or not.
    """

    op: Operation
    kind: str
    order: tuple[Number, ...] = ()
    is_unordered: bool = False
    counter: Number | None = None
    counted: tuple[tuple[Lin, Condition], ...] = ()
    starts: tuple[Condition, ...] = ()
    checkpoint: Checkpoint | None = None
    id: int = field(default_factory=lambda: next(_ids))


@dataclass(eq=False, slots=True)
class Capture:
    """A value that a checkpointed loop snapshots, or the initial value of an `iter_arg`."""

    value: SSAValue
    view: Views
    index: int
    is_argument: bool = False
    extent: Number | None = None
    layout_vars: list[Var] = field(default_factory=list)
    layouts: dict[object, Var] = field(default_factory=dict)
    elements: list[Access] = field(default_factory=list)
    totals: dict[int, Number] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Content:
    """The same `value` in each `unit` bytes: an integer, or a key that stands for one value."""

    value: object
    unit: int


@dataclass(frozen=True, slots=True)
class Place:
    """Bytes of one choice of a view, under the condition of that choice; `inside` is assumed.

    `content` and `idle` are as in `Access`.
    """

    view: View
    address: Number
    size: int
    condition: Condition
    inside: tuple[Condition, ...]
    indices: tuple[Number, ...] = ()
    whole: Spread | None = None
    content: Content | None = None
    idle: Condition = False


@dataclass(slots=True)
class Access:
    """`size` bytes from `address` on in `view.memory`, read or written when `conditions` hold.

    `assumed` must hold or the access is undefined. `path` orders it in the program: one position
    a level of `loops`. `is_modelled` is false for effects that have no body to run. `content`
    identifies what is read or written, and `idle` tells when a write finds there what it writes
    (see `verify.model.contents`). `event` is the asynchronous event that it belongs to (-1 for
    the host); `pending` are the events that may not be complete when it happens, `pending_last`
    those of which the latest instance may not be. `lifetime` is `alloc` or `free` for an access
    that stands for the beginning or end of its memory. `whole` are all bytes of the view, where the
    access is one of an access to every element. `site` is the GPU op that makes the access.
    """

    op: Operation
    is_write: bool
    view: View
    address: Number
    size: int
    conditions: tuple[Condition, ...]
    assumed: tuple[Condition, ...]
    loops: tuple[LoopInfo, ...]
    path: tuple[int, ...]
    is_modelled: bool = True
    calls: tuple[Operation, ...] = ()
    content: Content | None = None
    idle: Condition = False
    event: int = -1
    pending: int = 0
    pending_last: int = 0
    lifetime: str = ""
    whole: Spread | None = None
    site: Operation | None = None


def extent_of(access: Access) -> tuple[tuple[LoopInfo, ...], Spread | None]:
    """The loops of an access and its bytes; one to every element counts as one to all."""
    if access.loops[-1:] and access.loops[-1].kind == "elements":
        return access.loops[:-1], access.whole
    return access.loops, Spread(access.address, access.size)


def shared_conditions(access: Access) -> list[Condition]:
    """The conditions of an access without those that tell its elements apart."""
    if not access.loops or access.loops[-1].kind != "elements":
        return list(access.conditions)
    elements = access.loops[-1].id
    return [c for c in access.conditions if not any(elements in v.scope for v in t.variables(c))]


@dataclass(eq=False, slots=True)
class LayoutUse:
    """The body derives something from the base, offset or alignment of a capture."""

    op: Operation
    view: View
    what: str
    alignment: int = 1
    conditions: tuple[Condition, ...] = ()
    loops: tuple[LoopInfo, ...] = ()


@dataclass(eq=False, slots=True)
class Defined:
    """Where `conditions` hold, `assumed` must hold too, or the run is undefined."""

    conditions: tuple[Condition, ...]
    assumed: tuple[Condition, ...]
    loops: tuple[LoopInfo, ...]


@dataclass(eq=False, slots=True)
class Wait:
    """A wait or dependency, and whether it adds anything to what was complete anyway.

    `what` is the token that is depended on, or the kind of wait.
    """

    op: Operation
    adds: bool
    what: SSAValue | str
    calls: tuple[Operation, ...] = ()


@dataclass(eq=False, slots=True)
class Unsupported:
    """An op whose effects are not known, with the reason and the events that it may overlap."""

    op: Operation
    reason: str
    pending: int = 0


@dataclass(eq=False, slots=True)
class Checkpoint:
    """One checkpointed loop where it runs: its captures and what happens in its body."""

    info: LoopInfo
    captures: list[Capture]
    conditions: tuple[Condition, ...]
    outer: tuple[LoopInfo, ...]
    accesses: Sequence[Access] = ()
    layout_uses: list[LayoutUse] = field(default_factory=list)
    unsupported: list[Unsupported] = field(default_factory=list)
    believed: set[str] = field(default_factory=set)
    calls: tuple[Operation, ...] = ()


@dataclass(slots=True)
class FunctionModel:
    """Everything that the checks ask about one function.

    `fixed` are the truth values that it was given, by the positions of its arguments.
    """

    op: Operation
    name: str
    inputs: dict[str, Any]
    checkpoints: list[Checkpoint]
    accesses: list[Access]
    unsupported: list[Unsupported]
    arguments: list[Memory]
    defined: list[Defined]
    events: list[Event]
    unwaited: int
    waits: list[Wait]
    fixed: Mapping[int, bool]
