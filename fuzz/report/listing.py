"""MLIR on a page: highlighted, with the lines that matter marked."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from fuzz.triage.task import Mark
from verify.report.style import clean

_MOST_LINES = 120


def listing(text: str, marks: Sequence[Mark] = ()) -> Any:
    """A program with its syntax highlighted; marked lines say what is to be said below them."""
    from markupsafe import Markup
    from pygments import highlight

    lines = clean(text).strip("\n").splitlines()
    more = len(lines) - _MOST_LINES
    shown = "\n".join(lines[:_MOST_LINES]) + (f"\n// {more} more lines" if more > 0 else "")
    drawn = str(highlight(shown, *_tools())).rstrip("\n")
    words = {mark.line: mark.words for mark in marks}
    if not words:
        return Markup(drawn)
    pairs = zip(shown.splitlines(), drawn.splitlines(), strict=False)
    found = [_line(plain, line, words.get(n)) for n, (plain, line) in enumerate(pairs, 1)]
    return Markup("\n").join(found)


def _line(plain: str, drawn: str, words: str | None) -> Any:
    from markupsafe import Markup

    if words is None:
        return Markup(drawn)
    indent = len(plain) - len(plain.lstrip())
    said = Markup('<span class="said">{}^ {}</span>').format(" " * indent, clean(words))
    return Markup('<span class="marked">{}</span>\n').format(Markup(drawn)) + said


@lru_cache(maxsize=1)
def _tools() -> tuple[Any, Any]:
    from mlir_pygments import MLIRLexer
    from pygments.formatters import HtmlFormatter

    return MLIRLexer(stripnl=False, ensurenl=False), HtmlFormatter(nowrap=True)


def syntax_css() -> Any:
    """The colours, for light pages and for dark ones."""
    from markupsafe import Markup
    from pygments.formatters import HtmlFormatter

    rules: list[str] = []
    for style in ("default", "github-dark"):
        css = HtmlFormatter(style=style).get_style_defs("pre")
        rules.append("\n".join(line for line in css.splitlines() if line.startswith("pre .")))
    return Markup(f"{rules[0]}\n@media (prefers-color-scheme: dark) {{\n{rules[1]}\n}}")
