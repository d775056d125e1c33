"""Replays as text for a person, from their JSON document."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from verify.diagnostic import Counterexample
from verify.report.phrases import (
    count,
    say_attempt,
    say_bytes,
    say_counterexample,
    say_streams,
    say_value,
)
from verify.report.style import Paint, clean
from verify.report.table import Cell, render_table

_HEAD: list[Cell] = [
    "function",
    "loop",
    "segment",
    "iteration",
    "op",
    "line",
    "bytes",
    "expected",
    "actual",
]
_WHAT = {
    "checkpoint": ("read differs", "reads differ", "replay"),
    "schedule": ("difference", "differences", "order"),
    "space": ("snapshot names", "snapshots name", "iteration"),
    "difference": ("difference", "differences", "run"),
}
_MOST_ROWS = 12


def render_replays(document: Mapping[str, Any], paint: Paint, *, is_unicode: bool) -> str:
    """The whole document; each finding with its table before the pass and what is left after."""
    lines: list[str] = []
    for finding in document["findings"]:
        lines += [*_finding(finding, document, paint, is_unicode=is_unicode), ""]
    for other in document["others"]:
        lines += _other(other, paint)
    for bundle in document.get("bundles", ()):
        lines.append(f"bundle: {clean(bundle)}")
    lines.append(_summary(document))
    return "".join(f"{line}\n" for line in lines)


def _finding(
    finding: Mapping[str, Any], document: Mapping[str, Any], paint: Paint, *, is_unicode: bool
) -> list[str]:
    place = finding["location"]
    where = f"{place['file']}:{place['line']}:{place['column']}" if place else finding["path"]
    head = paint("error", f"{finding['code']}") + f" in `@{finding['function']}`"
    lines = [f"{head}, {clean(where)}: {paint('strong', clean(finding['message']))}"]
    if finding["counterexample"]:
        lines.append(f"  counterexample: {_counterexample(finding['counterexample'])}")
    before = finding["before"]
    lines.append(f"  before: {_said(before, finding['kind'], document)}")
    lines += [f"  {line}" for line in _table(before["rows"], paint, is_unicode=is_unicode)]
    if not before["shows"] and before["status"] == "ran":
        lines.append(f"  the finding itself does not show {_manner(document)}")
    lines += [f"  {say_attempt(each)}" for each in finding["attempts"]]
    if finding["streams"] is not None:
        lines.append(f"  {say_streams(finding['streams'])}")
    return [*lines, *_after(finding, document, paint, is_unicode=is_unicode)]


def _after(
    finding: Mapping[str, Any], document: Mapping[str, Any], paint: Paint, *, is_unicode: bool
) -> list[str]:
    after, spec = finding["after"], clean(finding["pass"] or "a pass")
    if after is None and not finding["pass"]:
        return []
    if after is None:
        return [f"  after `{spec}`: there is nothing to run: {clean(finding['why'])}"]
    if after["rows"] or after["status"] != "ran":
        said = _said(after, finding["kind"], document)
        rows = _table(after["rows"], paint, is_unicode=is_unicode)
        return [f"  after `{spec}`: {said}", *(f"  {line}" for line in rows)]
    good = paint("proven", "none differs")
    return [f"  after `{spec}`: {good} on the same inputs ({_effort(after, finding['kind'])})"]


def _counterexample(plain: Mapping[str, Any]) -> str:
    return say_counterexample(
        Counterexample(plain["inputs"], plain["iterations"], tuple(plain["accesses"]), ())
    )


def _said(run: Mapping[str, Any], kind: str, document: Mapping[str, Any]) -> str:
    if run["status"] != "ran":
        return f"the run is {run['status']}: {clean(run['reason'])}"
    number = len(run["rows"])
    one, many, _ = _WHAT[kind]
    what = f"{number} {one if number == 1 else many}"
    if kind == "space":
        what += " another space than its memory lies in"
    return f"{what} {_manner(document)} ({_effort(run, kind)})"


def _manner(document: Mapping[str, Any]) -> str:
    plan, layout = document["schedule"], document["layout"]
    how = "" if plan == "every" else f" by the schedule {plan}"
    where = "" if layout == "own" else ", snapshots in rows of one buffer"
    return f"on {document['device']}{how}{where}"


def _effort(run: Mapping[str, Any], kind: str) -> str:
    """How much was run."""
    tried = count(run["tried"], _WHAT[kind][2])
    reads = count(run["reads"], "read")
    return f"{tried}, {reads} of the primal" if run["reads"] else tried


def _table(rows: Sequence[Mapping[str, Any]], paint: Paint, *, is_unicode: bool) -> list[str]:
    if not rows:
        return []
    cells = [list(map(clean, _cells(row))) for row in rows[:_MOST_ROWS]]
    kept = [i for i in range(len(_HEAD)) if any(row[i] != "-" for row in cells)]
    table = [[row[i] for i in kept] for row in (_HEAD, *cells)]
    lines = render_table(table, is_unicode=is_unicode, paint=paint)
    left = len(rows) - len(cells)
    return [*lines, f"... {left} more"] if left else lines


def _cells(row: Mapping[str, Any]) -> Iterable[str]:
    loop = row["loop"]
    yield f"@{row['function']}"
    yield "-" if loop is None else f"{loop} of line {row['loop_line']}"
    yield _or_dash(row["segment"])
    yield _or_dash(row["iteration"])
    yield _or_dash(row["op"])
    yield _or_dash(row["line"])
    yield "-" if row["bytes"] is None else say_bytes(row["bytes"]).split(" ", 1)[1]
    yield _or_dash(row["expected"])
    yield _or_dash(row["actual"])


def _or_dash(value: Any) -> str:
    return "-" if value is None else say_value(value)


def _other(other: Mapping[str, Any], paint: Paint) -> list[str]:
    """A function without a counterexample."""
    runs = [run for run in other["runs"] if run["status"] == "ran"]
    verdict = paint(other["verdict"], other["verdict"])
    head = f"{clean(other['path'])}: @{clean(other['function'])}: {verdict}"
    if not runs:
        return [
            f"{head}; no run on drawn inputs could be used: {clean(other['runs'][0]['reason'])}"
        ]
    differing = sum(len(run["rows"]) for run in runs)
    tried, reads = (sum(run[key] for run in runs) for key in ("tried", "reads"))
    what = "none differs" if not differing else f"{differing} differ"
    return [f"{head}; {what} in {count(tried, 'replay')} of {count(reads, 'read')} on drawn inputs"]


def _summary(document: Mapping[str, Any]) -> str:
    findings = document["findings"]
    if not findings:
        return f"no counterexample to run ({document['seconds']:.2f} s)"
    seen = sum(finding["before"]["shows"] for finding in findings)
    shown = f"{seen} of {count(len(findings), 'counterexample')} reproduced"
    after = [finding["after"] for finding in findings if finding.get("after")]
    gone = sum(run["status"] == "ran" and not run["rows"] for run in after)
    cured = f", {gone} gone after the pass" if after else ""
    return f"{shown} on {document['device']}{cured} ({document['seconds']:.2f} s)"
