"""One run of `check` or `passes`: tasks, progress, report, exit status."""

import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from verify import __version__
from verify.cli.exits import INTERRUPTED, REFUTED, exit_status
from verify.cli.faults import bug_report, versions
from verify.cli.inputs import STDIN, read_stdin
from verify.cli.jobs import Work, job_count, run_each
from verify.cli.output import can_draw, check_writable, columns, wants_color, write
from verify.config import Options
from verify.driver import Outcome, Task, faulty, run_task
from verify.report.context import RenderContext
from verify.report.registry import renderer
from verify.report.sources import Sources
from verify.result import RunResult

PATIENCE_S = 2.0


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to run: `compiler` names it where there are several."""

    options: Options
    passes: tuple[str, ...] = ()
    compiler: str = ""
    toolchains: Mapping[str, str] = field(default_factory=dict)


def execute(
    paths: Sequence[str],
    options: Options,
    output: str | None,
    variants: Sequence[Variant] = (),
    target: str | None = None,
) -> int:
    """Check `paths`, once for each of `variants`, and write the report.

    Gives back the exit status.
    """
    check_writable(output, options.emit_smt2)
    for folder in (options.reproducers, options.bundle):
        check_writable(None, folder)
    begin = time.perf_counter()
    tasks = _tasks(paths, variants or [Variant(options)], target)
    jobs = job_count(options.jobs, len(tasks))
    if jobs == 1:
        _start_parser_early()
    work = Work(run_task, _lost, _progress(len(tasks), options, begin))
    outcomes, is_interrupted = run_each(work, tasks, jobs)
    files = tuple(file for outcome in outcomes for file in outcome.files)
    seconds = time.perf_counter() - begin
    used = {name: version for each in variants for name, version in each.toolchains.items()}
    run = RunResult(files, {**versions(), **used}, seconds)
    status = _status(outcomes, options, is_interrupted=is_interrupted)
    command = "tv" if target is not None else "passes" if variants else "check"
    _report(run, outcomes, options, output, status, command)
    return status


def _tasks(paths: Sequence[str], variants: Sequence[Variant], target: str | None) -> list[Task]:
    contents = {path: read_stdin() if path == STDIN else None for path in paths}
    return [
        Task(path, each.options, contents[path], each.passes, target, each.compiler)
        for path in paths
        for each in variants
    ]


def _lost(task: Task) -> Outcome:
    return faulty(task.path, "the process that checked it died", task.compiler)


def _start_parser_early() -> None:
    """Let the parser's process start while the rest of this program is still being loaded."""
    from verify.ir.frontend import warm_up

    warm_up()


def _status(outcomes: Sequence[Outcome], options: Options, *, is_interrupted: bool) -> int:
    is_faulty = any(outcome.fault for outcome in outcomes)
    if is_interrupted:
        return INTERRUPTED
    if options.verify_diagnostics and not is_faulty:
        return REFUTED if any(outcome.mismatches for outcome in outcomes) else 0
    files = [file for outcome in outcomes for file in outcome.files]
    return exit_status(files, options, is_faulty=is_faulty)


def _report(
    run: RunResult,
    outcomes: Sequence[Outcome],
    options: Options,
    output: str | None,
    status: int,
    command: str,
) -> None:
    _report_faults(outcomes)
    mismatches = "".join(f"{each}\n" for outcome in outcomes for each in outcome.mismatches)
    if options.verify_diagnostics and options.format == "text":
        write(mismatches, output)
        return
    sys.stderr.write(mismatches)
    sources = {path: text for outcome in outcomes for path, text in outcome.sources.items()}
    context = RenderContext(
        sources=Sources(sources),
        command=command,
        version=__version__,
        exit_code=status,
        verbosity=options.verbosity,
        columns=columns(output),
        is_color=wants_color(options.color, output),
        is_unicode=can_draw(output),
        is_strict=options.strict,
        is_interrupted=status == INTERRUPTED,
        shows_proof=options.explain_proof,
    )
    write(renderer(options.format)(run, context), output, is_utf8=options.format != "text")


def _report_faults(outcomes: Sequence[Outcome]) -> None:
    """A block for each fault; files that failed in the same way are only named."""
    seen: set[str] = set()
    for outcome in outcomes:
        if outcome.fault in seen:
            sys.stderr.write(f"verify-ir failed in the same way on {outcome.path}\n")
        elif outcome.fault:
            seen.add(outcome.fault)
            sys.stderr.write(bug_report(sys.argv[1:], outcome.fault, outcome.path))


def _progress(total: int, options: Options, begin: float) -> Callable[[int, Outcome], None]:
    """Lines on stderr: for each file when verbose, else only when a run takes long."""
    last = begin

    def show(done: int, outcome: Outcome) -> None:
        nonlocal last
        now = time.perf_counter()
        is_due = total > 1 and now - last > PATIENCE_S and options.verbosity == 0
        if options.verbosity > 0 or is_due:
            last = now
            sys.stderr.write(f"[{done}/{total}] {outcome.path}\n")
            sys.stderr.flush()

    return show
