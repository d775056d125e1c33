"""Statuses as diagnostics: one stage a variant, named `after:gradient:VARIANT`."""

from verify.diagnostic import Diagnostic, Replay
from verify.gradient.result import (
    CRASH,
    DOES_NOT_COMPILE,
    RIGHT,
    WRONG,
    GradientResult,
    VariantResult,
)
from verify.gradient.variants import AS_WRITTEN, SCHEDULES
from verify.result import FunctionResult, StageResult
from verify.verdict import Verdict

_PREFIX = "after:gradient:"
_FORMS = ("on", "sunk", "own-sunk")


def stage_names() -> list[str]:
    """Every stage that a run can have."""
    schedules = (*SCHEDULES, AS_WRITTEN)
    pairs = [f"{form}:{schedule}" for form in _FORMS for schedule in schedules]
    return [f"{_PREFIX}{name}" for name in ("off", *pairs)]


def function_result(result: GradientResult) -> FunctionResult:
    """The variants of a function as its stages."""
    stages = tuple(_stage(result, each) for each in result.variants)
    return FunctionResult(result.function, stages)


def _stage(result: GradientResult, variant: VariantResult) -> StageResult:
    stage = f"{_PREFIX}{variant.variant.name}"
    if variant.status == RIGHT:
        return StageResult(stage, Verdict.PROVEN)
    is_fault = variant.status in (WRONG, CRASH, DOES_NOT_COMPILE)
    verdict = Verdict.REFUTED if is_fault else Verdict.UNDECIDED
    return StageResult(stage, verdict, (_diagnostic(result, variant, stage),))


def _diagnostic(result: GradientResult, variant: VariantResult, stage: str) -> Diagnostic:
    worst = variant.differences[0] if variant.differences else None
    return Diagnostic(
        _code(variant),
        variant.message,
        function=result.function,
        stage=stage,
        location=variant.location or result.location,
        replay=Replay("cpu", "confirmed", worst.expected, worst.actual) if worst else None,
    )


def _code(variant: VariantResult) -> str:
    if variant.code:
        return variant.code
    return {WRONG: "E0401", CRASH: "E0402", DOES_NOT_COMPILE: "E0305"}.get(variant.status, "U0005")
