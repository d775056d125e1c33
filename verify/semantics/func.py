"""Functions and calls, of `func` and `llvm`.

A callee with a body is followed. One without a body has the effects that its attributes state
(`enzymexla.memory_effects`, `llvm.memory_effects`, `llvm.readonly` and the like on arguments),
which are believed and noted; without attributes it may touch all memory.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import builtin
from xdsl.ir import Attribute, Operation, SSAValue

from verify.ir.names import attr, symbol_ref
from verify.semantics.machine import Machine, Value, rule
from verify.semantics.types import UnsupportedError, is_memref


@rule("func.return", "func.func", "llvm.func", "llvm.return")
def terminator(_: Machine, __: Operation) -> Sequence[Value]:
    return []


@rule("func.call")
def call(m: Machine, op: Operation) -> Sequence[Value]:
    return call_symbol(m, op, op.operands)


def call_symbol(m: Machine, op: Operation, operands: Sequence[SSAValue]) -> Sequence[Value]:
    """A direct call of the symbol `callee`."""
    symbol = symbol_ref(op, "callee")
    if symbol is None:
        raise UnsupportedError("an indirect call")
    target = m.function_named(op, symbol)
    if target is not None and target.regions and target.regions[0].blocks:
        return m.call(op, symbol, [m.value(v) for v in operands])
    declared_effects(m, op, target, operands)
    return [m.unknown(op, r.type) for r in op.results]


def _words(value: Attribute | None) -> set[str]:
    match value:
        case builtin.ArrayAttr():
            return {str(v).strip('"') for v in value.data}
        case None:
            return set()
        case _:
            return set(str(value).replace(",", " ").replace("<", " ").replace(">", " ").split())


def function_effects(op: Operation | None) -> tuple[bool, bool, bool, str] | None:
    """`(reads, writes, only arguments, attribute)` as an op's attributes state them."""
    if op is None:
        return None
    listed = attr(op, "enzymexla.memory_effects")
    if listed is not None:
        words = _words(listed)
        return (
            bool(words & {"read", "allocate"}) or "write" in words,
            bool(words & {"write", "free"}),
            False,
            "enzymexla.memory_effects",
        )
    for name in ("llvm.memory_effects", "memory_effects", "memory"):
        stated = attr(op, name)
        if stated is not None and (found := _llvm_effects(str(stated))) is not None:
            return (*found, name)
    return None


def _llvm_effects(text: str) -> tuple[bool, bool, bool] | None:
    """`#llvm.memory_effects<other = none, argMem = read, inaccessibleMem = none, ...>`."""
    modes: dict[str, str] = {}
    inside = text.partition("<")[2].rpartition(">")[0]
    for part in inside.split(","):
        name, _, mode = part.partition("=")
        modes[name.strip()] = mode.strip()
    if "other" not in modes or "argMem" not in modes:
        return None
    active = {modes[k] for k in modes if k != "inaccessibleMem"}
    reads = bool(active & {"read", "readwrite"})
    writes = bool(active & {"write", "readwrite"})
    outside = {v for k, v in modes.items() if k not in ("argMem", "inaccessibleMem")}
    return reads, writes, outside <= {"none"}


def declared_effects(
    m: Machine, op: Operation, target: Operation | None, operands: Sequence[SSAValue]
) -> None:
    """The effects of a callee without a body."""
    views = [(i, v) for i, v in enumerate(operands) if is_memref(v.type)]
    stated = function_effects(target) or function_effects(op)
    if stated is None:
        read, written = _by_argument(m, target, views)
        m.effects(op, read, written, reads_anywhere=True, writes_anywhere=True)
        return
    reads, writes, only_arguments, name = stated
    m.believe(op, name)
    if not reads and not writes:
        return
    read, written = _by_argument(m, target, views)
    m.effects(
        op,
        read if reads else [],
        written if writes else [],
        reads_anywhere=reads and not only_arguments,
        writes_anywhere=writes and not only_arguments,
    )


def _by_argument(
    m: Machine, target: Operation | None, views: Sequence[tuple[int, SSAValue]]
) -> tuple[list[Value], list[Value]]:
    reads: list[Value] = []
    writes: list[Value] = []
    for position, value in views:
        names = argument_attributes(target, position)
        if names & {"llvm.readnone"}:
            continue
        if not names & {"llvm.writeonly"}:
            reads.append(m.value(value))
        if not names & {"llvm.readonly"}:
            writes.append(m.value(value))
    return reads, writes


def argument_attributes(target: Operation | None, position: int) -> set[str]:
    """The names of the attributes on argument `position` of a function."""
    stated = attr(target, "arg_attrs") if target is not None else None
    if not isinstance(stated, builtin.ArrayAttr) or position >= len(stated.data):
        return set()
    entry = stated.data[position]
    return set(entry.data) if isinstance(entry, builtin.DictionaryAttr) else set()
