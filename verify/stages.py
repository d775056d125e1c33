"""The results of the stages of a pipeline, function by function, with the blame for what breaks."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from verify.blame import broken_codes, has_severity
from verify.checklist import CONTRACT, EQUIVALENCE, OF_TOKENS, VACUOUS, answers, check_of
from verify.codes import CODES, Severity
from verify.diagnostic import Diagnostic
from verify.result import FunctionResult, NoRun, StageResult, joined
from verify.verdict import Verdict

if TYPE_CHECKING:
    from verify.ir.module import ParsedModule

MODULE = ""
"""The name under which findings stand that belong to no function."""

Results = list[tuple[str, StageResult]]
_SHOWN_BESIDE = frozenset({"E0302", "E0303"})


def together(results: Results, others: Results) -> Results:
    """Two results for each function as one."""
    by_name = dict(results)
    for name, other in others:
        before = by_name.get(name)
        by_name[name] = other if before is None else joined(before, other)
    return list(by_name.items())


def with_contract(results: Results, subjects: frozenset[str]) -> Results:
    """The results with the contract among what was asked of the functions it speaks of."""
    return [
        (name, replace(each, asked=(*each.asked, CONTRACT)) if name in subjects else each)
        for name, each in results
    ]


def with_vacuity(
    results: Results, source: Mapping[str, NoRun], target: Mapping[str, NoRun]
) -> Results:
    """The results with a note where something was asked of a function that has no run.

    Equivalence speaks of the runs of the `source`, the invariants of those of the `target`. That
    tokens are in order says something of a run that goes on forever too.
    """
    return [
        (name, _noted(name, stage, source.get(name), target.get(name))) for name, stage in results
    ]


def _noted(
    name: str, stage: StageResult, source: NoRun | None, target: NoRun | None
) -> StageResult:
    found: dict[str, NoRun] = {}
    for check in stage.asked:
        why = source if check == EQUIVALENCE else target
        if why and check != CONTRACT and not (why.is_endless and check in OF_TOKENS):
            found[check] = why
    if not found:
        return stage
    said = answers(stage)
    proven = tuple(check for check in found if said[check].verdict is Verdict.PROVEN)
    why = next(iter(found.values()))
    message = f"no input lets `@{name}` run to its end"
    message += ": it goes on forever" if why.is_endless else ""
    message += ", so what is proven of it says nothing" if proven else ""
    note = Diagnostic(VACUOUS, message, name, stage.stage, why.location, checks=proven)
    return replace(stage, diagnostics=(*stage.diagnostics, note))


def attach(results: Results, diagnostics: Iterable[Diagnostic], stage: str) -> Results:
    """The results with further diagnostics put to the functions that they are about."""
    by_name = dict(results)
    for diagnostic in diagnostics:
        name = diagnostic.function or MODULE
        name = name if name in by_name else MODULE
        before = by_name.get(name) or StageResult(stage, Verdict.PROVEN)
        all_of_it = (*before.diagnostics, diagnostic)
        by_name[name] = module_stage(stage, all_of_it, before.verdict, before)
    return list(by_name.items())


def module_stage(
    stage: str,
    diagnostics: Iterable[Diagnostic],
    verdict: Verdict,
    before: StageResult | None = None,
) -> StageResult:
    """A stage whose verdict is `verdict`, or worse when a diagnostic asks for it."""
    kept = before or StageResult(stage, verdict)
    result = replace(kept, verdict=verdict, diagnostics=tuple(diagnostics))
    if has_severity(result, [Severity.ERROR]):
        return replace(result, verdict=Verdict.REFUTED)
    if has_severity(result, [Severity.UNDECIDED]) and verdict is Verdict.PROVEN:
        return replace(result, verdict=Verdict.UNDECIDED)
    return result


class Stages:
    """The stages of every function so far, in the order in which functions were first seen.

    `empty` are the functions of the last module that have no run.
    """

    def __init__(self) -> None:
        self._by_name: dict[str, list[StageResult]] = {}
        self.empty: Mapping[str, NoRun] = {}

    def add(
        self,
        results: Iterable[tuple[str, StageResult]],
        breaker: str | None = None,
        modules: "tuple[ParsedModule, ParsedModule] | None" = None,
    ) -> None:
        """Append one stage to each function; `breaker` is the pass to blame for what broke.

        `modules` are what there was before and after it.
        """
        for name, stage in results:
            history = self._by_name.setdefault(name, [])
            if breaker and history:
                blamed = _blame(name, history[-1], stage, breaker)
                history.append(_beside(blamed, name, *modules) if modules else blamed)
            else:
                history.append(stage)

    def functions(self) -> tuple[FunctionResult, ...]:
        """All functions with their stages."""
        return tuple(FunctionResult(name, tuple(each)) for name, each in self._by_name.items())


def _blame(name: str, earlier: StageResult, later: StageResult, spec: str) -> StageResult:
    """`later` with an E0303 in front for each invariant that `spec` broke."""
    blamed = tuple(_broken(name, code, later, spec) for code in broken_codes(earlier, later))
    return replace(later, diagnostics=(*blamed, *later.diagnostics))


def _beside(
    stage: StageResult, name: str, before: "ParsedModule", after: "ParsedModule"
) -> StageResult:
    """`stage` with both forms of the function where a diagnostic is about their difference."""
    if not any(each.code in _SHOWN_BESIDE for each in stage.diagnostics):
        return stage
    from verify.ir.printing import to_pretty_text
    from verify.refine.beside import rows_of

    texts = [to_pretty_text(m.module) for m in (before, after) if m.module is not None]
    rows = rows_of(texts[0], texts[1], name) if len(texts) == 2 else ()
    shown = (
        replace(each, beside=rows) if each.code in _SHOWN_BESIDE else each
        for each in stage.diagnostics
    )
    return replace(stage, diagnostics=tuple(shown))


def _broken(name: str, code: str, later: StageResult, spec: str) -> Diagnostic:
    cause = next(each for each in later.diagnostics if each.code == code)
    change = f"free of {code} ({CODES[code].name}) before it and not after it"
    return Diagnostic(
        code="E0303",
        message=f"`{spec}` breaks `@{name}`: {change}",
        function=name,
        stage=later.stage,
        location=cause.location,
        label=f"{code} from here on",
        notes=(f"{later.stage} is the first stage that violates it",),
        checks=check_of(code),
    )
