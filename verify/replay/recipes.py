"""Recipes of runs: written from what a search found, and turned back into inputs.

Everything that a run draws is written down, so that a recipe gives the same run without any
generator of random numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from xdsl.ir import Operation

from verify.recipe import Recipe
from verify.replay.inputs import Inputs
from verify.replay.run import run_function

_PLACES = ("scalars", "offsets", "addresses", "floats")
_PAIRS = ("sizes", "strides")
_LARGEST = 1 << 64


class RecipeError(Exception):
    """A recipe that cannot be one; the text says what is wrong with it."""


def numbers_of(root: Operation) -> dict[Operation, int]:
    """Every op with its place in a walk over the module that `root` is in."""
    top = root
    while (above := top.parent_op()) is not None:
        top = above
    return {op: number for number, op in enumerate(top.walk())}


def plain_value(value: Any) -> Any:
    """A value of a run in JSON's own types; the same value always gives the same text."""
    if isinstance(value, bytes):
        return "0x" + value[::-1].hex()
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value if value is None or isinstance(value, bool | int | float) else str(value)


def write_recipe(
    kind: str,
    function: Operation,
    symbols: dict[str, Operation],
    inputs: Inputs,
    settings: Mapping[str, Any],
    evidence: Mapping[str, Any],
) -> Recipe:
    """The recipe of a run of `function` on `inputs`; ops in it are numbered."""
    numbers = numbers_of(function)
    known = recorded(function, symbols, inputs)
    return Recipe(
        kind,
        numbers[function],
        plain_inputs(known),
        known.contents,
        _numbered(settings, numbers),
        _numbered(evidence, numbers),
    )


def _numbered(values: Mapping[str, Any], numbers: Mapping[Operation, int]) -> dict[str, Any]:
    def number(value: Any) -> Any:
        if isinstance(value, Operation):
            return numbers[value]
        if isinstance(value, frozenset | list | tuple | set):
            items = [number(each) for each in value]
            return sorted(items) if isinstance(value, frozenset | set) else items
        return value

    return {key: number(value) for key, value in values.items()}


def recorded(function: Operation, symbols: dict[str, Operation], inputs: Inputs) -> Inputs:
    """The same inputs with all that a run in program order draws written down."""
    own = {name: dict(getattr(inputs, name)) for name in (*_PLACES, *_PAIRS, "contents")}
    known = replace(inputs, **own, is_recording=True)
    run_function(function, symbols, known, targets=set())
    return replace(known, is_recording=False, loads={})


def plain_inputs(inputs: Inputs) -> dict[str, Any]:
    """Inputs in JSON's own types, without the contents of buffers."""
    plain: dict[str, Any] = {
        "seed": inputs.seed,
        "scale": inputs.scale,
        "is_overlapping": inputs.is_overlapping,
    }
    for name in _PLACES:
        plain[name] = {str(k): v for k, v in getattr(inputs, name).items() if isinstance(k, int)}
    for name in _PAIRS:
        plain[name] = {f"{p},{d}": v for (p, d), v in getattr(inputs, name).items()}
    return plain


def inputs_of(recipe: Recipe) -> Inputs:
    """The inputs that a recipe holds; a `RecipeError` says what is wrong with them."""
    plain = recipe.inputs
    if not isinstance(plain.get("is_overlapping"), bool):
        raise RecipeError("`is_overlapping` should be true or false")
    inputs = Inputs(
        _number("seed", plain.get("seed")),
        is_overlapping=plain["is_overlapping"],
        scale=_number("scale", plain.get("scale")),
        contents=dict(recipe.contents),
    )
    for name in _PLACES:
        check = _real if name == "floats" else _number
        setattr(inputs, name, dict(_entries(plain, name, _position, check)))
    for name in _PAIRS:
        setattr(inputs, name, dict(_entries(plain, name, _pair, _number)))
    return inputs


def _entries(
    plain: Mapping[str, Any],
    name: str,
    key: Callable[[str, str], Any],
    check: Callable[[str, Any], Any],
) -> Iterable[tuple[Any, Any]]:
    table = plain.get(name)
    if not isinstance(table, Mapping):
        raise RecipeError(f"`{name}` should be a table")
    return [(key(name, str(k)), check(name, v)) for k, v in table.items()]


def _number(name: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) >= _LARGEST:
        raise RecipeError(f"`{name}` should hold whole numbers of 64 bits")
    return value


def _real(name: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise RecipeError(f"`{name}` should hold numbers")
    return float(value)


def _position(name: str, text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 6):
        raise RecipeError(f"`{name}` should be keyed by argument, and `{text[:20]}` is none")
    return int(text)


def _pair(name: str, text: str) -> tuple[int, int]:
    position, comma, dimension = text.partition(",")
    if not comma:
        raise RecipeError(f"`{name}` should be keyed by argument and dimension")
    return _position(name, position), _position(name, dimension)


def op_numbered(ops: list[Operation], value: Any) -> Operation | None:
    """The op with a number out of a recipe, or nothing for null."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < len(ops):
        raise RecipeError(f"the module has no op number {str(value)[:20]}")
    return ops[value]
