"""Random MLIR programs of GPU ops, control flow and `async.execute`, to compare two passes on.

The programs are valid and are not meant to be run: sizes and bounds are arbitrary.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import count
from random import Random

MEMREF = "memref<?xf32>"
HEADER = """
gpu.module @kernels {
  gpu.func @step(%m: memref<?xf32>, %n: index) kernel { gpu.return }
}
func.func private @host()
func.func private @take(memref<?xf32>)
"""
ARGUMENTS = f"%a: {MEMREF}, %b: {MEMREF}, %n: index, %x: f32, %flag: i1, %t: tensor<4xf32>"

# Each is one op or more; `{r}` is a fresh name, `{m}` and `{w}` memrefs, `{i}` and `{j}` numbers.
DEVICE = (
    "gpu.memset {m}, %x : memref<?xf32>, f32",
    "gpu.memset {m}, %x : memref<?xf32>, f32",
    "gpu.memcpy {m}, {w} : memref<?xf32>, memref<?xf32>",
    (
        "gpu.launch_func @kernels::@step blocks in ({i}, {j}, {i}) threads in ({i}, {i}, {j})"
        " args({m} : memref<?xf32>, {i} : index)"
    ),
    (
        "{r}k = arith.constant 8 : i32\ngpu.launch_func @kernels::@step blocks in ({i}, {j}, {i})"
        " threads in ({i}, {i}, {j}) dynamic_shared_memory_size {r}k"
        " args({m} : memref<?xf32>, {i} : index)"
    ),
    "{r}d = gpu.create_dn_tensor {m}, {i} : index into memref<?xf32>\ngpu.destroy_dn_tensor {r}d",
    "{r}g = gpu.alloc ({i}) : memref<?xf32>\ngpu.dealloc {r}g : memref<?xf32>",
    (
        '"test.region"() ({{\ngpu.memset {m}, %x : memref<?xf32>, f32\n"test.end"() : () -> ()\n}})'
        " : () -> ()"
    ),
)
FREE = (
    "{r} = arith.addi {i}, {j} : index",
    "{r} = memref.dim {m}, {i} : memref<?xf32>",
    "{r} = affine.apply affine_map<(d0) -> (d0 + 1)>({i})",
    (
        "{r} = memref.subview {m}[{i}] [{j}] [1] : memref<?xf32> to memref<?xf32, strided<[1], "
        "offset: ?>>"
    ),
    "{r} = linalg.fill ins(%x : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>",
    "{r} = vector.transfer_read %t[{i}], %x : tensor<4xf32>, vector<4xf32>",
    "{r} = async.create_group {i} : !async.group",
    "scf.if %flag {{\n{r} = arith.muli {i}, {j} : index\n}}",
    "scf.parallel ({r}) = ({i}) to ({j}) step ({i}) {{\nscf.reduce\n}}",
    "{r} = tensor.generate {i} {{\n^bb0({r}e: index):\ntensor.yield %x : f32\n}} : tensor<?xf32>",
)
HOST = (
    "func.call @host() : () -> ()",
    "func.call @take({m}) : (memref<?xf32>) -> ()",
    "{r} = memref.load {m}[{i}] : memref<?xf32>",
    "memref.store %x, {m}[{i}] : memref<?xf32>",
    "{r} = memref.alloc({i}) : memref<?xf32>",
    "linalg.fill ins(%x : f32) outs({m} : memref<?xf32>)",
    "{r} = vector.transfer_read {m}[{i}], %x : memref<?xf32>, vector<4xf32>",
    '"test.unknown"({m}) : (memref<?xf32>) -> ()',
    'cf.assert %flag, "no"',
)
# `{a}` and `{b}` are bodies, `{v}` is a new number inside them.
REGIONS = (
    "scf.if %flag {{\n{a}\n}}",
    "scf.if %flag {{\n{a}\n}} else {{\n{b}\n}}",
    "scf.for {v} = {i} to {j} step {i} {{\n{a}\n}}",
    (
        "{r} = scf.for {v} = {i} to {j} step {i} iter_args({r}c = %x) -> (f32) {{\n{a}\n"
        "scf.yield {r}c : f32\n}}"
    ),
    "scf.while : () -> () {{\n{a}\nscf.condition(%flag)\n}} do {{\n{b}\nscf.yield\n}}",
    "scf.parallel ({v}) = ({i}) to ({j}) step ({i}) {{\n{a}\nscf.reduce\n}}",
    "affine.for {v} = 0 to 9 {{\n{a}\n}}",
    "scf.index_switch {i}\ncase 2 {{\n{a}\nscf.yield\n}}\ndefault {{\n{b}\n}}",
    "memref.alloca_scope {{\n{a}\n}}",
    (
        "scf.execute_region {{\n{a}\ncf.cond_br %flag, {l}1, {l}2\n{l}1:\n{b}\ncf.br {l}2\n"
        "{l}2:\nscf.yield\n}}"
    ),
)
HAS_VARIABLE = frozenset({2, 3, 5, 6})
# Ops on a token `{q}` that is there already.
WITH_TOKENS = (
    "{r} = gpu.wait async",
    "gpu.wait",
    "gpu.wait [{q}]",
    "{r} = gpu.wait async [{q}, {p}]",
    "{r} = gpu.memset async [{q}] {m}, %x : memref<?xf32>, f32",
    "{r} = gpu.memset async {m}, %x : memref<?xf32>, f32",
    "gpu.memcpy [{q}, {p}] {m}, {w} : memref<?xf32>, memref<?xf32>",
)


@dataclass(frozen=True)
class Scope:
    """What a block can name: numbers, tokens and values of `async.execute`, device tokens."""

    numbers: list[str] = field(default_factory=lambda: ["%n"])
    tokens: list[str] = field(default_factory=list[str])
    values: list[str] = field(default_factory=list[str])
    device_tokens: list[str] = field(default_factory=list[str])
    depth: int = 3

    def inner(self, *numbers: str) -> "Scope":
        return Scope(
            [*self.numbers, *numbers],
            [*self.tokens],
            [*self.values],
            [*self.device_tokens],
            self.depth - 1,
        )


@dataclass
class ProgramWriter:
    """Writes one program; every choice comes from `random`.

    With `has_tokens` there are waits and asynchronous ops already; `has_unknown_ops` allows ops of
    no dialect.
    """

    random: Random
    has_tokens: bool = False
    has_unknown_ops: bool = True
    fresh: "count[int]" = field(default_factory=count)

    def program(self) -> str:
        """The text of a module with one function `@f` of interest."""
        writer = self.random.choice((self._straight, self._diamond, self._cycle, self._shuffled))
        return (
            f"module attributes {{gpu.container_module}} {{{HEADER}"
            f"func.func @f({ARGUMENTS}) {{\n{writer(Scope())}\n}}\n}}\n"
        )

    def _straight(self, scope: Scope) -> str:
        return f"{self._block(scope, most=9)}\nreturn"

    def _diamond(self, scope: Scope) -> str:
        top = self._block(scope)
        left, right = (self._block(replace(scope.inner(), depth=2)) for _ in range(2))
        return (
            f"{top}\ncf.cond_br %flag, ^l, ^r\n^l:\n{left}\ncf.br ^j\n^r:\n{right}\ncf.br ^j\n"
            f"^j:\n{self._block(scope)}\nreturn"
        )

    def _cycle(self, scope: Scope) -> str:
        top = self._block(scope)
        head = self._block(scope)
        body = self._block(scope.inner())
        return (
            f"{top}\ncf.br ^h\n^h:\n{head}\ncf.cond_br %flag, ^b, ^e\n^b:\n{body}\ncf.br ^h\n"
            f"^e:\n{self._block(scope)}\nreturn"
        )

    def _shuffled(self, scope: Scope) -> str:
        """Blocks that stand in the text before the block that they come after."""
        top, middle, end = (self._block(scope) for _ in range(3))
        return f"{top}\ncf.br ^m\n^e:\n{end}\nreturn\n^m:\n{middle}\ncf.br ^e"

    def _block(self, scope: Scope, most: int = 5) -> str:
        lines = [self._statement(scope) for _ in range(self.random.randint(0, most))]
        return "\n".join(lines)

    def _statement(self, scope: Scope) -> str:
        makers: list[tuple[float, Callable[[Scope], str]]] = [
            (4, lambda s: self._op(s, DEVICE)),
            (1.5, lambda s: self._op(s, FREE)),
            (1, lambda s: self._op(s, HOST)),
            (2, self._await if scope.tokens or scope.values else self._execute),
        ]
        if scope.depth > 0:
            makers += [(1, self._region), (3, self._execute)]
        if self.has_tokens:
            makers.append((2, self._token_op))
        weights, choices = zip(*makers, strict=True)
        return self.random.choices(choices, weights)[0](scope)

    def _op(self, scope: Scope, templates: tuple[str, ...]) -> str:
        known = [t for t in templates if self.has_unknown_ops or '"test.' not in t]
        template = self.random.choice(known)
        result = self._name()
        text = self._filled(template, scope, r=result)
        if ": index" in template.rpartition("\n")[2] and template.startswith("{r} = arith"):
            scope.numbers.append(result)
        return text

    def _token_op(self, scope: Scope) -> str:
        template = self.random.choice(WITH_TOKENS)
        if "{q}" in template and not scope.device_tokens:
            template = WITH_TOKENS[0]
        result = self._name()
        tokens = scope.device_tokens or [""]
        q, p = self.random.choice(tokens), self.random.choice(tokens)
        text = self._filled(template, scope, r=result, q=q, p=p)
        if template.startswith("{r}"):
            scope.device_tokens.append(result)
        return text

    def _region(self, scope: Scope) -> str:
        number = self.random.randrange(len(REGIONS))
        variable = self._name()
        inner = [variable] if number in HAS_VARIABLE else []
        return self._filled(
            REGIONS[number],
            scope,
            r=self._name(),
            v=variable,
            l=f"^x{next(self.fresh)}_",
            a=self._block(scope.inner(*inner)),
            b=self._block(scope.inner(*inner)),
        )

    def _execute(self, scope: Scope) -> str:
        if scope.depth <= 0:
            return self._op(scope, DEVICE)
        name, inside = self._name(), self._name()
        waits = self._sample(scope.tokens, 2)
        taken = self._sample(scope.values, 1)
        given = self.random.random() < 0.4
        operands = ", ".join(f"{v} as {inside} : !async.value<index>" for v in taken)
        body = self._block(scope.inner(*([inside] if taken else [])))
        head = f"async.execute [{', '.join(waits)}]" if waits else "async.execute"
        head += f" ({operands})" if operands else ""
        scope.tokens.append(name)
        if given:
            scope.values.append(f"{name}v")
            return (
                f"{name}, {name}v = {head} -> !async.value<index> {{\n{body}\n"
                "async.yield %n : index\n}"
            )
        return f"{name} = {head} {{\n{body}\nasync.yield\n}}"

    def _await(self, scope: Scope) -> str:
        if scope.values and self.random.random() < 0.3:
            result = self._name()
            value = self.random.choice(scope.values)
            scope.numbers.append(result)
            return f"{result} = async.await {value} : !async.value<index>"
        if not scope.tokens:
            return self._op(scope, HOST)
        token = self.random.choice(scope.tokens)
        if self.random.random() < 0.08:
            group = self._name()
            return (
                f"{group} = async.create_group %n : !async.group\n"
                f"{group}i = async.add_to_group {token}, {group} : !async.token"
            )
        return f"async.await {token} : !async.token"

    def _sample(self, names: list[str], most: int) -> list[str]:
        if not names:
            return []
        return [self.random.choice(names) for _ in range(self.random.randint(0, most))]

    def _filled(self, template: str, scope: Scope, **names: str) -> str:
        i, j = (self.random.choice(scope.numbers) for _ in range(2))
        m, w = (self.random.choice(("%a", "%b")) for _ in range(2))
        return template.format(i=i, j=j, m=m, w=w, **names)

    def _name(self) -> str:
        return f"%v{next(self.fresh)}"
