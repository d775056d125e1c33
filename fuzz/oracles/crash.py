"""A pass must neither die (E0304) nor take for ever (E0306)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from fuzz.finding import Finding, from_diagnostic
from fuzz.subject import Subject
from verify.toolchain.stacks import frames_of

_DIED = ("E0304", "E0306")
# What a pass keeps to itself; below it are functions that all passes call.
_OWN = "(anonymous namespace)"
_FRAMES = 2
_SAID = re.compile(
    r"^.*?(?:error: |Assertion `|LLVM ERROR: |UNREACHABLE)(?P<words>.*)$", re.MULTILINE
)


def judge(subject: Subject, targets: Sequence[str]) -> Iterator[Finding]:
    """A finding for each pass that did not come back."""
    for target in targets:
        outcome = subject.outcome(target)
        for diagnostic in subject.complaints(target):
            if diagnostic.code in _DIED:
                found = from_diagnostic(diagnostic, "crash", target)
                yield replace(found, shape=_shape(outcome.stderr) or found.shape)


def _shape(stderr: str) -> str:
    """Where in the pass it died, or what it said; the signal is chance where memory is lost."""
    frames = frames_of(stderr)
    own = [frame for frame in frames if _OWN in frame]
    return own[0] if own else " < ".join(frames[:_FRAMES]) or _last_words(stderr)


def _last_words(stderr: str) -> str:
    found = [m["words"] for m in _SAID.finditer(stderr)]
    return re.sub(r"\d+|'[^']*'|0x[0-9a-f]+", "_", found[-1])[:120] if found else ""
