"""Text in pieces that carry a style; styles become escape sequences only when colour is wanted."""

import unicodedata
from dataclasses import dataclass

_STYLES = {
    "error": "bold red",
    "refuted": "bold red",
    "warning": "bold yellow",
    "undecided": "bold magenta",
    "proven": "bold green",
    "note": "bold cyan",
    "help": "bold cyan",
    "gutter": "bold blue",
    "secondary": "bold blue",
    "strong": "bold",
    "dim": "dim",
}


@dataclass(frozen=True, slots=True)
class Paint:
    """Applies styles when `is_color`, else gives the text back as it is."""

    is_color: bool = False

    def __call__(self, style: str, text: str) -> str:
        if not self.is_color or not text:
            return text
        from rich.color import ColorSystem
        from rich.style import Style

        return Style.parse(_STYLES[style]).render(text, color_system=ColorSystem.STANDARD)


def clean(text: str) -> str:
    """`text` with control characters replaced, so that IR cannot steer a terminal."""
    if text.isprintable():
        return text
    return "".join(_clean_character(character) for character in text)


def _clean_character(character: str) -> str:
    if character in "\t\n" or unicodedata.category(character) not in ("Cc", "Cf", "Cs"):
        return character
    return "\N{REPLACEMENT CHARACTER}"


def width(text: str) -> int:
    """The terminal columns that `text` takes: wide characters two, combining ones none."""
    if text.isascii():
        return len(text)
    return sum(_character_width(character) for character in text)


def _character_width(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
