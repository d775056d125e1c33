"""Inputs on which a function is run: sizes and integers that it can take, and floats.

Integers are looked for: of several draws on which the interpreter finds nothing undefined, the
one with the longest run is taken, so that loops do run.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.ir import Operation

from verify.gradient.harness import primal_slots
from verify.gradient.image import Bytes, ImageLayout, Section, lay_out, write_numbers
from verify.gradient.interpreted import UndefinedRunError, run_image
from verify.gradient.native_runs import RunError
from verify.gradient.signature import GradientUsageError, Signature
from verify.replay.inputs import Inputs
from verify.semantics.types import layout_of

_ATTEMPTS, _ENOUGH = 60, 6
_LOWEST, _HIGHEST = 0.5, 1.5

Given = Mapping[int, tuple[float, ...]]


@dataclass(frozen=True, eq=False, slots=True)
class Prepared:
    """A layout and one image a sample, before anything has run.

    `reason` says why the function cannot be run on any, or why it is not known whether it can.
    """

    layout: ImageLayout
    images: Bytes
    reason: str = ""
    is_undefined: bool = False


def given_values(signature: Signature, values: Mapping[str, tuple[float, ...]]) -> Given:
    """The values that the user gives, by position."""
    names: dict[str, int] = {}
    for position, argument in enumerate(signature.arguments):
        for name in (argument.name, argument.name.removeprefix("%"), str(position)):
            names.setdefault(name, position)
    for name in values:
        if name not in names:
            raise GradientUsageError(f"`@{signature.function}` has no argument `{name}`")
    return {names[name]: numbers for name, numbers in values.items()}


def prepare_inputs(
    function: Operation,
    symbols: dict[str, Operation],
    signature: Signature,
    given: Given,
    seed: int,
    samples: int,
) -> Prepared:
    """Images that the function can run on, as far as the interpreter can tell."""
    best: tuple[int, Prepared] | None = None
    reason, found, first = "", 0, None
    for attempt in range(_ATTEMPTS):
        prepared = _draw(signature, given, f"{seed}/{attempt}", samples)
        first = first or prepared
        try:
            steps = _steps(function, symbols, prepared)
        except UndefinedRunError as error:
            reason = error.reason
            continue
        except RunError as error:
            return Prepared(first.layout, first.images, error.reason)
        found += 1
        if best is None or steps > best[0]:
            best = steps, prepared
        if found == _ENOUGH or not _has_choices(signature, given):
            break
    if best is not None:
        return best[1]
    assert first is not None
    return Prepared(first.layout, first.images, reason, is_undefined=True)


def _steps(function: Operation, symbols: dict[str, Operation], prepared: Prepared) -> int:
    layout = prepared.layout
    slots = primal_slots(layout)
    return min(run_image(function, symbols, layout, slots, image)[1] for image in prepared.images)


def _has_choices(signature: Signature, given: Given) -> bool:
    """Whether another draw differs in more than its floats."""
    return any(
        (
            argument.form == "memref"
            and None in (*layout_of(argument.kind).shape, layout_of(argument.kind).offset)
        )
        or (argument.element.kind != "float" and position not in given)
        for position, argument in enumerate(signature.arguments)
    )


def _draw(signature: Signature, given: Given, salt: str, samples: int) -> Prepared:
    inputs = Inputs(seed=random.Random(salt).getrandbits(32))
    for position, argument in enumerate(signature.arguments):
        _fit_size(inputs, position, argument.kind, argument.form, given)
    layout = lay_out(signature, inputs)
    whole = random.Random(f"{salt}/whole")
    integers = {
        section.position: _integers(section, whole)
        for section in layout.of_role("value")
        if section.element.kind != "float"
    }
    images = [
        _image(layout, {**integers, **given}, sample, random.Random(f"{salt}/{sample}"))
        for sample in range(samples)
    ]
    return Prepared(layout, np.stack(images))


def _fit_size(inputs: Inputs, position: int, kind: Any, form: str, given: Given) -> None:
    """Dynamic sizes are 3 to 8, or what the given values need."""
    if form != "memref":
        return
    shape = layout_of(kind).shape
    draw = inputs.generator(("gradient size", position))
    for dimension, size in enumerate(shape):
        if size is None:
            inputs.sizes[position, dimension] = draw.randint(3, 8)
    if len(shape) == 1 and shape[0] is None and position in given:
        inputs.sizes[position, 0] = len(given[position])


def _integers(section: Section, draw: random.Random) -> list[int]:
    most = 1 if section.element.bits == 1 else 3 if section.form != "scalar" else 8
    return [draw.randint(0, most) for _ in range(len(section.places()))]


def _image(
    layout: ImageLayout, known: Mapping[int, Any], sample: int, draw: random.Random
) -> Bytes:
    image = layout.blank()
    for section in layout.of_role("value"):
        count = len(section.places())
        numbers = known.get(section.position)
        if numbers is None:
            _fill(image, section, draw)
            numbers = [draw.uniform(_LOWEST, _HIGHEST) for _ in range(count)]
        if len(numbers) != count:
            wanted = f"{count} value{'s' if count != 1 else ''}"
            raise GradientUsageError(f"`{section.name}` takes {wanted}, not {len(numbers)}")
        write_numbers(section, image, numbers)
    _seed(layout, image, sample, draw)
    return image


def _fill(image: Bytes, section: Section, draw: random.Random) -> None:
    """Numbers between the elements of a strided section as well."""
    gaps = Section(
        section.role, 0, "", section.kind, section.form, section.element, section.place,
        section.size, 0, (section.span,), (1,), section.span,
    )  # fmt: skip
    numbers = [draw.uniform(_LOWEST, _HIGHEST) for _ in range(section.span)]
    write_numbers(gaps, image, numbers)


def _seed(layout: ImageLayout, image: Bytes, sample: int, draw: random.Random) -> None:
    """Weights: of the results alone in the first sample that has float results, else of all."""
    results = layout.of_role("seed")
    is_plain = sample == 0 and bool(results)
    for section in results:
        write_numbers(section, image, [1.0 if is_plain else draw.uniform(_LOWEST, _HIGHEST)])
    for section in layout.of_role("shadow"):
        if section.form != "scalar" and not is_plain:
            count = len(section.places())
            weights = [draw.uniform(_LOWEST, _HIGHEST) for _ in range(count)]
            write_numbers(section, image, weights)
