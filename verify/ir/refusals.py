"""Diagnostics from what MLIR says about a text or a pass."""

import re
from collections.abc import Mapping
from typing import Any

from verify.diagnostic import Diagnostic, Location, Related
from verify.ir.source import STDIN, SourceText, find_source
from verify.ir.value_names import op_token
from verify.toolchain.flatten import TEXT_ITSELF, WRITTEN_STDIN

_UNKNOWN_DIALECT = re.compile(r"Dialect `([^']+)' not found for custom op '([^']+)'")
_UNKNOWN_OP = re.compile(r"custom op '([\w$]+)\.([\w$.]+)' is unknown")
_DROPPED_NOTES = ("Available dialects:", "Registered dialects:")
_MAX_NOTE_CHARACTERS = 400


def refusal_diagnostics(
    header: Mapping[str, Any], source: SourceText, *, code: str | None = None
) -> tuple[Diagnostic, ...]:
    """One diagnostic for each error; `code` overrides the choice between E0001 and E0002."""
    chosen = code or ("E0001" if header.get("is_syntax", True) else "E0002")
    return tuple(_diagnostic(item, source, chosen) for item in header["errors"])


def _diagnostic(item: Mapping[str, Any], source: SourceText, code: str) -> Diagnostic:
    message = item["message"].strip()
    if code == "E0002" and message.startswith("use of undeclared"):
        code = "E0001"
    related: list[Related] = []
    notes: list[str] = []
    for note in item["notes"]:
        text = _shorten(note["message"].strip())
        place = resolve_place(note.get("place"), source)
        if text.startswith(_DROPPED_NOTES):
            continue
        if place is None or text.startswith("see current operation"):
            notes.append(text)
        else:
            related.append(Related(text, place))
    place = resolve_place(item.get("place"), source)
    return Diagnostic(
        code, _reword(message), location=place, related=tuple(related), notes=tuple(notes)
    )


def resolve_place(place: Any, source: SourceText) -> Location | None:
    """The location of a (file, line, byte column), the op name or token there underlined."""
    if place is None:
        return None
    file, line, column = place
    if file == TEXT_ITSELF:
        file = source.path
    elif file == WRITTEN_STDIN:
        file = STDIN
    text = source if file == source.path else find_source(file)
    if text is None:
        return Location(file, max(1, line), max(1, column)) if line else None
    column = text.column_of_byte(line, column)
    token = op_token(text.line(line), column)
    return Location(file, max(1, line), max(1, column), column + len(token) if token else None)


def _reword(message: str) -> str:
    if match := _UNKNOWN_DIALECT.search(message):
        dialect, op = match.groups()
        return f"the custom syntax of `{op}` belongs to dialect `{dialect}`, which is not available"
    if match := _UNKNOWN_OP.search(message):
        dialect, op = match.groups()
        return f"dialect `{dialect}` has no op `{dialect}.{op}` here"
    message = re.sub(r"'([a-z_]\w*\.[\w.]+)'", r"`\1`", message).rstrip(".")
    first = message.split("\n", 1)[0]
    return first[:1].lower() + first[1:] if first[1:2].islower() else first


def _shorten(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _MAX_NOTE_CHARACTERS else text[:_MAX_NOTE_CHARACTERS] + " ..."
