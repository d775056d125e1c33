"""The ops of a drawn token program that hold no others, and the tokens that they take."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from fuzz.strategies import token_syntax as s
from fuzz.strategies.token_scopes import NOTHING, Body, Numbers, Pending, Scope, Touch

T = TypeVar("T")
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


class OpBuilder:
    """Draws ops into the body of a scope; a subclass adds those that hold bodies."""

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
        is_called = self.flip(35)

        def make(deps: tuple[str, ...], token: str | None) -> s.Fill:
            can_be = is_called and token is not None and len(deps) < 2
            return s.Fill(memory, value, deps, token, is_called=can_be)

        self.issue(scope, touches, body, make)

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
