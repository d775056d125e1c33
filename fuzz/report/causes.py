"""Causes in a report: as plain data, as what a page shows, and as files beside it."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fuzz.report.listing import listing
from fuzz.report.summary import cause_summary
from fuzz.triage.bundles import whole_bundle
from fuzz.triage.causes import Cause
from fuzz.triage.draft import commands, draft, seen_on, shortened
from fuzz.triage.task import Evidence, code_lines
from fuzz.triage.words import expected, title_of, wrong
from verify.diagnostic import Picture, PictureEdge, PictureNode
from verify.report.style import clean

FOLDER = "causes"
_PLAIN = re.compile(r"[^\w.-]+")
_CODE = re.compile(r"`([^`]+)`")


def cause_data(cause: Cause) -> dict[str, Any]:
    """What JSON has of a cause."""
    done = cause.reduction
    text = done.text if done else cause.best.row.text
    return {
        **cause_summary(cause),
        "oracle": cause.best.finding.oracle,
        "like": list(cause.like),
        "is_shown": done is None or done.is_shown,
        "lines_before": done.lines_before if done else code_lines(text),
        "seconds": done.seconds if done else 0.0,
        "seen_on": [
            {"pass": spec, "version": version, "shows": how}
            for spec, version, how in seen_on(cause, cause.best.row.versions)
        ],
        "text": text,
    }


def write_causes(place: Path, causes: Sequence[Cause], campaign: str) -> dict[str, list[str]]:
    """Write a folder for each cause; gives the names of the files in each, by cause."""
    shutil.rmtree(place / FOLDER, ignore_errors=True)
    written: dict[str, list[str]] = {}
    for cause in causes:
        folder = place / FOLDER / cause.name
        folder.mkdir(parents=True, exist_ok=True)
        text = cause.reduction.text if cause.reduction else cause.best.row.text
        versions = cause.best.row.versions
        files: dict[str, bytes] = {
            "report.md": draft(cause, versions, campaign).encode(),
            "program.mlir": text.encode(),
        }
        bundle = cause.reduction.evidence.bundle if cause.reduction else {}
        if bundle:
            files[f"{cause.name}.zip"] = whole_bundle(bundle)
        for name, content in files.items():
            (folder / name).write_bytes(content)
        written[cause.name] = list(files)
    return written


def shown_cause(cause: Cause, files: Sequence[str], store: str) -> dict[str, Any]:
    """What a page shows of a cause."""
    done = cause.reduction
    evidence = done.evidence if done else Evidence()
    text = done.text if done else cause.best.row.text
    data = cause_data(cause)
    return {
        **data,
        "title": inline(title_of(cause)),
        "wrong": [inline(line) for line in wrong(cause, evidence)],
        "expected": inline(expected(cause, evidence)),
        "ir": listing(text, evidence.input_marks),
        "output": listing(shortened(evidence.output, ()), evidence.marks) if _fits(evidence) else
        listing(shortened(evidence.output, evidence.marks)),
        "has_output": bool(evidence.output),
        "stack": [clean(frame) for frame in evidence.stack],
        "picture": _picture(evidence.picture),
        "commands": commands(cause),
        "why": clean(done.why) if done else "",
        "members": [_member(m.finding.group, m.finding.target, m.programs, m.row.id)
                    for m in cause.members],
        "files": [(name, f"{FOLDER}/{cause.name}/{name}") for name in files],
        "keep": f"verify-ir fuzz keep {cause.name} --store {store} --as NAME",
    }  # fmt: skip


def _fits(evidence: Evidence) -> bool:
    """Whether an output is shown whole, so that its lines have their numbers."""
    return "// ..." not in shortened(evidence.output, evidence.marks)


def _member(group: str, target: str, programs: int, finding: int) -> dict[str, Any]:
    return {"group": group, "target": target or "verify-ir", "programs": programs, "id": finding}


def _picture(plain: Mapping[str, Any] | None) -> Any:
    """The drawing of the order of ops, where there is one."""
    from verify.report.picture_svg import render_picture

    if plain is None:
        return ""
    nodes = tuple(PictureNode(**node) for node in plain["nodes"])
    edges = tuple(PictureEdge(**edge) for edge in plain["edges"])
    return render_picture(
        Picture(tuple(plain["lanes"]), nodes, edges, plain["label"], plain["left_out"])
    )


def inline(text: str) -> Any:
    """A sentence with what stands in back-ticks as code."""
    from markupsafe import Markup, escape

    parts = _CODE.split(clean(text))
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if n % 2 else escape(part)
        for n, part in enumerate(parts)
    )


def plain_name(text: str) -> str:
    """A text as the name of a folder."""
    return _PLAIN.sub("-", text)
