"""Reading what running a bundle elsewhere gave; it may come from anyone, as the bundle may."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from verify.replay.bundle.manifest import (
    RESULT_SCHEMA,
    BundleError,
    check_schema,
    load_json,
    table,
    text_in,
)
from verify.replay.rows import Row

MOST_BYTES = 8 << 20
MOST_ROWS = 10_000
_WHAT = "the result"
_TEXTS = ("device", "device_name", "note", "schedule", "layout")
_ROW_KEYS = frozenset(field.name for field in dataclasses.fields(Row))
_ATTEMPT_KEYS = ("device", "way", "memory", "end", "detail")
_ENDS = ("signal", "error", "copied", "not-run")


def read_result(path: Path, name: str) -> dict[str, Any]:
    """The result in a file, if it is one of the bundle with the identity `name`."""
    try:
        with path.open("rb") as stream:
            content = stream.read(MOST_BYTES + 1)
    except OSError as error:
        raise BundleError(f"{_WHAT} cannot be read: {error.strerror or error}") from error
    if len(content) > MOST_BYTES:
        raise BundleError(f"{_WHAT} has more than {MOST_BYTES} bytes")
    try:
        document = load_json(content.decode(), _WHAT)
    except UnicodeDecodeError as error:
        raise BundleError(f"{_WHAT} is no UTF-8 text") from error
    check_schema(document, RESULT_SCHEMA, _WHAT)
    if text_in(document, "bundle", _WHAT) != name:
        raise BundleError(f"{_WHAT} is of another bundle")
    return _checked(document)


def _checked(document: dict[str, Any]) -> dict[str, Any]:
    for key in _TEXTS:
        text_in(document, key, _WHAT)
    for key in ("reproduced", "agrees_with_cpu"):
        _need(isinstance(document.get(key), bool), f"`{key}` should be true or false")
    _check_run(table(document, "before", _WHAT))
    for key in ("after", "streams"):
        _need(key in document, f"`{key}` is missing")
        if document.get(key) is not None:
            _check_run(table(document, key, _WHAT))
    versions = table(document, "versions", _WHAT)
    _need(all(isinstance(v, str) for v in versions.values()), "`versions` should hold texts")
    _each(document.get("attempts"), _is_attempt, "`attempts` should hold attempts")
    _each(document.get("cpu_rows"), _is_row, "`cpu_rows` should hold rows")
    return document


def _check_run(run: Mapping[str, Any]) -> None:
    for key in ("status", "reason"):
        text_in(run, key, _WHAT)
    for key in ("tried", "reads"):
        _need(_is_int(run.get(key)), f"`{key}` should be a whole number")
    _need(isinstance(run.get("shows"), bool), "`shows` should be true or false")
    _each(run.get("rows"), _is_row, "`rows` should hold rows")


def _each(found: Any, fits: Callable[[Any], bool], words: str) -> None:
    _need(isinstance(found, list) and len(found) <= MOST_ROWS and all(map(fits, found)), words)


def _need(condition: object, words: str) -> None:
    if not condition:
        raise BundleError(f"{words} in {_WHAT}")


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_row(row: Any) -> bool:
    if not isinstance(row, dict) or frozenset(row) != _ROW_KEYS:
        return False
    texts = all(isinstance(row[key], str) for key in ("kind", "function"))
    names = all(isinstance(row[key], str | None) for key in ("op", "loop"))
    numbers = ("line", "loop_line", "segment", "iteration")
    counts = all(row[key] is None or _is_int(row[key]) for key in numbers)
    values = all(isinstance(row[k], str | int | float | None) for k in ("expected", "actual"))
    return texts and names and counts and values and _is_span(row["bytes"])


def _is_span(span: Any) -> bool:
    return span is None or (isinstance(span, list) and len(span) == 2 and all(map(_is_int, span)))


def _is_attempt(attempt: Any) -> bool:
    return (
        isinstance(attempt, dict)
        and all(isinstance(attempt.get(key), str) for key in _ATTEMPT_KEYS)
        and attempt["end"] in _ENDS
    )
