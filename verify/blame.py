"""Which pass broke an invariant and which one restored it, from the stages of one function.

An invariant is one E01 or E02 code; E0201 and E0202 are one, which only says whose the later
access is. It held at a stage that decided everything about the function
and does not report the code; E0103 belongs to the contract of a pass and is no invariant.
"""

from collections.abc import Iterable
from itertools import pairwise

from verify.codes import Severity, severity_of
from verify.result import FunctionResult, StageResult

_CONTRACT_CODES = frozenset({"E0103"})
_RACES = frozenset({"E0201", "E0202"})


def broken_codes(earlier: StageResult, later: StageResult) -> tuple[str, ...]:
    """Invariants that held at `earlier` and are violated at `later`, sorted."""
    if _has_doubt(earlier):
        return ()
    return tuple(sorted(_violated(later) - _with_twins(_violated(earlier))))


def cured_codes(earlier: StageResult, later: StageResult) -> tuple[str, ...]:
    """Invariants that are violated at `earlier` and hold at `later`, sorted."""
    if _has_doubt(later):
        return ()
    return tuple(sorted(_violated(earlier) - _with_twins(_violated(later))))


def cures(function: FunctionResult) -> list[tuple[str, str]]:
    """Each (code, stage) where the code was reported one stage before and no more at `stage`."""
    return [
        (code, later.stage)
        for earlier, later in pairwise(function.stages)
        for code in cured_codes(earlier, later)
    ]


def pass_of(stage: str) -> str:
    """The pass that a stage `after:<pass>` comes from, or `input`."""
    return stage.removeprefix("after:")


def stage_names(specs: Iterable[str]) -> list[str]:
    """`after:<pass>` for each pass, with `#2` and so on when a pass comes again."""
    seen: dict[str, int] = {}
    names: list[str] = []
    for spec in specs:
        seen[spec] = seen.get(spec, 0) + 1
        names.append(f"after:{spec}" if seen[spec] == 1 else f"after:{spec}#{seen[spec]}")
    return names


def has_severity(stage: StageResult, severities: Iterable[Severity]) -> bool:
    """Whether any diagnostic of `stage` has one of `severities`."""
    wanted = set(severities)
    return any(severity_of(diagnostic.code) in wanted for diagnostic in stage.diagnostics)


def _has_doubt(stage: StageResult) -> bool:
    return has_severity(stage, [Severity.UNDECIDED])


def _with_twins(codes: set[str]) -> set[str]:
    """The codes, and those that say the same of work that only became asynchronous."""
    return codes | _RACES if codes & _RACES else codes


def _violated(stage: StageResult) -> set[str]:
    codes = {diagnostic.code for diagnostic in stage.diagnostics}
    return {code for code in codes - _CONTRACT_CODES if code.startswith(("E01", "E02"))}
