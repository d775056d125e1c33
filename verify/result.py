"""Results of a run: files hold functions, functions hold stages, stages hold diagnostics."""

from dataclasses import dataclass, field

from verify.codes import Severity, severity_of
from verify.diagnostic import Diagnostic, Location
from verify.verdict import Verdict, combine


@dataclass(frozen=True, slots=True)
class ProofRecord:
    """How one question was settled: which check, about what, by which decider, how often."""

    check: str
    decider: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class NoRun:
    """That no run of a function comes to its end: each is undefined, or some go on forever."""

    location: Location | None
    is_endless: bool


@dataclass(frozen=True, slots=True)
class StageResult:
    """One function at one stage (`input` or `after:<pass>`).

    `asked` names the checks of `verify.checklist` that had something to look at.
    """

    stage: str
    verdict: Verdict
    diagnostics: tuple[Diagnostic, ...] = ()
    proof: tuple[ProofRecord, ...] = ()
    asked: tuple[str, ...] = ()


def joined(first: StageResult, second: StageResult) -> StageResult:
    """What two examinations of one function at one stage found; notes stay at the end."""
    more = [d for d in second.diagnostics if d not in first.diagnostics]
    diagnostics = [*first.diagnostics, *more]
    diagnostics.sort(key=lambda d: severity_of(d.code) is Severity.NOTE)
    verdict = combine([first.verdict, second.verdict])
    proof = (*first.proof, *second.proof)
    asked = tuple(dict.fromkeys((*first.asked, *second.asked)))
    return StageResult(first.stage, verdict, tuple(diagnostics), proof, asked)


@dataclass(frozen=True, slots=True)
class FunctionResult:
    """One function at every stage it was looked at."""

    name: str
    stages: tuple[StageResult, ...]

    @property
    def verdict(self) -> Verdict:
        """Refuted when any stage is, else undecided when any stage is."""
        return combine(stage.verdict for stage in self.stages)


@dataclass(frozen=True, slots=True)
class FileResult:
    """One module of one file; `errors` holds E0001/E0002 when it could not be read.

    `path` carries `#k` (from 1) when its file has several modules. `compiler` names the one that
    was used where there are several, and `outputs` then holds what each stage gave, as text without
    names and places.
    """

    path: str
    functions: tuple[FunctionResult, ...] = ()
    errors: tuple[Diagnostic, ...] = ()
    compiler: str = ""
    outputs: tuple[tuple[str, str], ...] = ()

    @property
    def verdict(self) -> Verdict:
        """The worst of the functions; a file that cannot be read is undecided."""
        if self.errors:
            return Verdict.UNDECIDED
        return combine(function.verdict for function in self.functions)


@dataclass(frozen=True, slots=True)
class RunResult:
    """Everything one command found."""

    files: tuple[FileResult, ...]
    toolchains: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0

    @property
    def verdict(self) -> Verdict:
        """The worst of the files."""
        return combine(file.verdict for file in self.files)
