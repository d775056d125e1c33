"""One input from bytes to results: read it, check it, run passes on it, blame what breaks it.

A *task* is one file with everything needed to work on it in another process. A fault of ours while
working on a task becomes part of its outcome, so that the other tasks go on.
"""

import shlex
import traceback
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from verify.blame import stage_names
from verify.checklist import CONTRACT
from verify.config import Options
from verify.diagnostic import Diagnostic
from verify.expectations import Mismatch, check_expectations
from verify.result import FileResult, FunctionResult, NoRun, StageResult
from verify.stages import (
    MODULE,
    Results,
    Stages,
    attach,
    module_stage,
    together,
    with_contract,
    with_vacuity,
)
from verify.verdict import Verdict

__all__ = ["INPUT", "TARGET", "Outcome", "Task", "examine", "faulty", "run_task", "stage_names"]

if TYPE_CHECKING:
    from verify.checks.options import CheckOptions
    from verify.ir.frontend import ParsedModule
    from verify.ir.source import SourceText

INPUT = "input"
TARGET = "after:target"


@dataclass(frozen=True, slots=True)
class Task:
    """One input: `content` is given for standard input, `passes` is a list of specs.

    `compiler` names the binary of `options` where several work on the same input.

    `target` is a file to hold against the input, module by module; where it is empty, the first
    module of the input is held against each of the others.
    """

    path: str
    options: Options
    content: bytes | None = None
    passes: tuple[str, ...] = ()
    target: str | None = None
    compiler: str = ""


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
        outcome = _run(task)
    except Exception:  # noqa: BLE001 - any fault of ours is reported, and the other inputs go on
        outcome = faulty(task.path, traceback.format_exc())
    files = tuple(replace(file, compiler=task.compiler) for file in outcome.files)
    return replace(outcome, files=files)


def examine(parsed: "ParsedModule", options: Options, passes: tuple[str, ...] = ()) -> FileResult:
    """What is found in one module that is read already; a fault of ours goes through."""
    return _run_module(parsed, None, Task(parsed.path, options, passes=passes), {})


def faulty(path: str, fault: str, compiler: str = "") -> Outcome:
    """The outcome of an input on which the checker itself failed; its verdict stays open."""
    diagnostic = Diagnostic("U0004", "the checker itself failed here; a bug report was printed")
    stage = StageResult(INPUT, Verdict.UNDECIDED, (diagnostic,))
    file = FileResult(path, (FunctionResult(MODULE, (stage,)),), compiler=compiler)
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
    stages = Stages()
    options = check_options(task.options)
    results = check_module(parsed.module, options, INPUT)
    is_compared = bool(task.passes) or target is not None
    stages.empty = _without_runs(parsed, results, options, is_compared=is_compared)
    stages.add(_bundled(with_vacuity(results, {}, stages.empty), task, parsed))
    if target is not None and target.module is not None:
        found = _examined(parsed, target, options, stages, TARGET, target.path)
        found = _bundled(found, task, target, parsed)
        stages.add(found, breaker=target.path, modules=(parsed, target))
    outputs: list[tuple[str, str]] = []
    for spec, stage in zip(task.passes, stage_names(task.passes), strict=True):
        following = _run_pass(spec, stage, parsed, task, stages)
        if following is None:
            break
        if following.source.path != parsed.source.path:
            sources.setdefault(following.source.path, following.source.text)
        parsed = following
        if task.compiler:
            outputs.append((stage, _plain_text(parsed)))
    return FileResult(path, stages.functions(), outputs=tuple(outputs))


def _plain_text(parsed: "ParsedModule") -> str:
    from verify.ir.printing import to_generic_text

    return to_generic_text(parsed.module, locations=False) if parsed.module else ""


def _bundled(
    results: list[tuple[str, StageResult]],
    task: Task,
    module: "ParsedModule",
    source: "ParsedModule | None" = None,
) -> list[tuple[str, StageResult]]:
    """The results, with a bundle for each error where that is asked for."""
    folder = task.options.bundle
    if folder is None:
        return results
    from verify.bundling import with_bundles

    return [
        (name, replace(stage, diagnostics=with_bundles(folder, stage.diagnostics, module, source)))
        for name, stage in results
    ]


def _run_pass(
    spec: str, stage: str, parsed: "ParsedModule", task: Task, stages: "Stages"
) -> "ParsedModule | None":
    """Run one pass and check what it gave; None when the pipeline ends here."""
    from verify.passes.contracts import check_contract, contract_subjects
    from verify.toolchain.registry import run_pass
    from verify.toolchain.reproducers import keep_reproducer

    outcome = run_pass(spec, parsed, task.options)
    if task.options.reproducers:
        command = _command(spec, task.options)
        outcome = keep_reproducer(outcome, spec, task.options.reproducers, command)
    following = outcome.module
    about = (CONTRACT,)
    failures = [replace(each, stage=stage, checks=about) for each in outcome.diagnostics]
    if following is not None and following.module is None:
        failures += [_invalid_output(each, spec, stage) for each in following.errors]
    if following is None or following.module is None or parsed.module is None:
        stages.add([(MODULE, module_stage(stage, failures, Verdict.UNDECIDED))])
        return None
    results = _examined(parsed, following, check_options(task.options), stages, stage, spec)
    results = _bundled(results, task, following, parsed)
    contract = check_contract(spec, parsed.module, following.module, stage)
    held = with_contract(results, contract_subjects(spec, following.module))
    found = attach(held, [*contract, *failures], stage)
    stages.add(found, breaker=spec, modules=(parsed, following))
    return following


def _command(spec: str, options: Options) -> str:
    """The options of `passes` that run `spec` again."""
    own = f"{options.mlir_opt_label}:"
    if options.mlir_opt is None or not spec.startswith(own):
        return f"-p {shlex.quote(spec)}"
    named = shlex.quote(options.mlir_opt)
    return f"-p {shlex.quote(f'mlir-opt:{spec.removeprefix(own)}')} --mlir-opt {named}"


def _examined(
    source: "ParsedModule",
    target: "ParsedModule",
    options: "CheckOptions",
    stages: Stages,
    stage: str,
    by: str,
) -> Results:
    """The invariants of a target that `by` made, and whether it does what its source does."""
    from verify.checks.run import check_module
    from verify.refine.equivalence import compare_modules
    from verify.refine.vacuous import placed_in

    assert source.module is not None
    assert target.module is not None
    results = check_module(target.module, options, stage)
    before = stages.empty
    same = compare_modules(source.module, target.module, options, stage, f"`{by}`", no_runs=before)
    # Where the source has a run and the target does the same, that has one too.
    kept = {n for n, each in same if each.verdict is Verdict.PROVEN and n not in before}
    left = [(name, stage) for name, stage in results if name not in kept]
    stages.empty = _without_runs(target, left, options, is_compared=True)
    return with_vacuity(together(results, same), placed_in(target.module, before), stages.empty)


def _without_runs(
    parsed: "ParsedModule", results: Results, options: "CheckOptions", *, is_compared: bool
) -> dict[str, NoRun]:
    """The functions of which something is asked here or later, and that have no run."""
    from verify.refine.vacuous import vacuous_functions

    asked = (
        name
        for name, stage in results
        if stage.verdict is not Verdict.REFUTED and (stage.asked or is_compared)
    )
    return vacuous_functions(parsed.module, asked, options) if parsed.module else {}


def _invalid_output(error: Diagnostic, spec: str, stage: str) -> Diagnostic:
    message = f"`{spec}` gives invalid IR: {error.message}"
    return replace(error, code="E0305", message=message, stage=stage)


def check_options(options: Options, *, recipes: bool = False) -> "CheckOptions":
    """What the checks need to know; `recipes` asks for what runs findings again."""
    from verify.checks.options import CheckOptions

    return CheckOptions(
        arguments=options.arguments,
        solver_timeout_s=options.solver_timeout_s,
        emit_smt2=Path(options.emit_smt2) if options.emit_smt2 else None,
        explain_proof=options.explain_proof,
        recipes=recipes or options.bundle is not None,
    )
