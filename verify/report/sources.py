"""Lines of the files that diagnostics point into, read when they are first asked for."""

from collections.abc import Mapping
from pathlib import Path


class Sources:
    """Texts by path: those given win, every other path is read from the disk."""

    def __init__(self, texts: Mapping[str, str] | None = None) -> None:
        self._lines = {path: split_lines(text) for path, text in (texts or {}).items()}

    def line(self, path: str, number: int) -> str | None:
        """Line `number` (from 1) of `path` without its end, or None where there is none."""
        if path not in self._lines:
            self._lines[path] = _read_lines(path)
        lines = self._lines[path]
        return lines[number - 1] if 1 <= number <= len(lines) else None


def split_lines(text: str) -> list[str]:
    """The lines of `text` by LF or CRLF only, as the parsers count them."""
    return [line.removesuffix("\r") for line in text.removeprefix("\ufeff").split("\n")]


def _read_lines(path: str) -> list[str]:
    try:
        return split_lines(Path(path).read_text(encoding="utf-8-sig", errors="replace"))
    except (OSError, ValueError):
        return []
