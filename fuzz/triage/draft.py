"""A draft of a report to those who maintain a compiler, in Markdown; a person has the last word."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from fuzz.finding import COMPILER
from fuzz.triage.causes import Cause
from fuzz.triage.gradients import COMMAND, compiler_commands, is_gradient
from fuzz.triage.known import pipeline_of
from fuzz.triage.task import WHOLE, Evidence, Mark, Sighting
from fuzz.triage.words import expected, title_of, wrong
from verify.toolchain.pipelines import anchor_in_module

_UNREGISTERED = re.compile(r'^\s*(?:%[^=]*= )?"[\w.]+"\(', re.MULTILINE)
_MOST_OUTPUT = 60
_AROUND = 12


def draft(cause: Cause, versions: Mapping[str, str], campaign: str) -> str:
    """The report of a cause whose program was reduced; shorter where it was not."""
    lines = [f"# {title_of(cause)}", ""]
    lines += _versions(cause, versions)
    lines += ["## Input", "", *_block(_input(cause), "mlir")]
    lines += ["## Command", "", *_block(commands(cause), "sh")]
    evidence = cause.reduction.evidence if cause.reduction else Evidence()
    lines += _output(cause, evidence)
    lines += ["## What is wrong", "", *wrong(cause, evidence), ""]
    lines += ["## Expected", "", expected(cause, evidence), ""]
    lines += ["## How it was found", "", *_origin(cause, campaign), ""]
    return "\n".join(lines)


def _input(cause: Cause) -> str:
    done = cause.reduction
    if done is None:
        return cause.best.row.text
    return marked(done.text, done.evidence.input_marks)


def commands(cause: Cause) -> str:
    """The commands that show it, the compiler's own first."""
    text = cause.reduction.text if cause.reduction else cause.best.row.text
    if is_gradient(cause.best.finding):
        own = f"verify-ir {COMMAND.format('program.mlir')}"
        return "\n".join([*compiler_commands(cause.best.finding, text), own])
    found: list[str] = []
    for target in cause.targets:
        head, colon, _ = target.partition(":")
        if colon and head in ("mlir", "mlir-opt"):
            flag = " --allow-unregistered-dialect" if _UNREGISTERED.search(text) else ""
            pipeline = anchor_in_module(pipeline_of(target))
            found.append(f"mlir-opt program.mlir{flag} --pass-pipeline='{pipeline}'")
        if head == "enzyme":
            pipeline = anchor_in_module(pipeline_of(target))
            found.append(f"enzymexlamlir-opt program.mlir --pass-pipeline='{pipeline}'")
    own = [f'verify-ir passes program.mlir -p "{target}"' for target in cause.targets if target]
    return "\n".join(dict.fromkeys([*found, *(own or ["verify-ir check program.mlir"])]))


def _versions(cause: Cause, versions: Mapping[str, str]) -> Iterator[str]:
    """Where it shows, and where it does not."""
    rows = list(seen_on(cause, versions))
    if rows:
        yield from ("| pass | version | shows it |", "|---|---|---|")
        yield from (f"| `{spec}` | {version} | {how} |" for spec, version, how in rows)
        yield ""


def seen_on(cause: Cause, versions: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """Each pass of that name that is installed, with its version and what it does."""
    done = cause.reduction
    if done is None:
        for target in cause.targets:
            yield target, _version(target, versions), "yes, in the campaign"
        return
    own = cause.best.finding
    found: dict[str, list[Sighting]] = {}
    for each in done.sightings:
        if pipeline_of(each.spec) == pipeline_of(own.target):
            found.setdefault(each.spec, []).append(each)
    for spec, rows in found.items():
        yield spec, _version(spec, versions), _how(rows, own.code)


def _version(spec: str, versions: Mapping[str, str]) -> str:
    name = spec.partition(":")[0] if ":" in spec else "verify-ir"
    return versions.get(name, "unknown")


def _how(rows: Sequence[Sighting], code: str) -> str:
    codes = sorted({row.code for row in rows if row.code})
    if code in codes:
        return "yes"
    said = rows[0].message.replace("|", "/")
    return f"no, but {', '.join(codes)}: {said}" if codes else "no"


def _output(cause: Cause, evidence: Evidence) -> Iterator[str]:
    if evidence.output:
        yield from ("## Output", "")
        yield from _block(shortened(evidence.output, evidence.marks), "mlir")
    if evidence.stack:
        yield from ("## Stack", "", *_block("\n".join(evidence.stack), ""))
    if cause.best.finding.code == "E0304" and evidence.notes:
        yield from ("It printed:", "", *_block("\n".join(evidence.notes), ""))


def marked(text: str, marks: Sequence[Mark]) -> str:
    """A text with what is to be said at the ends of its lines."""
    words = {mark.line: mark.words for mark in marks}
    lines = text.strip("\n").splitlines()
    return "\n".join(
        f"{line}  // <-- {words[n]}" if n in words else line for n, line in enumerate(lines, 1)
    )


def shortened(text: str, marks: Sequence[Mark]) -> str:
    """The same, without lines that are far from all marks where there are many."""
    lines = marked(text, marks).splitlines()
    if len(lines) <= _MOST_OUTPUT:
        return "\n".join(lines)
    near = {n for mark in marks for n in range(mark.line - _AROUND, mark.line + _AROUND)}
    near = near or set(range(1, _MOST_OUTPUT))
    kept: list[str] = []
    for number, line in enumerate(lines, 1):
        if number in near:
            kept.append(line)
        elif not kept or kept[-1] != "// ...":
            kept.append("// ...")
    return "\n".join(kept)


def _block(text: str, language: str) -> list[str]:
    fence = "````" if "```" in text else "```"
    return [f"{fence}{language}", *text.strip("\n").splitlines(), fence, ""]


def _origin(cause: Cause, campaign: str) -> Iterator[str]:
    done = cause.reduction
    yield (
        f"By the campaign `{campaign}` of verify-ir, on {cause.programs} program"
        f"{'' if cause.programs == 1 else 's'} (oracle `{cause.best.finding.oracle}`)."
    )
    if done is None:
        yield "The program is as it was found; it is not reduced yet."
    elif done.state == WHOLE:
        yield f"The program is as it was found: {done.why or 'it was not reduced'}."
    else:
        yield f"The program was reduced from {done.lines_before} lines to {done.lines}."
        if done.why:
            yield f"It may not be the smallest one: {done.why}."
    if cause.known:
        yield f"It is known as `corpus/found/{cause.known}.mlir`."
    elif cause.like:
        names = ", ".join(f"`{name}`" for name in cause.like)
        yield f"Something like it is known in `corpus/found/`: {names}."
    if cause.blames != COMPILER:
        yield "The fault is one of verify-ir, not of a compiler."
