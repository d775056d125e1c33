"""Places in a text that no user wrote, such as what a compiler printed.

A place there says nothing to the reader of the source. The op that stands there mostly carries a
`loc(...)` of the source, which does; the line itself is worth a note.
"""

import re
from collections.abc import Collection, Mapping
from functools import partial
from typing import Any

from verify.toolchain.flatten import TEXT_ITSELF

Place = tuple[str, int, int]

_FILE = r'"(?P<file>(?:[^"\\\n]|\\.)*)":(?P<line>\d+):(?P<column>\d+)'
_FILE_OR_ALIAS = re.compile(rf"{_FILE}|(?P<alias>#loc\w*)")
_LOCATION = re.compile(r"(?<![\w.$#@!%])loc\(")
_ALIAS = re.compile(r"^(#loc\w*) = (loc\(.*)$", re.MULTILINE)
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_ESCAPE = re.compile(r"\\(.)")
_MAX_ALIASES = 8
_MAX_LINE_CHARACTERS = 160


def places_in_source(
    errors: list[dict[str, Any]], text: str, what: str, names: Collection[str] = (TEXT_ITSELF,)
) -> list[dict[str, Any]]:
    """The errors with each place in `text` made the place of the op's `loc(...)`, or none.

    `what` says what the text is, as in "the printed text"; `names` is what its places name as
    their file.
    """
    relocated = partial(_relocated, _Text(text), what, names)
    return [relocated(error) for error in errors]


def _relocated(
    text: "_Text", what: str, names: Collection[str], error: Mapping[str, Any]
) -> dict[str, Any]:
    notes: list[dict[str, Any]] = []
    place: Place | None = error.get("place")
    if place is not None and place[0] in names:
        notes.append({"message": text.quote(place[1], what), "place": None})
        place = text.source_place(place[1])
    for note in error.get("notes", ()):
        where: Place | None = note.get("place")
        if where is not None and where[0] in names:
            where = text.source_place(where[1])
        notes.append({**note, "place": where})
    return {**error, "place": place, "notes": notes}


class _Text:
    def __init__(self, text: str) -> None:
        self._text = text
        self._lines = text.split("\n")
        self._aliases: dict[str, str] | None = None

    def quote(self, number: int, what: str) -> str:
        line = self._line(number).strip()
        if not line.endswith("{"):
            line = line[: _last_location(line)].strip()
        if len(line) > _MAX_LINE_CHARACTERS:
            line = line[:_MAX_LINE_CHARACTERS] + " ..."
        return f"line {number} of {what}" + (f": `{line}`" if line else "")

    def source_place(self, number: int) -> Place | None:
        """Where the op on a line stood in the source; nothing when the text does not say."""
        line = self._line(number)
        if line.rstrip().endswith("{"):
            # Its locations are those of arguments; the op's own follows its regions.
            line = self._end_of_op(number) or line
        start = _last_location(line)
        return self._place(line[start:]) if start is not None else None

    def _line(self, number: int) -> str:
        return self._lines[number - 1] if 0 < number <= len(self._lines) else ""

    def _end_of_op(self, number: int) -> str:
        """The line that closes the regions of the op that begins on a line."""
        indent = _indent(self._line(number))
        for line in self._lines[number:]:
            if line.strip() and _indent(line) <= indent:
                is_close = _indent(line) == indent and line.lstrip().startswith("}")
                if not is_close:
                    return ""
                if _last_location(line) is not None:
                    return line
        return ""

    def _place(self, location: str) -> Place | None:
        for _ in range(_MAX_ALIASES):
            match = _FILE_OR_ALIAS.search(location)
            if match is None:
                return None
            if match["file"] is not None:
                place = _ESCAPE.sub(r"\1", match["file"]), int(match["line"]), int(match["column"])
                return None if place[0] == TEXT_ITSELF else place
            location = self._alias(match["alias"])
        return None

    def _alias(self, name: str) -> str:
        if self._aliases is None:
            self._aliases = dict(_ALIAS.findall(self._text))
        return self._aliases.get(name, "")


def _last_location(line: str) -> int | None:
    """Where the last `loc(` of a line begins, those in strings left out."""
    blanked = _STRING.sub(lambda match: "_" * len(match[0]), line)
    found = [match.start() for match in _LOCATION.finditer(blanked)]
    return found[-1] if found else None


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
