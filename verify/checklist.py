"""The checks that a table of stages has as columns, and what one stage answers to each of them.

A check is *asked* of a function where there is something to ask about: a checkpointed loop, work
with tokens, a pass with a contract, a source to compare with. Only what was asked can be proven.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from verify.codes import Severity, severity_of
from verify.diagnostic import Diagnostic
from verify.result import FileResult, StageResult
from verify.verdict import Verdict

SNAPSHOTS: Final = "snapshots"
STATE: Final = "state"
LAYOUT: Final = "layout"
SPACE: Final = "space"
ORDER: Final = "order"
LIFETIME: Final = "lifetime"
WAITS: Final = "waits"
CONTRACT: Final = "contract"
EQUIVALENCE: Final = "equivalence"

OF_LOOPS: Final = (SNAPSHOTS, STATE, LAYOUT, SPACE)
OF_TOKENS: Final = (ORDER, LIFETIME, WAITS)
VACUOUS: Final = "N0004"
"""The code of a note on checks that are proven because there is no run."""
OTHER: Final = "other"
"""Where a finding stands that belongs to no check, such as a fault of the checker itself."""

_CODES: Mapping[str, tuple[str, ...]] = {
    SNAPSHOTS: ("E0101", "W0102"),
    STATE: ("E0105",),
    LAYOUT: ("E0106",),
    SPACE: ("E0104",),
    ORDER: ("E0201", "E0202"),
    LIFETIME: ("E0204",),
    WAITS: ("E0203", "W0205"),
    CONTRACT: ("E0103", "E0301", "E0304", "E0305", "E0306"),
    EQUIVALENCE: ("E0302",),
}
CHECKS: Final = tuple(_CODES)
_BY_CODE = {code: check for check, codes in _CODES.items() for code in codes}
_RANK = {Severity.NOTE: 0, Severity.WARNING: 1, Severity.UNDECIDED: 2, Severity.ERROR: 3}
_VERDICT = {Severity.ERROR: Verdict.REFUTED, Severity.UNDECIDED: Verdict.UNDECIDED}


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of one check; `codes` are those of the worst severity found."""

    codes: tuple[str, ...] = ()

    @property
    def verdict(self) -> Verdict:
        """Refuted by an error, open by a question; warnings and notes leave it proven."""
        return _VERDICT.get(self.severity, Verdict.PROVEN) if self.codes else Verdict.PROVEN

    @property
    def severity(self) -> Severity:
        """That of the codes; of a note where there is none."""
        return severity_of(self.codes[0]) if self.codes else Severity.NOTE

    @property
    def text(self) -> str:
        """What stands in a cell: the codes, or that there is nothing to tell."""
        if self.is_vacuous:
            return "vacuous"
        return " ".join(self.codes) if self.codes else Verdict.PROVEN.value

    @property
    def is_vacuous(self) -> bool:
        """Whether it is proven of no run at all."""
        return VACUOUS in self.codes


def check_of(code: str) -> tuple[str, ...]:
    """The check that `code` belongs to, if there is one."""
    return (_BY_CODE[code],) if code in _BY_CODE else ()


def answers(stage: StageResult) -> dict[str, Answer]:
    """The checks that were asked, or that a finding speaks of, in the order of `CHECKS`."""
    codes: dict[str, list[str]] = {check: [] for check in stage.asked}
    for diagnostic in stage.diagnostics:
        for check in _checks_of(diagnostic, stage):
            codes.setdefault(check, []).append(diagnostic.code)
    return {check: _answer(codes[check]) for check in (*CHECKS, OTHER) if check in codes}


def is_vacuous(stage: StageResult) -> bool:
    """Whether anything was asked of a function that has no run."""
    return any(diagnostic.code == VACUOUS for diagnostic in stage.diagnostics)


def worst(found: Iterable[Answer]) -> Answer:
    """Several answers to one check as one."""
    return _answer(code for answer in found for code in answer.codes)


def checks_in(file: FileResult) -> tuple[str, ...]:
    """The checks that any stage of `file` answers."""
    stages = [stage for function in file.functions for stage in function.stages]
    found = {check for stage in stages for check in answers(stage)}
    return tuple(check for check in (*CHECKS, OTHER) if check in found)


def _checks_of(diagnostic: Diagnostic, stage: StageResult) -> tuple[str, ...]:
    found = diagnostic.checks or check_of(diagnostic.code)
    if found or severity_of(diagnostic.code) in (Severity.NOTE, Severity.WARNING):
        return found
    return stage.asked or (OTHER,)


def _answer(codes: Iterable[str]) -> Answer:
    found = sorted(set(codes))
    top = max((_RANK[severity_of(code)] for code in found), default=0)
    return Answer(tuple(code for code in found if _RANK[severity_of(code)] == top))
