"""Exit statuses: what a run's results mean for the caller."""

from collections.abc import Iterable

from verify.blame import has_severity
from verify.codes import Severity
from verify.config import Options
from verify.diagnostic import Diagnostic
from verify.result import FileResult, FunctionResult, StageResult
from verify.verdict import Verdict

PROVEN, REFUTED, USAGE, UNDECIDED, FAULT, INTERRUPTED = 0, 1, 2, 3, 70, 130

# The first line is click's sign to keep the line ends.
EXIT_TEXT = """\b
Exit status, the first that fits:
  130  interrupted; what was finished is written
   70  a fault of verify-ir; a bug report is printed, other files are still checked
    1  something refuted (or a warning with --strict, or an expectation not met)
    2  wrong usage, or an input that cannot be read or parsed
    3  nothing refuted, something undecided
    0  everything proven
"""


def exit_status(files: Iterable[FileResult], options: Options, *, is_faulty: bool) -> int:
    """The status of a run that ended by itself and was not held against expectations."""
    found = list(files)
    if is_faulty:
        return FAULT
    functions = [function for file in found for function in file.functions]
    judged = [stage for function in functions for stage in _judged(function, options)]
    verdicts = {stage.verdict for stage in judged}
    warned = any(has_severity(stage, [Severity.WARNING]) for stage in judged)
    if Verdict.REFUTED in verdicts or (options.strict and warned):
        return REFUTED
    if any(file.errors for file in found):
        return USAGE
    return UNDECIDED if Verdict.UNDECIDED in verdicts else PROVEN


def _judged(function: FunctionResult, options: Options) -> Iterable[StageResult]:
    """The stages that count: all, or the last one and those where a pass itself is at fault."""
    if options.judge == "every-stage":
        return function.stages
    *earlier, last = function.stages
    return [last, *(stage for stage in earlier if any(map(_blames_pass, stage.diagnostics)))]


def _blames_pass(diagnostic: Diagnostic) -> bool:
    return diagnostic.code == "E0103" or diagnostic.code.startswith("E03")
