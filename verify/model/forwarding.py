"""What a load finds when the program has just stored to the same place.

Only the stretch of straight-line code before the load is looked at; whatever may have written the
bytes in between ends the search.
"""

from __future__ import annotations

from collections.abc import Sequence

from verify.model.memory import Access, LoopInfo
from verify.semantics.term import Condition, Lin, Number

FARTHEST = 40


def stored_before(
    accesses: Sequence[Access],
    access: Access,
    conditions: Sequence[Condition],
    loops: Sequence[LoopInfo],
) -> Number | None:
    """The integer that `access` reads, if the last write of its bytes is known."""
    if access.view.memory.kind == "unknown":
        return None
    held = set(conditions)
    here = tuple(loops)
    for earlier in reversed(accesses[-FARTHEST:]):
        if not earlier.is_write:
            continue
        if earlier.loops == here and _is_same_place(earlier, access):
            is_certain = all(c in held for c in earlier.conditions)
            known = earlier.content.value if earlier.content is not None else None
            return known if is_certain and isinstance(known, int | Lin) else None
        if not _are_apart(earlier, access):
            return None
        if len(earlier.loops) < len(here):
            return None
    return None


def _is_same_place(a: Access, b: Access) -> bool:
    same_memory = a.view.memory is b.view.memory
    is_one = a.content is None or a.content.unit == a.size
    return same_memory and is_one and a.size == b.size and a.address == b.address


def _are_apart(a: Access, b: Access) -> bool:
    """Whether two accesses of one iteration certainly have no byte in common."""
    if a.view.memory is not b.view.memory:
        kinds = {a.view.memory.kind, b.view.memory.kind}
        return kinds == {"alloc"} and a.view.memory.family is b.view.memory.family is None
    distance = a.address - b.address
    return isinstance(distance, int) and (distance >= b.size or distance <= -a.size)
