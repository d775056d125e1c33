"""Makes a program smaller while something about it stays true."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from typing import Any

from fuzz.strategies import syntax as s

BUDGET = 1500


def shrink(program: s.Program, holds: Callable[[s.Program], bool]) -> s.Program:
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


def _smaller(program: s.Program) -> Iterator[s.Program]:
    for body in variants(program.body):
        yield without_unused(replace(program, body=body))


def without_unused(program: s.Program) -> s.Program:
    """The program without parameters and globals that nothing uses."""
    used = set(s.used_names(program.body))
    parameters = tuple(p for p in program.parameters if p.name in used)
    return replace(
        program, parameters=parameters, globals=tuple(g for g in program.globals if g[0] in used)
    )


def variants(node: Any) -> Iterator[Any]:
    """Nodes that are one step simpler, coarse steps first."""
    if isinstance(node, tuple):
        yield from _of_tuple(node)
    elif isinstance(node, s.Loop):
        yield from _of_loop(node)
    elif isinstance(node, s.If):
        yield from _of_fields(node)
    elif isinstance(node, s.Mix):
        if node.parts:
            yield replace(node, parts=())
        yield from _of_fields(node)
    elif isinstance(node, s.Bin):
        yield from (node.left, node.right)
        yield from _of_fields(node)
    elif isinstance(node, s.Var | s.DimOf):
        yield s.Const(0)
        yield s.Const(2)
    elif isinstance(node, s.Const) and node.value > 1:
        yield s.Const(node.value - 1)
    elif hasattr(node, "__dataclass_fields__") and not isinstance(node, s.MemType):
        yield from _of_fields(node)


def _of_tuple(node: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    if node and _is_statement(node[0]):
        for i, part in enumerate(node):
            yield node[:i] + node[i + 1 :]
            inner = getattr(part, "then", None) or (part.body if _is_bare(part) else None)
            if inner:
                yield node[:i] + inner + node[i + 1 :]
    for i, part in enumerate(node):
        for variant in variants(part):
            yield (*node[:i], variant, *node[i + 1 :])


def _is_statement(node: Any) -> bool:
    return hasattr(node, "__dataclass_fields__") and not isinstance(
        node, s.Const | s.Var | s.Bin | s.DimOf | s.Carried
    )


def _is_bare(node: Any) -> bool:
    return isinstance(node, s.Loop) and not node.carried


def _of_loop(node: s.Loop) -> Iterator[s.Loop]:
    if node.is_checkpointed:
        yield replace(node, is_checkpointed=False)
    if node.carried:
        for i in range(len(node.carried)):
            kept = node.carried[:i] + node.carried[i + 1 :]
            yield replace(node, carried=kept, yields=node.yields[:i] + node.yields[i + 1 :])
    if node.kind != "scf.for" and not node.before:
        yield replace(node, kind="scf.for")
    yield from _of_fields(node)


def _of_fields(node: Any) -> Iterator[Any]:
    for field in fields(node):
        if field.name != "carried":
            for variant in variants(getattr(node, field.name)):
                yield replace(node, **{field.name: variant})
