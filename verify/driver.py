"""One input from bytes to results: read it, check it, run passes on it, blame what breaks it.

A *task* is one file with everything needed to work on it in another process. A fault of ours while
working on a task becomes part of its outcome, so that the other tasks go on.
"""

import traceback
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from verify.blame import broken_codes, has_severity, stage_names
from verify.codes import CODES, Severity
from verify.config import Options
from verify.diagnostic import Diagnostic
from verify.expectations import Mismatch, check_expectations
from verify.result import FileResult, FunctionResult, StageResult, joined
from verify.verdict import Verdict

__all__ = ["INPUT", "TARGET", "Outcome", "Task", "examine", "faulty", "run_task", "stage_names"]

if TYPE_CHECKING:
    from verify.checks.options import CheckOptions
    from verify.ir.frontend import ParsedModule
    from verify.ir.source import SourceText

INPUT = "input"
TARGET = "after:target"
MODULE = ""


@dataclass(frozen=True, slots=True)
class Task:
    """One input: `content` is given for standard input, `passes` is a list of specs.

    `target` is a file to hold against the input, module by module; where it is empty, the first
    module of the input is held against each of the others.
    """

    path: str
    options: Options
    content: bytes | None = None
    passes: tuple[str, ...] = ()
    target: str | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a task; `sources` holds texts that are not on the disk."""

    path: str
    files: tuple[FileResult, ...] = ()
    sources: dict[str, str] = field(default_factory=dict)
    mismatches: tuple[Mismatch, ...] = ()
    fault: str | None = None


def run_task(task: Task) -> Outcome:
    """Check one input; what goes wrong inside the checker is told in the outcome."""
    try:
        return _run(task)
    except Exception:  # noqa: BLE001 - any fault of ours is reported, and the other inputs go on
        return faulty(task.path, traceback.format_exc())


def examine(parsed: "ParsedModule", options: Options, passes: tuple[str, ...] = ()) -> FileResult:
    """What is found in one module that is read already; a fault of ours goes through."""
    return _run_module(parsed, None, Task(parsed.path, options, passes=passes), {})


def faulty(path: str, fault: str) -> Outcome:
    """The outcome of an input on which the checker itself failed; its verdict stays open."""
    diagnostic = Diagnostic("U0004", "the checker itself failed here; a bug report was printed")
    stage = StageResult(INPUT, Verdict.UNDECIDED, (diagnostic,))
    file = FileResult(path, (FunctionResult(MODULE, (stage,)),))
    return Outcome(path, (file,), fault=fault)


def _run(task: Task) -> Outcome:
    from verify.ir.source import SourceError

    try:
        source = _source(task)
    except SourceError as error:
        return _unreadable(task, error.diagnostic)
    except OSError as error:
        reason = error.strerror or str(error)
        return _unreadable(task, Diagnostic("E0001", f"the file cannot be read: {reason}"))
    return _run_source(task, source)


def _unreadable(task: Task, diagnostic: Diagnostic) -> Outcome:
    files = (FileResult(task.path, errors=(diagnostic,)),)
    mismatches = check_expectations(task.path, "", files) if task.options.verify_diagnostics else []
    return Outcome(task.path, files, mismatches=tuple(mismatches))


def _source(task: Task) -> "SourceText":
    from verify.ir.source import decode_source, read_source

    if task.content is None:
        return read_source(task.path)
    return decode_source(task.path, task.content)


def _run_source(task: Task, source: "SourceText") -> Outcome:
    from verify.ir.frontend import read_modules

    sources = {} if task.content is None else {source.path: source.text}
    faults: list[str] = []
    modules = read_modules(source, split=task.options.split_input_file)
    files = tuple(
        _run_safely(parsed, target, task, sources, faults)
        for parsed, target in _pairs(task, list(modules))
    )
    mismatches = []
    if task.options.verify_diagnostics:
        mismatches = check_expectations(source.path, source.text, files)
    fault = faults[0] if faults else None
    return Outcome(task.path, files, sources, tuple(mismatches), fault)


def _pairs(
    task: Task, modules: "list[ParsedModule]"
) -> "list[tuple[ParsedModule, ParsedModule | None]]":
    """Each module with what is held against it, if anything."""
    from verify.ir.frontend import ParsedModule, read_modules
    from verify.ir.source import SourceError, decode_source, read_source

    if task.target is None:
        return [(module, None) for module in modules]
    if not task.target:
        source, *targets = modules
        few = Diagnostic("E0002", "there is no second module to hold against the first")
        nothing = ParsedModule(source.path, source.source, None, (few,))
        return [(source, target) for target in targets or [nothing]]
    try:
        text = read_source(task.target)
    except (SourceError, OSError) as error:
        known = error.diagnostic if isinstance(error, SourceError) else None
        diagnostic = known or Diagnostic("E0001", f"the file cannot be read: {error}")
        empty = decode_source(task.target, b"")
        return [(m, ParsedModule(task.target, empty, None, (diagnostic,))) for m in modules]
    found = read_modules(text, split=task.options.split_input_file)
    if len(found) != len(modules):
        few = Diagnostic("E0002", f"{len(found)} modules are held against {len(modules)}")
        found = [ParsedModule(task.target, text, None, (few,))] * len(modules)
    return list(zip(modules, found, strict=True))


def _run_safely(
    parsed: "ParsedModule",
    target: "ParsedModule | None",
    task: Task,
    sources: dict[str, str],
    faults: list[str],
) -> FileResult:
    """One module; a fault of ours in it leaves the results of the others."""
    try:
        return _run_module(parsed, target, task, sources)
    except Exception:  # noqa: BLE001 - any fault of ours is reported, and the rest goes on
        faults.append(traceback.format_exc())
        return faulty(parsed.path, faults[-1]).files[0]


def _run_module(
    parsed: "ParsedModule",
    target: "ParsedModule | None",
    task: Task,
    sources: dict[str, str],
) -> FileResult:
    from verify.checks.run import check_module

    path = parsed.path if target is None or task.target else target.path
    if target is not None and target.module is None:
        return FileResult(path, errors=(*parsed.errors, *target.errors))
    if parsed.errors or parsed.module is None:
        return FileResult(path, errors=tuple(parsed.errors))
    stages = _Stages()
    options = _check_options(task.options)
    stages.add(check_module(parsed.module, options, INPUT))
    if target is not None and target.module is not None:
        found = _examined(parsed, target, options, TARGET, target.path)
        stages.add(found, breaker=target.path, modules=(parsed, target))
    for spec, stage in zip(task.passes, stage_names(task.passes), strict=True):
        following = _run_pass(spec, stage, parsed, task, stages)
        if following is None:
            break
        if following.source.path != parsed.source.path:
            sources.setdefault(following.source.path, following.source.text)
        parsed = following
    return FileResult(path, stages.functions())


def _run_pass(
    spec: str, stage: str, parsed: "ParsedModule", task: Task, stages: "_Stages"
) -> "ParsedModule | None":
    """Run one pass and check what it gave; None when the pipeline ends here."""
    from verify.passes.contracts import check_contract
    from verify.toolchain.registry import run_pass
    from verify.toolchain.reproducers import keep_reproducer

    outcome = run_pass(spec, parsed, task.options)
    if task.options.reproducers:
        outcome = keep_reproducer(outcome, spec, task.options.reproducers)
    following = outcome.module
    failures = [replace(each, stage=stage) for each in outcome.diagnostics]
    if following is not None and following.module is None:
        failures += [_invalid_output(each, spec, stage) for each in following.errors]
    if following is None or following.module is None or parsed.module is None:
        stages.add([(MODULE, _module_stage(stage, failures, Verdict.UNDECIDED))])
        return None
    results = _examined(parsed, following, _check_options(task.options), stage, spec)
    contract = check_contract(spec, parsed.module, following.module, stage)
    found = _attach(results, [*contract, *failures], stage)
    stages.add(found, breaker=spec, modules=(parsed, following))
    return following


def _examined(
    source: "ParsedModule",
    target: "ParsedModule",
    options: "CheckOptions",
    stage: str,
    by: str,
) -> list[tuple[str, StageResult]]:
    """The invariants of a target that `by` made, and whether it does what its source does."""
    from verify.checks.run import check_module
    from verify.refine.equivalence import compare_modules

    assert source.module is not None
    assert target.module is not None
    results = check_module(target.module, options, stage)
    same = compare_modules(source.module, target.module, options, stage, f"`{by}`")
    return _together(results, same)


def _together(
    results: list[tuple[str, StageResult]], others: list[tuple[str, StageResult]]
) -> list[tuple[str, StageResult]]:
    """Two results for each function as one."""
    by_name = dict(results)
    for name, other in others:
        before = by_name.get(name)
        by_name[name] = other if before is None else joined(before, other)
    return list(by_name.items())


def _invalid_output(error: Diagnostic, spec: str, stage: str) -> Diagnostic:
    message = f"`{spec}` gives invalid IR: {error.message}"
    return replace(error, code="E0305", message=message, stage=stage)


def _attach(
    results: list[tuple[str, StageResult]], diagnostics: Iterable[Diagnostic], stage: str
) -> list[tuple[str, StageResult]]:
    """The results with further diagnostics put to the functions that they are about."""
    by_name = dict(results)
    for diagnostic in diagnostics:
        name = diagnostic.function or MODULE
        name = name if name in by_name else MODULE
        before = by_name.get(name) or StageResult(stage, Verdict.PROVEN)
        all_of_it = (*before.diagnostics, diagnostic)
        by_name[name] = _module_stage(stage, all_of_it, before.verdict, before)
    return list(by_name.items())


def _module_stage(
    stage: str,
    diagnostics: Iterable[Diagnostic],
    verdict: Verdict,
    before: StageResult | None = None,
) -> StageResult:
    """A stage whose verdict is `verdict`, or worse when a diagnostic asks for it."""
    result = StageResult(stage, verdict, tuple(diagnostics), before.proof if before else ())
    if has_severity(result, [Severity.ERROR]):
        return replace(result, verdict=Verdict.REFUTED)
    if has_severity(result, [Severity.UNDECIDED]) and verdict is Verdict.PROVEN:
        return replace(result, verdict=Verdict.UNDECIDED)
    return result


class _Stages:
    """The stages of every function so far, in the order in which functions were first seen."""

    def __init__(self) -> None:
        self._by_name: dict[str, list[StageResult]] = {}

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


_SHOWN_BESIDE = frozenset({"E0302", "E0303"})


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
    )


def _check_options(options: Options) -> "CheckOptions":
    from verify.checks.options import CheckOptions

    return CheckOptions(
        arguments=options.arguments,
        solver_timeout_s=options.solver_timeout_s,
        emit_smt2=Path(options.emit_smt2) if options.emit_smt2 else None,
        explain_proof=options.explain_proof,
    )
