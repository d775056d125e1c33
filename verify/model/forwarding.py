"""What a load finds when the program has just stored to the same place.

Only the stretch of straight-line code before the load is looked at; whatever may have written the
bytes in between ends the search.
"""

from __future__ import annotations

from collections.abc import Sequence

from verify.model.dense import Spread
from verify.model.memory import Access, LoopInfo, extent_of, shared_conditions
from verify.semantics.term import Condition, Lin, Number
from verify.semantics.values import View

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
        if extent_of(earlier)[0] == here and _settles(earlier, access):
            is_certain = all(c in held for c in shared_conditions(earlier))
            known = earlier.content.value if earlier.content is not None else None
            return known if is_certain and isinstance(known, int | Lin) else None
        if not _are_apart(earlier, access):
            return None
        if len(earlier.loops) < len(here):
            return None
    return None


def _settles(write: Access, read: Access) -> bool:
    """Whether what `read` finds is the content of `write`, if that happens."""
    spread = extent_of(write)[1]
    if write.view.memory is not read.view.memory or spread is None:
        return False
    unit = write.size if write.content is None else write.content.unit
    if unit != read.size:
        return False
    if write.size == read.size and write.address == read.address:
        return True
    is_of_all = len(extent_of(write)[0]) < len(write.loops) or unit < write.size
    return _is_element(spread, read, unit) or (is_of_all and _is_same_view(write.view, read.view))


def _is_element(spread: Spread, read: Access, unit: int) -> bool:
    """Whether the read is one of the units of a run of bytes, all of them known."""
    distance = read.address - spread.start
    if spread.dims or not isinstance(distance, int) or not isinstance(spread.run, int):
        return False
    return 0 <= distance <= spread.run - read.size and distance % unit == 0


def _is_same_view(written: View, read: View) -> bool:
    """Whether every element of one ranked view is an element of the other, all of them written."""
    if written.sizes is None or read.sizes is None or written.element != read.element:
        return False
    same_place = written.offset == read.offset and written.strides == read.strides
    return same_place and written.sizes == read.sizes


def _are_apart(a: Access, b: Access) -> bool:
    """Whether two accesses of one iteration certainly have no byte in common."""
    if a.view.memory is not b.view.memory:
        kinds = {a.view.memory.kind, b.view.memory.kind}
        return kinds == {"alloc"} and a.view.memory.family is b.view.memory.family is None
    distance = a.address - b.address
    return isinstance(distance, int) and (distance >= b.size or distance <= -a.size)
