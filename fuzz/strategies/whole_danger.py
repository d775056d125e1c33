"""What the family `whole` aims at: two views of one buffer that a checkpointed loop captures."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.ir import SSAValue

from fuzz.strategies.whole_casts import (
    align,
    cast,
    metadata,
    of_bytes,
    reinterpret,
    transpose,
    unranked,
)
from fuzz.strategies.whole_gpu import TOKEN, allocate, in_the_way, on_device
from fuzz.strategies.whole_handles import select
from fuzz.strategies.whole_loops import CHECKPOINT, bounds
from fuzz.strategies.whole_memory import any_memory, is_plain, load_from, store_to
from fuzz.strategies.whole_types import Index, Mem, Ref, Work
from fuzz.strategies.whole_updates import close
from fuzz.strategies.whole_views import Window, fixed, halves, subview, subview_of
from fuzz.strategies.whole_writer import Writer

_MAKERS: dict[Callable[[Writer], None], int] = {
    subview: 8, reinterpret: 4, cast: 2, halves: 2, unranked: 1, of_bytes: 1, transpose: 1,
    select: 2,
}  # fmt: skip


def captured_pair(w: Writer) -> None:
    """A loop that writes through one memref and reads through another one of the same buffer."""
    if w.place not in ("host", "callee") or w.scope.is_parallel:
        return
    one = any_memory(w, is_written=True)
    before, focus = w.scope.refs, w.focus
    w.scope.refs, w.focus = [one], one.roots[0]
    for _ in range(w.draw.randint(1, 2)):
        w.weighted(_MAKERS)(w)
    made, w.focus = w.scope.refs[1:], focus
    w.scope.refs = [*before, *made]
    fits = [r for r in (one, *made) if r.has_elements and r.roots == one.roots]
    _loop(w, w.draw.choice(fits[-2:]), w.draw.choice(fits))


def _loop(w: Writer, written: Ref, read: Ref) -> None:
    limits = bounds(w)
    is_first = w.flip(30)

    def body(arguments: Sequence[SSAValue]) -> None:
        w.scope.indices.append(Index(arguments[0], limits.below))
        if is_first:
            store_to(w, written)
        load_from(w, read)
        if w.flip(20):
            _rely_on_layout(w, read)
        w.statements(w.draw.randint(0, 2))
        if not is_first and written in w.scope.refs:
            store_to(w, written)
        close(w)
        w.op("scf.yield")

    region = w.region(["index"], body)
    operands = [limits.low, limits.high, limits.step]
    w.op("scf.for", operands, (), {CHECKPOINT: "true"}, [region])


def _rely_on_layout(w: Writer, ref: Ref) -> None:
    """Ask what a copy of the memref need not keep."""
    if ref.kind.offset == 0 and w.flip(50):
        align(w, ref)
    else:
        metadata(w, ref)


def unordered(w: Writer) -> None:
    """Two fills behind one token, of two parts of a buffer that overlap or do not."""
    if w.place == "callee":
        return captured_pair(w)
    fits = on_device(w, lambda r: _is_line(r) and not r.is_fixed)
    ref = w.draw.choice(fits) if fits else allocate(w, Mem("f32", (4,)))
    size = ref.sizes[0] or 2
    cut, more = w.draw.randint(1, size - 1), int(w.flip(50))
    parts = [(0, cut), (cut - more, size - cut + more)]
    in_the_way(w, (), ref.roots, is_async=False)
    first = w.op("gpu.wait", (), [TOKEN]).results[0]
    tokens: list[SSAValue] = []
    for start, length in parts:
        part = subview_of(w, ref, [Window(fixed(start), fixed(length), fixed(1))])
        operands = [first, part.value, w.scalar(ref.kind.element)]
        tokens.append(w.op("gpu.memset", operands, [TOKEN]).results[0])
    if w.flip(50):
        w.op("gpu.wait", tokens)
        return None
    w.scope.pending += [Work(token, "gpu", (), ref.roots) for token in tokens]
    return None


def _is_line(ref: Ref) -> bool:
    return is_plain(ref) and len(ref.sizes) == 1 and (ref.sizes[0] or 0) >= 2


DANGER: dict[Callable[[Writer], None], int] = {captured_pair: 3, unordered: 1}
"""The productions, each with a weight."""
