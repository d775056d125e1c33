"""Input text with true line numbers, however it was encoded.

Lines and columns count from 1; a column counts characters, where MLIR counts bytes.
"""

import re
import sys
import weakref
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from verify.diagnostic import Diagnostic, Location

STDIN = "-"
_BOM = b"\xef\xbb\xbf"
_SPLIT_LINE = re.compile(r"^[ \t]*// -----[ \t]*$", re.MULTILINE)
_TITLED_SPLIT_LINE = re.compile(r"^[ \t]*// -----(?!-).*$", re.MULTILINE)
_sources: "weakref.WeakValueDictionary[str, SourceText]" = weakref.WeakValueDictionary()


class SourceError(Exception):
    """The bytes of an input are not text; carries the diagnostic."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        """Keep the diagnostic as it will be reported."""
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


@dataclass(frozen=True, eq=False)
class SourceText:
    """The text of one file; `path` is what locations name."""

    path: str
    text: str

    @cached_property
    def lines(self) -> list[str]:
        """The lines, without their ends."""
        return self.text.split("\n")

    @cached_property
    def is_ascii(self) -> bool:
        """Whether bytes and characters are the same."""
        return self.text.isascii()

    def line(self, number: int) -> str:
        """Line `number`, counted from 1; empty when there is no such line."""
        return self.lines[number - 1] if 0 < number <= len(self.lines) else ""

    def column_of_byte(self, line: int, byte_column: int) -> int:
        """The character column of a byte column."""
        if self.is_ascii:
            return byte_column
        prefix = self.line(line).encode()[: byte_column - 1]
        return len(prefix.decode("utf-8", "ignore")) + 1

    def register(self) -> "SourceText":
        """Make this the text that `find_source` gives for its path; returns itself."""
        _sources[self.path] = self
        return self


def find_source(path: str) -> SourceText | None:
    """The text last registered for `path`, while something still holds it."""
    return _sources.get(path)


def read_source(path: str | Path) -> SourceText:
    """Read a file, or standard input for `-`; raises `SourceError` or `OSError`."""
    name = str(path)
    content = sys.stdin.buffer.read() if name == STDIN else Path(name).read_bytes()
    return decode_source(name, content)


def decode_source(path: str, content: bytes) -> SourceText:
    """Text from bytes: UTF-8, a byte order mark dropped, all line ends made alike."""
    content = content.removeprefix(_BOM)
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _not_text(path, content, error.start) from None
    if "\0" in text:
        raise _not_text(path, content, content.index(0))
    return SourceText(path, text.replace("\r\n", "\n"))


def _not_text(path: str, content: bytes, offset: int) -> SourceError:
    before = content[:offset].decode("utf-8", "replace")
    line = before.count("\n") + 1
    column = len(before) - (before.rfind("\n") + 1)
    byte = content[offset]
    message = f"invalid byte 0x{byte:02x} at offset {offset}; the input should be UTF-8 text"
    return SourceError(Diagnostic("E0001", message, location=Location(path, line, column + 1)))


def split_source(source: SourceText, *, has_titles: bool = False) -> list[str]:
    """The texts between `// -----` lines, each padded so that its line numbers stay true.

    With `has_titles`, a marker may have text behind it.
    Chunks with nothing but blanks and comments are dropped, unless there is no other.
    """
    if "// -----" not in source.text:
        return [source.text]
    chunks: list[str] = []
    begin = line = 0
    pattern = _TITLED_SPLIT_LINE if has_titles else _SPLIT_LINE
    for marker in [*pattern.finditer(source.text), None]:
        end = marker.start() if marker else len(source.text)
        chunk = source.text[begin:end]
        if _has_content(chunk):
            chunks.append("\n" * line + chunk)
        line += chunk.count("\n")
        begin = marker.end() if marker else end
    return chunks or [source.text]


def _has_content(chunk: str) -> bool:
    return any(line and not line.startswith("//") for line in map(str.strip, chunk.split("\n")))
