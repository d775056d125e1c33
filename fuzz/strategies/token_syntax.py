"""Programs with asynchronous GPU work, as data: buffers, tokens, host tasks and control flow.

Every name is defined once in a program. Memory is counted in elements of `f32`.
"""

from __future__ import annotations

from dataclasses import dataclass

TOKEN = "!gpu.async.token"
TASK = "!async.token"
GROUP = "!async.group"


@dataclass(frozen=True, slots=True)
class MemType:
    """A memref of one dimension; an unknown `offset` is `None`, `is_dense` writes no layout."""

    size: int
    space: str = ""
    stride: int = 1
    offset: int | None = 0
    is_dense: bool = True


Type = str | MemType


@dataclass(frozen=True, slots=True)
class Name:
    """A value with its type: a parameter, a result, a carried value."""

    name: str
    type: Type


@dataclass(frozen=True, slots=True)
class Place:
    """An index: `constant` plus the values of some names (a kernel's ids, an induction)."""

    constant: int = 0
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Alloc:
    """`gpu.alloc`; with a `token` it is asynchronous."""

    name: str
    type: MemType
    deps: tuple[str, ...] = ()
    token: str | None = None


@dataclass(frozen=True, slots=True)
class Dealloc:
    """`gpu.dealloc`."""

    memory: str
    deps: tuple[str, ...] = ()
    token: str | None = None


@dataclass(frozen=True, slots=True)
class Subview:
    """`memref.subview`; the offset is a number or the name of an index."""

    name: str
    source: str
    offset: int | str
    size: int
    stride: int = 1


@dataclass(frozen=True, slots=True)
class Copy:
    """`gpu.memcpy`."""

    target: str
    source: str
    deps: tuple[str, ...] = ()
    token: str | None = None


@dataclass(frozen=True, slots=True)
class Fill:
    """`gpu.memset`; where it `is_called`, a function does it for all such fills of its type."""

    memory: str
    value: str
    deps: tuple[str, ...] = ()
    token: str | None = None
    is_called: bool = False


@dataclass(frozen=True, slots=True)
class Launch:
    """`gpu.launch_func`; `arguments` are names or numbers, by the kernel's parameters."""

    kernel: str
    grid: int
    block: int
    arguments: tuple[str | int, ...]
    deps: tuple[str, ...] = ()
    token: str | None = None


@dataclass(frozen=True, slots=True)
class Load:
    """`memref.load`, by the host or in a kernel."""

    name: str
    memory: str
    place: Place


@dataclass(frozen=True, slots=True)
class Store:
    """`memref.store`, by the host or in a kernel."""

    value: str
    memory: str
    place: Place


@dataclass(frozen=True, slots=True)
class Wait:
    """`gpu.wait`, with the host blocked."""

    tokens: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Join:
    """`gpu.wait async`."""

    name: str
    tokens: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class If:
    """`scf.if`, or a diamond of blocks with `is_graph`."""

    condition: str
    then: tuple[Statement, ...]
    other: tuple[Statement, ...] | None
    results: tuple[Name, ...] = ()
    then_yields: tuple[str, ...] = ()
    other_yields: tuple[str, ...] = ()
    is_graph: bool = False


@dataclass(frozen=True, slots=True)
class Carried:
    """A value carried round a loop: in the body `name`, after it `result`."""

    name: str
    type: Type
    initial: str
    result: str


@dataclass(frozen=True, slots=True)
class Loop:
    """A counting loop: `scf.for`, `scf.while`, or blocks that test first (`head`) or last (`tail`).

    `trips` is a number or the name of an index; `tail` runs its body once at least. `before` is
    the first region of `scf.while` and the head block of `head`. Where `is_direct`, what comes
    after uses the values of the blocks instead of results.
    """

    kind: str
    counter: str
    trips: int | str
    carried: tuple[Carried, ...]
    body: tuple[Statement, ...]
    yields: tuple[str, ...]
    before: tuple[Statement, ...] = ()
    is_direct: bool = False


@dataclass(frozen=True, slots=True)
class Tangle:
    """A cycle of two blocks that is entered at either one, by `condition`.

    The first is followed by the second; the second by the first until `trips` rounds are over.
    """

    condition: str
    counter: str
    trips: int | str
    carried: tuple[Carried, ...]
    seconds: tuple[str, ...]
    first: tuple[Statement, ...]
    first_yields: tuple[str, ...]
    second: tuple[Statement, ...]
    second_yields: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Execute:
    """`async.execute`; `operands` are asynchronous values with their names inside."""

    token: str
    deps: tuple[str, ...]
    operands: tuple[tuple[str, str], ...]
    body: tuple[Statement, ...]
    results: tuple[Name, ...] = ()
    yields: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Await:
    """`async.await` of a token, or of a value that gets a `name`."""

    value: str
    name: str | None = None


@dataclass(frozen=True, slots=True)
class NewGroup:
    """`async.create_group` for `size` members: a number or the name of an index."""

    name: str
    size: int | str


@dataclass(frozen=True, slots=True)
class Add:
    """`async.add_to_group`."""

    value: str
    group: str


@dataclass(frozen=True, slots=True)
class AwaitAll:
    """`async.await_all`."""

    group: str


Device = Alloc | Dealloc | Copy | Fill | Launch
Statement = (
    Device
    | Subview
    | Load
    | Store
    | Wait
    | Join
    | If
    | Loop
    | Tangle
    | Execute
    | Await
    | NewGroup
    | Add
    | AwaitAll
)


@dataclass(frozen=True, slots=True)
class Kernel:
    """A `gpu.func`; its places may name `tid`, `bid` and parameters of type `index`."""

    name: str
    parameters: tuple[Name, ...]
    body: tuple[Load | Store, ...]


@dataclass(frozen=True, slots=True)
class Program:
    """One function and its kernels; `distinct` maps arguments to their distinct objects."""

    parameters: tuple[Name, ...]
    body: tuple[Statement, ...]
    returned: tuple[Name, ...] = ()
    kernels: tuple[Kernel, ...] = ()
    distinct: tuple[tuple[str, str], ...] = ()


def value_type(inner: str) -> str:
    """The type of an asynchronous value."""
    return f"!async.value<{inner}>"


def inner_type(kind: Type) -> str | None:
    """What an asynchronous value holds."""
    is_value = isinstance(kind, str) and kind.startswith("!async.value<")
    return str(kind)[len("!async.value<") : -1] if is_value else None


def subview_type(source: MemType, view: Subview) -> MemType:
    """The type of a subview."""
    offset = None
    if source.offset is not None and isinstance(view.offset, int):
        offset = source.offset + view.offset * source.stride
    return MemType(view.size, source.space, source.stride * view.stride, offset, is_dense=False)


def regions(statement: Statement) -> tuple[tuple[Statement, ...], ...]:
    """The bodies inside a statement."""
    match statement:
        case If():
            return (statement.then, statement.other or ())
        case Loop():
            return (statement.before, statement.body)
        case Tangle():
            return (statement.first, statement.second)
        case Execute():
            return (statement.body,)
        case _:
            return ()
