"""A verdict must not depend on the names of values, nor on how a module is printed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from fuzz.finding import CHECKER, Finding
from fuzz.subject import Stages, Subject
from verify.checks.run import check_module
from verify.ir.frontend import read_text
from verify.ir.printing import to_generic_text
from verify.verdict import Verdict

_VALUE = re.compile(r"%([A-Za-z_][\w$.]*|\d+)")


def judge(subject: Subject, _targets: Sequence[str]) -> Iterator[Finding]:
    """A finding for each way of writing the program that changes its verdict."""
    assert subject.parsed.module is not None
    ways = {
        "names": _VALUE.sub(lambda m: f"%r_{m[1]}", subject.text),
        "generic form": to_generic_text(subject.parsed.module, locations=False),
    }
    for way, text in ways.items():
        with subject.timed(f"rewriting {way}"):
            found = _changed(subject, text)
        if found:
            message = f"other {way} change the verdict: {found}"
            shape = f"{way}: {re.sub('@[^ ]+', 'NAME', found)}"
            yield Finding("rewriting", "", "E0302", message, shape, CHECKER)


def _changed(subject: Subject, text: str) -> str:
    parsed = read_text(text, "rewritten.mlir")
    if parsed.module is None:
        return f"it is not read any more, {parsed.errors[0].message}"
    after = dict(check_module(parsed.module, subject.options))
    before = subject.verdicts()
    differing = [n for n in before if _differ(_told(before, n), _told(after, n))]
    if not differing:
        return ""
    name = differing[0]
    return f"@{name} {'/'.join(_told(before, name))} becomes {'/'.join(_told(after, name))}"


def _differ(one: list[str], other: list[str]) -> bool:
    """Whether two answers contradict; what time was too short for may be open in one of them."""
    if any(told[0] == "U" for told in (*one, *other)):
        return {one[0], other[0]} == {Verdict.PROVEN.value, Verdict.REFUTED.value}
    return one != other


def _told(stages: Stages, name: str) -> list[str]:
    stage = stages.get(name)
    if stage is None:
        return ["nothing"]
    codes = {d.code for d in stage.diagnostics if d.code[0] in "EUW"}
    return [stage.verdict.value, *sorted(codes)]
