"""Programs of GPU work that the host waits for, as text: what `gpu-async-region` is made for.

Buffers on the device and the host, kernels with bodies, copies, fills, allocations, host reads
and writes, loops, branches, blocks, calls and host tasks. A task is awaited before its memory is
used again, but for a few programs.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace

SIZE = 8
TYPE = f"memref<{SIZE}xf32>"
VIEW = "memref<4xf32, strided<[{stride}], offset: {offset}>>"
KERNELS = {
    "fill": ("%a[%i]", ""),
    "shift": ("%a[%i]", "%b[%j]"),
    "sweep": ("%a[%j]", "%a[%i]"),
}


@dataclass(slots=True)
class _Scope:
    """What a block can name; `tasks` are those that were not awaited yet."""

    memories: dict[str, str]
    indices: list[str]
    values: list[str] = field(default_factory=lambda: ["%v"])
    tasks: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    depth: int = 0
    is_task: bool = False

    def inner(self) -> _Scope:
        """The scope of a region in it, which starts with tasks of its own."""
        return replace(
            self,
            memories=dict(self.memories),
            indices=[*self.indices],
            values=[*self.values],
            tasks=[],
            depth=self.depth + 1,
        )


def build(draw: random.Random) -> str:
    """Draw one program."""
    return _Writer(draw).module()


def render(program: str) -> str:
    """The program, which is text already."""
    return program


class _Writer:
    def __init__(self, draw: random.Random) -> None:
        self.draw = draw
        self.count = 0
        self.is_careless = draw.random() < 0.1
        self.has_call = False

    def module(self) -> str:
        """The module with its kernels and one function."""
        arguments = [f"%m{i}" for i in range(self.draw.randint(1, 2))]
        scope = _Scope(dict.fromkeys(arguments, TYPE), [f"%c{i}" for i in range(5)])
        scope.indices += ["%n"]
        shape = self.draw.choices([self._straight, self._diamond, self._cycle], [8, 1, 1])[0]
        body = shape(scope)
        constants = [f"%c{i} = arith.constant {i} : index" for i in range(5)]
        given = ", ".join(f"{a}: {TYPE}" for a in arguments)
        kernels = [line for name in KERNELS for line in _kernel(name)]
        callee = _callee() if self.has_call else []
        lines = [
            "module attributes {gpu.container_module} {",
            "gpu.module @kernels {",
            *kernels,
            "}",
            *callee,
            f"func.func @f({given}, %n: index, %v: f32, %flag: i1) {{",
            *constants,
            *body,
            "}",
            "}",
        ]
        return "\n".join(lines) + "\n"

    def _straight(self, scope: _Scope) -> list[str]:
        return [*self.block(scope, 7), "return"]

    def _diamond(self, scope: _Scope) -> list[str]:
        top = self.block(scope, 3)
        left, right = self.block(scope.inner(), 3), self.block(scope.inner(), 3)
        end = self.block(scope, 3)
        branch = "cf.cond_br %flag, ^l, ^r"
        sides = ["^l:", *left, "cf.br ^j", "^r:", *right, "cf.br ^j"]
        return [*top, branch, *sides, "^j:", *end, "return"]

    def _cycle(self, scope: _Scope) -> list[str]:
        top, body, end = self.block(scope, 3), self.block(scope.inner(), 4), self.block(scope, 2)
        head = ["^h(%it: index):", "%go = arith.cmpi slt, %it, %n : index"]
        back = ["%next = arith.addi %it, %c1 : index", "cf.br ^h(%next : index)"]
        enter = ["cf.br ^h(%c0 : index)", *head, "cf.cond_br %go, ^b, ^e"]
        return [*top, *enter, "^b:", *body, *back, "^e:", *end, "return"]

    def block(self, scope: _Scope, most: int) -> list[str]:
        """Some statements; tasks that they made are awaited at the end."""
        lines: list[str] = []
        for _ in range(self.draw.randint(1, most)):
            lines += self._statement(scope)
        return [*lines, *self._settle(scope)]

    def _statement(self, scope: _Scope) -> list[str]:
        makers: dict[Callable[[_Scope], list[str]], int] = {
            self._launch: 6,
            self._memset: 3,
            self._memcpy: 3,
            self._alloc: 2,
            self._view: 2,
            self._load: 2,
            self._store: 2,
            self._call: 1,
            self._execute: 3 if scope.depth < 3 else 0,
            self._for: 2 if scope.depth < 3 else 0,
            self._if: 2 if scope.depth < 3 else 0,
        }
        chosen = self.draw.choices(list(makers), list(makers.values()))[0]
        return [*self._await_some(scope), *chosen(scope)]

    def _launch(self, scope: _Scope) -> list[str]:
        kernel = self.draw.choice(list(KERNELS))
        plain = [m for m, kind in scope.memories.items() if kind == TYPE]
        a, b = self.draw.choice(plain), self.draw.choice(plain)
        grid = " ".join(f"in ({self.draw.choice(['%c1', '%c2'])}, %c1, %c1)" for _ in range(1))
        size = f"blocks {grid} threads in ({self.draw.choice(['%c1', '%c2', '%c4'])}, %c1, %c1)"
        shift = self.draw.choice(["%c0", "%c1", "%c2"])
        given = f"args({a} : {TYPE}, {b} : {TYPE}, {shift} : index, {self._value(scope)} : f32)"
        return [f"gpu.launch_func @kernels::@{kernel} {size} {given}"]

    def _memset(self, scope: _Scope) -> list[str]:
        memory, kind = self._memory(scope)
        return [f"gpu.memset {memory}, {self._value(scope)} : {kind}, f32"]

    def _memcpy(self, scope: _Scope) -> list[str]:
        target, kind = self._memory(scope)
        shape = kind.partition("x")[0]
        fits = [m for m, k in scope.memories.items() if k.startswith(shape) and m != target]
        if not fits:
            return self._memset(scope)
        source = self.draw.choice(fits)
        return [f"gpu.memcpy {target}, {source} : {kind}, {scope.memories[source]}"]

    def _alloc(self, scope: _Scope) -> list[str]:
        name = self._name("g")
        kind = TYPE if self.draw.random() < 0.7 else f"memref<{SIZE}xf32, 1>"
        shared = "host_shared " if self.draw.random() < 0.15 else ""
        inner = scope.inner()
        inner.memories[name] = kind
        used = [f"gpu.memset {name}, {self._value(scope)} : {kind}, f32", *self.block(inner, 3)]
        scope.values += [v for v in inner.values if v not in scope.values]
        return [f"{name} = gpu.alloc {shared}() : {kind}", *used, f"gpu.dealloc {name} : {kind}"]

    def _view(self, scope: _Scope) -> list[str]:
        plain = [m for m, kind in scope.memories.items() if kind == TYPE]
        source, name = self.draw.choice(plain), self._name("w")
        stride = self.draw.choice([1, 1, 2])
        place = self.draw.choice(["0", "1", "%c1", "%n"])
        offset = place if place.isdigit() else "?"
        kind = VIEW.format(stride=stride, offset=offset).replace(", offset: 0", "")
        scope.memories[name] = kind
        return [f"{name} = memref.subview {source}[{place}] [4] [{stride}] : {TYPE} to {kind}"]

    def _load(self, scope: _Scope) -> list[str]:
        memory, kind = self._memory(scope)
        name = self._name("x")
        scope.values.append(name)
        return [f"{name} = memref.load {memory}[{self._index(scope)}] : {kind}"]

    def _store(self, scope: _Scope) -> list[str]:
        memory, kind = self._memory(scope)
        return [f"memref.store {self._value(scope)}, {memory}[{self._index(scope)}] : {kind}"]

    def _call(self, scope: _Scope) -> list[str]:
        self.has_call = True
        plain = [m for m, kind in scope.memories.items() if kind == TYPE]
        return [f"func.call @step({self.draw.choice(plain)}) : ({TYPE}) -> ()"]

    def _execute(self, scope: _Scope) -> list[str]:
        name, inner = self._name("t"), scope.inner()
        inner.is_task = True
        before = [t for t, _ in scope.tasks if self.draw.random() < 0.6]
        first = [] if before or self.is_careless else self._settle(scope)
        head = f"async.execute [{', '.join(before)}]" if before else "async.execute"
        gives = self.draw.random() < 0.3
        body = self.block(inner, 3)
        result, kind, result_type = "", "", ""
        if gives:
            result, kind = f", {name}_r", " -> !async.value<f32>"
            result_type = f"{self._value(inner)} : f32"
        scope.tasks.append((name, f"{name}_r" if gives else ""))
        end = f"async.yield {result_type}".rstrip()
        return [*first, f"{name}{result} = {head}{kind} {{", *body, end, "}"]

    def _for(self, scope: _Scope) -> list[str]:
        name, inner = self._name("i"), scope.inner()
        inner.indices.append(name)
        top = self.draw.choice(["%n", "%c2", "%c3"])
        carried = self.draw.random() < 0.3
        kind = self.draw.choice(["for", "for", "for", "parallel"])
        if kind == "parallel":
            body = self.block(inner, 2)
            return [f"scf.parallel ({name}) = (%c0) to ({top}) step (%c1) {{", *body, "}"]
        head = f"scf.for {name} = %c0 to {top} step %c1"
        if not carried:
            return [f"{head} {{", *self.block(inner, 4), "}"]
        inner.values.append(f"{name}_a")
        body = [*self.block(inner, 4)]
        given = f"iter_args({name}_a = {self._value(scope)}) -> (f32)"
        end = f"scf.yield {self._value(inner)} : f32"
        scope.values.append(f"{name}_r")
        return [f"{name}_r = {head} {given} {{", *body, end, "}"]

    def _if(self, scope: _Scope) -> list[str]:
        then = self.block(scope.inner(), 3)
        if self.draw.random() < 0.5:
            return ["scf.if %flag {", *then, "}"]
        return ["scf.if %flag {", *then, "} else {", *self.block(scope.inner(), 3), "}"]

    def _await_some(self, scope: _Scope) -> list[str]:
        """Most of the time a task is awaited before anything else is done."""
        share = 0.3 if self.is_careless else 0.95
        return self._settle(scope) if self.draw.random() < share else []

    def _settle(self, scope: _Scope) -> list[str]:
        lines: list[str] = []
        while scope.tasks:
            task, value = scope.tasks.pop()
            lines.append(f"async.await {task} : !async.token")
            if value and self.draw.random() < 0.7:
                name = self._name("y")
                lines.append(f"{name} = async.await {value} : !async.value<f32>")
                scope.values.append(name)
        return lines

    def _memory(self, scope: _Scope) -> tuple[str, str]:
        return self.draw.choice(list(scope.memories.items()))

    def _value(self, scope: _Scope) -> str:
        return self.draw.choice(scope.values[-3:])

    def _index(self, scope: _Scope) -> str:
        return self.draw.choice(scope.indices[:4] + scope.indices[-1:])

    def _name(self, letter: str) -> str:
        self.count += 1
        return f"%{letter}{self.count}"


def _kernel(name: str) -> list[str]:
    target, source = KERNELS[name]
    value = [f"%x = memref.load {source} : {TYPE}"] if source else []
    return [
        f"gpu.func @{name}(%a: {TYPE}, %b: {TYPE}, %k: index, %v: f32) kernel {{",
        "%t = gpu.thread_id x",
        "%g = gpu.block_id x",
        "%i = arith.addi %t, %g : index",
        "%j = arith.addi %i, %k : index",
        *value,
        f"memref.store {'%x' if source else '%v'}, {target} : {TYPE}",
        "gpu.return",
        "}",
    ]


def _callee() -> list[str]:
    return [
        f"func.func private @step(%a: {TYPE}) {{",
        "%z = arith.constant 0 : index",
        f"%x = memref.load %a[%z] : {TYPE}",
        "%y = arith.addf %x, %x : f32",
        f"memref.store %y, %a[%z] : {TYPE}",
        "return",
        "}",
    ]
