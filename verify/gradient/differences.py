"""Central finite differences of a function, with an estimate of how far they can be trusted.

Each element is moved by one and by two steps both ways; the two slopes agree where the function
is smooth, and together give one that is right to the fourth order. Where they differ there is a
kink, a jump or too much rounding.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from verify.gradient.image import Bytes, ImageLayout, Numbers, Section, read_numbers, write_numbers
from verify.gradient.runners import Runnable, run

MOST_ELEMENTS = 512
_MOVES = (1, -1, 2, -2)
_STEPS = {"f64": 1e-4, "f32": 2.0**-6, "f16": 2.0**-3, "bf16": 2.0**-2}
_EPSILON = {"f64": 2.0**-52, "f32": 2.0**-23, "f16": 2.0**-10, "bf16": 2.0**-7}
_ROUNDINGS = 8


@dataclass(frozen=True, eq=False, slots=True)
class Slopes:
    """Derivatives by each element, how far each may be off, and the image after a plain run.

    `is_examined` tells the elements that were moved at all, `is_repeatable` that a second run on
    the same image gave the same bytes.
    """

    expected: Numbers
    uncertainty: Numbers
    is_examined: NDArray[np.bool_]
    after: Bytes
    runner: str
    is_repeatable: bool


def coarsest(names: Any) -> str:
    """The float type with the fewest digits among the names."""
    known = [name for name in names if name in _EPSILON]
    return max(known, key=lambda name: _EPSILON[name], default="f64")


def active_sections(layout: ImageLayout) -> list[Section]:
    """The arguments that the gradient is taken by."""
    return [
        section
        for section in layout.of_role("value")
        if ("shadow", section.position) in layout.sections
    ]


def gradient_in(layout: ImageLayout, image: Bytes) -> Numbers:
    """The gradient that a differentiated function has left in its shadows."""
    parts = [
        read_numbers(layout.sections["shadow", section.position], image)
        for section in active_sections(layout)
    ]
    return np.concatenate(parts) if parts else np.zeros(0)


def finite_differences(
    primal: Runnable, images: Bytes, precision: str, runner: str, timeout_s: float
) -> list[Slopes]:
    """The slopes at each of the images; raises `RunError`."""
    tables = [_moved(primal.layout, image, precision) for image in images]
    rows = np.concatenate([table.images for table in tables])
    ran = run(primal, rows, runner, timeout_s)
    slopes: list[Slopes] = []
    begin = 0
    for table in tables:
        end = begin + len(table.images)
        found = _slopes(primal.layout, table, ran.images[begin:end], precision, ran.runner)
        slopes.append(found)
        begin = end
    return slopes


@dataclass(frozen=True, eq=False, slots=True)
class _Table:
    """Two plain images, then four moved ones for each element of `chosen`.

    `total` is the number of elements.
    """

    images: Bytes
    before: Bytes
    chosen: list[int]
    total: int
    places: Numbers


def _moved(layout: ImageLayout, image: Bytes, precision: str) -> _Table:
    sections = active_sections(layout)
    numbers = [read_numbers(section, image) for section in sections]
    total = sum(map(len, numbers))
    chosen = list(range(total))
    if total > MOST_ELEMENTS:
        chosen = sorted(random.Random(total).sample(chosen, MOST_ELEMENTS))
    rows = [image, image]
    places: list[list[float]] = []
    offsets = np.cumsum([0, *map(len, numbers)])
    for element in chosen:
        number = int(np.searchsorted(offsets, element, side="right")) - 1
        section, values = sections[number], numbers[number]
        index = element - int(offsets[number])
        step = _STEPS[precision] * max(1.0, abs(float(values[index])))
        places.append([])
        for move in _MOVES:
            row = image.copy()
            changed = values.copy()
            changed[index] += move * step
            write_numbers(section, row, changed)
            rows.append(row)
            places[-1].append(float(read_numbers(section, row)[index]))
    return _Table(np.stack(rows), image, chosen, total, np.array(places).reshape(-1, 4))


def _slopes(
    layout: ImageLayout, table: _Table, after: Bytes, precision: str, runner: str
) -> Slopes:
    expected = np.full(table.total, np.nan)
    uncertainty = np.full(table.total, np.inf)
    sums = np.array([_weighted(layout, table.before, row) for row in after])
    values, sizes = sums[2:, 0].reshape(-1, 4), sums[2:, 1].reshape(-1, 4)
    with np.errstate(all="ignore"):
        near = (values[:, 0] - values[:, 1]) / (table.places[:, 0] - table.places[:, 1])
        far = (values[:, 2] - values[:, 3]) / (table.places[:, 2] - table.places[:, 3])
        rounding = _ROUNDINGS * _EPSILON[precision] * sizes.max(axis=1, initial=0.0)
        width = np.abs(table.places[:, 0] - table.places[:, 1])
        found = (4 * near - far) / 3
        doubt = np.abs(near - far) + rounding / width
    is_known = np.isfinite(found) & np.isfinite(doubt)
    expected[table.chosen] = np.where(is_known, found, np.nan)
    uncertainty[table.chosen] = np.where(is_known, doubt, np.inf)
    is_examined = np.zeros(table.total, np.bool_)
    is_examined[table.chosen] = True
    is_repeatable = bool((after[0] == after[1]).all())
    return Slopes(expected, uncertainty, is_examined, after[0], runner, is_repeatable)


def _weighted(layout: ImageLayout, before: Bytes, after: Bytes) -> tuple[float, float]:
    """The sum of all outputs with their weights, and the sum of the sizes of its terms."""
    total = size = 0.0
    with np.errstate(all="ignore"):
        for weights, outputs in weighted_outputs(layout):
            terms = read_numbers(weights, before) * read_numbers(outputs, after)
            total += float(terms.sum())
            size += float(np.abs(terms).sum())
    return total, size


def weighted_outputs(layout: ImageLayout) -> list[tuple[Section, Section]]:
    """Each section of weights with the outputs that it weighs."""
    results = [(each, layout.sections["result", each.position]) for each in layout.of_role("seed")]
    memory = [
        (each, layout.sections["value", each.position])
        for each in layout.of_role("shadow")
        if each.form != "scalar"
    ]
    return results + memory
