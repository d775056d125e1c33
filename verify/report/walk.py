"""All diagnostics of a run in the order of the report."""

from collections.abc import Iterator

from verify.diagnostic import Diagnostic
from verify.result import FileResult, RunResult


def findings(run: RunResult) -> Iterator[tuple[FileResult, Diagnostic]]:
    """Each diagnostic with its file: errors of reading first, then stage by stage."""
    for file in run.files:
        for diagnostic in (*file.errors, *by_stage(file)):
            yield file, diagnostic


def stage_names(file: FileResult) -> tuple[str, ...]:
    """The stages that any function of `file` went through, in order."""
    return tuple(
        dict.fromkeys(stage.stage for function in file.functions for stage in function.stages)
    )


def by_stage(file: FileResult) -> list[Diagnostic]:
    """The diagnostics of all functions, one stage after the other."""
    return [
        diagnostic
        for name in stage_names(file)
        for function in file.functions
        for stage in function.stages
        if stage.stage == name
        for diagnostic in stage.diagnostics
    ]
