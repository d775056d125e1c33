"""Diagnostics that a compiler printed to standard error, as data.

Two forms are known: `loc("file":1:2): error: text`, from a context without a source manager, and
`file:1:2: error: text` followed by the source line and a caret.
"""

import re
from typing import Any

_LOC_FORM = re.compile(
    r'loc\((?:(?:callsite\(|fused\[|"[^"]*"\()*"(?P<file>[^"]*)":(?P<line>\d+):(?P<column>\d+).*?'
    r"|[^)]*)\): (?P<kind>error|warning|note|remark): (?P<message>.*)"
)
_FILE_FORM = re.compile(
    r"(?:(?P<file>[^\s:][^:\n]*):(?P<line>\d+):(?P<column>\d+)|<unknown>:0): "
    r"(?P<kind>error|warning|note|remark): (?P<message>.*)"
)


def parse_messages(text: str) -> list[dict[str, Any]]:
    """Every error with its place and its notes; warnings and remarks are dropped."""
    errors: list[dict[str, Any]] = []
    target: list[Any] | None = None
    for line in text.splitlines():
        match = _LOC_FORM.match(line) or _FILE_FORM.match(line)
        if match is None:
            continue
        notes: list[Any] = []
        item: dict[str, Any] = {
            "message": match["message"],
            "place": _place(match),
            "notes": notes,
        }
        if match["kind"] == "error":
            errors.append(item)
            target = notes
        elif match["kind"] != "note":
            target = None
        elif target is not None:
            target.append(item)
    return errors


def _place(match: "re.Match[str]") -> tuple[str, int, int] | None:
    if match["file"] is None:
        return None
    return match["file"], int(match["line"]), int(match["column"])
