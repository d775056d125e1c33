"""Whether a gradient is right, by finite differences and by the gradient without checkpoints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from verify.gradient.differences import Slopes
from verify.gradient.image import Numbers
from verify.gradient.result import RIGHT, UNDECIDED, WRONG, Difference

TOLERANCES = {"f64": 1e-6, "f32": 1e-3, "f16": 5e-2, "bf16": 2e-1}
_TRUST, _TRUST_FLOOR = 0.01, 0.05
_FLOOR = 1e-3
_SURELY_ZERO = 1e-3
_MOST_SHOWN = 1000
_PLAIN = "the gradient without checkpoints"

Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Judgement:
    """A status, one line about it, and the elements that are wrong, the worst first."""

    status: str
    message: str = ""
    differences: tuple[Difference, ...] = ()


def judge(
    gradients: Sequence[Numbers],
    slopes: Sequence[Slopes],
    plain: Sequence[Numbers] | None,
    names: Sequence[str],
    tolerance: float,
) -> Judgement:
    """Hold one gradient a sample against the slopes; where those tell nothing, against `plain`.

    `plain` is the gradient without checkpoints, unless that is wrong; it may be held against
    itself.
    """
    wrong: list[tuple[float, Difference]] = []
    total = unknown = unseen = apart = 0
    for sample, (gradient, slope) in enumerate(zip(gradients, slopes, strict=True)):
        expected = slope.expected
        scale = _FLOOR * _largest(expected)
        is_trusted = _is_trusted(slope, gradient)
        allowed = tolerance * (_size(expected, gradient) + scale) + 5 * slope.uncertainty
        is_off = ~(np.abs(gradient - expected) <= allowed)
        for index in map(int, np.flatnonzero(is_trusted & is_off)):
            found = Difference(sample, names[index], float(expected[index]), float(gradient[index]))
            wrong.append((_badness(found), found))
        total += len(gradient)
        unknown += int((slope.is_examined & ~is_trusted).sum())
        unseen += int((~slope.is_examined).sum())
        apart += _apart(gradient, plain[sample] if plain else None, ~is_trusted, tolerance)
    if wrong:
        return _wrong([each for _, each in sorted(wrong, key=lambda item: -item[0])], total)
    beside = "" if plain is None else "itself" if plain is gradients else _PLAIN
    return _without_fault((total, unknown, unseen, apart), beside)


def _wrong(differences: list[Difference], total: int) -> Judgement:
    worst = differences[0]
    message = (
        f"{len(differences)} of {total} elements differ from finite differences; "
        f"{worst.element} is {worst.actual:.6g} and should be {worst.expected:.6g}"
    )
    return Judgement(WRONG, message, tuple(differences[:_MOST_SHOWN]))


def _without_fault(counts: tuple[int, int, int, int], beside: str) -> Judgement:
    """Right, unless finite differences leave something open: a kink, a jump, too much rounding.

    Elements that are too many to be examined one by one are right when those that are examined
    are, and all others are as they are without checkpoints.
    """
    total, unknown, unseen, apart = counts
    said: list[str] = []
    if unknown:
        said.append(f"finite differences tell nothing about {unknown} of {total} elements")
    if unseen:
        said.append(f"{unseen} of {total} elements were not examined")
    if apart:
        said.append(f"it differs from {_PLAIN} in {apart} of these")
    elif said and beside == _PLAIN:
        said.append(f"there it agrees with {_PLAIN}")
    is_open = bool(unknown or apart or (unseen and not beside))
    return Judgement(UNDECIDED if is_open else RIGHT, "; ".join(said))


def _is_trusted(slope: Slopes, gradient: Numbers) -> Flags:
    """Where an element is known well enough to call a number right or wrong."""
    least = _TRUST_FLOOR * _largest(slope.expected)
    with np.errstate(invalid="ignore"):
        limit = _TRUST * np.fmax(_size(slope.expected, gradient), least)
        is_nothing = (slope.expected == 0) & (gradient == 0)
        limit = np.where(is_nothing, np.fmax(limit, _SURELY_ZERO), limit)
        return np.isfinite(slope.uncertainty) & (slope.uncertainty <= limit)


def _apart(gradient: Numbers, plain: Numbers | None, is_open: Flags, tolerance: float) -> int:
    """How many elements that nothing is known about differ from the gradient in `plain`."""
    if plain is None:
        return 0
    scale = _FLOOR * _largest(plain)
    with np.errstate(invalid="ignore"):
        is_near = np.abs(gradient - plain) <= tolerance * (_size(plain, gradient) + scale)
        is_same = is_near | (np.isnan(gradient) & np.isnan(plain)) | (gradient == plain)
    return int((is_open & ~is_same).sum())


def _largest(numbers: Numbers) -> float:
    known = np.abs(numbers[np.isfinite(numbers)])
    return float(known.max()) if len(known) else 0.0


def _size(one: Numbers, other: Numbers) -> Numbers:
    with np.errstate(invalid="ignore"):
        return np.fmax(np.abs(one), np.where(np.isfinite(other), np.abs(other), 0.0))


def _badness(found: Difference) -> float:
    distance = abs(found.actual - found.expected)
    if not np.isfinite(distance):
        return float("inf")
    return distance / max(abs(found.expected), abs(found.actual), 1e-300)
