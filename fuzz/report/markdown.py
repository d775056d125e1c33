"""The numbers of a campaign as Markdown, for the summary of a nightly run."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from fuzz.judging import JUDGED
from fuzz.report.summary import is_new
from verify.report.style import clean

_LONGEST = 160
_COLUMNS = ("new", "cause", "title", "programs", "code", "targets", "lines", "known as")


def to_markdown(found: dict[str, Any], keys: Collection[str] = ()) -> str:
    """The summary of `summary_of`, with new causes first; `keys` are those of a baseline."""
    new = [cause for cause in found["causes"] if is_new(cause, keys)]
    old = [cause for cause in found["causes"] if cause not in new]
    lines = [
        f"## Campaign {found['campaign']}: {len(new)} new {'cause' if len(new) == 1 else 'causes'}",
        "",
        _numbers(found),
        "",
    ]
    if new or old:
        lines += [_line(_COLUMNS), "|" + "---|" * len(_COLUMNS)]
    lines += [_row("**new**", cause) for cause in new] + [_row("", cause) for cause in old]
    return "".join(f"{line}\n" for line in lines)


def _numbers(found: dict[str, Any]) -> str:
    versions = ", ".join(f"{name} {version}" for name, version in found["versions"].items())
    return (
        f"{found['programs'][JUDGED]} programs in {found['seconds']:.0f} s"
        f" ({found['programs_per_second']}/s), {found['pairs']} pairs of features,"
        f" {len(found['causes'])} causes in all. {versions}."
    )


def _row(mark: str, cause: dict[str, Any]) -> str:
    targets = [f"`{_code(target)}`" if target else "verify-ir" for target in cause["targets"]]
    cells = [
        mark,
        cause["cause"],
        _cell(cause["title"]),
        str(cause["programs"]),
        cause["code"],
        ", ".join(targets),
        str(cause["lines"] or "not reduced yet"),
        _cell(cause["known"]),
    ]
    return _line(cells)


def _line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _cell(text: str) -> str:
    """One line that cannot end its cell nor bring markup of its own."""
    return _code(text[:_LONGEST]).replace("<", "&lt;")


def _code(text: str) -> str:
    """The same for what stands in back-ticks, where only a bar would do harm."""
    return clean(text).replace("\n", " ").replace("|", "\\|")
