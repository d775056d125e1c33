"""The sentences of a report: what a cause is called, what is wrong, and what should be."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fuzz.finding import COMPILER, Finding
from fuzz.triage.causes import Cause
from fuzz.triage.known import pipeline_of
from fuzz.triage.task import AT, Evidence
from verify.codes import CODES
from verify.passes.contracts import passes_in

# What an assertion prints is a path, a signature, and only then what was asserted.
_ASSERTED = re.compile(r"(died with signal \w+): .*?Assertion `(.*?)' failed\.?")
_OWN = "(anonymous namespace)"


def pass_name(finding: Finding) -> str:
    """The pass without the toolchain and what it is nested in, in back-ticks."""
    if not finding.target:
        return "verify-ir"
    pipeline = pipeline_of(finding.target).removeprefix("own ")
    names = passes_in(pipeline)
    return f"`{names[0] if len(names) == 1 else pipeline}`"


def title_of(cause: Cause) -> str:
    """The cause in a line."""
    finding = cause.best.finding
    name = pass_name(finding)
    evidence = cause.reduction.evidence if cause.reduction else Evidence()
    said = (evidence.message or finding.message).replace(f"`{finding.target}`", name)
    if finding.code == "E0304":
        place = frame_of(evidence)
        said = _asserted(said)
        return f"{said} in `{place}`" if place else said
    if finding.code in ("E0303", "E0103") and finding.target:
        return f"after {name}, {said}" if evidence.message else said
    return said


def _asserted(said: str) -> str:
    """What an assertion holds, without the path and the signature in front of it."""
    return _ASSERTED.sub(r"\1: assertion `\2` failed", said)


def frame_of(evidence: Evidence) -> str:
    """The innermost function of the pass itself, or of all."""
    own = [frame for frame in evidence.stack if _OWN in frame]
    return (own or [*evidence.stack[:1], ""])[0]


def wrong(cause: Cause, evidence: Evidence) -> Iterator[str]:
    """Two or three sentences on what happens."""
    finding = cause.best.finding
    name = pass_name(finding)
    if cause.reduction is None or not evidence.message:
        yield _sentence(_asserted(finding.message))
        return
    if finding.code == "E0303":
        code = CODES.get(evidence.code)
        what = f" ({code.summary}; see `verify-ir explain {code.code}`)" if code else ""
        own = ", ".join(cause.reduction.errors)
        before = f"has {own} and nothing else" if own else "is right"
        yield f"The program {before} before {name}; after it, {evidence.message}{what}."
    else:
        yield _sentence(_asserted(evidence.message.replace(f"`{finding.target}`", name)))
    yield from _details(finding, evidence)


def _details(finding: Finding, evidence: Evidence) -> Iterator[str]:
    if finding.code == "E0304" and evidence.stack:
        own = [frame for frame in evidence.stack if _OWN in frame]
        chain = " called by ".join(f"`{frame}`" for frame in [evidence.stack[0], *own[:2]])
        yield f"It ends in {chain}."
        return
    if finding.code == "E0305" and not evidence.marks:
        yield from (
            f"The verifier stops at `{note[len(AT) :].strip()}`." for note in evidence.notes
        )
    elif finding.code not in ("E0304", "E0305"):
        yield from (_sentence(note) for note in evidence.notes[:2])
    if evidence.inputs:
        yield f"Inputs that show it: {evidence.inputs}."
    if evidence.replay:
        yield f"A run of the result on these: {evidence.replay}."
    if evidence.marks:
        yield "The lines at fault are marked in the output."


_EXPECTED = {
    "E0301": "The pass takes the program.",
    "E0302": "The same results, final memory and calls as before the pass.",
    "E0304": "The pass ends: with a result, or with an error that says what it does not take.",
    "E0305": "Output that the verifier accepts, or an error that says what the pass does not take.",
    "E0306": "The pass ends.",
}


def expected(cause: Cause, evidence: Evidence) -> str:
    """What should happen instead."""
    finding = cause.best.finding
    if cause.blames != COMPILER:
        return "A verdict that holds, however the program is written and run."
    if finding.oracle == "own-pass":
        return "Op for op what another implementation of the pass gives, or a reason to differ."
    if finding.code in _EXPECTED:
        return _EXPECTED[finding.code]
    hint = f" One way: {evidence.help}." if evidence.help else ""
    return f"What holds for the program before the pass holds for its result.{hint}"


def _sentence(text: str) -> str:
    line = text.split("\n", 1)[0].strip()
    return f"{line[:1].upper()}{line[1:]}." if line else ""
