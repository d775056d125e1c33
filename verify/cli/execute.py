"""One run of `check` or `passes`: tasks, progress, report, exit status."""

import sys
import time
from collections.abc import Callable, Mapping, Sequence

from verify import __version__
from verify.cli.exits import INTERRUPTED, REFUTED, exit_status
from verify.cli.faults import bug_report, versions
from verify.cli.inputs import STDIN, read_stdin
from verify.cli.jobs import Work, job_count, run_each
from verify.cli.output import can_draw, check_writable, wants_color, write
from verify.config import Options
from verify.driver import Outcome, Task, faulty, run_task
from verify.report.context import RenderContext
from verify.report.registry import renderer
from verify.report.sources import Sources
from verify.result import RunResult

_PATIENCE_S = 2.0


def execute(
    paths: Sequence[str],
    options: Options,
    output: str | None,
    passes: tuple[str, ...] = (),
    toolchains: Mapping[str, str] | None = None,
    target: str | None = None,
) -> int:
    """Check `paths`, write the report, and give back the exit status."""
    check_writable(output, options.emit_smt2)
    for folder in (options.reproducers, options.bundle):
        check_writable(None, folder)
    begin = time.perf_counter()
    tasks = [
        Task(path, options, read_stdin() if path == STDIN else None, passes, target)
        for path in paths
    ]
    jobs = job_count(options.jobs, len(tasks))
    if jobs == 1:
        _start_parser_early()
    work = Work(run_task, _lost, _progress(len(tasks), options, begin))
    outcomes, is_interrupted = run_each(work, tasks, jobs)
    files = tuple(file for outcome in outcomes for file in outcome.files)
    seconds = time.perf_counter() - begin
    run = RunResult(files, {**versions(), **(toolchains or {})}, seconds)
    status = _status(outcomes, options, is_interrupted=is_interrupted)
    command = "tv" if target is not None else "passes" if passes else "check"
    _report(run, outcomes, options, output, status, command)
    return status


def _lost(task: Task) -> Outcome:
    return faulty(task.path, "the process that checked it died")


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
        is_due = total > 1 and now - last > _PATIENCE_S and options.verbosity == 0
        if options.verbosity > 0 or is_due:
            last = now
            sys.stderr.write(f"[{done}/{total}] {outcome.path}\n")
            sys.stderr.flush()

    return show
