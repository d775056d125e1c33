"""Programs with asynchronous GPU work, most of them correct or wrong in one place.

`build` draws from a `random.Random`; `programs` is the same as a Hypothesis strategy. The builder
knows, roughly, which work is still pending and which tokens speak for it; it makes every op depend
on what it needs, and now and then, by the danger of the program, forgets one dependency or takes
the wrong token.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from hypothesis import strategies as st

from fuzz.strategies import token_syntax as s

T = TypeVar("T")
Body = list[s.Statement]
Touch = tuple[str, frozenset[int], bool]
"""Memory that an op touches: root, elements, whether it writes."""

SIZE = 8
COUNTER_END = 3
DANGERS = {0.0: 5, 0.1: 4, 0.3: 2}
ACTIONS = {
    "device": 26,
    "host": 8,
    "view": 4,
    "join": 4,
    "wait": 3,
    "alloc": 3,
    "branch": 8,
    "loop": 9,
    "execute": 8,
    "await": 3,
    "group": 2,
    "group_loop": 1,
    "tangle": 2,
}
NESTING = frozenset({"branch", "loop", "execute", "group_loop", "tangle"})


@dataclass(frozen=True, slots=True)
class Pending:
    """Work that may still run; `roots` of `None` stand for work of earlier iterations."""

    number: int
    roots: frozenset[str]
    elements: frozenset[int]
    is_write: bool

    def meets(self, touch: Touch) -> bool:
        """Whether an op that touches this must wait."""
        root, elements, is_write = touch
        is_conflict = self.is_write or is_write
        return is_conflict and root in self.roots and bool(self.elements & elements)


Numbers = frozenset[int]
NOTHING: Numbers = frozenset()


@dataclass(slots=True)
class Scope:
    """What may be used at a point, and what each token speaks for.

    `covers` maps tokens and asynchronous values to pending work; `inside` maps asynchronous
    values to what the token in them speaks for; `known` is what the task has waited for.
    """

    types: dict[str, s.Type] = field(default_factory=dict)
    parts: dict[str, tuple[str, frozenset[int]]] = field(default_factory=dict)
    covers: dict[str, Numbers] = field(default_factory=dict)
    inside: dict[str, Numbers] = field(default_factory=dict)
    known: Numbers = NOTHING
    is_task: bool = False
    is_flat: bool = False

    def inner(self, *, is_flat: bool = False) -> Scope:
        """A scope for a region: what it gains is not seen outside."""
        copies = (dict(self.types), dict(self.parts), dict(self.covers), dict(self.inside))
        return Scope(*copies, self.known, self.is_task, is_flat and self.is_flat)

    def of_type(self, kind: s.Type) -> list[str]:
        """Values of one type, the newest last."""
        return [n for n, t in self.types.items() if t == kind]

    def memories(self, space: str | None = None) -> dict[str, s.MemType]:
        """The memrefs, perhaps of one space."""
        return {
            n: t
            for n, t in self.types.items()
            if isinstance(t, s.MemType) and space in (None, t.space)
        }

    def tokens(self) -> list[str]:
        """GPU tokens."""
        return self.of_type(s.TOKEN)

    def tasks(self) -> list[str]:
        """What `async.await` takes."""
        return [n for n, t in self.types.items() if t == s.TASK or s.inner_type(t)]


def build(draw: random.Random) -> s.Program:
    """Draw one program."""
    return Builder(draw).program()


@st.composite
def programs(draw: st.DrawFn) -> s.Program:
    """A strategy of programs."""
    return build(draw(st.randoms(use_true_random=False, note_method_calls=False)))


class Builder:
    """Draws one program."""

    def __init__(self, draw: random.Random) -> None:
        self.draw = draw
        self.number = 0
        self.parameters: list[s.Name] = []
        self.kernels: list[s.Kernel] = []
        self.pending: list[Pending] = []
        self.roots: list[str] = []
        self.danger = self.weighted(DANGERS)
        self.depth = 0
        self.budget = draw.randint(3, 10)

    # Drawing

    def flip(self, percent: float) -> bool:
        return self.draw.random() * 100 < percent

    def errs(self) -> bool:
        return self.draw.random() < self.danger

    def weighted(self, table: dict[T, int]) -> T:
        return self.draw.choices(list(table), list(table.values()))[0]

    def name(self, stem: str) -> str:
        self.number += 1
        return f"{stem}{self.number}"

    def some(self, names: Sequence[T], most: int) -> list[T]:
        return self.draw.sample(list(names), self.draw.randint(0, min(most, len(names))))

    def parameter(self, stem: str, kind: s.Type) -> str:
        name = self.name(stem)
        self.parameters.append(s.Name(name, kind))
        return name

    # Programs

    def program(self) -> s.Program:
        scope = Scope(is_flat=self.flip(35))
        distinct = self.buffers(scope)
        for stem, kind, most in (("n", "index", 2), ("p", "i1", 2)):
            for _ in range(self.draw.randint(1, most)):
                scope.types[self.parameter(stem, kind)] = kind
        if self.flip(10):
            name = self.parameter("token", s.TOKEN)
            scope.types[name], scope.covers[name] = s.TOKEN, NOTHING
        body: Body = []
        if self.flip(30):
            self.join(scope, body)
        while self.budget > 0:
            self.statement(scope, body)
        returned = self.finish(scope, body)
        return s.Program(
            tuple(self.parameters), tuple(body), returned, tuple(self.kernels), distinct
        )

    def buffers(self, scope: Scope) -> tuple[tuple[str, str], ...]:
        distinct: list[tuple[str, str]] = []
        is_distinct = self.flip(25)
        for number in range(self.draw.randint(1, 3)):
            space = "" if number == 0 and self.flip(70) else self.draw.choice(["1", "1", ""])
            name = self.parameter("m", s.MemType(SIZE, space))
            self.memory(scope, name, s.MemType(SIZE, space))
            distinct.append((name, f"{name}_raw"))
        return tuple(distinct) if is_distinct else ()

    def memory(self, scope: Scope, name: str, kind: s.MemType) -> None:
        scope.types[name] = kind
        scope.parts[name] = (name, frozenset(range(kind.size)))
        self.roots.append(name)

    def finish(self, scope: Scope, body: Body) -> tuple[s.Name, ...]:
        """Wait for what is left, or return its tokens."""
        returned: list[s.Name] = []
        open_ones = {p.number for p in self.pending} - scope.known
        for name in self.speakers(scope, open_ones, body, wants_tasks=True):
            if self.flip(12) and len(returned) < 2:
                returned.append(s.Name(name, scope.types[name]))
            else:
                self.block_on(scope, name, body)
        floats = scope.of_type("f32")
        if floats and self.flip(20):
            returned.append(s.Name(floats[-1], "f32"))
        return tuple(returned)

    def statement(self, scope: Scope, body: Body) -> None:
        self.budget -= 1
        action = self.weighted(ACTIONS)
        if action in NESTING and (self.depth >= 3 or (self.depth and self.flip(40))):
            action = "device"
        getattr(self, f"do_{action}")(scope, body)

    def block(self, scope: Scope, *, least: int = 1, most: int = 3) -> Body:
        body: Body = []
        self.depth += 1
        for _ in range(self.draw.randint(least, most)):
            self.statement(scope, body)
        self.depth -= 1
        return body

    # Order

    def pend(self, scope: Scope, touches: Iterable[Touch]) -> Numbers:
        """New pending work that touches some memory."""
        numbers: set[int] = set()
        for root, elements, is_write in touches:
            numbers.add(len(self.pending))
            self.pending.append(Pending(len(self.pending), frozenset([root]), elements, is_write))
        return frozenset(numbers)

    def needed(self, scope: Scope, touches: Sequence[Touch]) -> set[int]:
        return {
            p.number
            for p in self.pending
            if p.number not in scope.known and any(p.meets(t) for t in touches)
        }

    def speakers(
        self, scope: Scope, needed: set[int], body: Body, *, wants_tasks: bool = False
    ) -> list[str]:
        """GPU tokens (or tasks) that together speak for `needed`; awaits tasks where need be."""
        left = set(needed)
        found: list[str] = []
        while left:
            names = [*scope.tokens(), *scope.tasks()]
            gains = {n: len(scope.covers[n] & left) for n in names}
            best = [
                n for n in names if gains[n] and (gains[n] == max(gains.values()) or self.flip(30))
            ]
            if best:
                name = self.draw.choice(best[-3:])
                left -= scope.covers[name]
                if not wants_tasks and name in scope.tasks():
                    self.block_on(scope, name, body)
                else:
                    found.append(name)
            elif not self.open_value(scope, left, body):
                break
        return found

    def open_value(self, scope: Scope, wanted: set[int], body: Body) -> bool:
        """Await a value whose token speaks for some of `wanted`."""
        fitting = [n for n, inside in scope.inside.items() if inside & wanted]
        if fitting:
            self.block_on(scope, fitting[0], body)
            return True
        return False

    def block_on(self, scope: Scope, name: str, body: Body) -> None:
        """Let the task wait for a token, task or value."""
        inner = s.inner_type(scope.types[name])
        if scope.types[name] == s.TOKEN:
            body.append(s.Wait((name,)))
        elif inner is None:
            body.append(s.Await(name))
        else:
            result = self.name("u")
            body.append(s.Await(name, result))
            scope.types[result] = inner
            if inner == s.TOKEN:
                scope.covers[result] = scope.inside.pop(name, scope.covers.get(result, NOTHING))
        scope.known |= scope.covers[name]

    def deps(self, scope: Scope, touches: Sequence[Touch], body: Body) -> list[str]:
        """The dependencies of an op, right or nearly right."""
        found = self.speakers(scope, self.needed(scope, touches), body)
        tokens = scope.tokens()
        if found and self.errs():
            found.pop(self.draw.randrange(len(found)))
            if tokens and self.flip(60):
                found.append(self.draw.choice(tokens))
        if tokens and self.flip(6):
            found.append(self.draw.choice(tokens))
        return found[:4]

    def host_waits(self, scope: Scope, touches: Sequence[Touch], body: Body) -> None:
        """Wait for what an access of the host needs, or nearly."""
        needed = self.needed(scope, touches)
        if needed and self.errs():
            if scope.tokens() and self.flip(50):
                self.block_on(scope, self.draw.choice(scope.tokens()), body)
            return
        names = self.speakers(scope, needed, body)
        if len(names) > 1 and self.flip(60):
            body.append(s.Wait(tuple(names)))
            for name in names:
                scope.known |= scope.covers[name]
            return
        for name in names:
            self.block_on(scope, name, body)

    def issue(
        self,
        scope: Scope,
        touches: Sequence[Touch],
        body: Body,
        make: Callable[[tuple[str, ...], str | None], s.Statement],
        is_sync: int = 25,
    ) -> None:
        """A GPU op, asynchronous or not."""
        deps = self.deps(scope, touches, body)
        covered = frozenset[int]().union(*(scope.covers[d] for d in deps))
        if self.flip(is_sync):
            if deps and self.flip(60):
                body.append(s.Wait(tuple(deps)))
                deps = []
            body.append(make(tuple(deps), None))
            scope.known |= covered
            self.after_host(scope, touches)
            return
        token = self.name("t")
        body.append(make(tuple(deps), token))
        scope.types[token] = s.TOKEN
        scope.covers[token] = self.pend(scope, touches) | covered | scope.known

    def after_host(self, scope: Scope, touches: Sequence[Touch]) -> None:
        """What a task touches itself is pending for others."""
        if scope.is_task:
            scope.known |= self.pend(scope, touches)

    # Device work

    def touch(self, scope: Scope, memory: str, *, is_write: bool) -> Touch:
        return (*scope.parts[memory], is_write)

    def value(self, scope: Scope) -> str:
        """A number to write: a new argument, or one that is there."""
        floats = scope.of_type("f32")
        if not floats or self.flip(70):
            return self.parameter("v", "f32")
        return self.draw.choice(floats)

    def any_memory(self, scope: Scope, space: str | None = None) -> str | None:
        names = list(scope.memories(space))
        return self.draw.choice(names) if names else None

    def do_device(self, scope: Scope, body: Body) -> None:
        kind = self.draw.choice(["fill", "copy", "copy", "launch", "launch"])
        if kind == "launch":
            self.launch(scope, body)
        elif kind == "copy":
            self.copy(scope, body)
        else:
            self.fill(scope, body)

    def fill(self, scope: Scope, body: Body) -> None:
        memory = self.any_memory(scope)
        if memory is None:
            return
        value = self.value(scope)
        touches = [self.touch(scope, memory, is_write=True)]
        self.issue(scope, touches, body, lambda d, t: s.Fill(memory, value, d, t))

    def copy(self, scope: Scope, body: Body) -> None:
        memories = scope.memories()
        target = self.any_memory(scope)
        if target is None:
            return
        root = scope.parts[target][0]
        sources = [
            n
            for n, k in memories.items()
            if k.size == memories[target].size
            and (scope.parts[n][0] != root or not scope.parts[n][1] & scope.parts[target][1])
        ]
        if not sources:
            self.fill(scope, body)
            return
        source = self.draw.choice(sources)
        touches = [
            self.touch(scope, source, is_write=False),
            self.touch(scope, target, is_write=True),
        ]
        self.issue(scope, touches, body, lambda d, t: s.Copy(target, source, d, t))

    def launch(self, scope: Scope, body: Body) -> None:
        names = [n for n in scope.memories() if n in scope.parts]
        if not names:
            return
        given = self.draw.sample(names, min(len(names), self.draw.randint(1, 2)))
        counters = [n for n in scope.types if n.startswith("i")]
        index: str | int = self.draw.choice([0, 1, 2])
        if counters and self.flip(60):
            index = self.draw.choice(counters)
        kinds = scope.memories()
        grid, block = self.draw.randint(1, 2), self.draw.randint(1, 2)
        room = (grid - 1) + (block - 1) + COUNTER_END
        kernel = self.kernel([kinds[n] for n in given], room)
        value = self.value(scope)
        touches = self.footprint(scope, kernel, given, index, (grid, block))
        arguments = (*given, index, value)
        self.issue(
            scope,
            touches,
            body,
            lambda d, t: s.Launch(kernel.name, grid, block, arguments, d, t),
        )

    def kernel(self, kinds: Sequence[s.MemType], room: int) -> s.Kernel:
        """A kernel for memrefs of some types: an old one now and then."""
        old = [
            k
            for k in self.kernels
            if [p.type for p in k.parameters] == [*kinds, "index", "f32"] and room <= COUNTER_END
        ]
        if old and self.flip(60):
            return self.draw.choice(old)
        name = self.name("kernel")
        memories = [s.Name(f"{name}_a{i}", k) for i, k in enumerate(kinds)]
        index, value = s.Name(f"{name}_k", "index"), s.Name(f"{name}_v", "f32")
        body: list[s.Load | s.Store] = []
        values = [value.name]
        for memory in memories:
            if self.flip(45):
                values.append(self.name("x"))
                body.append(s.Load(values[-1], memory.name, self.thread_place(memory, index, room)))
        for memory in memories[-1:] if body and self.flip(80) else memories:
            if self.flip(80) or not body:
                place = self.thread_place(memory, index, room)
                body.append(s.Store(values[-1], memory.name, place))
        self.kernels.append(s.Kernel(name, (*memories, index, value), tuple(body)))
        return self.kernels[-1]

    def thread_place(self, memory: s.Name, index: s.Name, room: int) -> s.Place:
        """A place in a kernel that is in bounds for every thread and index."""
        assert isinstance(memory.type, s.MemType)
        size = memory.type.size
        names = [n for n in ("tid", "bid", index.name) if self.flip(60)]
        if size <= room:
            names = [n for n in names if n in ("tid", "bid")][: size - 1]
        most = size - 1 - (room if index.name in names else len(names))
        return s.Place(self.draw.randint(0, max(0, min(7, most))), tuple(names))

    def footprint(
        self,
        scope: Scope,
        kernel: s.Kernel,
        given: Sequence[str],
        index: str | int,
        launch: tuple[int, int],
    ) -> list[Touch]:
        """Exact where the index is a number."""
        touches: list[Touch] = []
        ids = [
            {"tid": t, "bid": b, kernel.parameters[-2].name: index}
            for b in range(launch[0])
            for t in range(launch[1])
        ]
        for op in kernel.body:
            memory = given[[p.name for p in kernel.parameters].index(op.memory)]
            root, elements = scope.parts[memory]
            places = {
                op.place.constant + sum(x for n in op.place.names if isinstance(x := at[n], int))
                for at in ids
            }
            if isinstance(index, int) and len(elements) == scope.memories()[memory].size:
                ordered = sorted(elements)
                elements = frozenset(ordered[p] for p in places)
            touches.append((root, elements, isinstance(op, s.Store)))
        return touches

    # Host work and views

    def do_host(self, scope: Scope, body: Body) -> None:
        memory = self.any_memory(scope, "")
        if memory is None:
            self.do_device(scope, body)
            return
        kind = scope.memories()[memory]
        counters = [n for n in scope.types if n.startswith("i")]
        names: tuple[str, ...] = ()
        if counters and kind.size > COUNTER_END and self.flip(50):
            names = (self.draw.choice(counters),)
        room = kind.size - 1 - (COUNTER_END if names else 0)
        place = s.Place(self.draw.randint(0, min(7, room)), names)
        root, elements = scope.parts[memory]
        if not names and len(elements) == kind.size:
            elements = frozenset([sorted(elements)[place.constant]])
        is_write = self.flip(40)
        value = self.value(scope) if is_write else ""
        touches: list[Touch] = [(root, elements, is_write)]
        self.host_waits(scope, touches, body)
        if is_write:
            body.append(s.Store(value, memory, place))
        else:
            name = self.name("x")
            body.append(s.Load(name, memory, place))
            scope.types[name] = "f32"
        self.after_host(scope, touches)

    def do_view(self, scope: Scope, body: Body) -> None:
        source = self.any_memory(scope)
        if source is None:
            return
        kind = scope.memories()[source]
        counters = [n for n in scope.types if n.startswith("i")]
        root, elements = scope.parts[source]
        name = self.name("s")
        if counters and kind.size > COUNTER_END and self.flip(40):
            view = s.Subview(name, source, self.draw.choice(counters), 1)
        elif kind.size >= 4:
            stride = self.draw.choice([1, 1, 2])
            size = kind.size // 2
            offset = self.draw.choice([0, size]) if stride == 1 else self.draw.choice([0, 1])
            if stride == 1 and self.flip(20):
                offset = 1
            view = s.Subview(name, source, offset, size, stride)
            ordered = sorted(elements)
            if len(ordered) == kind.size:
                elements = frozenset(ordered[offset + stride * j] for j in range(size))
        else:
            return
        body.append(view)
        scope.types[name] = s.subview_type(kind, view)
        scope.parts[name] = (root, elements)

    def do_alloc(self, scope: Scope, body: Body) -> None:
        """A buffer of its own, some statements that may use it, and its end."""
        name = self.name("g")
        kind = s.MemType(SIZE, "1")
        self.memory(scope, name, kind)
        touches = [self.touch(scope, name, is_write=True)]
        if self.flip(60):
            deps = tuple(self.some(scope.tokens(), 1))
            token = self.name("t")
            body.append(s.Alloc(name, kind, deps, token))
            scope.types[token] = s.TOKEN
            covered = frozenset[int]().union(*(scope.covers[d] for d in deps))
            scope.covers[token] = self.pend(scope, touches) | covered | scope.known
        else:
            body.append(s.Alloc(name, kind))
        for _ in range(self.draw.randint(0, 3)):
            self.statement(scope, body)
        if self.flip(70):
            self.issue(scope, touches, body, lambda d, t: s.Dealloc(name, d, t), is_sync=40)
            for memory in [n for n, (root, _) in scope.parts.items() if root == name]:
                del scope.parts[memory], scope.types[memory]

    # Tokens

    def join(self, scope: Scope, body: Body, tokens: Sequence[str] = ()) -> str:
        name = self.name("j")
        body.append(s.Join(name, tuple(tokens)))
        scope.types[name] = s.TOKEN
        scope.covers[name] = scope.known.union(*(scope.covers[t] for t in tokens))
        return name

    def do_join(self, scope: Scope, body: Body) -> None:
        self.join(scope, body, self.some(scope.tokens()[-4:], 3))

    def do_wait(self, scope: Scope, body: Body) -> None:
        tokens = self.some(scope.tokens()[-5:], 3)
        body.append(s.Wait(tuple(tokens)))
        scope.known = scope.known.union(*(scope.covers[t] for t in tokens))

    def do_await(self, scope: Scope, body: Body) -> None:
        tasks = scope.tasks()
        if tasks:
            self.block_on(scope, self.draw.choice(tasks), body)
        else:
            self.do_device(scope, body)

    def do_group(self, scope: Scope, body: Body) -> None:
        tasks = self.some(scope.tasks(), 3)
        if not tasks:
            self.do_device(scope, body)
            return
        group = self.name("group")
        body.append(s.NewGroup(group, len(tasks)))
        for task in tasks:
            body.append(s.Add(task, group))
            if self.flip(15):
                self.do_device(scope, body)
        body.append(s.AwaitAll(group))
        scope.known = scope.known.union(*(scope.covers[t] for t in tasks))

    # Host tasks

    def do_execute(self, scope: Scope, body: Body) -> None:
        self.execute(scope, body)

    def execute(self, scope: Scope, body: Body) -> str:
        deps = self.some(scope.of_type(s.TASK), 2)
        inner = scope.inner()
        inner.is_task = True
        operands = self.unwrapped(scope, inner)
        for name in (*deps, *(o for o, _ in operands)):
            inner.known |= scope.covers[name]
        start = len(self.pending)
        inside = self.block(inner)
        yields, results = self.results_of_task(inner, inside, start)
        token = self.name("a")
        names = [s.Name(self.name("av"), k) for k in results]
        body.append(
            s.Execute(token, tuple(deps), operands, tuple(inside), tuple(names), tuple(yields))
        )
        scope.types[token], scope.covers[token] = s.TASK, inner.known
        for name, value in zip(names, yields, strict=True):
            scope.types[name.name] = s.value_type(str(name.type))
            scope.covers[name.name] = inner.known
            if name.type == s.TOKEN:
                scope.inside[name.name] = inner.covers[value] | inner.known
        return token

    def unwrapped(self, scope: Scope, inner: Scope) -> tuple[tuple[str, str], ...]:
        operands: list[tuple[str, str]] = []
        values = [n for n in scope.types if s.inner_type(scope.types[n])]
        for value in self.some(values, 2):
            name = self.name("w")
            kind = s.inner_type(scope.types[value]) or ""
            inner.types[name] = kind
            if kind == s.TOKEN:
                inner.covers[name] = scope.inside.get(value, scope.covers[value])
            operands.append((value, name))
        return tuple(operands)

    def results_of_task(
        self, inner: Scope, inside: Body, start: int
    ) -> tuple[list[str], list[str]]:
        """What a task hands on: a token for its device work unless it waits for that."""
        yields: list[str] = []
        if self.flip(50):
            yields.append(self.settled_token(inner, inside, start))
        else:
            self.settle(inner, inside, start)
        floats = [n for n in inner.of_type("f32") if n.startswith("x")]
        if floats and self.flip(50):
            yields.append(floats[-1])
        return yields, [str(inner.types[n]) for n in yields]

    def open_since(self, scope: Scope, start: int) -> set[int]:
        return {p.number for p in self.pending[start:]} - scope.known

    def settle(self, scope: Scope, body: Body, start: int) -> None:
        """Wait for all work since `start`, or nearly all."""
        names = self.speakers(scope, self.open_since(scope, start), body, wants_tasks=True)
        for name in names:
            if not self.errs():
                self.block_on(scope, name, body)

    def settled_token(
        self, scope: Scope, body: Body, start: int, also: set[int] | None = None
    ) -> str:
        """A token for all work since `start`, or for nearly all."""
        tokens = scope.tokens()
        if tokens and self.errs():
            return self.draw.choice(tokens)
        names = self.speakers(scope, self.open_since(scope, start) | (also or set()), body)
        if len(names) == 1:
            return names[0]
        if not names and tokens and self.flip(40):
            return tokens[-1]
        return self.join(scope, body, names)

    # Control flow

    def do_branch(self, scope: Scope, body: Body) -> None:
        conditions = scope.of_type("i1")
        is_graph = scope.is_flat and self.flip(80)
        count = self.weighted({0: 4, 1: 4, 2: 1})
        then, other = scope.inner(is_flat=is_graph), scope.inner(is_flat=is_graph)
        start = len(self.pending)
        first, first_yields = self.branch_body(then, count, start, is_empty=False)
        middle = len(self.pending)
        is_missing = self.flip(50) and (count == 0 or is_graph)
        second, second_yields = self.branch_body(other, count, middle, is_empty=is_missing)
        is_missing = is_missing and not second
        results = [s.Name(self.name("r"), s.TOKEN) for _ in range(count)]
        body.append(
            s.If(
                self.draw.choice(conditions),
                tuple(first),
                None if is_missing else tuple(second),
                tuple(results),
                tuple(first_yields),
                tuple(second_yields),
                is_graph,
            )
        )
        mine = frozenset(range(start, middle))
        theirs = frozenset(range(middle, len(self.pending)))
        scope.known |= (then.known | theirs) & (other.known | mine)
        for result, a, b in zip(results, first_yields, second_yields, strict=True):
            scope.types[result.name] = s.TOKEN
            left = then.covers[a] | then.known | theirs
            scope.covers[result.name] = left & (other.covers[b] | other.known | mine)

    def branch_body(
        self, scope: Scope, count: int, start: int, *, is_empty: bool
    ) -> tuple[Body, list[str]]:
        if not count:
            inside = [] if is_empty else self.block(scope, most=2)
            self.settle(scope, inside, start)
            return inside, []
        inside = [] if is_empty else self.block(scope, least=0, most=2)
        first = self.settled_token(scope, inside, start)
        more = [self.draw.choice(scope.tokens()) for _ in range(count - 1)]
        return inside, [first, *more]

    def do_loop(self, scope: Scope, body: Body) -> None:
        kinds = {"for": 5, "while": 2}
        is_graph = scope.is_flat and self.flip(80)
        if is_graph:
            kinds = {"head": 3, "tail": 2}
        kind = self.weighted(kinds)
        is_direct = kind in ("head", "tail") and self.flip(40)
        groups = self.chains(self.weighted({0: 3, 1: 5, 2: 2}))
        inner = scope.inner(is_flat=is_graph)
        carried, wild = self.carried(scope, inner, body, groups)
        if is_direct and kind == "head":
            carried = [s.Carried(c.name, c.type, c.initial, c.name) for c in carried]
        counter = self.name("i")
        inner.types[counter] = "index"
        start = len(self.pending)
        before: Body = []
        if kind in ("head", "while") and self.flip(20):
            self.in_head(inner, before, sees_names=kind == "head")
        inside = self.block(inner)
        yields = self.loop_yields(inner, inside, start, carried, wild)
        body.append(
            s.Loop(
                kind,
                counter,
                self.trips(scope, 2 if is_graph else 0),
                tuple(carried),
                tuple(inside),
                tuple(yields),
                tuple(before),
                is_direct,
            )
        )
        if is_direct and kind == "tail":
            for name in inner.types.keys() - scope.types.keys() - {counter}:
                self.leave(scope, inner, name)
        else:
            self.after_loop(scope, carried, groups, start)
        if not carried:
            scope.known |= frozenset(range(start, len(self.pending)))

    def trips(self, scope: Scope, least: int = 0) -> int | str:
        names = [n for n in scope.of_type("index") if n.startswith("n")]
        return self.draw.choice(names) if self.flip(75) else self.draw.randint(least, COUNTER_END)

    def chains(self, count: int) -> list[frozenset[str]]:
        """The roots that each carried token speaks for."""
        if count == 0:
            return []
        if count == 1:
            return [frozenset(self.roots)]
        part = frozenset(self.some(self.roots, 2))
        return [part, frozenset(self.roots) - part]

    def carried(
        self, scope: Scope, inner: Scope, body: Body, groups: Sequence[frozenset[str]]
    ) -> tuple[list[s.Carried], list[int]]:
        """Carried tokens; each speaks for the work of earlier iterations on its roots."""
        found: list[s.Carried] = []
        wild: list[int] = []
        for group in groups:
            initial = self.initial_token(scope, body)
            value = s.Carried(self.name("k"), s.TOKEN, initial, self.name("r"))
            number = len(self.pending)
            self.pending.append(Pending(number, group, frozenset(range(SIZE)), is_write=True))
            scope.known |= {number}
            inner.types[value.name] = s.TOKEN
            inner.covers[value.name] = frozenset([number])
            found.append(value)
            wild.append(number)
        return found, wild

    def initial_token(self, scope: Scope, body: Body) -> str:
        tokens = scope.tokens()
        if tokens and self.flip(60):
            return self.draw.choice(tokens[-3:])
        return self.join(scope, body)

    def loop_yields(
        self,
        inner: Scope,
        inside: Body,
        start: int,
        carried: Sequence[s.Carried],
        wild: Sequence[int],
    ) -> list[str]:
        if not carried:
            self.settle(inner, inside, start)
            return []
        yields: list[str] = []
        for value, number in zip(carried, wild, strict=True):
            if self.errs():
                yields.append(value.name if self.flip(60) else self.draw.choice(inner.tokens()))
                continue
            roots = self.pending[number].roots
            mine = {n for n in self.open_since(inner, start) if self.pending[n].roots <= roots}
            if value is carried[-1]:
                mine |= {
                    n
                    for n in self.open_since(inner, start)
                    if not any(self.pending[n].roots <= self.pending[w].roots for w in wild)
                }
            mine |= {number} - inner.known
            names = self.speakers(inner, mine, inside)
            yields.append(names[0] if len(names) == 1 else self.join(inner, inside, names))
        return yields

    def after_loop(
        self,
        scope: Scope,
        carried: Sequence[s.Carried],
        groups: Sequence[frozenset[str]],
        start: int,
    ) -> None:
        for value, group in zip(carried, groups, strict=True):
            scope.types[value.result] = s.TOKEN
            mine = {p.number for p in self.pending[start:] if p.roots <= group}
            if value is carried[-1]:
                mine |= {
                    p.number for p in self.pending[start:] if not any(p.roots <= g for g in groups)
                }
            scope.covers[value.result] = frozenset(mine)

    def leave(self, scope: Scope, inner: Scope, name: str) -> None:
        """Let a value that a block defines be used after it."""
        scope.types[name] = inner.types[name]
        if name in inner.parts:
            scope.parts[name] = inner.parts[name]
        if name in inner.covers:
            scope.covers[name] = inner.covers[name]
        if name in inner.inside:
            scope.inside[name] = inner.inside[name]

    def in_head(self, inner: Scope, before: Body, *, sees_names: bool) -> None:
        """Work in the part of a loop that decides; without danger it leaves no token behind."""
        given = inner if sees_names else inner.inner()
        start = len(self.pending)
        self.statement(given, before)
        if not sees_names:
            self.settle(given, before, start)
            inner.known |= given.known

    def do_tangle(self, scope: Scope, body: Body) -> None:
        """A cycle with two entries."""
        if not scope.is_flat:
            self.do_loop(scope, body)
            return
        groups = [frozenset(self.roots)]
        first_scope, second_scope = scope.inner(is_flat=True), scope.inner(is_flat=True)
        carried, wild = self.carried(scope, first_scope, body, groups)
        other = self.name("k")
        second_scope.types[other] = s.TOKEN
        second_scope.covers[other] = frozenset(wild)
        counter = self.name("i")
        start = len(self.pending)
        first = self.block(first_scope, most=2)
        yields = self.loop_yields(first_scope, first, start, carried, wild)
        second_scope.covers[other] |= frozenset(range(start, len(self.pending)))
        second = self.block(second_scope, most=2)
        inner = [s.Carried(other, s.TOKEN, "", "")]
        second_yields = self.loop_yields(second_scope, second, start, inner, wild)
        body.append(
            s.Tangle(
                self.draw.choice(scope.of_type("i1")),
                counter,
                self.trips(scope, 2),
                tuple(carried),
                (other,),
                tuple(first),
                tuple(yields),
                tuple(second),
                tuple(second_yields),
            )
        )
        self.after_loop(scope, carried, groups, start)

    def do_group_loop(self, scope: Scope, body: Body) -> None:
        """A task an iteration, all of them in a group that is awaited after the loop."""
        group = self.name("group")
        trips = self.trips(scope)
        body.append(s.NewGroup(group, trips))
        inner = scope.inner()
        counter = self.name("i")
        inner.types[counter] = "index"
        start = len(self.pending)
        inside: Body = []
        self.depth += 1
        task = self.execute(inner, inside)
        self.depth -= 1
        inside.append(s.Add(task, group))
        body.append(s.Loop("for", counter, trips, (), tuple(inside), ()))
        if not self.errs():
            body.append(s.AwaitAll(group))
            scope.known |= frozenset(range(start, len(self.pending)))
