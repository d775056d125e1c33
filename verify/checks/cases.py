"""Deciding what stays open case by case of the truth values that a function is given.

Where work and the wait for it stand under the same condition, neither path alone tells that they
go together; with the condition fixed both do. Each case is a question of its own, so a function
is proven when all of its cases are, and refuted when one is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product

from xdsl.ir import Operation

from verify.checklist import answers
from verify.codes import Severity, severity_of
from verify.diagnostic import Diagnostic
from verify.result import ProofRecord, StageResult
from verify.semantics.arith import scalar_bits
from verify.verdict import Verdict

MOST_TRUTHS = 3
_HELPED = frozenset({"U0001", "U0003"})
_OF_ALL_PATHS = frozenset({"W0205"})
"""Warnings about what holds on every path."""


def decide(
    op: Operation,
    first: StageResult,
    check: Callable[[Mapping[int, bool]], StageResult],
) -> StageResult:
    """The result of a function by its cases, if `first` leaves it open and they do not.

    `check` gives the result where the arguments at these positions are fixed.
    """
    if first.verdict is not Verdict.UNDECIDED or not _may_help(first):
        return first
    cases: list[StageResult] = []
    for fixed in _cases(op):
        cases.append(check(fixed))
        if cases[-1].verdict is Verdict.UNDECIDED:
            break
    if not cases:
        return first
    if any(case.verdict is Verdict.REFUTED for case in cases):
        asked = tuple(check for check in first.asked if check not in _unsettled(first, cases))
        found = _refuted(first, cases)
        return replace(first, verdict=Verdict.REFUTED, diagnostics=found, asked=asked)
    if cases[-1].verdict is Verdict.UNDECIDED:
        return first
    return replace(first, verdict=Verdict.PROVEN, diagnostics=_proven(cases), proof=_proof(cases))


def _may_help(first: StageResult) -> bool:
    """Whether all that is open is so for want of knowledge about paths."""
    codes = {d.code for d in first.diagnostics if severity_of(d.code) is Severity.UNDECIDED}
    return codes <= _HELPED


def _cases(op: Operation) -> Iterator[Mapping[int, bool]]:
    """All values of the truth values that a function is given and uses, where they are few."""
    arguments = op.regions[0].blocks[0].args
    used = [i for i, a in enumerate(arguments) if scalar_bits(a.type) == 1 and a.uses]
    if not used or len(used) > MOST_TRUTHS:
        return
    for values in product((True, False), repeat=len(used)):
        yield dict(zip(used, values, strict=True))


def _refuted(first: StageResult, cases: Sequence[StageResult]) -> tuple[Diagnostic, ...]:
    """What was found in the cases, next to what is not open without them."""
    errors = [d for case in cases for d in case.diagnostics if d.code[0] == "E"]
    return _distinct([*errors, *(d for d in first.diagnostics if d.code[0] != "U")])


def _unsettled(first: StageResult, cases: Sequence[StageResult]) -> set[str]:
    """The checks that some case leaves open; without all of the cases, those that `first` does."""
    is_complete = cases[-1].verdict is not Verdict.UNDECIDED
    return {
        check
        for result in (cases if is_complete else [first, *cases])
        for check, answer in answers(result).items()
        if answer.verdict is Verdict.UNDECIDED
    }


def _proven(cases: Sequence[StageResult]) -> tuple[Diagnostic, ...]:
    """Warnings and notes of any case, or, where they speak of all paths, of all cases."""
    found = _distinct([d for case in cases for d in case.diagnostics])
    return tuple(
        d
        for d in found
        if d.code not in _OF_ALL_PATHS
        or all(any(_is_same(d, o) for o in case.diagnostics) for case in cases)
    )


def _distinct(diagnostics: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    kept: list[Diagnostic] = []
    for diagnostic in diagnostics:
        if not any(_is_same(diagnostic, other) for other in kept):
            kept.append(diagnostic)
    return tuple(kept)


def _is_same(one: Diagnostic, other: Diagnostic) -> bool:
    return (one.code, one.message, one.location) == (other.code, other.message, other.location)


def _proof(cases: Sequence[StageResult]) -> tuple[ProofRecord, ...]:
    counts: dict[tuple[str, str], int] = {}
    for record in (r for case in cases for r in case.proof):
        key = (record.check, record.decider)
        counts[key] = counts.get(key, 0) + record.count
    counts["cases", "truth values given"] = len(cases)
    return tuple(ProofRecord(*key, count) for key, count in sorted(counts.items()))
