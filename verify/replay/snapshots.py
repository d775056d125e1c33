"""Snapshots of a checkpointed loop, and the copies that a replay works on.

A copy holds the elements that a captured view spans, and nothing more. It is an allocation of its
own, or, as Enzyme lays snapshots out, one row of a larger buffer that has a row an iteration.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
from xdsl.ir import SSAValue

from verify.replay.buffers import Buffer
from verify.semantics.algebra import UndefinedBehaviourError
from verify.semantics.term import whole
from verify.semantics.values import View

SLACK_ELEMENTS = 16
_JUNK = 0x5A

_Bytes: TypeAlias = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The state of a loop before an iteration: its own, the captured views, and all memory.

    `memory` maps ids of buffers to their bytes.
    """

    state: Any
    views: dict[SSAValue, View]
    memory: dict[int, _Bytes]


def copy_of(
    view: View,
    places: Sequence[int],
    data: _Bytes,
    *,
    rows: tuple[Sequence[_Bytes | None], int] | None,
    is_free: bool,
    is_shifted: bool,
) -> View:
    """A view like `view` of a copy of `places` out of `data`.

    `rows` gives what the memory held before each iteration, and which of them this is. Where the
    offset `is_free`, the descriptor may count from another place than the view's did.
    """
    unit = view.element.size if view.element is not None else 1
    low, high = (min(places), max(places) + 1) if places else (0, 0)
    if places and not 0 <= low < high <= len(data):
        raise UndefinedBehaviourError("a capture reaches outside its buffer")
    if rows is None:
        first = SLACK_ELEMENTS * unit
        contents = np.full(high - low + 2 * first, _JUNK, np.uint8)
    else:
        before, row = rows
        first = row * (high - low)
        contents = _rows(before, places, low, high)
    at = np.asarray(places, np.int64) - low + first
    contents[at] = data[np.asarray(places, np.int64)]
    valid = np.zeros(len(contents), np.bool_)
    valid[at] = True
    offset = whole(view.offset) - low + first
    base = offset - (whole(view.offset) - whole(view.base))
    if is_free and rows is not None:
        base = 0
    elif is_free and is_shifted:
        base -= 3 * unit
    buffer = _buffer(view.memory, contents, view.space, valid)
    buffer.objects = {p - low + first: o for p, o in view.memory.objects.items()}
    buffer.address += unit - (buffer.address + offset) % 256
    return replace(view, memory=buffer, offset=offset, base=base)


def _buffer(source: Buffer, contents: _Bytes, space: str, valid: _Bytes) -> Buffer:
    arrays = source.arrays
    name = f"copy of {source.name}"
    return Buffer(arrays.from_host(contents), name, space, valid, address=1 << 12, arrays=arrays)


def _rows(before: Sequence[_Bytes | None], places: Sequence[int], low: int, high: int) -> _Bytes:
    """One row an iteration, with what the memory held before it where that is known."""
    size = high - low
    contents = np.full(size * len(before), _JUNK, np.uint8)
    at = np.asarray(places, np.int64)
    for number, data in enumerate(before):
        if data is not None and len(data) >= high:
            contents[at - low + number * size] = data[at]
    return contents
