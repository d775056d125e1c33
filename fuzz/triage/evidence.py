"""What can be told of a finding: the diagnostic behind it, where it points, and a bundle."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import asdict

from fuzz.finding import Finding
from fuzz.triage.aim import LIMITS
from fuzz.triage.bundles import own_entries
from fuzz.triage.gradients import evidence_of_gradient, is_gradient
from fuzz.triage.task import AT, Evidence, Mark
from verify.checks.options import CheckOptions
from verify.checks.run import check_module
from verify.diagnostic import Diagnostic, Location
from verify.ir.frontend import read_text
from verify.ir.module import ParsedModule
from verify.ir.printing import to_generic_text, to_pretty_text
from verify.passes.contracts import check_contract
from verify.refine.equivalence import compare_modules
from verify.report.phrases import say_counterexample, say_replay
from verify.toolchain.outcome import PassOutcome, RunOptions
from verify.toolchain.registry import PassUsageError, run_pass
from verify.toolchain.stacks import frames_of, words_before_stack

INPUT, OUTPUT = "program.mlir", "after.mlir"
_OPTIONS = CheckOptions(solver_timeout_s=5.0, recipes=True)
_MOST_FRAMES = 8
_MOST_SAID = 12
_PLACE = re.compile(r" loc\((?:[^()\"]|\"[^\"]*\")*\)")
_FAILURES = ("E0301", "E0304", "E0305", "E0306")


def evidence_of(finding: Finding, text: str) -> Evidence:
    """The evidence of a finding on a program that is read under the name `program.mlir`."""
    parsed = read_text(text, INPUT)
    if parsed.module is None or not finding.target:
        return Evidence(finding.message, finding.code, _lines(finding.detail))
    if is_gradient(finding):
        return evidence_of_gradient(finding)
    outcome = run_pass(finding.target, parsed, RunOptions(LIMITS.pass_s))
    if finding.code in _FAILURES:
        return _of_failure(finding, parsed, outcome)
    after = _output(outcome)
    if after is None or after.module is None:
        return Evidence(finding.message, finding.code, _lines(finding.detail))
    for look in (_broken, _promised, _different):
        for diagnostic in look(finding, parsed, after):
            source = parsed if diagnostic.code == "E0302" else None
            return _told(diagnostic, after, source)
    return _beside(finding, after)


def _output(outcome: PassOutcome) -> ParsedModule | None:
    """The result of a pass as a text of its own, so that places are places in that."""
    module = outcome.module.module if outcome.module else None
    return None if module is None else read_text(to_pretty_text(module), OUTPUT)


def _broken(finding: Finding, _source: ParsedModule, after: ParsedModule) -> Iterator[Diagnostic]:
    """The broken invariant that an E0303 is about."""
    if finding.code != "E0303" or after.module is None:
        return
    code = finding.shape.partition(" ")[0]
    for _, stage in check_module(after.module, _OPTIONS, f"after:{finding.target}"):
        yield from (each for each in stage.diagnostics if each.code == code)


def _promised(finding: Finding, source: ParsedModule, after: ParsedModule) -> Iterator[Diagnostic]:
    if finding.oracle != "contract" or source.module is None or after.module is None:
        return
    stage = f"after:{finding.target}"
    found = check_contract(finding.target, source.module, after.module, stage)
    yield from (each for each in found if each.code == finding.code)


def _different(finding: Finding, source: ParsedModule, after: ParsedModule) -> Iterator[Diagnostic]:
    if finding.oracle != "equivalence" or source.module is None or after.module is None:
        return
    found = compare_modules(
        source.module, after.module, _OPTIONS, f"after:{finding.target}", f"`{finding.target}`"
    )
    for _, stage in found:
        yield from (each for each in stage.diagnostics if each.code == finding.code)


def _told(diagnostic: Diagnostic, after: ParsedModule, source: ParsedModule | None) -> Evidence:
    found, replay = diagnostic.counterexample, diagnostic.replay
    return Evidence(
        diagnostic.message.split("\n", 1)[0],
        diagnostic.code,
        tuple(note.split("\n", 1)[0] for note in diagnostic.notes),
        say_counterexample(found) if found else "",
        say_replay(replay) if replay and replay.status == "confirmed" else "",
        diagnostic.help or "",
        output=after.source.text,
        marks=_marks(diagnostic, OUTPUT),
        input_marks=() if diagnostic.code == "E0302" else _marks(diagnostic, INPUT),
        picture=asdict(diagnostic.picture) if diagnostic.picture else None,
        bundle=_bundle(diagnostic, after, source),
    )


def _marks(diagnostic: Diagnostic, file: str) -> tuple[Mark, ...]:
    """The lines of a file that a diagnostic points at, the main one last."""
    places: list[tuple[Location | None, str]] = [
        *((each.location, each.message) for each in diagnostic.related),
        (diagnostic.location, diagnostic.label or diagnostic.message),
    ]
    found: dict[int, str] = {}
    for place, words in places:
        if place is not None and place.file == file:
            found.setdefault(place.line, words.split("\n", 1)[0])
    return tuple(Mark(line, words) for line, words in sorted(found.items()))


def _bundle(
    diagnostic: Diagnostic, after: ParsedModule, source: ParsedModule | None
) -> dict[str, str]:
    """What runs a finding again, where it can be run."""
    from verify.bundling import make_bundle

    if diagnostic.recipe is None:
        return {}
    return own_entries(make_bundle(diagnostic, after, source))


def _of_failure(finding: Finding, parsed: ParsedModule, outcome: PassOutcome) -> Evidence:
    """What a pass said or left behind that gave no module."""
    notes = [note for each in outcome.diagnostics[:1] for note in each.notes]
    at = next((n.removeprefix(AT).strip() for n in notes if n.startswith(AT)), "")
    printed = _printed(finding, parsed, outcome) if finding.code == "E0305" else ""
    said = words_before_stack(outcome.stderr).splitlines() if finding.code == "E0304" else []
    head = at.partition(" ({")[0]
    lines = [line.strip() for line in printed.splitlines()]
    found = [n for n, line in enumerate(lines, 1) if head and line.startswith(head)]
    words = finding.message.rpartition("invalid IR: ")[2]
    return Evidence(
        finding.message,
        finding.code,
        tuple(said[:_MOST_SAID]) or ((f"{AT} {at}",) if at else ()),
        stack=frames_of(outcome.stderr)[:_MOST_FRAMES],
        output=printed,
        marks=tuple(Mark(n, words) for n in found[:1]),
    )


def _printed(finding: Finding, parsed: ParsedModule, outcome: PassOutcome) -> str:
    """The invalid text without its locations; where a compiler keeps it back, `mlir-opt`'s."""
    text = outcome.text or _generic_in(outcome.stderr)
    head, colon, pipeline = finding.target.partition(":")
    if not text and colon and head != "mlir-opt":
        try:
            other = run_pass(f"mlir-opt:{pipeline}", parsed, RunOptions(LIMITS.pass_s))
        except PassUsageError:
            return ""
        text = other.text or _generic_in(other.stderr)
    return _PLACE.sub("", text)


def _generic_in(stderr: str) -> str:
    begin = stderr.find('"builtin.module"')
    return stderr[begin:] if begin >= 0 else ""


def _beside(finding: Finding, after: ParsedModule) -> Evidence:
    """The op that is not as this project's pass of the same name has it."""
    theirs = finding.detail.rpartition("real: ")[2].strip()
    generic = to_generic_text(after.module, locations=False) if after.module else ""
    lines = [line.strip() for line in generic.splitlines()]
    marks = (Mark(lines.index(theirs) + 1, "differs"),) if theirs in lines else ()
    return Evidence(
        finding.message, finding.code, _lines(finding.detail), output=generic, marks=marks
    )


def _lines(detail: str) -> tuple[str, ...]:
    return tuple(detail.splitlines()[:_MOST_SAID])
