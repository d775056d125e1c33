"""A pass must neither die (E0304) nor take for ever (E0306)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from fuzz.finding import Finding, from_diagnostic
from fuzz.subject import Subject
from verify.toolchain.stacks import frames_of

_DIED = ("E0304", "E0306")
# Memory that was freed fails in many places; the two innermost ones tell enough.
_FRAMES = 2
_SAID = re.compile(
    r"^.*?(?:error: |Assertion `|LLVM ERROR: |UNREACHABLE)(?P<words>.*)$", re.MULTILINE
)


def judge(subject: Subject, targets: Sequence[str]) -> Iterator[Finding]:
    """A finding for each pass that did not come back."""
    for target in targets:
        outcome = subject.outcome(target)
        for diagnostic in outcome.diagnostics:
            if diagnostic.code in _DIED:
                frames = frames_of(outcome.stderr)[:_FRAMES]
                shape = " < ".join(frames) or _last_words(outcome.stderr)
                yield from_diagnostic(diagnostic, "crash", target, shape=shape)


def _last_words(stderr: str) -> str:
    found = [m["words"] for m in _SAID.finditer(stderr)]
    return re.sub(r"\d+|'[^']*'|0x[0-9a-f]+", "_", found[-1])[:120] if found else ""
