"""Which causes show on a module.

Whether a pass dies, refuses or gives invalid output needs the passes alone; everything else is
asked of whoever examines modules in full.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from verify.blame import stage_names
from verify.codes import Severity, severity_of
from verify.diagnostic import Diagnostic
from verify.ir.module import ParsedModule
from verify.reduce.cause import Cause, cause_of, is_among
from verify.result import FileResult
from verify.toolchain.outcome import PassLimits, PassUsageError
from verify.toolchain.registry import run_pass
from verify.toolchain.worker import close_all

_TRIES = 2
PASS_FAILURES = frozenset({"E0301", "E0304", "E0305", "E0306"})
Examine = Callable[[ParsedModule], FileResult]
Predicate = Callable[[ParsedModule], bool]


def causes_in(result: FileResult, parsed: ParsedModule, function: str | None = None) -> list[Cause]:
    """The causes of everything found, in order; with `function`, of what is found in that one."""
    return [
        cause_of(diagnostic, parsed)
        for each in result.functions
        for stage in each.stages
        for diagnostic in stage.diagnostics
        if function is None or function in (each.name, diagnostic.function)
    ]


def failures_of(
    specs: Sequence[str], parsed: ParsedModule, options: PassLimits | None = None
) -> list[Cause]:
    """The causes for which running `specs` in turn ends; nothing is checked in between."""
    for spec, stage in zip(specs, stage_names(specs), strict=True):
        try:
            outcome = run_pass(spec, parsed, options)
        except PassUsageError:
            return []
        found = [cause_of(_staged(each, stage), parsed) for each in outcome.diagnostics]
        following = outcome.module
        if following is None:
            return found
        if following.module is None:
            invalid = (_staged(each, stage, "E0305") for each in following.errors)
            return [*found, *(cause_of(each, parsed) for each in invalid)]
        parsed = following
    return []


def keeps_failure(
    cause: Cause, specs: Sequence[str], options: PassLimits | None = None
) -> Predicate:
    """Whether running passes on a module still ends for `cause`."""
    return lambda parsed: is_among(cause, failures_of(specs, parsed, options))


def keeps_failure_afresh(
    cause: Cause, specs: Sequence[str], options: PassLimits | None = None
) -> Predicate:
    """The same, asked again of new worker processes when those that run say no.

    What a compiler does with freed memory depends on what its process did before.
    """
    holds = keeps_failure(cause, specs, options)

    def holds_afresh(parsed: ParsedModule) -> bool:
        for _ in range(_TRIES):
            if holds(parsed):
                return True
            close_all()
        return False

    return holds_afresh


def keeps_finding(cause: Cause, known: Iterable[Cause], examine: Examine) -> Predicate:
    """Whether `cause` is still found, and there is no error of a kind that was not `known`."""
    allowed = {(each.code, each.stage) for each in known}

    def holds(parsed: ParsedModule) -> bool:
        found = causes_in(examine(parsed), parsed)
        errors = {(c.code, c.stage) for c in found if severity_of(c.code) is Severity.ERROR}
        return is_among(cause, found) and errors <= allowed

    return holds


def _staged(diagnostic: Diagnostic, stage: str, code: str | None = None) -> Diagnostic:
    return replace(diagnostic, stage=stage, code=code or diagnostic.code)
