"""Random MLIR programs of nested loops and views, to hold two versions of a pass side by side.

The programs are valid and are not meant to be run: bounds and offsets are arbitrary.
"""

from dataclasses import dataclass, field
from itertools import count
from random import Random

MEMREF = "memref<?xf32>"
STRIDED = "memref<?xf32, strided<[?], offset: ?>>"
GRID = "memref<?x?xf32>"
UNRANKED = "memref<*xf32>"
POINTER = "!llvm.ptr"
SINKS = {MEMREF: "@take0", STRIDED: "@take1", GRID: "@take2", UNRANKED: "@take3", POINTER: "@take4"}

# For each type, what can be made of a value `{v}` of it (`{w}` is another one, `{t}` the type).
_RANKED = (
    (f"memref.subview {{v}}[{{i}}] [{{j}}] [{{k}}] : {{t}} to {STRIDED}", STRIDED),
    (f"memref.cast {{v}} : {{t}} to {UNRANKED}", UNRANKED),
    (f'"enzymexla.memref2pointer"({{v}}) : ({{t}}) -> {POINTER}', POINTER),
)
_SELECT = "arith.select %flag, {v}, {w} : {t}"
_REINTERPRET = "memref.reinterpret_cast {v} to offset: [{i}], sizes: [{j}], strides: [{k}]"
VIEWS = {
    MEMREF: (
        *_RANKED,
        ("memref.assume_alignment {v}, 16 : {t}", MEMREF),
        ("memref.distinct_objects {v} : {t}", MEMREF),
        (f"memref.cast {{v}} : {{t}} to {STRIDED}", STRIDED),
        (f"{_REINTERPRET} : {{t}} to {STRIDED}", STRIDED),
        (
            f"memref.expand_shape {{v}} [[0, 1]] output_shape [{{i}}, {{j}}] : {{t}} into {GRID}",
            GRID,
        ),
        (_SELECT, MEMREF),
    ),
    STRIDED: (
        *_RANKED,
        ("memref.assume_alignment {v}, 16 : {t}", STRIDED),
        ("memref.transpose {v} (d) -> (d) : {t} to {t}", STRIDED),
        (_SELECT, STRIDED),
    ),
    GRID: ((f"memref.collapse_shape {{v}} [[0, 1]] : {{t}} into {MEMREF}", MEMREF),),
    UNRANKED: ((f"memref.cast {{v}} : {{t}} to {MEMREF}", MEMREF),),
    POINTER: (
        ("llvm.getelementptr {v}[3] : ({t}) -> {t}, f32", POINTER),
        ("llvm.bitcast {v} : {t} to {t}", POINTER),
        (f'"enzymexla.pointer2memref"({{v}}) : ({{t}}) -> {MEMREF}', MEMREF),
        (_SELECT, POINTER),
    ),
}

_WHILE_REGIONS = "{{\n{a}\nscf.condition(%flag)\n}} do {{\n{b}\nscf.yield\n}}"
# `{a}` and `{b}` are bodies, `{x}` is the induction variable, `{n}` a bound, `{mark}` attributes.
LOOPS = (
    "scf.for {x} = %c0 to {n} step %c1 {{\n{a}\n}} {mark}",
    "scf.parallel ({x}) = (%c0) to ({n}) step (%c1) {{\n{a}\n}} {mark}",
    "scf.forall ({x}) in ({n}) {{\n{a}\n}} {mark}",
    "affine.for {x} = 0 to 9 {{\n{a}\n}} {mark}",
    "affine.parallel ({x}) = (0) to (9) {{\n{a}\n}} {mark}",
    f"scf.while : () -> () {_WHILE_REGIONS} attributes {{mark}}",
    "scf.if %flag {{\n{a}\n}} else {{\n{b}\n}} {mark}",
    "scf.execute_region {{\n{a}\nscf.yield\n}} {mark}",
)
HAS_VARIABLE = 5
MARKS = (
    *["{enzyme.enable_checkpointing = true}"] * 5,
    "{enzyme.enable_checkpointing}",
    "{enzyme.enable_checkpointing = 1 : i32}",
    "{enzyme.enable_checkpointing = false}",
    "{enzyme.binomial_checkpointing, enzyme.enable_checkpointing = true}",
)
ARGUMENTS = (("%a", MEMREF), ("%b", MEMREF), ("%p", POINTER), ("%u", UNRANKED))
HEADER = "\n".join(f"func.func private {name}({kind})" for kind, name in SINKS.items())


@dataclass
class ProgramWriter:
    """Writes one program; every choice comes from `random`."""

    random: Random
    numbers: "count[int]" = field(default_factory=count)

    def program(self) -> str:
        """The text of a module with one function `@f` of interest."""
        arguments = ", ".join(f"{name}: {kind}" for name, kind in ARGUMENTS)
        body = self._block(list(ARGUMENTS), ["%c0", "%c1", "%n"], depth=3)
        return (
            f"{HEADER}\nfunc.func @f({arguments}, %n: index, %flag: i1) {{\n"
            "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
            f"{body}\nreturn\n}}\n"
        )

    def _block(self, values: list[tuple[str, str]], indices: list[str], depth: int) -> str:
        values = list(values)
        lines: list[str] = []
        for _ in range(self.random.randint(2, 6)):
            choice = self.random.random()
            if choice < 0.45:
                lines.append(self._view(values, indices))
            elif choice < 0.7 or not depth:
                lines.append(self._use(values))
            else:
                lines.append(self._loop(values, indices, depth - 1))
        return "\n".join(lines)

    def _view(self, values: list[tuple[str, str]], indices: list[str]) -> str:
        """Adds what it defines to `values`."""
        source, kind = self.random.choice(values)
        other = self.random.choice([name for name, its_kind in values if its_kind == kind])
        template, result_kind = self.random.choice(VIEWS[kind])
        i, j, k = (self.random.choice(indices) for _ in range(3))
        result = f"%v{next(self.numbers)}"
        values.append((result, result_kind))
        return f"{result} = {template.format(v=source, w=other, t=kind, i=i, j=j, k=k)}"

    def _use(self, values: list[tuple[str, str]]) -> str:
        value, kind = self.random.choice(values)
        return f"func.call {SINKS[kind]}({value}) : ({kind}) -> ()"

    def _loop(self, values: list[tuple[str, str]], indices: list[str], depth: int) -> str:
        number = self.random.randrange(len(LOOPS))
        variable = f"%x{next(self.numbers)}"
        inside = [*indices, variable] if number < HAS_VARIABLE else indices
        return LOOPS[number].format(
            x=variable,
            n=self.random.choice(indices),
            a=self._block(values, inside, depth),
            b=self._block(values, inside, depth),
            mark=self.random.choice(MARKS),
        )
