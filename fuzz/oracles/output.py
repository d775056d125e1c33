"""What a pass prints must be valid (E0305), and its own toolchain must be able to read it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fuzz.exclusions import is_out_of_scope
from fuzz.finding import Finding, from_diagnostic
from fuzz.subject import Subject
from verify.diagnostic import Diagnostic

_ENZYME = "enzyme:"


def judge(subject: Subject, targets: Sequence[str]) -> Iterator[Finding]:
    """Invalid output, and output that the compiler that wrote it refuses."""
    for target in targets:
        outcome = subject.outcome(target)
        errors = list(subject.complaints(target))
        if outcome.module is not None and outcome.module.module is None:
            errors += outcome.module.errors
        for diagnostic in errors[:1]:
            is_known_here = target.startswith(_ENZYME)
            if not is_known_here and is_out_of_scope(subject.parsed, diagnostic.message):
                continue
            if diagnostic.code == "E0305":
                yield from_diagnostic(diagnostic, "output", target)
        if outcome.text and target.startswith(_ENZYME) and errors and errors[0].code == "U0002":
            yield from _refuses_itself(outcome.text, target)


def _refuses_itself(text: str, target: str) -> Iterator[Finding]:
    from verify.toolchain.enzyme import enzyme_worker
    from verify.toolchain.messages import parse_messages
    from verify.toolchain.worker import WorkerError

    try:
        call = {"pipeline": "any(cse)"}
        reply = enzyme_worker().call("run", call, text.encode(), timeout_s=20.0)
    except WorkerError:
        return
    error = str(reply.header.get("error", ""))
    if "Failed to parse module" in error:
        said = parse_messages(reply.stderr)
        words = str(said[0]["message"]) if said else error.split("\n", 1)[0]
        message = f"`{target}` prints what Enzyme itself cannot read: {words}"
        yield from_diagnostic(Diagnostic("E0305", message), "output", target)
