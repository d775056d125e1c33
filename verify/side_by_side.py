"""What several versions of one compiler made of the same file, stage by stage.

Stages are matched by their names with the version taken out (`after:mlir-opt-16:cse` and
`after:mlir-opt-22:cse` are both `after:mlir-opt:cse`). Outputs are the same when they are alike but
for names and places.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from verify.checklist import answers
from verify.codes import Severity, severity_of
from verify.result import FileResult, StageResult
from verify.verdict import Verdict, combine

FAMILY = "mlir-opt"


@dataclass(frozen=True, slots=True)
class Side:
    """One version at one stage; no `verdict` where it was asked nothing, or ended before.

    `form` numbers the different outputs of the stage from 0; None where there is none.
    """

    compiler: str
    verdict: Verdict | None
    codes: tuple[str, ...] = ()
    form: int | None = None
    output: str = ""

    @property
    def text(self) -> str:
        """Its codes, else its verdict."""
        return " ".join(self.codes) or (self.verdict.value if self.verdict else "-")


@dataclass(frozen=True, slots=True)
class ComparedStage:
    """One stage of every version."""

    stage: str
    sides: tuple[Side, ...]

    @property
    def is_agreed(self) -> bool:
        """Whether all versions come to the same verdict with the same codes."""
        return len({(side.verdict, side.codes) for side in self.sides}) == 1

    @property
    def forms(self) -> tuple[tuple[Side, ...], ...]:
        """The versions that gave an output, together where it is the same."""
        numbers = sorted({side.form for side in self.sides if side.form is not None})
        return tuple(tuple(side for side in self.sides if side.form == n) for n in numbers)


@dataclass(frozen=True, slots=True)
class Comparison:
    """All versions on one module of a file."""

    path: str
    compilers: tuple[str, ...]
    stages: tuple[ComparedStage, ...]

    @property
    def is_agreed(self) -> bool:
        """Whether the versions differ in nothing."""
        return all(stage.is_agreed and len(stage.forms) < 2 for stage in self.stages)


def comparisons(files: Iterable[FileResult]) -> list[Comparison]:
    """One for each module that several versions worked on, in the order of the files."""
    by_path: dict[str, list[FileResult]] = {}
    for file in files:
        if file.compiler:
            by_path.setdefault(file.path, []).append(file)
    return [_compared(path, found) for path, found in by_path.items() if len(found) > 1]


def common_stage(stage: str, compiler: str) -> str:
    """The name of a stage without the version in it."""
    own = f"after:{compiler}:"
    return f"after:{FAMILY}:{stage.removeprefix(own)}" if stage.startswith(own) else stage


def _compared(path: str, files: Sequence[FileResult]) -> Comparison:
    reached = [_stages(file) for file in files]
    names = dict.fromkeys(name for stages in reached for name in stages)
    compilers = tuple(file.compiler for file in files)
    return Comparison(path, compilers, tuple(_stage(name, files, reached) for name in names))


def _stages(file: FileResult) -> dict[str, list[StageResult]]:
    found: dict[str, list[StageResult]] = {}
    for function in file.functions:
        for stage in function.stages:
            found.setdefault(common_stage(stage.stage, file.compiler), []).append(stage)
    return found


def _stage(
    name: str, files: Sequence[FileResult], reached: Sequence[dict[str, list[StageResult]]]
) -> ComparedStage:
    forms: dict[str, int] = {}
    sides: list[Side] = []
    for file, stages in zip(files, reached, strict=True):
        outputs = {common_stage(stage, file.compiler): text for stage, text in file.outputs}
        output = outputs.get(name)
        form = None if output is None else forms.setdefault(output, len(forms))
        results = stages.get(name, [])
        is_asked = any(map(answers, results))
        verdict = combine(each.verdict for each in results) if is_asked else None
        sides.append(Side(file.compiler, verdict, _codes(results), form, output or ""))
    return ComparedStage(name, tuple(sides))


def _codes(stages: Iterable[StageResult]) -> tuple[str, ...]:
    codes = {diagnostic.code for stage in stages for diagnostic in stage.diagnostics}
    return tuple(sorted(code for code in codes if severity_of(code) is not Severity.NOTE))
