"""Random small functions with loops, branches, views and carried values, as MLIR text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from hypothesis import strategies as st

BUFFER = "memref<?xi32, strided<[?], offset: ?>>"
SIGNATURE = f"%A: {BUFFER}, %B: {BUFFER}, %n: index, %k: index, %w: i32, %flag: i1"
LIMIT = 14


@dataclass(slots=True)
class Scope:
    """The values that are visible at one place."""

    indices: list[str] = field(default_factory=lambda: ["%n", "%k", "%c0", "%c1", "%c3"])
    flags: list[str] = field(default_factory=lambda: ["%flag"])
    buffers: list[str] = field(default_factory=lambda: ["%A", "%B"])

    def inner(self) -> Scope:
        """A scope inside this one."""
        return replace(
            self,
            indices=list(self.indices),
            flags=list(self.flags),
            buffers=list(self.buffers),
        )


class Writer:
    """Writes one function; every choice is drawn."""

    def __init__(self, draw: Callable[[st.SearchStrategy[object]], object]) -> None:
        self.draw = draw
        self.lines: list[str] = []
        self.count = 0
        self.left = LIMIT

    def pick(self, *options: str) -> str:
        """One of some words."""
        return str(self.draw(st.sampled_from(options)))

    def fresh(self) -> str:
        """A name that is not used yet."""
        self.count += 1
        return f"%v{self.count}"

    def put(self, text: str) -> str:
        """Write an op with one result; its name."""
        name = self.fresh()
        self.lines.append(f"{name} = {text}")
        return name

    def index(self, scope: Scope) -> str:
        """An index that is visible."""
        return self.pick(*scope.indices)

    def statements(self, scope: Scope, depth: int) -> None:
        """One to four statements."""
        for _ in range(int(str(self.draw(st.integers(1, 4))))):
            if self.left <= 0:
                return
            self.left -= 1
            nested = (*STRUCTURED,) if depth > 0 else ()
            getattr(self, self.pick(*PLAIN, *nested))(scope, depth)

    # Plain statements

    def arithmetic(self, scope: Scope, _: int) -> None:
        """A new index."""
        a, b = self.index(scope), self.index(scope)
        kind = self.pick("two", "constant", "narrow", "select", "map")
        match kind:
            case "two":
                name = self.pick("addi", "subi", "muli", "minsi", "maxsi", "minui", "xori")
                scope.indices.append(self.put(f"arith.{name} {a}, {b} : index"))
            case "constant":
                name = self.pick("divsi", "remsi", "divui", "remui", "andi", "floordivsi", "shrsi")
                scope.indices.append(self.put(f"arith.{name} {a}, %c3 : index"))
            case "narrow":
                kind = self.pick("i8", "i16", "i32")
                short = self.put(f"arith.index_cast {a} : index to {kind}")
                back = self.pick("index_cast", "index_castui")
                scope.indices.append(self.put(f"arith.{back} {short} : {kind} to index"))
            case "select":
                flag = self.pick(*scope.flags)
                scope.indices.append(self.put(f"arith.select {flag}, {a}, {b} : index"))
            case _:
                text = self.pick("d0 + d1 * 2", "d0 floordiv 3 - d1", "(d0 - d1) mod 4", "-d0 + 7")
                found = f"affine.apply affine_map<(d0, d1) -> ({text})>({a}, {b})"
                scope.indices.append(self.put(found))

    def comparison(self, scope: Scope, _: int) -> None:
        """A new flag."""
        a, b = self.index(scope), self.index(scope)
        predicate = self.pick("eq", "ne", "slt", "sle", "ult", "uge")
        flag = self.put(f"arith.cmpi {predicate}, {a}, {b} : index")
        if self.pick("plain", "mixed") == "mixed":
            name, other = self.pick("andi", "ori", "xori"), self.pick(*scope.flags)
            flag = self.put(f"arith.{name} {flag}, {other} : i1")
        scope.flags.append(flag)

    def small(self, scope: Scope) -> str:
        """An index that is likely to be in bounds."""
        a = self.index(scope)
        if self.pick("bounded", "bounded", "as it is") == "as it is":
            return a
        return self.put(f"arith.remui {a}, %c8 : index")

    def load(self, scope: Scope, _: int) -> None:
        """A read whose value may become an index."""
        place = self.small(scope)
        value = self.put(f"memref.load {self.pick(*scope.buffers)}[{place}] : {BUFFER}")
        scope.indices.append(self.put(f"arith.index_cast {value} : i32 to index"))

    def store(self, scope: Scope, _: int) -> None:
        """A write."""
        place = self.small(scope)
        self.lines.append(f"memref.store %w, {self.pick(*scope.buffers)}[{place}] : {BUFFER}")

    def fill(self, scope: Scope, _: int) -> None:
        """A write of every element."""
        buffer = self.pick(*scope.buffers)
        self.lines.append(f"linalg.fill ins(%w : i32) outs({buffer} : {BUFFER})")

    def view(self, scope: Scope, _: int) -> None:
        """A part of a buffer."""
        source, start = self.pick(*scope.buffers), self.pick("%c0", "%c1", self.index(scope))
        size = self.pick("%c3", "%c3", self.index(scope))
        text = f"memref.subview {source}[{start}] [{size}] [%c1] : {BUFFER} to {BUFFER}"
        scope.buffers.append(self.put(text))

    def choice(self, scope: Scope, _: int) -> None:
        """One of two buffers."""
        a, b = self.pick(*scope.buffers), self.pick(*scope.buffers)
        flag = self.pick(*scope.flags)
        scope.buffers.append(self.put(f"arith.select {flag}, {a}, {b} : {BUFFER}"))

    def call(self, scope: Scope, _: int) -> None:
        """A call of one of the functions at the end of the module."""
        symbol = self.pick("@blocks", "@cycle", "@early")
        buffer, place = self.pick(*scope.buffers), self.small(scope)
        types = f"({BUFFER}, index) -> index"
        scope.indices.append(self.put(f"func.call {symbol}({buffer}, {place}) : {types}"))

    # Statements with regions

    def body(self, scope: Scope, depth: int, *given: str) -> Scope:
        """Statements of a region that gets `given` indices; what is visible at its end."""
        inner = scope.inner()
        inner.indices += [*given, *given]
        self.statements(inner, depth - 1)
        return inner

    def branch(self, scope: Scope, depth: int) -> None:
        """A branch that gives an index and a buffer."""
        name, flag = self.fresh(), self.pick(*scope.flags)
        self.lines.append(f"{name}:2 = scf.if {flag} -> (index, {BUFFER}) {{")
        for end in ("} else {", "}"):
            inner = self.body(scope, depth)
            self.lines.append(self.yielded("scf.yield", inner))
            self.lines.append(end)
        self.keep(scope, name)

    def yielded(self, op: str, inner: Scope) -> str:
        """A terminator that hands on an index and a buffer."""
        recent = self.pick(*inner.indices, *inner.indices[-3:])
        return f"{op} {recent}, {self.pick(*inner.buffers)} : index, {BUFFER}"

    def keep(self, scope: Scope, name: str) -> None:
        """Make the two results of an op visible."""
        scope.indices.append(f"{name}#0")
        scope.buffers.append(f"{name}#1")

    def bounds(self, scope: Scope) -> tuple[str, str, str]:
        """Lower bound, upper bound and step of a loop."""
        lower = self.pick("%c0", "%c0", "%c1", "%k")
        upper = self.pick("%n", "%c3", "%c8", self.index(scope))
        return lower, upper, self.pick("%c1", "%c1", "%c3", "%step")

    def loop(self, scope: Scope, depth: int) -> None:
        """A loop that carries an index and a buffer."""
        name, iv, number, buffer = (self.fresh() for _ in range(4))
        lower, upper, step = self.bounds(scope)
        self.lines.append(
            f"{name}:2 = scf.for {iv} = {lower} to {upper} step {step} iter_args("
            f"{number} = {self.index(scope)}, {buffer} = {self.pick(*scope.buffers)})"
            f" -> (index, {BUFFER}) {{"
        )
        inner = scope.inner()
        inner.indices += [number, number]
        inner.buffers.append(buffer)
        inner = self.body(inner, depth, iv)
        if self.pick("step", "any") == "step":
            op, by = self.pick("addi", "subi"), self.pick("%c1", "%c3", "%c8", "%k")
            inner.indices += [self.put(f"arith.{op} {number}, {by} : index")] * 40
        self.lines.append(self.yielded("scf.yield", inner))
        self.lines.append("}")
        self.keep(scope, name)

    def affine_loop(self, scope: Scope, depth: int) -> None:
        """An affine loop with bounds of two maps each."""
        iv = self.fresh()
        lower, upper = self.pick("0", "max affine_map<(d0) -> (d0, 1)>(%k)"), "%n"
        if self.pick("plain", "map") == "map":
            upper = "min affine_map<(d0) -> (d0 * 2, 6)>(%n)"
        self.lines.append(f"affine.for {iv} = {lower} to {upper} step {self.pick('1', '2')} {{")
        self.body(scope, depth, iv)
        self.lines.append("}")

    def grid(self, scope: Scope, depth: int) -> None:
        """A parallel loop of two dimensions."""
        x, y = self.fresh(), self.fresh()
        upper = self.pick("%c3", "%n")
        self.lines.append(
            f"scf.parallel ({x}, {y}) = (%c0, {self.pick('%c0', '%c1')}) to ({upper}, %c3)"
            f" step (%c1, {self.pick('%c1', '%step')}) {{"
        )
        self.body(scope, depth, x, y)
        self.lines.append("scf.reduce\n}")

    def repeat(self, scope: Scope, depth: int) -> None:
        """A while loop that counts."""
        name, number, buffer, onward, handed = (self.fresh() for _ in range(5))
        start = self.index(scope)
        self.lines.append(
            f"{name}:2 = scf.while ({number} = {start}, {buffer} = {self.pick(*scope.buffers)})"
            f" : (index, {BUFFER}) -> (index, {BUFFER}) {{"
        )
        inner = scope.inner()
        inner.buffers.append(buffer)
        before = self.body(inner, 1, number)
        going = self.put(f"arith.cmpi slt, {number}, {self.pick('%n', '%c8')} : index")
        self.lines.append(self.yielded(f"scf.condition({going})", before))
        self.lines.append(f"}} do {{\n^bb0({onward}: index, {handed}: {BUFFER}):")
        inner = scope.inner()
        inner.buffers.append(handed)
        after = self.body(inner, depth, onward)
        by = self.pick(onward, onward, *after.indices)
        after.indices += [self.put(f"arith.addi {by}, %step : index")] * 40
        self.lines.append(self.yielded("scf.yield", after))
        self.lines.append("}")
        self.keep(scope, name)

    def switch(self, scope: Scope, depth: int) -> None:
        """A switch that gives an index and a buffer."""
        name = self.fresh()
        self.lines.append(f"{name}:2 = scf.index_switch {self.index(scope)} -> index, {BUFFER}")
        for case in ("case 0 {", "case 3 {", "default {"):
            self.lines.append(case)
            inner = self.body(scope, depth)
            self.lines.append(self.yielded("scf.yield", inner))
            self.lines.append("}")
        self.keep(scope, name)


PLAIN = (
    "arithmetic", "arithmetic", "comparison", "load", "store", "store", "view", "choice", "call",
    "fill",
)  # fmt: skip
STRUCTURED = ("branch", "loop", "loop", "affine_loop", "grid", "repeat", "switch", "loop")

CALLEES = f"""
func.func private @blocks(%m: {BUFFER}, %i: index) -> index {{
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %x = arith.constant 7 : i32
  %low = arith.cmpi slt, %i, %c2 : index
  cf.cond_br %low, ^left(%c0 : index), ^right(%i, %c2 : index, index)
^left(%a: index):
  memref.store %x, %m[%a] : {BUFFER}
  cf.br ^right(%a, %a : index, index)
^right(%b: index, %c: index):
  %y = memref.load %m[%c] : {BUFFER}
  return %b : index
}}
func.func private @cycle(%m: {BUFFER}, %i: index) -> index {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.load %m[%c0] : {BUFFER}
  cf.br ^head(%c0 : index)
^head(%a: index):
  %more = arith.cmpi slt, %a, %i : index
  cf.cond_br %more, ^body, ^done
^body:
  memref.store %x, %m[%a] : {BUFFER}
  %b = arith.addi %a, %c1 : index
  cf.br ^head(%b : index)
^done:
  return %a : index
}}
func.func private @early(%m: {BUFFER}, %i: index) -> index {{
  %c1 = arith.constant 1 : index
  %r = scf.execute_region -> index {{
    %f = arith.cmpi eq, %i, %c1 : index
    cf.cond_br %f, ^a, ^b
  ^a:
    scf.yield %c1 : index
  ^b:
    %y = memref.load %m[%i] : {BUFFER}
    scf.yield %i : index
  }}
  return %r : index
}}
"""


@st.composite
def functions(draw: Callable[[st.SearchStrategy[object]], object]) -> str:
    """A module whose first function `f` is drawn."""
    writer = Writer(draw)
    writer.statements(Scope(), 3)
    constants = [f"%c{c} = arith.constant {c} : index" for c in (0, 1, 3, 8)]
    # A step that is positive and not known.
    constants += [
        "%and = arith.andi %k, %c1 : index",
        "%step = arith.addi %and, %c1 : index",
    ]
    body = "\n".join([*constants, *writer.lines])
    return f"func.func @f({SIGNATURE}) {{\n{body}\nreturn\n}}\n{CALLEES}"
