"""Kernels that stand where they are launched, for the family `whole`: `gpu.launch`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from xdsl.ir import SSAValue

from fuzz.strategies.whole_gpu import TOKEN, allocate, in_the_way, on_device
from fuzz.strategies.whole_memory import store_to
from fuzz.strategies.whole_ops import segments
from fuzz.strategies.whole_types import Index, Mem, Ref, Work
from fuzz.strategies.whole_views import lane
from fuzz.strategies.whole_writer import Writer

_THREADS = 4


def inline_launch(w: Writer) -> None:
    """`gpu.launch`, each thread of which writes its own element, with a token or without."""
    is_async = w.flip(60)
    fits = on_device(w, _is_line)
    target = w.draw.choice(fits) if fits else allocate(w, Mem("f32", (_THREADS,)))

    def body(arguments: Sequence[SSAValue]) -> None:
        w.place = "kernel"
        w.scope.pending, w.scope.inherited = [], ()
        w.scope.indices = [Index(arguments[3], _THREADS), Index(arguments[0], 1)]
        w.scope.owned, w.scope.pointers = [], []
        others = [r for r in on_device(w) if not set(r.roots) & set(target.roots)]
        w.scope.refs = [replace(r, is_fixed=True) for r in others]
        store_to(w, lane(w, target, arguments[3]))
        w.statements(w.draw.randint(0, 1))
        w.op("gpu.terminator")

    place = w.place
    with w.recorded() as touched:
        region = w.region(["index"] * 12, body)
    w.place = place
    reads, writes = tuple(touched.reads), tuple(touched.writes)
    tokens = in_the_way(w, reads, writes, is_async=is_async)
    if is_async and not tokens and w.flip(50):
        tokens.append(w.op("gpu.wait", (), [TOKEN]).results[0])
    one = w.constant(1)
    grid = [one, one, one, w.constant(_THREADS), one, one]
    attributes = {"operandSegmentSizes": segments(len(tokens), *([1] * 6), 0, 0, 0, 0)}
    results = [TOKEN] if is_async else []
    made = w.op("gpu.launch", [*tokens, *grid], results, attributes, [region]).results
    if is_async:
        w.scope.pending.append(Work(made[0], "gpu", reads, writes))


def _is_line(ref: Ref) -> bool:
    is_wide = ref.is_static_line and (ref.sizes[0] or 0) >= _THREADS
    return is_wide and ref.is_spread and not ref.is_fixed and ref.kind.element[0] in "fi"


INLINE: dict[Callable[[Writer], None], int] = {inline_launch: 2}
"""The productions, each with a weight."""
