"""The numbers of a campaign as Markdown, for the summary of a nightly run."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from fuzz.judging import JUDGED
from verify.report.style import clean

_LONGEST = 160


def to_markdown(found: dict[str, Any], known: Collection[str] = ()) -> str:
    """The summary of `summary_of`, causes that are not `known` first."""
    groups = sorted(found["groups"], key=lambda g: g["group"] in known)
    new = sum(1 for group in groups if group["group"] not in known)
    lines = [
        f"## Campaign {found['campaign']}: {new} new {'cause' if new == 1 else 'causes'}",
        "",
        _numbers(found),
        "",
    ]
    if groups:
        lines += ["| new | cause | programs | code | oracle | target | says |", "|" + "---|" * 7]
    lines += [_row(group, is_new=group["group"] not in known) for group in groups]
    return "".join(f"{line}\n" for line in lines)


def _numbers(found: dict[str, Any]) -> str:
    versions = ", ".join(f"{name} {version}" for name, version in found["versions"].items())
    return (
        f"{found['programs'][JUDGED]} programs in {found['seconds']:.0f} s"
        f" ({found['programs_per_second']}/s), {found['pairs']} pairs of features,"
        f" {len(found['groups'])} causes in all. {versions}."
    )


def _row(group: dict[str, Any], *, is_new: bool) -> str:
    cells = [
        "**new**" if is_new else "",
        group["group"],
        str(group["programs"]),
        group["code"],
        group["oracle"],
        f"`{group['target']}`" if group["target"] else "verify-ir",
        _cell(group["message"]),
    ]
    return "| " + " | ".join(cells) + " |"


def _cell(message: str) -> str:
    """One line that cannot end its cell nor bring markup of its own."""
    text = clean(message).replace("\n", " ")[:_LONGEST]
    return text.replace("|", "\\|").replace("<", "&lt;")
