"""The last line of a report: how many functions got which verdict."""

from verify.codes import Severity, severity_of
from verify.report.context import RenderContext
from verify.report.phrases import count
from verify.report.walk import findings, stage_names
from verify.result import FileResult, RunResult
from verify.verdict import Verdict

_LAST = {"passes": "after the last pass: ", "tv": "in the target: "}


def summary_line(run: RunResult, context: RenderContext) -> str:
    """Counts over all files; those of a pipeline are about what it ends with."""
    functions = sum(bool(function.name) for file in run.files for function in file.functions)
    warnings = sum(severity_of(each.code) is Severity.WARNING for _, each in findings(run))
    counts_as = " as errors (--strict)" if context.is_strict else ""
    parts = _verdict_counts(run, context)
    parts += [f"{count(warnings, 'warning')}{counts_as}"] if warnings else []
    compilers = len({file.compiler for file in run.files}) or 1
    modules = len(run.files) // compilers
    head = f"{count(functions // compilers, 'function')} in {count(modules, 'module')}"
    head += f" with {compilers} compilers" if compilers > 1 else ""
    start = "interrupted; " if context.is_interrupted else ""
    start += _LAST.get(context.command, "")
    return f"{start}{head}: {', '.join(parts) or 'nothing to check'} ({run.seconds:.2f} s)"


def ended_at(file: FileResult) -> str | None:
    """The stage at which a pipeline ended early: one that no function got past."""
    named = [function for function in file.functions if function.name]
    last = (stage_names(file) or ("",))[-1]
    is_reached = any(function.stages[-1].stage == last for function in named)
    return last if named and not is_reached else None


def _verdict_counts(run: RunResult, context: RenderContext) -> list[str]:
    verdicts: list[Verdict] = []
    cut = 0
    for file in run.files:
        named = [function for function in file.functions if function.name]
        if context.command == "check":
            verdicts += [function.verdict for function in named]
        elif ended_at(file):
            cut += len(named)
        else:
            verdicts += [function.stages[-1].verdict for function in named]
    unread = sum(bool(file.errors) for file in run.files)
    faults = sum(each.code == "U0004" for _, each in findings(run))
    tally = {verdict.value: verdicts.count(verdict) for verdict in Verdict}
    parts = [f"{number} {verdict}" for verdict, number in tally.items() if number]
    parts += [f"{cut} not followed to the end"] if cut else []
    parts += [f"{count(unread, 'module')} not read"] if unread else []
    return parts + ([f"{count(faults, 'file')} not checked"] if faults else [])
