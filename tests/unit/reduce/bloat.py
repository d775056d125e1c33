"""Adds to a program what has nothing to do with it: functions, ops, arguments."""

import random
import re

_STATEMENT = re.compile(
    r"^(\s+)(?:%|memref\.|gpu\.(?!create)|scf\.for|scf\.yield|async\.|return|llvm\.)"
)
_FUNCTION = re.compile(
    r"^func\.func @(?P<name>\w+)\((?P<arguments>[^\n]*?)\)(?= ->| \{)", re.MULTILINE
)
_WRAPPED = re.compile(r"infn=(\w+)")


def without_comments(text: str) -> str:
    """The lines that are code."""
    return "".join(f"{line}\n" for line in text.splitlines() if line.strip()[:2] not in ("//", ""))


def bloated(
    text: str, lines: int, seed: int = 0, *, is_pure: bool = True, wrapped: str = ""
) -> str:
    """`text` with at least `lines` lines; unless `is_pure`, its functions get memory ops too.

    Functions named in the pipeline `wrapped` keep their arguments.
    """
    return _Bloater(random.Random(seed), wrapped, is_pure=is_pure).run(text, lines)


class _Bloater:
    def __init__(self, rng: random.Random, wrapped: str, *, is_pure: bool) -> None:
        self._rng = rng
        self._fixed = set(_WRAPPED.findall(wrapped))
        self._is_pure = is_pure
        self._count = 0

    def run(self, text: str, lines: int) -> str:
        text = _FUNCTION.sub(self._with_arguments, without_comments(text))
        functions = [self._helper()]
        inside = lines * 2 // 3
        while text.count("\n") < inside:
            text = self._with_statement(text)
        while text.count("\n") + sum(each.count("\n") for each in functions) < lines:
            functions.append(self._function())
        self._rng.shuffle(functions)
        half = len(functions) // 2
        return "".join(functions[:half]) + text + "".join(functions[half:])

    def _with_arguments(self, match: "re.Match[str]") -> str:
        if match["name"] in self._fixed:
            return match[0]
        more = [f"%extra{k}: {kind}" for k, kind in enumerate(("index", "memref<3x?xf32>", "i1"))]
        given = [match["arguments"]] if match["arguments"] else []
        return f"func.func @{match['name']}({', '.join([*given, *more])})"

    def _with_statement(self, text: str) -> str:
        lines = text.splitlines()
        places = [k for k, line in enumerate(lines) if _STATEMENT.match(line)]
        place = self._rng.choice(places)
        match = _STATEMENT.match(lines[place])
        assert match is not None
        new = self._statement(match[1], is_pure=self._is_pure)
        return "".join(f"{line}\n" for line in [*lines[:place], *new, *lines[place:]])

    def _statement(self, indent: str, *, is_pure: bool) -> list[str]:
        kinds = [self._sum, self._loop, self._choice, self._call]
        made = self._rng.choice(kinds if is_pure else [*kinds, self._buffer])
        self._count += 1
        return [indent + line for line in made(f"%z{self._count}_", self._rng.randint(2, 99))]

    def _sum(self, name: str, number: int) -> list[str]:
        return [
            f"{name}a = arith.constant {number} : i64",
            f"{name}b = arith.muli {name}a, {name}a : i64",
            f"{name}c = arith.addi {name}b, {name}a : i64",
        ]

    def _loop(self, name: str, number: int) -> list[str]:
        loop = f"{name}c = scf.for {name}i = {name}b to {name}a step {name}b"
        return [
            f"{name}a = arith.constant {number} : index",
            f"{name}b = arith.constant 1 : index",
            f"{loop} iter_args({name}s = {name}a) -> (index) {{",
            f"  {name}t = arith.addi {name}s, {name}i : index",
            f"  scf.yield {name}t : index",
            "}",
        ]

    def _choice(self, name: str, number: int) -> list[str]:
        return [
            f"{name}a = arith.constant {number}.0 : f32",
            f"{name}b = arith.cmpf olt, {name}a, {name}a : f32",
            f"{name}c = scf.if {name}b -> (f32) {{",
            f"  {name}d = arith.mulf {name}a, {name}a : f32",
            f"  scf.yield {name}d : f32",
            "} else {",
            f"  scf.yield {name}a : f32",
            "}",
        ]

    def _call(self, name: str, number: int) -> list[str]:
        return [
            f"{name}a = arith.constant {number} : i32",
            f"{name}b = func.call @helper({name}a) : (i32) -> i32",
        ]

    def _buffer(self, name: str, number: int) -> list[str]:
        kind = f"memref<{number}xf32>"
        return [
            f"{name}a = memref.alloc() : {kind}",
            f"{name}b = arith.constant 0 : index",
            f"{name}c = memref.load {name}a[{name}b] : {kind}",
            f"{name}d = arith.addf {name}c, {name}c : f32",
            f"memref.store {name}d, {name}a[{name}b] : {kind}",
            f"memref.dealloc {name}a : {kind}",
        ]

    def _helper(self) -> str:
        return (
            "func.func private @helper(%x: i32) -> i32 {\n"
            "  %y = arith.muli %x, %x : i32\n  return %y : i32\n}\n"
        )

    def _function(self) -> str:
        self._count += 1
        name = f"unrelated{self._count}"
        body = [line for _ in range(2) for line in self._statement("  ", is_pure=False)]
        lines = [f"func.func @{name}(%n: index, %m: memref<4xf64>) -> index {{", *body]
        return "".join(f"{line}\n" for line in [*lines, "  return %n : index", "}"])
