"""Writes that leave memory as it is, within one query.

A write is idle when it copies an element onto itself, or when the same content was written to, or
read from, the same bytes before and nothing has changed them since.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import z3

from verify.model.memory import Access, LoopInfo, extent_of
from verify.semantics.term import Lin, Number
from verify.smt.cover import covers, is_one_memory, runs
from verify.smt.encode import Encoder, Expr
from verify.smt.memories import relation

MOST_SOURCES = 6


def is_copy_onto_itself(encoder: Encoder, write: Access, tags: Mapping[int, str]) -> Expr | None:
    """When the element that a copy writes is the one that it has read; `None` for never."""
    return None if write.idle is False else encoder.condition(write.idle, tags)


def sources_of(write: Access, accesses: Sequence[Access]) -> list[Access]:
    """Accesses before `write`, in the iterations that it is in, that may make it idle."""
    if write.content is None or _is_vague(write.loops):
        return []
    found = [a for a in accesses if _is_source(a, write)]
    return found[-MOST_SOURCES:]


def _is_vague(loops: Sequence[LoopInfo]) -> bool:
    """Blocks of a cyclic region and elements of views have no order that could be relied on."""
    return any(info.kind == "graph" for info in loops)


def _is_source(access: Access, write: Access) -> bool:
    loops, spread = extent_of(access)
    n = len(loops)
    if access is write or access.content is None or not access.is_modelled or spread is None:
        return False
    if not access.is_write and n < len(access.loops):
        return False
    mine = extent_of(write)[0]
    if loops != mine[:n] or any(i.is_unordered for i in loops) or access.path[n] >= write.path[n]:
        return False
    same_memory = access.view.memory is write.view.memory
    return _may_be_alike(access, write) and same_memory and is_one_memory(access, loops)


def _may_be_alike(one: Access, other: Access) -> bool:
    a, b = one.content, other.content
    if a is None or b is None or a.unit != b.unit:
        return False
    return a.value == b.value or (_number(one) is not None and _number(other) is not None)


def _number(access: Access) -> Number | None:
    value = access.content.value if access.content is not None else None
    return value if isinstance(value, int | Lin) else None


def may_change(
    encoder: Encoder,
    write: Access,
    tags: Mapping[int, str],
    source: Access,
    others: Sequence[Access],
) -> Expr:
    """That `source` does not make `write` idle, or that something in between may undo it."""
    loops, spread = extent_of(source)
    assert spread is not None
    assert source.content is not None
    here = {info.id: tags[info.id] for info in loops if info.id in tags}
    distance = encoder.number(write.address, tags) - encoder.number(spread.start, here)
    holds = [
        *runs(encoder, source, here),
        covers(encoder, spread, here, write, tags),
        distance % source.content.unit == 0,
        _is_alike(encoder, source, here, write, tags),
    ]
    changes = [z3.Not(z3.And(holds))]
    for number, other in enumerate(_between(source, write, others)):
        changes.append(_disturbs(encoder, other, write, tags, len(loops), f"other{number}"))
    return z3.Or(changes)


def _is_alike(
    encoder: Encoder,
    one: Access,
    tags_one: Mapping[int, str],
    other: Access,
    tags_other: Mapping[int, str],
) -> Expr:
    """That two accesses that may be alike have the same content.

    Equal keys were made in iterations that the two share, as values are seen further in only.
    """
    a, b = _number(one), _number(other)
    if a is None or b is None:
        return z3.BoolVal(_may_be_alike(one, other))
    return encoder.number(a, tags_one) == encoder.number(b, tags_other)


def _between(source: Access, write: Access, others: Sequence[Access]) -> Iterator[Access]:
    """Writes that may run after `source` and before `write`, in the iterations of `source`."""
    n = len(extent_of(source)[0])
    is_further_in = n < len(extent_of(write)[0])
    for other in others:
        if not other.is_write or other is source or other.loops[:n] != source.loops[:n]:
            continue
        before = other.path[n] < write.path[n] or (is_further_in and other.path[n] == write.path[n])
        if before and source.path[n] < other.path[n]:
            yield other


def _disturbs(
    encoder: Encoder,
    other: Access,
    write: Access,
    tags: Mapping[int, str],
    depth: int,
    name: str,
) -> Expr:
    """That an instance of `other` writes bytes of `write`, and not just what it writes."""
    if relation(other.view, write.view) in ("distinct", "assumed"):
        return z3.BoolVal(False)  # noqa: FBT003 - Z3's own constant
    there = {i.id: tags[i.id] for i in other.loops[:depth] if i.id in tags}
    there |= {info.id: name for info in other.loops[depth:]}
    conditions = [encoder.condition(c, there) for c in other.conditions]
    conditions += _is_no_later(encoder, other, there, write, tags, depth)
    if other.view.memory is not write.view.memory:
        return z3.And(conditions)
    start, address = encoder.number(other.address, there), encoder.number(write.address, tags)
    meets = [start < address + write.size, address < start + other.size]
    if _may_be_alike(other, write) and other.content is not None:
        is_aligned = (start - address) % other.content.unit == 0
        meets.append(z3.Not(z3.And(is_aligned, _is_alike(encoder, other, there, write, tags))))
    return z3.And([*conditions, *meets])


def _is_no_later(
    encoder: Encoder,
    other: Access,
    there: Mapping[int, str],
    write: Access,
    tags: Mapping[int, str],
    depth: int,
) -> list[Expr]:
    """That `other` is not in a later iteration than `write` of the loop that both are in next."""
    loops = other.loops[depth : depth + 1]
    if loops != write.loops[depth : depth + 1] or not loops or loops[0].is_unordered:
        return []
    if loops[0].counter is None:
        return []
    mine = encoder.number(loops[0].counter, there)
    return [mine <= encoder.number(loops[0].counter, tags)]
