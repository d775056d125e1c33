"""Programs as statements, so that they can be made smaller, and as MLIR text.

A *statement* is a list of text lines and of blocks of inner statements; what it defines and what
it uses is read off its text. A *prelude* holds constants, of which only those in use are printed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from verify.toolchain.native import NativeArgument

NAME = re.compile(r"%[A-Za-z_]\w*(?:#\d+)?")

PORTABLE = ' attributes {passthrough = [["target-features", "-avx512bf16"]]}'
"""Compiles a function without an instruction that takes denormals for zero.

LLVM rounds to `bf16` by it where the processor has it: https://github.com/llvm/llvm-project/pull/221052
"""


@dataclass(frozen=True, slots=True)
class Statement:
    """One op with its regions: text lines, and blocks of statements between them."""

    parts: tuple[str | Block, ...]
    results: tuple[tuple[str, str], ...] = ()

    def with_blocks(self, change: Callable[[Block], Block]) -> Statement:
        """The same op with its blocks changed."""
        parts = tuple(p if isinstance(p, str) else change(p) for p in self.parts)
        return replace(self, parts=parts)


Block: TypeAlias = "tuple[Statement, ...]"


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a function: its name, its type, and what a call gives it."""

    name: str
    kind: str
    argument: NativeArgument | None = None


@dataclass(frozen=True, slots=True)
class Function:
    """A function: `prelude` maps names to the constants that they stand for."""

    name: str
    parameters: tuple[Parameter, ...]
    prelude: tuple[tuple[str, str], ...]
    body: Block
    returned: tuple[tuple[str, str], ...]
    is_private: bool = False


@dataclass(frozen=True, slots=True)
class Program:
    """A module: globals, functions that are called, and last the function that is run.

    `buffers` are the element type and the bytes of each buffer of a call. `inexact` are the names
    of values that functions of `math` gave, with the functions: they are compared with a
    tolerance. With `is_stateful`, a second call would see what the first one left in a global;
    with `has_backwards`, some memref has a negative stride.
    """

    globals: tuple[str, ...]
    functions: tuple[Function, ...]
    buffers: tuple[tuple[str, int], ...]
    inexact: tuple[tuple[str, str], ...] = ()
    is_stateful: bool = False
    has_backwards: bool = False

    @property
    def main(self) -> Function:
        """The function that is run."""
        return self.functions[-1]


def statements(block: Block) -> Iterator[Statement]:
    """Every statement of a block, the inner ones too."""
    for statement in block:
        yield statement
        for part in statement.parts:
            if not isinstance(part, str):
                yield from statements(part)


def names_in(block: Block) -> set[str]:
    """Every name that occurs in a block."""
    return {
        name
        for statement in statements(block)
        for part in statement.parts
        if isinstance(part, str)
        for name in NAME.findall(part)
        for name in (name, name.partition("#")[0])
    }


def render_block(block: Block, depth: int = 1) -> list[str]:
    """The lines of a block."""
    lines: list[str] = []
    for statement in block:
        for part in statement.parts:
            if isinstance(part, str):
                lines += ["  " * depth + line for line in part.splitlines()]
            else:
                lines += render_block(part, depth + 1)
    return lines


def render_function(function: Function) -> str:
    """The text of one function."""
    used = names_in(function.body) | {name for name, _ in function.returned}
    parameters = ", ".join(f"{p.name}: {p.kind}" for p in function.parameters)
    kinds = ", ".join(kind for _, kind in function.returned)
    visibility = "private " if function.is_private else ""
    arrow = f" -> ({kinds})" if kinds else ""
    lines = [f"func.func {visibility}@{function.name}({parameters}){arrow}{PORTABLE} {{"]
    lines += [f"  {name} = {text}" for name, text in function.prelude if name in used]
    lines += render_block(function.body)
    names = ", ".join(name for name, _ in function.returned)
    lines += [f"  return {names} : {kinds}" if kinds else "  return", "}"]
    return "\n".join(lines)


def render(program: Program) -> str:
    """The text of a module."""
    functions = [render_function(f) for f in program.functions]
    text = "\n".join(functions)
    kept = [line for line in program.globals if _symbol(line) in text]
    return "\n".join([*kept, *functions]) + "\n"


def _symbol(line: str) -> str:
    found = re.search(r"@\w+", line)
    assert found is not None
    return found[0]


def renamed(block: Block, names: dict[str, str]) -> Block:
    """A block in which names stand for others."""

    def change(statement: Statement) -> Statement:
        parts = tuple(
            NAME.sub(lambda m: names.get(m[0], m[0]), p) if isinstance(p, str) else inner(p)
            for p in statement.parts
        )
        return replace(statement, parts=parts)

    def inner(part: Block) -> Block:
        return tuple(change(s) for s in part)

    return inner(block)


def op_names(text: str) -> Sequence[str]:
    """The names of the ops in a module, each as often as it stands there."""
    return re.findall(r"(?:^\s*|= )\"?([a-z_]+\.[a-z_.0-9]+)", text, re.MULTILINE)
