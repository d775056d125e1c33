"""What shows on a program: every pass of interest is run on it, and every oracle asked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fuzz import oracles
from fuzz.finding import Finding
from fuzz.judging import Job, judge
from fuzz.subject import Subject, subject_of, wants
from fuzz.triage.aim import AS_IT_IS, LIMITS
from fuzz.triage.task import ACCESS, GPU, Sighting, Task
from verify.ir.module import ParsedModule
from verify.ir.names import op_name
from verify.ir.printing import to_generic_text
from verify.toolchain.registry import PassUsageError, check_spec

_SYMBOL = re.compile(r'sym_name = "(?P<name>[^"]+)"')
_IDLE = frozenset({
    "builtin.module", "func.func", "func.return", "arith.constant", "scf.yield", "scf.reduce",
    "affine.yield", "scf.condition", "scf.forall.in_parallel",
})  # fmt: skip
_LOOPS = frozenset({
    "scf.for", "scf.parallel", "scf.while", "scf.forall", "affine.for", "affine.parallel",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Look:
    """The findings on a program, what each pass showed there, and the program's own errors."""

    findings: list[Finding]
    sightings: list[Sighting]
    errors: tuple[str, ...]


def look_at(task: Task, text: str) -> Look:
    """Show a program to the passes of a task, and ask its oracles."""
    subject = subject_of(text, LIMITS, targets=task.specs)
    if subject.parsed.module is None:
        return Look([], [], ())
    specs = [s for s in task.specs if _is_there(s) and (wants(s, subject.parsed))]
    found = list(_findings(task, subject, specs))
    rows = [Sighting(f.target, f.group, f.oracle, f.code, f.message, f.shape) for f in found]
    seen = {row.spec for row in rows}
    others = [_quiet(subject, spec) for spec in specs if spec not in seen]
    return Look(found, [*rows, *others], _errors(subject))


def _errors(subject: Subject) -> tuple[str, ...]:
    """What is wrong with a program itself; nothing where the checker fails on it."""
    try:
        stages = subject.verdicts().values()
    except Exception:  # noqa: BLE001 - such a fault is what the finding is about
        return ()
    return tuple(sorted({d.code for s in stages for d in s.diagnostics if d.code[0] == "E"}))


def _findings(task: Task, subject: Subject, specs: Sequence[str]) -> Iterator[Finding]:
    kept: dict[tuple[str, str], Finding] = {}
    for name in task.oracles:
        for found in _asked(name, subject, specs):
            kept.setdefault((found.group, found.target), found)
    yield from kept.values()


def _asked(name: str, subject: Subject, specs: Sequence[str]) -> Sequence[Finding]:
    """What one oracle finds, or that it fails."""
    try:
        return list(oracles.load(name)(subject, specs))
    except Exception:  # noqa: BLE001 - a fault of the checker is a finding
        job = Job(0, AS_IT_IS, tuple(specs), (name,), LIMITS, base=subject.text)
        return judge(job).findings


def _quiet(subject: Subject, spec: str) -> Sighting:
    """A pass that no oracle has anything against; it may have refused the program all the same."""
    outcome = subject.outcome(spec)
    if not outcome.diagnostics:
        return Sighting(spec)
    first = outcome.diagnostics[0]
    return Sighting(spec, oracle="pass", code=first.code, message=first.message.split("\n", 1)[0])


def _is_there(spec: str) -> bool:
    try:
        check_spec(spec)
    except PassUsageError:
        return False
    return True


def shape_of(parsed: ParsedModule) -> str:
    """A program up to the names of its functions and values."""
    assert parsed.module is not None
    text = to_generic_text(parsed.module, locations=False)
    for number, name in enumerate(dict.fromkeys(m["name"] for m in _SYMBOL.finditer(text))):
        text = text.replace(f'sym_name = "{name}"', f'sym_name = "f{number}"')
        text = re.sub(rf"@{re.escape(name)}(?![\w$.-])", f"@f{number}", text)
    return text


def kinds_of(parsed: ParsedModule) -> tuple[str, ...]:
    """The kinds of ops that a cause may need: loops, accesses and ops on a GPU are one each."""
    assert parsed.module is not None
    names = {op_name(op) for op in parsed.module.walk()} - _IDLE
    return tuple(sorted({_kind(name) for name in names}))


def _kind(name: str) -> str:
    if name in _LOOPS:
        return "loop"
    dialect, _, word = name.partition(".")
    if dialect in ("memref", "affine") and word in ("load", "store"):
        return ACCESS
    return GPU if dialect == "gpu" else name
