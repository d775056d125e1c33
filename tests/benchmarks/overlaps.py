"""The overlap deciders beside NumPy's exact solver and islpy, on random strided views."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

from tests.benchmarks.timing import median_s
from verify.model.memory import Access, LoopInfo, Memory
from verify.semantics.term import Number, Var
from verify.semantics.values import View
from verify.smt.overlap import OverlapQueries, Question
from verify.smt.solver import Answer, Solver

UNIT = 4


@dataclass(frozen=True, slots=True)
class Strided:
    """A view of three dimensions, in bytes."""

    offset: int
    sizes: tuple[int, ...]
    strides: tuple[int, ...]


def draw_pair(draw: random.Random) -> tuple[Strided, Strided]:
    """Two windows of one array of 16 x 16 x 16 elements, each with steps of its own."""

    def window() -> Strided:
        starts = [draw.randrange(8) for _ in range(3)]
        steps = [draw.choice([1, 1, 2, 3]) for _ in range(3)]
        sizes = tuple(
            draw.randint(1, (16 - a + s - 1) // s) for a, s in zip(starts, steps, strict=True)
        )
        whole = (256 * UNIT, 16 * UNIT, UNIT)
        offset = sum(a * w for a, w in zip(starts, whole, strict=True))
        return Strided(offset, sizes, tuple(s * w for s, w in zip(steps, whole, strict=True)))

    return window(), window()


def _array(view: Strided, memory: NDArray[np.float32]) -> NDArray[np.float32]:
    return as_strided(memory[view.offset // UNIT :], view.sizes, view.strides)


def by_numpy(first: Strided, second: Strided, memory: NDArray[np.float32]) -> bool:
    """NumPy's exact answer."""
    return np.shares_memory(_array(first, memory), _array(second, memory), max_work=-1)


def _access(view: Strided, memory: Memory, number: int) -> Access:
    loop = LoopInfo(None, "elements", is_unordered=True)  # pyright: ignore[reportArgumentType]
    address: Number = view.offset
    for size, stride in zip(view.sizes, view.strides, strict=True):
        index = Var("element", 0, size - 1, (loop.id,)).term()
        address = address + index.scaled(stride)
    whole = View(memory, view.offset, view.sizes, view.strides, None, 0)
    return Access(
        None,  # pyright: ignore[reportArgumentType]
        False,
        whole,
        address,
        UNIT,
        (),
        (),
        (loop,),
        (number, 0),
    )


def by_us(first: Strided, second: Strided, solver: Solver) -> bool:
    """The answer of this project's deciders."""
    memory = Memory("argument", "m")
    accesses = [_access(v, memory, i) for i, v in enumerate((first, second))]
    decision = OverlapQueries(solver).decide(Question(accesses[0], accesses[1]))
    return decision.answer is Answer.FOUND


def islpy_decider() -> Callable[[Strided, Strided], bool] | None:
    """The same question to the integer set library, where it is installed."""
    try:
        import islpy as isl  # pyright: ignore[reportMissingImports]
    except ImportError:
        return None

    def text(view: Strided, x: str) -> tuple[str, str]:
        total = f"{view.offset} + " + " + ".join(f"{s}*{x}{d}" for d, s in enumerate(view.strides))
        bounds = " and ".join(f"0 <= {x}{d} < {n}" for d, n in enumerate(view.sizes))
        return total, bounds

    def decide(first: Strided, second: Strided) -> bool:
        (a, in_a), (b, in_b) = text(first, "i"), text(second, "j")
        found = f"{{ [i0,i1,i2,j0,j1,j2] : {in_a} and {in_b} and {a} = {b} }}"
        return not isl.Set(found).is_empty()

    return decide


def compare(count: int) -> dict[str, Any]:
    """How often the deciders agree, and the ratio of median times to NumPy's and to islpy's."""
    draw = random.Random(7)
    memory = np.zeros(1 << 15, np.float32)
    solver = Solver()
    pairs = [draw_pair(draw) for _ in range(count)]
    expected = [by_numpy(a, b, memory) for a, b in pairs]
    found = [by_us(a, b, solver) for a, b in pairs]
    queries = solver.queries
    ours = _typical(pairs, lambda a, b: by_us(a, b, solver))
    result: dict[str, Any] = {
        "pairs": count,
        "overlapping": sum(expected),
        "disagreements": sum(a != b for a, b in zip(expected, found, strict=True)),
        "settled_without_z3": count - queries,
        "ratio_to_numpy": ours / _typical(pairs, lambda a, b: by_numpy(a, b, memory)),
    }
    isl = islpy_decider()
    if isl is not None:
        result["ratio_to_islpy"] = ours / _typical(pairs, isl)
    return result


def _typical(
    pairs: Sequence[tuple[Strided, Strided]], decide: Callable[[Strided, Strided], bool]
) -> float:
    times = [median_s(lambda p=p: decide(*p), repeats=1) for p in pairs]
    return float(np.median(times))
