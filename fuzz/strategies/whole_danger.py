"""What the family `whole` aims at: two views of one buffer that a checkpointed loop captures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from xdsl.ir import SSAValue

from fuzz.strategies.whole_casts import cast, of_bytes, reinterpret, transpose, unranked
from fuzz.strategies.whole_handles import select
from fuzz.strategies.whole_loops import CHECKPOINT, bounds
from fuzz.strategies.whole_memory import any_memory, load_from, store_to
from fuzz.strategies.whole_types import Index, Ref
from fuzz.strategies.whole_updates import close
from fuzz.strategies.whole_views import halves, subview
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
        w.statements(w.draw.randint(0, 2))
        alive = [r for r in (written,) if not is_first and r in w.scope.refs and not r.is_fixed]
        for ref in alive:
            store_to(w, replace(ref))
        close(w)
        w.op("scf.yield")

    region = w.region(["index"], body)
    operands = [limits.low, limits.high, limits.step]
    w.op("scf.for", operands, (), {CHECKPOINT: "true"}, [region])


DANGER: dict[Callable[[Writer], None], int] = {captured_pair: 1}
"""The productions, each with a weight."""
