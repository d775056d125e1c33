"""What a bundle holds, and its manifest: plain JSON with every part checked when it is read."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from verify.recipe import KINDS, Recipe

SCHEMA = "verify-ir/bundle/v1"
RESULT_SCHEMA = "verify-ir/bundle-result/v1"
MANIFEST, MODULE, TARGET, AFTER = "manifest.json", "module.mlir", "target.mlir", "after.mlir"
_TEXTS = ("code", "name", "message", "function", "path", "stage")
_LONGEST_TEXT = 10_000


class BundleError(Exception):
    """A file that is no bundle, or a broken one; the text says what is wrong."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """A counterexample with everything that it needs.

    `finding` is what the report says of it, `module` the IR as generic text, `target` what a pass
    made of it where that is what differs, and `after` what the pass `cure` makes of it. `values`
    is what the run showed where the bundle was made.
    """

    finding: Mapping[str, Any]
    recipe: Recipe
    module: str
    target: str | None = None
    after: str | None = None
    cure: str | None = None
    values: Mapping[str, Any] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    kernels: Mapping[str, str] = field(default_factory=dict)


def manifest_text(bundle: Bundle, files: Mapping[str, str]) -> str:
    """The manifest; `files` names the file of each buffer's contents."""
    recipe = bundle.recipe
    document = {
        "schema": SCHEMA,
        "finding": dict(bundle.finding),
        "recipe": {
            "kind": recipe.kind,
            "function": recipe.function,
            "inputs": dict(recipe.inputs),
            "settings": dict(recipe.settings),
            "evidence": dict(recipe.evidence),
        },
        "contents": [
            {"name": name, "element": contents.element, "file": files[name]}
            for name, contents in recipe.contents.items()
        ],
        "cure": bundle.cure,
        "values": dict(bundle.values),
        "versions": dict(bundle.versions),
    }
    return json.dumps(document, indent=1, allow_nan=False) + "\n"


def identity(manifest: str) -> str:
    """A short name for a manifest, by which a result is known to be about it."""
    return hashlib.sha256(manifest.encode()).hexdigest()[:16]


def load_json(text: str, what: str) -> dict[str, Any]:
    """A JSON object without numbers that are none."""

    def refuse(word: str) -> Any:
        raise BundleError(f"{what} holds the number `{word}`")

    try:
        document = json.loads(text, parse_constant=refuse)
    except (ValueError, RecursionError) as error:
        raise BundleError(f"{what} is no JSON: {str(error)[:100]}") from error
    if not isinstance(document, dict):
        raise BundleError(f"{what} is no JSON object")
    return document


def table(document: Mapping[str, Any], key: str, what: str = MANIFEST) -> dict[str, Any]:
    """The object under a key."""
    found = document.get(key)
    if not isinstance(found, dict):
        raise BundleError(f"`{key}` of {what} should be an object")
    return found


def text_in(document: Mapping[str, Any], key: str, what: str = MANIFEST) -> str:
    """The text under a key."""
    found = document.get(key)
    if not isinstance(found, str) or len(found) > _LONGEST_TEXT:
        raise BundleError(f"`{key}` of {what} should be a text")
    return found


def check_schema(document: Mapping[str, Any], schema: str, what: str) -> None:
    """Raise unless a document is of a schema."""
    found = document.get("schema")
    if found != schema:
        raise BundleError(f"{what} has the schema {str(found)[:40]!r} and should have {schema!r}")


def finding_of(document: Mapping[str, Any]) -> dict[str, Any]:
    """The finding that a manifest speaks of."""
    found = table(document, "finding")
    for key in _TEXTS:
        text_in(found, key, "the finding")
    place = found.get("location")
    if place is not None:
        _check_place(place)
    counterexample = found.get("counterexample")
    if counterexample is not None and not _is_counterexample(counterexample):
        raise BundleError("the counterexample of the finding should have inputs and accesses")
    return {**{key: found[key] for key in _TEXTS}, "location": place} | {
        "counterexample": counterexample
    }


def _check_place(place: Any) -> None:
    is_place = (
        isinstance(place, dict)
        and isinstance(place.get("file"), str)
        and all(isinstance(place.get(key), int) for key in ("line", "column"))
    )
    if not is_place:
        raise BundleError("the location of the finding should have a file, a line and a column")


def _is_counterexample(found: Any) -> bool:
    if not isinstance(found, dict):
        return False
    tables = all(isinstance(found.get(key), dict) for key in ("inputs", "iterations"))
    accesses = found.get("accesses")
    return tables and isinstance(accesses, list) and all(_is_access(each) for each in accesses)


def _is_access(access: Any) -> bool:
    if not isinstance(access, dict):
        return False
    span = access.get("bytes")
    is_span = span is None or (
        isinstance(span, list) and len(span) == 2 and all(isinstance(each, int) for each in span)
    )
    return is_span and isinstance(access.get("op"), str | None)


def recipe_of(document: Mapping[str, Any], contents: Mapping[str, Any]) -> Recipe:
    """The recipe that a manifest holds; the rest of it is checked when it is used."""
    plain = table(document, "recipe")
    kind, function = plain.get("kind"), plain.get("function")
    if kind not in KINDS:
        raise BundleError(f"there is no kind {str(kind)[:40]!r} of recipe")
    if isinstance(function, bool) or not isinstance(function, int):
        raise BundleError("the function of the recipe should be the number of an op")
    parts = {key: table(plain, key, "the recipe") for key in ("inputs", "settings", "evidence")}
    return Recipe(kind, function, contents=dict(contents), **parts)
