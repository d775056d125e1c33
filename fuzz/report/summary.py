"""The numbers of a campaign as plain data, and as text."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from fuzz.coverage import Coverage
from fuzz.judging import FAULTY, INVALID, JUDGED, LOST, PUT_OFF
from fuzz.store import Store
from fuzz.tables import FoundRow
from fuzz.triage.causes import Cause, causes_in
from fuzz.triage.words import title_of
from verify.report.style import clean

SCHEMA = "verify-ir/campaign/v1"


def summary_of(store: Store, causes: Sequence[Cause] | None = None) -> dict[str, Any]:
    """Everything a report tells but the programs' texts; `causes` where they are known already."""
    causes = causes_in(store) if causes is None else causes
    campaign = store.campaign()
    assert campaign is not None
    counts = store.counts()
    coverage = Coverage()
    for row in store.programs("WHERE status = ?", (JUDGED,)):
        coverage.add(row.features)
    seconds = float(campaign["seconds"])
    judged = counts.get(JUDGED, 0)
    return {
        "schema": SCHEMA,
        "campaign": campaign["name"],
        "state": campaign["state"],
        "seconds": round(seconds, 1),
        "versions": campaign["versions"],
        "settings": campaign["settings"],
        "programs": {s: counts.get(s, 0) for s in (JUDGED, PUT_OFF, INVALID, FAULTY, LOST)},
        "programs_per_second": round(judged / seconds, 1) if seconds else 0.0,
        "verdicts": {k[8:]: n for k, n in sorted(counts.items()) if k.startswith("verdict ")},
        "pairs": len(coverage.counts),
        "seconds_by_part": {name: round(s, 1) for name, s in store.parts().items()},
        "causes": [cause_summary(cause) for cause in causes],
        "groups": [_group(row, number) for row, number in store.groups()],
        "events": [{"seconds": round(s, 1), "text": text} for s, text in store.events()],
    }


def cause_summary(cause: Cause) -> dict[str, Any]:
    """The numbers of a cause; `lines` is 0 where it is not reduced."""
    return {
        "cause": cause.name,
        "title": title_of(cause),
        "code": cause.best.finding.code,
        "blames": cause.blames,
        "programs": cause.programs,
        "targets": list(cause.targets),
        "groups": [m.finding.group for m in cause.members],
        "keys": sorted(cause.keys),
        "known": cause.known,
        "state": cause.reduction.state if cause.reduction else "waiting",
        "lines": cause.reduction.lines if cause.reduction else 0,
    }


def is_new(cause: dict[str, Any], keys: Collection[str]) -> bool:
    """Whether neither a baseline with these keys nor a file of the corpus has the cause."""
    return not cause["known"] and not any(key in keys for key in cause["keys"])


def _group(row: FoundRow, number: int) -> dict[str, Any]:
    found = row.finding
    return {
        "group": found.group,
        "programs": number,
        "finding": row.id,
        "oracle": found.oracle,
        "target": found.target,
        "code": found.code,
        "blames": found.blames,
        "message": found.message,
        "shape": found.shape,
        "first_seconds": round(row.seconds, 1),
        "lines": len(row.text.splitlines()),
    }


def to_text(found: dict[str, Any]) -> str:
    """The summary for a terminal."""
    programs = found["programs"]
    others = ", ".join(f"{n} {name}" for name, n in programs.items() if n and name != JUDGED)
    verdicts = ", ".join(f"{n} {name}" for name, n in found["verdicts"].items())
    lines = [
        f"campaign  {found['campaign']} ({found['state']}, {found['seconds']:.0f} s)",
        f"programs  {programs[JUDGED]} judged, {found['programs_per_second']}/s"
        + (f"; {others}" if others else ""),
        f"verdicts  {verdicts or 'none'}",
        f"coverage  {found['pairs']} pairs of features",
        f"causes    {len(found['causes'])}, of {len(found['groups'])} groups",
        *map(_cause_line, found["causes"]),
        "groups",
    ]
    for group in found["groups"]:
        target = group["target"] or "verify-ir"
        lines.append(
            f"  {group['group']} {group['programs']:>5} x {group['code']} {group['oracle']}"
            f" {target}: {clean(group['message'])[:150]} (finding {group['finding']},"
            f" blames the {group['blames']})"
        )
    lines += [f"  {e['seconds']:.0f} s: {clean(e['text'])}" for e in found["events"][-5:]]
    return "".join(f"{line}\n" for line in lines)


def _cause_line(cause: dict[str, Any]) -> str:
    size = f"{cause['lines']} lines" if cause["lines"] else "not reduced yet"
    known = f", known as {cause['known']}" if cause["known"] else ""
    return f"  {cause['cause']}: {clean(cause['title'])[:150]} ({size}{known})"
