"""Recipes: what a program of a campaign is made from, small enough to be kept for each of them.

A recipe is a `Draw` (a family of programs, a seed and patches) or an `Edit` (a file, and a number
of edits drawn from a seed). It gives the same text wherever it is drawn; the text of the file goes
with it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib import import_module
from typing import Any, TypeAlias

from fuzz.draws import Draws, Patch

# Family -> module with `build(random)`, and module with `render(program)`.
_FAMILIES = {
    "checkpointed": ("fuzz.strategies.checkpointed", "fuzz.strategies.rendering"),
    "tokens": ("fuzz.strategies.tokens", "fuzz.strategies.token_rendering"),
    "synchronous": ("fuzz.strategies.synchronous", "fuzz.strategies.synchronous"),
    "differentiated": ("fuzz.strategies.differentiated", "fuzz.strategies.differentiated"),
    "whole": ("fuzz.strategies.whole", "fuzz.strategies.whole"),
}
FAMILIES = tuple(_FAMILIES)


@dataclass(frozen=True, slots=True)
class Draw:
    """A drawn program."""

    family: str
    seed: str
    patches: tuple[Patch, ...] = ()
    size: float = 1.0


@dataclass(frozen=True, slots=True)
class Edit:
    """A file of programs, with some edits; without any it is the file itself."""

    path: str
    part: int
    seed: int
    edits: int


Recipe: TypeAlias = Draw | Edit


def to_json(recipe: Recipe) -> str:
    """The recipe as one line."""
    return json.dumps(asdict(recipe), separators=(",", ":"))


def from_json(text: str) -> Recipe:
    """The recipe of one line."""
    fields: dict[str, Any] = json.loads(text)
    if "family" in fields:
        patches = tuple((a, n, s) for a, n, s in fields["patches"])
        return Draw(fields["family"], fields["seed"], patches, fields["size"])
    return Edit(**fields)


def source_of(recipe: Recipe) -> str:
    """The family or the file that a program comes from."""
    return recipe.family if isinstance(recipe, Draw) else recipe.path


def text_of(recipe: Recipe, base: str = "") -> str:
    """The program as MLIR text; `base` is the text of the file of an edit."""
    if isinstance(recipe, Draw):
        return _drawn(recipe)[0]
    return _edited(recipe, base)


def program_of(recipe: Draw) -> Any:
    """The drawn program before it is written as text."""
    builder = import_module(_FAMILIES[recipe.family][0])
    return builder.build(Draws(recipe.seed, recipe.patches, recipe.size))


def choices_of(recipe: Draw) -> int:
    """How many choices the program takes."""
    return _drawn(recipe)[1]


def _drawn(recipe: Draw) -> tuple[str, int]:
    builder, renderer = (import_module(name) for name in _FAMILIES[recipe.family])
    build: Callable[[Draws], Any] = builder.build
    render: Callable[[Any], str] = renderer.render
    draws = Draws(recipe.seed, recipe.patches, recipe.size)
    return render(build(draws)), draws.count


def _edited(recipe: Edit, base: str) -> str:
    from fuzz.edits import edited
    from verify.ir.source import SourceText, split_source

    chunks = split_source(SourceText(recipe.path, base))
    return edited(chunks[min(recipe.part, len(chunks) - 1)], recipe.seed, recipe.edits)
