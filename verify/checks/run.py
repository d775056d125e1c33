"""All checks on a module, function by function."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from xdsl.ir import Operation

from verify.checklist import OF_LOOPS
from verify.checks import cases, layout, memory_space, stale_snapshot, token_order, unsnapshotted
from verify.checks.context import Context, make_context
from verify.checks.open import unsupported
from verify.checks.options import CheckOptions
from verify.codes import Severity, severity_of
from verify.diagnostic import Diagnostic
from verify.ir.names import op_name
from verify.ir.spans import op_location
from verify.model.analyse import Analysis, functions_of
from verify.model.memory import Checkpoint, FunctionModel
from verify.result import ProofRecord, StageResult
from verify.semantics.views_by_name import is_checkpointed
from verify.verdict import Verdict

_BY_PLACE = frozenset({"interval", "gcd", "constant", "z3"})
"""Deciders that look at where in a view an access goes."""


def check_module(
    module: Operation, options: CheckOptions, stage: str = "input"
) -> list[tuple[str, StageResult]]:
    """The result of every function with a body, in the order of the file."""
    analysis = Analysis(module, may_alias=options.may_alias)
    return [
        (name, check_function(analysis, op, options, stage)) for name, op in functions_of(module)
    ]


def check_function(
    analysis: Analysis, op: Operation, options: CheckOptions, stage: str
) -> StageResult:
    """All invariants of one function."""

    def check(fixed: Mapping[int, bool]) -> StageResult:
        return _check_model(analysis, analysis.function(op, fixed), options, stage)

    result = cases.decide(op, check({}), check)
    return replace(result, diagnostics=tuple(_in_order(result.diagnostics)))


def _check_model(
    analysis: Analysis, model: FunctionModel, options: CheckOptions, stage: str
) -> StageResult:
    context = make_context(model, analysis.symbols, options, stage)
    for point in model.checkpoints:
        _check_loop(context, point)
    unreached = _unreached(context, model)
    if model.checkpoints or unreached:
        context.asked += OF_LOOPS
    token_order.check(context)
    context.diagnostics.extend(unreached)
    found = _distinct(context.diagnostics)
    verdict = _verdict(found)
    notes = _notes(context, model) if model.checkpoints or model.events else []
    proof = tuple(
        ProofRecord(check, decider, count)
        for (check, decider), count in sorted(context.deciders.items())
    )
    return StageResult(stage, verdict, (*found, *notes), proof, tuple(context.asked))


def _check_loop(context: Context, point: Checkpoint) -> None:
    for record in {id(r.op): r for r in point.unsupported}.values():
        context.diagnostics.append(unsupported(context, point, record))
    is_faithful = stale_snapshot.check(context, point)
    memory_space.check(context, point)
    unsnapshotted.check(context, point)
    layout.check(context, point)
    if is_faithful and not point.unsupported:
        stale_snapshot.warn_duplicates(context, point)


def _unreached(context: Context, model: FunctionModel) -> list[Diagnostic]:
    """Checkpointed loops inside ops that could not be followed."""
    reached = {id(point.info.op) for point in model.checkpoints}
    lost = [
        (record, inner)
        for record in model.unsupported
        for inner in record.op.walk()
        if is_checkpointed(inner) and id(inner) not in reached
    ]
    return [
        Diagnostic(
            "U0002",
            f"{record.reason}, so the checkpointed loop in it cannot be judged",
            model.name,
            context.stage,
            op_location(record.op),
            checks=OF_LOOPS,
        )
        for record, _ in {id(inner): (record, inner) for record, inner in lost}.values()
    ]


def _verdict(diagnostics: list[Diagnostic]) -> Verdict:
    severities = {severity_of(d.code) for d in diagnostics}
    if Severity.ERROR in severities:
        return Verdict.REFUTED
    return Verdict.UNDECIDED if Severity.UNDECIDED in severities else Verdict.PROVEN


def _distinct(diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Each diagnostic once; only those of one message at one place can be the same."""
    kept: dict[object, list[Diagnostic]] = {}
    for diagnostic in diagnostics:
        alike = kept.setdefault((diagnostic.location, diagnostic.message), [])
        if diagnostic not in alike:
            alike.append(diagnostic)
    return [d for d in diagnostics if any(d is other for other in kept[d.location, d.message])]


def _in_order(diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]:
    """By place, with notes on the whole function at the end."""

    def key(d: Diagnostic) -> tuple[bool, str, int, int, str]:
        place = d.location
        is_note = severity_of(d.code) is Severity.NOTE
        if place is None:
            return is_note, "", 0, 0, d.code
        return is_note, place.file, place.line, place.column, d.code

    return sorted(diagnostics, key=key)


def _notes(context: Context, model: FunctionModel) -> list[Diagnostic]:
    notes: list[tuple[str, str]] = []
    if context.assumed_no_alias:
        notes.append(("N0001", "function arguments are assumed not to overlap"))
    if any(decider in _BY_PLACE for _, decider in context.deciders):
        notes.append(("N0002", "accesses are assumed to stay inside their views"))
    believed = {name for point in model.checkpoints for name in point.believed}
    notes.extend(("N0003", f"the attribute `{name}` is believed") for name in sorted(believed))
    place = op_location(model.op)
    return [Diagnostic(c, text, model.name, context.stage, place) for c, text in notes]


def describe_loop(point: Checkpoint) -> str:
    """The op that a loop is."""
    return op_name(point.info.op)
