"""Names of values as the source spells them; MLIR forgets them, so they are read off the text.

A name here has no `%`. Results of a pack `%r:2` are called `r#0` and `r#1`.
"""

import re
from collections.abc import Sequence
from typing import TypeGuard

from xdsl.dialects.builtin import FileLineColLoc
from xdsl.ir import Attribute

from verify.ir.source import SourceText

_NAME = r"%([\w$.\-]+)"
_ONE_RESULT = re.compile(rf"\s*{_NAME}\s*=\s*")
_RESULTS = re.compile(r"((?:%[\w$.\-]+(?::\d+)?\s*,\s*)*%[\w$.\-]+(?::\d+)?)\s*=\s*$")
_ARGUMENT = re.compile(_NAME)
_OP_NAME = re.compile(r'"[^"\n]*"|[A-Za-z_][\w$.]*')
_HINT = re.compile(r"[A-Za-z_$.-][\w$.-]*")
# A list of results that spans more lines than this is not looked for.
_MAX_LINES_BACK = 12


class SourceNames:
    """Looks names up by the location of the op, or of the block argument."""

    def __init__(self, source: SourceText) -> None:
        """Names are taken from `source`, for locations in its file only."""
        self._source = source

    def results(self, location: Attribute, op_name: str, count: int) -> Sequence[str]:
        """The names of all results of the op at `location`; empty when they are not there."""
        if not self._is_here(location):
            return ()
        line, column = location.line.data, location.column.data
        text = self._source.line(line)
        if not is_op_at(text, column, op_name):
            return ()
        if count == 1 and (match := _ONE_RESULT.fullmatch(text, 0, column - 1)):
            return (match[1],)
        return self._list_before(line, column, count)

    def result_span(
        self, location: FileLineColLoc, op_name: str, count: int, index: int
    ) -> tuple[int, int, int] | None:
        """Line, column and end column of the `%name` of result `index` of the op there."""
        names = self.results(location, op_name, count)
        if not names:
            return None
        name = "%" + names[index].partition("#")[0]
        line = location.line.data
        text = self._source.line(line)[: location.column.data - 1]
        for _ in range(_MAX_LINES_BACK):
            for match in reversed(list(_ARGUMENT.finditer(text))):
                if match[0] == name:
                    return line, match.start() + 1, match.end() + 1
            line -= 1
            text = self._source.line(line).split("//")[0]
        return None

    def argument(self, location: Attribute) -> str | None:
        """The name of the block argument at `location`."""
        if not self._is_here(location):
            return None
        match = _ARGUMENT.match(self._source.line(location.line.data), location.column.data - 1)
        return match[1] if match else None

    def _is_here(self, location: Attribute) -> TypeGuard[FileLineColLoc]:
        return isinstance(location, FileLineColLoc) and location.filename.data == self._source.path

    def _list_before(self, line: int, column: int, count: int) -> Sequence[str]:
        """The list of `count` names that ends before a place, also on the lines above it."""
        text = self._source.line(line)[: column - 1]
        for above in range(line - 1, max(0, line - _MAX_LINES_BACK), -1):
            if text.strip() and not text.rstrip().endswith("="):
                return ()
            names = _split_results(text)
            if len(names) >= count:
                break
            text = self._source.line(above).split("//")[0] + "\n" + text
        names = _split_results(text)
        return names if len(names) == count else ()


def op_token(text: str, column: int) -> str:
    """The op name in the line `text` at `column`, quotes included; empty when there is none."""
    match = _OP_NAME.match(text, column - 1)
    return match[0] if match else ""


def is_op_at(text: str, column: int, op_name: str) -> bool:
    """Whether the op name in the line `text` at `column` stands for `op_name`."""
    if text.startswith(op_name, column - 1):
        return True
    token = op_token(text, column).strip('"')
    return token == op_name or (bool(token) and op_name.endswith("." + token))


def is_hint(name: str) -> bool:
    """Whether xDSL takes `name` for a name hint; plain numbers are not."""
    return _HINT.fullmatch(name) is not None


def _split_results(text: str) -> list[str]:
    match = _RESULTS.search(text)
    if match is None:
        return []
    names: list[str] = []
    for item in match[1].split(","):
        name, _, size = item.strip().removeprefix("%").partition(":")
        if size:
            names += [f"{name}#{index}" for index in range(int(size))]
        else:
            names.append(name)
    return names
