"""Control flow of a drawn kernel: branches, loops, grids, calls and jumps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fuzz.strategies.kernel_pointers import MEMORY, PointerOps
from fuzz.strategies.kernel_scalars import SCALARS
from fuzz.strategies.kernel_values import FLOATS, Memory, Scope

CALLEES = """
func.func @cycle(%n: index, %x: i32) -> i32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %five = arith.constant 5 : index
  %end = arith.remui %n, %five : index
  cf.br ^head(%zero, %x : index, i32)
^head(%i: index, %y: i32):
  %more = arith.cmpi ult, %i, %end : index
  cf.cond_br %more, ^body, ^done
^body:
  %next = arith.addi %i, %one : index
  %twice = arith.addi %y, %x : i32
  cf.br ^head(%next, %twice : index, i32)
^done:
  return %y : i32
}
func.func @jumps(%n: index, %x: i32) -> i32 {
  %two = arith.constant 2 : i32
  %flag = arith.trunci %x : i32 to i8
  cf.switch %flag : i8, [
    default: ^other(%two : i32),
    0: ^one(%x : i32),
    1: ^other(%x : i32)
  ]
^one(%a: i32):
  %b = arith.muli %a, %two : i32
  cf.br ^other(%b : i32)
^other(%c: i32):
  %d = arith.subi %c, %two : i32
  return %d : i32
}
"""
SEEN = 64
"""How many values of a kind a thread keeps."""
SETS = ("d0 - 2 >= 0", "d0 mod 3 == 0", "d0 - 1 >= 0, -d0 + 9 >= 0")


class Flow(PointerOps):
    """Statements with regions. Each value that is computed is stored in one of two memories."""

    seen_integers: Memory
    seen_floats: Memory
    observed = 0

    def statements(self, scope: Scope, depth: int) -> None:
        """One to five statements."""
        for _ in range(self.draw.randint(1, 5)):
            if self.left <= 0:
                return
            self.left -= 1
            self.statement(scope, depth)

    def statement(self, scope: Scope, depth: int) -> None:
        """One statement, and stores of what it gives, so that nothing is without effect."""
        kinds = [SCALARS, SCALARS, MEMORY, *((FLOW,) if depth > 0 else ())]
        name = self.draw.choice(self.draw.choice(kinds))
        known = {kind: len(names) for kind, names in scope.values.items()}
        if name in FLOW:
            getattr(self, name)(scope, depth)
        else:
            getattr(self, name)(scope)
        for kind, names in list(scope.values.items()):
            if len(names) > known.get(kind, 0) and names[-1] not in self.constants:
                self.observe(kind, names[-1])

    def observe(self, kind: str, name: str) -> None:
        """Store a value where this thread keeps what it has seen."""
        if kind in FLOATS:
            wide = name if kind == "f64" else self.put(f"arith.extf {name} : {kind} to f64")
            memory = self.seen_floats
        else:
            cast = {"index": "index_cast", "i1": "extui"}.get(kind, "extsi")
            wide = name if kind == "i64" else self.put(f"arith.{cast} {name} : {kind} to i64")
            memory = self.seen_integers
        place = self.constant(self.observed % SEEN)
        self.observed += 1
        self.lines.append(f"memref.store {wide}, {memory.name}[{place}] : {memory.type}")

    def body(self, scope: Scope, depth: int, given: Sequence[tuple[str, str]] = ()) -> Scope:
        """Statements of a region that gets values; what is visible at its end."""
        inner = scope.inner()
        for kind, name in given:
            inner.add(kind, name)
        self.statements(inner, depth - 1)
        return inner

    def kinds(self, scope: Scope) -> list[str]:
        """The types of what a region hands on."""
        return [self.number_type(scope) for _ in range(self.draw.choice((0, 1, 1, 2)))]

    def values(self, scope: Scope, kinds: Sequence[str]) -> list[str]:
        """A value of each type."""
        return [self.value(scope, kind) for kind in kinds]

    def handed(self, op: str, values: Sequence[str], kinds: Sequence[str]) -> None:
        """A terminator that hands on values."""
        colon = " : " if values else ""
        self.lines.append(f"{op} {', '.join(values)}{colon}{', '.join(kinds)}")

    def results(self, scope: Scope, kinds: Sequence[str]) -> str:
        """The left side of an op with results, which become visible when `keep` is called."""
        name = self.fresh()
        return f"{name}:{len(kinds)} = " if kinds else ""

    def keep(self, scope: Scope, head: str, kinds: Sequence[str]) -> None:
        """Make results visible."""
        name = head.partition(":")[0]
        for i, kind in enumerate(kinds):
            scope.add(kind, f"{name}#{i}")

    def shared(self, scope: Scope) -> Memory | None:
        """A memory that a region may hand on."""
        return self.memory(scope) if self.draw.random() < 0.3 else None

    def branch(self, scope: Scope, depth: int) -> None:
        """`scf.if`, which may give one of two memories."""
        kinds, memory = self.kinds(scope), self.shared(scope)
        types = [*kinds, *([memory.type] if memory else [])]
        flag, head = self.value(scope, "i1"), self.results(scope, types)
        arrow = f" -> ({', '.join(types)})" if types else ""
        self.lines.append(f"{head}scf.if {flag}{arrow} {{")
        is_written = True
        for end in ("} else {", "}"):
            inner = self.body(scope, depth)
            values = self.values(inner, kinds)
            if memory:
                chosen = self.alike(scope, memory)
                values.append(chosen.name)
                is_written = is_written and chosen.is_written
            if types or end == "}":
                self.handed("scf.yield", values, types)
            self.lines.append(end)
        self.keep(scope, head, kinds)
        if memory:
            name = f"{head.partition(':')[0]}#{len(kinds)}"
            scope.memories.append(replace(memory, name=name, is_written=is_written, is_own=False))

    def bounds(self, scope: Scope) -> tuple[str, str, str]:
        """Lower bound, upper bound and step of a short loop."""
        lower = self.pick(self.constant(0), self.constant(-1), self.below(scope, 3))
        upper = self.pick(self.constant(3), self.below(scope, 5))
        step = self.constant(self.draw.choice((1, 1, 2)))
        return lower, upper, step

    def loop(self, scope: Scope, depth: int) -> None:
        """`scf.for` with carried values."""
        kinds = self.kinds(scope)
        lower, upper, step = self.bounds(scope)
        starts, head, iv = self.values(scope, kinds), self.results(scope, kinds), self.fresh()
        names = [self.fresh() for _ in kinds]
        carried = ", ".join(f"{n} = {s}" for n, s in zip(names, starts, strict=True))
        tail = f" iter_args({carried}) -> ({', '.join(kinds)})" if kinds else ""
        self.lines.append(f"{head}scf.for {iv} = {lower} to {upper} step {step}{tail} {{")
        given = [("index", iv), *zip(kinds, names, strict=True)]
        inner = self.body(scope, depth, given)
        self.handed("scf.yield", self.values(inner, kinds), kinds)
        self.lines.append("}")
        self.keep(scope, head, kinds)

    def repeat(self, scope: Scope, depth: int) -> None:
        """`scf.while` that counts."""
        kinds = ["index", *self.kinds(scope)]
        starts = [self.below(scope, 3), *self.values(scope, kinds[1:])]
        head, names, onward = (
            self.results(scope, kinds), [self.fresh() for _ in kinds], [self.fresh() for _ in kinds]
        )  # fmt: skip
        carried = ", ".join(f"{n} = {s}" for n, s in zip(names, starts, strict=True))
        types = ", ".join(kinds)
        self.lines.append(f"{head}scf.while ({carried}) : ({types}) -> ({types}) {{")
        before = self.body(scope, 1, list(zip(kinds, names, strict=True)))
        limit = self.constant(4)
        going = self.put(f"arith.cmpi ult, {names[0]}, {limit} : index")
        handed = [names[0], *self.values(before, kinds[1:])]
        self.handed(f"scf.condition({going})", handed, kinds)
        blocks = ", ".join(f"{n}: {k}" for n, k in zip(onward, kinds, strict=True))
        self.lines.append(f"}} do {{\n^bb0({blocks}):")
        after = self.body(scope, depth, list(zip(kinds, onward, strict=True)))
        next_one = self.put(f"arith.addi {onward[0]}, {self.constant(1)} : index")
        self.handed("scf.yield", [next_one, *self.values(after, kinds[1:])], kinds)
        self.lines.append("}")
        self.keep(scope, head, kinds)

    def switch(self, scope: Scope, depth: int) -> None:
        """`scf.index_switch`."""
        kinds = self.kinds(scope)
        selector, head = self.value(scope, "index"), self.results(scope, kinds)
        arrow = f" -> {', '.join(kinds)}" if kinds else ""
        self.lines.append(f"{head}scf.index_switch {selector}{arrow}")
        for case in ("case 0 {", "case 3 {", "default {"):
            self.lines.append(case)
            inner = self.body(scope, depth)
            self.handed("scf.yield", self.values(inner, kinds), kinds)
            self.lines.append("}")
        self.keep(scope, head, kinds)

    def affine_loop(self, scope: Scope, depth: int) -> None:
        """`affine.for` with constant bounds, and accesses by its counter."""
        m = self.memory(scope)
        if m is None or not m.sizes:
            return
        iv = self.fresh()
        step = self.draw.choice((1, 2))
        self.lines.append(f"affine.for {iv} = 0 to {m.sizes[0]} step {step} {{")
        inner = scope.inner()
        inner.add("index", iv)
        rest = ", ".join([iv, *(str(s - 1) for s in m.sizes[1:])])
        inner.add(m.element, self.put(f"affine.load {m.name}[{rest}] : {m.type}"))
        self.statements(inner, depth - 1)
        self.lines.append("}")

    def affine_branch(self, scope: Scope, depth: int) -> None:
        """`affine.if` on the counter of an affine loop."""
        iv = self.fresh()
        self.lines.append(f"affine.for {iv} = 0 to {self.draw.randint(1, 4)} {{")
        given = affine_set(self.pick(*SETS))
        self.lines.append(f"affine.if {given}({iv}) {{")
        self.body(scope, depth, [("index", iv)])
        self.lines.append("} else {")
        self.body(scope, depth, [("index", iv)])
        self.lines.append("}\n}")

    def grid(self, scope: Scope, depth: int) -> None:
        """`scf.parallel`, `scf.forall` or `affine.parallel` of two dimensions."""
        x, y = self.fresh(), self.fresh()
        zero, one, two = (self.constant(n) for n in range(3))
        high = self.below(scope, 4)
        name = self.pick("scf.parallel", "scf.forall", "affine.parallel")
        if name == "scf.parallel":
            text = f"({x}, {y}) = ({zero}, {zero}) to ({high}, {two}) step ({one}, {one})"
        elif name == "scf.forall":
            text = f"({x}, {y}) in ({high}, 2)"
        else:
            text = f"({x}, {y}) = (0, 0) to (3, 4) step (1, 2)"
        self.lines.append(f"{name} {text} {{")
        self.body(scope, depth, [("index", x), ("index", y)])
        self.lines.append("scf.reduce\n}" if name == "scf.parallel" else "}")

    def reduction(self, scope: Scope, _: int) -> None:
        """`scf.parallel` that adds up, in order."""
        kind = self.pick("i32", "i64", "f32", "f64")
        op = "addf" if kind[0] == "f" else "addi"
        head, x, a, b, c = (self.fresh() for _ in range(5))
        start, value = self.value(scope, kind), self.value(scope, kind)
        zero, one, high = self.constant(0), self.constant(1), self.below(scope, 4)
        span = f"to ({high}) step ({one})"
        self.lines += [
            f"{head} = scf.parallel ({x}) = ({zero}) {span} init ({start}) -> {kind} {{",
            f"scf.reduce({value} : {kind}) {{",
            f"^bb0({a}: {kind}, {b}: {kind}):",
            f"{c} = arith.{op} {a}, {b} : {kind}",
            f"scf.reduce.return {c} : {kind}",
            "}",
            "}",
        ]
        scope.add(kind, head)

    def jump(self, scope: Scope, depth: int) -> None:
        """`scf.execute_region` with blocks."""
        kind, head = self.number_type(scope), self.fresh()
        flag, value = self.value(scope, "i1"), self.value(scope, kind)
        number = self.count
        self.lines.append(f"{head} = scf.execute_region -> {kind} {{")
        self.lines.append(f"cf.cond_br {flag}, ^one{number}, ^two{number}({value} : {kind})")
        self.lines.append(f"^one{number}:")
        inner = self.body(scope, depth)
        self.lines.append(f"cf.br ^two{number}({self.value(inner, kind)} : {kind})")
        given = self.fresh()
        self.lines.append(f"^two{number}({given}: {kind}):")
        inner = self.body(scope, depth, [(kind, given)])
        self.handed("scf.yield", [self.value(inner, kind)], [kind])
        self.lines.append("}")
        scope.add(kind, head)

    def call(self, scope: Scope, _: int) -> None:
        """A call of a function with jumps."""
        a, b = self.value(scope, "index"), self.value(scope, "i32")
        text = f"func.call @{self.pick('cycle', 'jumps')}({a}, {b}) : (index, i32) -> i32"
        scope.add("i32", self.put(text))

    def scoped(self, scope: Scope, depth: int) -> None:
        """`memref.alloca_scope`."""
        kind, head = self.number_type(scope), self.fresh()
        self.lines.append(f"{head} = memref.alloca_scope -> ({kind}) {{")
        inner = self.body(scope, depth)
        self.handed("memref.alloca_scope.return", [self.value(inner, kind)], [kind])
        self.lines.append("}")
        scope.add(kind, head)


def affine_set(constraints: str) -> str:
    """An integer set over one dimension."""
    return f"affine_set<(d0) : ({constraints})>"


FLOW = (
    "branch", "branch", "loop", "loop", "repeat", "switch", "affine_loop", "affine_branch",
    "grid", "reduction", "jump", "call", "scoped",
)  # fmt: skip
