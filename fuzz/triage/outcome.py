"""Puts together what is kept of a group: the program, what shows on it, and the evidence."""

from __future__ import annotations

from fuzz.finding import Finding
from fuzz.triage.evidence import evidence_of
from fuzz.triage.looking import kinds_of, look_at, shape_of
from fuzz.triage.reducing import Smaller
from fuzz.triage.task import Evidence, Reduction, Task, code_lines
from verify.ir.frontend import read_text
from verify.ir.printing import to_generic_text
from verify.reduce.size import size_of


def outcome_of(task: Task, found: Smaller) -> Reduction:
    """The reduction of a task whose program became `found`."""
    parsed = read_text(found.text, "program.mlir")
    if parsed.module is None:
        return Reduction(task.group, found.state, found.text, why="it cannot be read")
    seen = look_at(task, found.text)
    own = next((f for f in seen.findings if f.group == task.group), None)
    return Reduction(
        task.group,
        found.state,
        found.text,
        shape_of(parsed),
        found.why,
        found.is_shown and (own is not None or not task.target),
        code_lines(task.text),
        found.ops_before,
        found.ops or _ops(found.text),
        kinds_of(parsed),
        found.tests,
        sightings=tuple(seen.sightings),
        evidence=_evidence(own, found.text),
        errors=seen.errors,
    )


def _evidence(own: Finding | None, text: str) -> Evidence:
    return evidence_of(own, text) if own else Evidence()


def _ops(text: str) -> int:
    parsed = read_text(text, "program.mlir")
    if parsed.module is None:
        return 0
    return size_of(parsed.module, to_generic_text(parsed.module, locations=False)).ops
