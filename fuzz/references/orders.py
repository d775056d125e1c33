"""The reference meaning of token programs: instances of work and their order, by closure.

Nothing of `verify` is used here. A run on given inputs makes nodes: one for every step of a host
task, one for every piece of asynchronous work, one for every token made by a join. Their edges
are those of happens-before; nodes come in program order, so edges lead from lower to higher.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from fuzz.strategies import token_syntax as s

Registers = dict[object, int]
Memory = dict[tuple[int, int], int]
Action = Callable[["Machine"], None]


@dataclass(frozen=True, slots=True)
class Inputs:
    """Values of the arguments of type `i1` and `index`."""

    scalars: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Access:
    """Elements of one allocation that one instance touches; `by` is host, sync or device."""

    node: int
    statement: s.Statement
    memory: int
    elements: frozenset[int]
    is_write: bool
    by: str
    is_lifetime: bool = False


@dataclass(frozen=True, slots=True)
class View:
    """A memref: element `j` is element `offset + j * stride` of its allocation."""

    memory: int
    offset: int
    stride: int
    size: int


@dataclass(frozen=True, slots=True)
class Ready:
    """A token: ready when all of its nodes are done."""

    nodes: frozenset[int]


@dataclass(frozen=True, slots=True)
class Later:
    """An asynchronous value: there when `node` is done."""

    node: int
    value: Any


@dataclass(frozen=True, slots=True)
class Violation:
    """Two accesses without an order, or one op that may still run at the return.

    Statements are told apart by their identity.
    """

    codes: frozenset[str]
    first: int
    second: int | None = None


@dataclass(slots=True)
class Machine:
    """Contents of memory and of values while the actions of a run are carried out."""

    memory: Memory = field(default_factory=dict)
    registers: Registers = field(default_factory=dict)
    seen: Registers = field(default_factory=dict)

    def read(self, memory: int, element: int) -> int:
        """The content of an element; what was never written is the element's own."""
        return self.memory.get((memory, element), hash(("initial", memory, element)))


@dataclass(slots=True)
class Run:
    """What one run of a program does, and in which order it must."""

    predecessors: list[tuple[int, ...]] = field(default_factory=list)
    before: list[int] = field(default_factory=list)
    actions: dict[int, list[Action]] = field(default_factory=dict)
    accesses: list[Access] = field(default_factory=list)
    works: list[tuple[int, s.Statement]] = field(default_factory=list)
    end: int = -1
    spoken: frozenset[int] = frozenset()
    returned: tuple[object, ...] = ()

    def is_ordered(self, first: int, second: int) -> bool:
        """Whether node `first` happens before node `second`."""
        return first == second or bool(self.before[second] >> first & 1)


def all_inputs(program: s.Program, most: int = 3) -> Iterator[Inputs]:
    """All inputs with trip counts up to `most`."""
    names = [p.name for p in program.parameters if p.type in ("i1", "index")]
    ranges = [
        range(2) if p.type == "i1" else range(most + 1)
        for p in program.parameters
        if p.type in ("i1", "index")
    ]
    for values in product(*ranges):
        yield Inputs(dict(zip(names, values, strict=True)))


def run(
    program: s.Program,
    inputs: Inputs,
    without: tuple[s.Statement, int] | None = None,
) -> Run:
    """One run; `without` leaves out a wait (-1) or one dependency of an op."""
    return _Runner(program, inputs, without).function()


class _Runner:
    """Executes a program in program order and records what it does."""

    def __init__(
        self, program: s.Program, inputs: Inputs, without: tuple[s.Statement, int] | None
    ) -> None:
        self.program = program
        self.without = without
        self.run = Run()
        self.env: dict[str, Any] = dict(inputs.scalars)
        self.kernels = {k.name: k for k in program.kernels}
        self.memories = 0
        self.last: int | None = None

    # Nodes

    def node(self, predecessors: Sequence[int]) -> int:
        number = len(self.run.predecessors)
        mask = 0
        for p in predecessors:
            mask |= self.run.before[p] | 1 << p
        self.run.predecessors.append(tuple(dict.fromkeys(predecessors)))
        self.run.before.append(mask)
        return number

    def step(self, also: Sequence[int] = ()) -> int:
        """The next step of the current task, after some other nodes too."""
        before = [] if self.last is None else [self.last]
        self.last = self.node([*before, *also])
        return self.last

    def do(self, node: int, action: Action) -> None:
        self.run.actions.setdefault(node, []).append(action)

    def nodes_of(self, statement: s.Statement, names: Sequence[str]) -> list[int]:
        """The nodes behind the dependencies of a statement."""
        found: list[int] = []
        for position, name in enumerate(names):
            if self.is_left_out(statement, position):
                continue
            value = self.env[name]
            found += [value.node] if isinstance(value, Later) else value.nodes
        return found

    def is_left_out(self, statement: s.Statement, position: int) -> bool:
        return (
            self.without is not None
            and self.without[0] is statement
            and self.without[1] in (-1, position)
        )

    # Functions and control flow

    def function(self) -> Run:
        for parameter in self.program.parameters:
            if isinstance(parameter.type, s.MemType):
                self.env[parameter.name] = self.allocation(parameter.type)
            elif parameter.type == "f32":
                self.argument(parameter.name)
            elif parameter.type in (s.TOKEN, s.TASK):
                self.env[parameter.name] = Ready(frozenset([self.node([])]))
        self.step()
        self.block(self.program.body)
        self.run.end = self.step()
        spoken: set[int] = set()
        values: list[object] = []
        for result in self.program.returned:
            value = self.env[result.name]
            spoken |= _nodes_in(value)
            if result.type == "f32":
                values.append(value)
        self.run.spoken, self.run.returned = frozenset(spoken), tuple(values)
        return self.run

    def argument(self, name: str) -> None:
        self.env[name] = ("argument", name)

    def allocation(self, kind: s.MemType) -> View:
        self.memories += 1
        return View(self.memories, 0, 1, kind.size)

    def block(self, body: Sequence[s.Statement]) -> None:
        for statement in body:
            getattr(self, f"on_{type(statement).__name__.lower()}")(statement)

    def number(self, given: int | str) -> int:
        return given if isinstance(given, int) else self.env[given]

    def values(self, names: Sequence[str]) -> list[Any]:
        return [self.env[n] for n in names]

    def assign(self, names: Sequence[str], values: Sequence[Any]) -> None:
        self.env.update(zip(names, values, strict=True))

    def on_if(self, st: s.If) -> None:
        is_taken = bool(self.env[st.condition])
        self.block(st.then if is_taken else st.other or ())
        yields = st.then_yields if is_taken else st.other_yields
        self.assign([r.name for r in st.results], self.values(yields))

    def on_loop(self, st: s.Loop) -> None:
        names = [c.name for c in st.carried]
        given = self.values([c.initial for c in st.carried])
        trips = self.number(st.trips)
        count = 0
        while True:
            self.assign([st.counter, *names], [count, *given])
            self.block(st.before)
            if count >= trips and not (st.kind == "tail" and count == 0):
                break
            self.block(st.body)
            given = self.values(st.yields)
            count += 1
            if st.kind == "tail" and count >= trips:
                break
        if not st.is_direct:
            self.assign([c.result for c in st.carried], given)

    def on_tangle(self, st: s.Tangle) -> None:
        given = self.values([c.initial for c in st.carried])
        is_first = bool(self.env[st.condition])
        count, trips = 0, self.number(st.trips)
        while True:
            if is_first:
                self.assign([st.counter, *(c.name for c in st.carried)], [count, *given])
                self.block(st.first)
                given = self.values(st.first_yields)
            is_first = True
            self.assign([f"{st.counter}_b", *st.seconds], [count, *given])
            self.block(st.second)
            given = self.values(st.second_yields)
            count += 1
            if count >= trips:
                break
        self.assign([c.result for c in st.carried], given)

    # Tasks and tokens

    def on_execute(self, st: s.Execute) -> None:
        operands = [self.env[o] for o, _ in st.operands]
        issue = self.step()
        deps = self.nodes_of(st, st.deps)
        outside = self.last
        self.last = self.node([issue, *deps, *(o.node for o in operands)])
        self.assign([n for _, n in st.operands], [o.value for o in operands])
        self.block(st.body)
        end = self.step()
        self.last = outside
        self.run.works.append((end, st))
        self.env[st.token] = Ready(frozenset([end]))
        values = [Later(end, v) for v in self.values(st.yields)]
        self.assign([r.name for r in st.results], values)

    def on_await(self, st: s.Await) -> None:
        value = self.env[st.value]
        self.step(self.nodes_of(st, [st.value]))
        if st.name:
            self.env[st.name] = value.value

    def on_newgroup(self, st: s.NewGroup) -> None:
        self.env[st.name] = Ready(frozenset())

    def on_add(self, st: s.Add) -> None:
        added = self.nodes_of(st, [st.value])
        self.env[st.group] = Ready(self.env[st.group].nodes | frozenset(added))

    def on_awaitall(self, st: s.AwaitAll) -> None:
        self.step(self.nodes_of(st, [st.group]))

    def on_wait(self, st: s.Wait) -> None:
        self.step(self.nodes_of(st, st.tokens))

    def on_join(self, st: s.Join) -> None:
        issue = self.step()
        self.env[st.name] = Ready(frozenset([self.node([issue, *self.nodes_of(st, st.tokens)])]))

    # Memory

    def on_subview(self, st: s.Subview) -> None:
        source: View = self.env[st.source]
        start = source.offset + self.number(st.offset) * source.stride
        self.env[st.name] = View(source.memory, start, source.stride * st.stride, st.size)

    def element(self, view: View, place: s.Place, ids: dict[str, int] | None = None) -> int:
        index = place.constant + sum((ids or self.env)[n] for n in place.names)
        if not 0 <= index < view.size:
            raise IndexError(f"{index} outside [0, {view.size})")
        return view.offset + index * view.stride

    def note(
        self,
        node: int,
        statement: s.Statement,
        by: str,
        memory: int,
        elements: frozenset[int],
        *,
        is_write: bool,
        is_lifetime: bool = False,
    ) -> None:
        if elements:
            self.run.accesses.append(
                Access(node, statement, memory, elements, is_write, by, is_lifetime)
            )

    def on_load(self, st: s.Load) -> None:
        view: View = self.env[st.memory]
        at = self.element(view, st.place)
        node = self.step()
        self.note(node, st, "host", view.memory, frozenset([at]), is_write=False)
        self.env[st.name] = ("load", node)
        self.do(node, lambda m: _load(m, view.memory, at, ("load", node), ("load", node)))

    def on_store(self, st: s.Store) -> None:
        view: View = self.env[st.memory]
        at = self.element(view, st.place)
        node = self.step()
        self.note(node, st, "host", view.memory, frozenset([at]), is_write=True)
        value = self.env[st.value]
        self.do(node, lambda m: _store(m, view.memory, at, value))

    def begin(self, st: s.Device) -> tuple[int, str]:
        """The node in which a GPU op does its work, and who does it."""
        deps = self.nodes_of(st, st.deps)
        if st.token is None:
            return self.step(deps), "sync"
        node = self.node([self.step(), *deps])
        self.run.works.append((node, st))
        self.env[st.token] = Ready(frozenset([node]))
        return node, "device"

    def on_alloc(self, st: s.Alloc) -> None:
        view = self.env[st.name] = self.allocation(st.type)
        node, by = self.begin(st)
        if by == "device":
            elements = frozenset(_elements(view))
            self.note(node, st, by, view.memory, elements, is_write=True, is_lifetime=True)

    def on_dealloc(self, st: s.Dealloc) -> None:
        view: View = self.env[st.memory]
        node, by = self.begin(st)
        elements = frozenset(_elements(view))
        self.note(node, st, by, view.memory, elements, is_write=True, is_lifetime=True)

    def on_fill(self, st: s.Fill) -> None:
        view: View = self.env[st.memory]
        value = self.env[st.value]
        node, by = self.begin(st)
        elements = frozenset(_elements(view))
        self.note(node, st, by, view.memory, elements, is_write=True)
        for at in sorted(elements):
            self.do(node, lambda m, at=at: _store(m, view.memory, at, value))

    def on_copy(self, st: s.Copy) -> None:
        target, source = self.env[st.target], self.env[st.source]
        node, by = self.begin(st)
        for view, is_write in ((source, False), (target, True)):
            self.note(node, st, by, view.memory, frozenset(_elements(view)), is_write=is_write)
        self.do(node, lambda m: _copy(m, target, source, node))

    def on_launch(self, st: s.Launch) -> None:
        kernel = self.kernels[st.kernel]
        node, by = self.begin(st)
        values = [a if isinstance(a, int) else self.env[a] for a in st.arguments]
        given = dict(zip([p.name for p in kernel.parameters], values, strict=True))
        touched: dict[tuple[int, bool], set[int]] = {}
        for bid, tid in product(range(st.grid), range(st.block)):
            ids = {"tid": tid, "bid": bid}
            ids |= {n: v for n, v in given.items() if isinstance(v, int)}
            for position, op in enumerate(kernel.body):
                self.in_kernel(op, given, ids, (node, bid, tid, position), touched)
        for (memory, is_write), elements in touched.items():
            self.note(node, st, by, memory, frozenset(elements), is_write=is_write)

    def in_kernel(
        self,
        op: s.Load | s.Store,
        given: dict[str, Any],
        ids: dict[str, int],
        key: tuple[int, int, int, int],
        touched: dict[tuple[int, bool], set[int]],
    ) -> None:
        view: View = given[op.memory]
        at = self.element(view, op.place, ids)
        touched.setdefault((view.memory, isinstance(op, s.Store)), set()).add(at)
        node = key[0]
        if isinstance(op, s.Load):
            register = (node, ids["bid"], ids["tid"], op.name)
            self.do(node, lambda m: _load(m, view.memory, at, register, key))
            return
        is_given = op.value in given
        value = given[op.value] if is_given else (node, ids["bid"], ids["tid"], op.value)
        self.do(node, lambda m: _store(m, view.memory, at, value))


def _elements(view: View) -> Iterator[int]:
    return (view.offset + view.stride * j for j in range(view.size))


def _nodes_in(value: Any) -> set[int]:
    """The nodes for which a returned value speaks."""
    if isinstance(value, Ready):
        return set(value.nodes)
    return {value.node} | _nodes_in(value.value) if isinstance(value, Later) else set()


def _content(m: Machine, register: object) -> int:
    return m.registers.get(register, hash(register))


def _load(m: Machine, memory: int, at: int, register: object, key: object) -> None:
    m.registers[register] = m.seen[key] = m.read(memory, at)


def _store(m: Machine, memory: int, at: int, value: object) -> None:
    m.memory[memory, at] = _content(m, value)


def _copy(m: Machine, target: View, source: View, node: int) -> None:
    values = [m.read(source.memory, at) for at in _elements(source)]
    for j, (at, value) in enumerate(zip(_elements(target), values, strict=True)):
        m.seen[node, j] = value
        m.memory[target.memory, at] = value


def violations(found: Run) -> set[Violation]:
    """Everything that is wrong with a run."""
    return {*_conflicts(found), *_unfinished(found)}


def conflicting(found: Run) -> Iterator[tuple[Access, Access]]:
    """Pairs of accesses of two instances that share a byte, one a write, in program order."""
    by_memory: dict[int, list[Access]] = {}
    for access in found.accesses:
        earlier = by_memory.setdefault(access.memory, [])
        for first in earlier:
            if (
                (first.is_write or access.is_write)
                and first.node != access.node
                and first.elements & access.elements
            ):
                yield first, access
        earlier.append(access)


def _conflicts(found: Run) -> Iterator[Violation]:
    for first, second in conflicting(found):
        if not found.is_ordered(first.node, second.node):
            yield Violation(_codes(first, second), id(first.statement), id(second.statement))


def _codes(first: Access, second: Access) -> frozenset[str]:
    """The codes that fit; a GPU op that blocks its task may count as the host's access or not."""
    if first.is_lifetime or second.is_lifetime:
        return frozenset({"E0204"})
    if second.by == "sync":
        return frozenset({"E0201", "E0202"})
    return frozenset({"E0202" if second.by == "host" else "E0201"})


def _unfinished(found: Run) -> Iterator[Violation]:
    for node, statement in found.works:
        if not any(found.is_ordered(node, n) for n in (found.end, *found.spoken)):
            yield Violation(frozenset({"E0203"}), id(statement))


def order_of_conflicts(found: Run) -> tuple[object, ...]:
    """What a wait can change: the order of conflicting accesses, and what the return leaves."""
    pairs = [found.is_ordered(a.node, b.node) for a, b in conflicting(found)]
    return (*pairs, *(v.first for v in _unfinished(found)))
