"""Source lines with marks under the spans that a diagnostic speaks about.

A *mark* is a span on one line with a label; primary marks are drawn with `^`, others with `-`.
Lines far apart are joined by `...`; very long lines are cut to the stretch around their marks.
"""

import re
from dataclasses import dataclass, replace
from itertools import pairwise

from verify.diagnostic import Diagnostic, Location
from verify.report.sources import Sources
from verify.report.style import Paint, clean, width

TAB = "    "
WIDEST = 160
_WORD = re.compile(r"[\w%@#!$.\-]+")


@dataclass(frozen=True, slots=True)
class Mark:
    """A stretch `[start, end)` of terminal columns (from 0) on one line."""

    line: int
    start: int
    end: int
    label: str
    is_primary: bool


def render_snippets(diagnostic: Diagnostic, sources: Sources, paint: Paint) -> list[str]:
    """The place of `diagnostic` and each file's marked lines; unreadable lines give places only."""
    places = _places(diagnostic)
    if not places:
        return []
    gutter = len(str(max(location.line for location, _, _ in places)))
    lines: list[str] = []
    for file in dict.fromkeys(location.file for location, _, _ in places):
        here = [place for place in places if place[0].file == file]
        arrow = ":::" if lines else "-->"
        lines += [paint("gutter", " " * gutter + " |")] if len(lines) > 1 else []
        lines += _render_file(here, arrow, gutter, sources, paint)
    return lines


_Place = tuple[Location, str, bool]


def _places(diagnostic: Diagnostic) -> list[_Place]:
    places: list[_Place] = []
    if diagnostic.location:
        places.append((diagnostic.location, diagnostic.label, True))
    places += [
        (item.location, item.message, item.is_primary)
        for item in diagnostic.related
        if item.location
    ]
    return list(dict.fromkeys(places))


def _render_file(
    places: list[_Place], arrow: str, gutter: int, sources: Sources, paint: Paint
) -> list[str]:
    first = places[0][0]
    pad = " " * gutter
    where = clean(f"{first.file}:{first.line}:{first.column}")
    lines = [f"{paint('gutter', pad + arrow)} {where}"]
    texts = {place[0].line: sources.line(first.file, place[0].line) for place in places}
    shown = sorted(number for number, text in texts.items() if text is not None)
    if not shown:
        return lines + [f"{paint('gutter', pad + ' =')} {text}" for text in _spoken(places[1:])]
    bar = paint("gutter", f"{pad} |")
    lines.append(bar)
    for previous, number in pairwise([shown[0] - 1, *shown]):
        lines += _bridge(previous, number, first.file, gutter, sources, paint)
        text = texts[number] or ""
        marks = [_mark(place, text) for place in places if place[0].line == number]
        cut, marks = _cut(_expand(text), marks)
        lines.append(f"{paint('gutter', f'{number:>{gutter}} |')} {cut}".rstrip())
        lines += [f"{bar} {row}" for row in _mark_rows(marks, paint)]
    return lines


def _spoken(places: list[_Place]) -> list[str]:
    return [
        f"note: {clean(label)} ({location.file}:{location.line}:{location.column})"
        for location, label, _ in places
        if label
    ]


def _bridge(
    previous: int, number: int, file: str, gutter: int, sources: Sources, paint: Paint
) -> list[str]:
    """What stands between two marked lines: nothing, the one line between, or an ellipsis."""
    if number - previous == 1:
        return []
    if number - previous > 2:
        return [paint("gutter", "...")]
    text, _ = _cut(_expand(sources.line(file, previous + 1) or ""), [])
    return [f"{paint('gutter', f'{previous + 1:>{gutter}} |')} {text}".rstrip()]


def _expand(text: str) -> str:
    return clean(text.replace("\t", TAB))


def _mark(place: _Place, text: str) -> Mark:
    location, label, is_primary = place
    start = min(max(location.column - 1, 0), len(text))
    end = location.end_column - 1 if location.end_column else word_end(text, start)
    end = min(max(end, start + 1), max(len(text), start + 1))
    first = width(_expand(text[:start]))
    last = first + max(width(_expand(text[start:end])), 1)
    return Mark(location.line, first, last, clean(label), is_primary)


def word_end(text: str, start: int) -> int:
    """Where the word that starts at `start` ends; a span without an end covers it."""
    word = _WORD.match(text, start)
    return word.end() if word else start + 1


def _cut(text: str, marks: list[Mark]) -> tuple[str, list[Mark]]:
    """`text` cut to `WIDEST` columns around the marks, with the marks moved along."""
    if width(text) <= WIDEST:
        return text, marks
    begin = max(min((mark.start for mark in marks), default=0) - 20, 0)
    begin = begin if begin > 20 else 0
    head = "..." if begin else ""
    kept, begin = _columns(text, begin, begin + WIDEST)
    shift, limit = len(head) - begin, len(head) + width(kept)
    moved = [
        replace(mark, start=min(mark.start + shift, limit), end=min(mark.end + shift, limit + 1))
        for mark in marks
    ]
    return f"{head}{kept}...", moved


def _columns(text: str, begin: int, end: int) -> tuple[str, int]:
    """The characters that start in `[begin, end)`, and the column where the first one starts."""
    kept: list[str] = []
    column = first = 0
    for character in text:
        if begin <= column < end:
            first = column if not kept else first
            kept.append(character)
        column += width(character)
        if column >= end:
            break
    return "".join(kept), first


def _mark_rows(marks: list[Mark], paint: Paint) -> list[str]:
    """Rows below a line: all marks with the last label, then one label a row, right to left."""
    ordered = sorted(marks, key=lambda mark: (mark.start, mark.end))
    waiting = [mark for mark in ordered if mark.label]
    first = _draw_marks(ordered, paint)
    if waiting and waiting[-1].end >= max(mark.end for mark in ordered):
        last = waiting.pop()
        first = f"{first} {paint(_style(last), last.label)}"
    rows = [first]
    while waiting:
        if len(rows) == 1:
            rows.append(_draw_bars(waiting, paint))
        last = waiting.pop()
        left = [mark for mark in waiting if mark.start < last.start]
        bars = _draw_bars(left, paint)
        gap = " " * (last.start - (max((mark.start for mark in left), default=-1) + 1))
        rows.append(f"{bars}{gap}{paint(_style(last), last.label)}")
    return rows


def _style(mark: Mark) -> str:
    return "error" if mark.is_primary else "secondary"


def _draw_marks(marks: list[Mark], paint: Paint) -> str:
    cells: list[str] = [" "] * max(mark.end for mark in marks)
    for mark in sorted(marks, key=lambda mark: mark.is_primary):
        cells[mark.start : mark.end] = ("^" if mark.is_primary else "-") * (mark.end - mark.start)
    styles = {"^": "error", "-": "secondary"}
    runs = re.findall(r"\^+|-+| +", "".join(cells))
    return "".join(paint(styles[run[0]], run) if run[0] != " " else run for run in runs)


def _draw_bars(marks: list[Mark], paint: Paint) -> str:
    drawn, column = "", 0
    for start, style in sorted({mark.start: _style(mark) for mark in marks}.items()):
        drawn += " " * (start - column) + paint(style, "|")
        column = start + 1
    return drawn
