"""Makes a program smaller while something about it stays true."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from tests.conformance.native.literals import SCALARS, literal
from tests.conformance.native.program import (
    Block,
    Function,
    Program,
    Statement,
    names_in,
    renamed,
)

BUDGET = 1200


def shrink(program: Program, holds: Callable[[Program], bool]) -> Program:
    """The smallest program found by greedy steps for which `holds` is true."""
    left = BUDGET
    changed = True
    while changed and left > 0:
        changed = False
        for smaller in _smaller(program):
            left -= 1
            if holds(smaller):
                program, changed = smaller, True
                break
            if left <= 0:
                break
    return program


def _smaller(program: Program) -> Iterator[Program]:
    for i in range(len(program.functions) - 1):
        yield replace(program, functions=program.functions[:i] + program.functions[i + 1 :])
    for i, function in reversed([*enumerate(program.functions)]):
        for smaller in _functions(function):
            yield replace(
                program,
                functions=(*program.functions[:i], smaller, *program.functions[i + 1 :]),
            )


def _functions(function: Function) -> Iterator[Function]:
    if len(function.returned) > 1:
        for i in range(len(function.returned)):
            yield replace(function, returned=function.returned[:i] + function.returned[i + 1 :])
    for body, gone in _blocks(function.body):
        yield _patched(function, body, gone)


def _patched(function: Function, body: Block, gone: dict[str, str]) -> Function:
    """The function with a smaller body; scalars that are gone become constants."""
    used = names_in(body) | {name for name, _ in function.returned}
    names: dict[str, str] = {}
    prelude = dict(function.prelude)
    for name, kind in gone.items():
        base = name.partition("#")[0]
        if base in used and kind in SCALARS:
            names[name] = f"%k_{kind}"
            prelude[names[name]] = f"arith.constant {literal(1, kind)}"
    returned = tuple((names.get(n, n), kind) for n, kind in function.returned)
    return replace(
        function, prelude=tuple(prelude.items()), body=renamed(body, names), returned=returned
    )


def _blocks(block: Block) -> Iterator[tuple[Block, dict[str, str]]]:
    """Smaller blocks, each with the scalars that are no longer defined."""
    size = len(block)
    width = size
    while width >= 1:
        for start in range(0, size, width):
            cut = block[start : start + width]
            yield block[:start] + block[start + width :], _defined(cut)
        width //= 2
    for i, statement in enumerate(block):
        for smaller, gone in _statements(statement):
            yield (*block[:i], smaller, *block[i + 1 :]), gone


def _defined(block: Block) -> dict[str, str]:
    return {name: kind for statement in block for name, kind in statement.results}


def _statements(statement: Statement) -> Iterator[tuple[Statement, dict[str, str]]]:
    for k, part in enumerate(statement.parts):
        if isinstance(part, str):
            continue
        for smaller, gone in _blocks(part):
            parts = (*statement.parts[:k], smaller, *statement.parts[k + 1 :])
            yield Statement(parts, statement.results), gone
