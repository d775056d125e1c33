"""The command `corpus`: every `// RUN: verify-ir ...` line below a folder, held to its comments."""

import contextlib
import io
import re
import shlex
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from pathlib import Path

import click

from verify.cli.exits import FAULT, INTERRUPTED, REFUTED
from verify.cli.inputs import walk
from verify.cli.jobs import Work, job_count, run_each
from verify.cli.output import write
from verify.expectations import parse_expectations
from verify.report.phrases import count

_RUN = re.compile(r"^\s*//\s*RUN:\s*(?P<command>.*?)\s*(?P<more>\\)?$")
_TOOLCHAINS = ("enzyme", "mlir", "mlir-opt")
_FOLDERS = {"safe": ("error", False), "unsafe": ("error", True), "undecided": ("remark", True)}


@dataclass(frozen=True, slots=True)
class LineResult:
    """What became of one RUN line: `ok`, `FAIL` or `skip`, with what it printed or why."""

    path: str
    command: str
    state: str
    detail: str = ""
    status: int = 0


@click.command(short_help="Check every expectation in a folder.")
@click.argument("folder", type=click.Path(exists=True), metavar="DIR")
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(min=0),
    default=0,
    metavar="N",
    help="Processes. Default: 0, as many as pay off.",
)
@click.option("-q", "--quiet", is_flag=True, help="Failures and the summary only.")
def corpus(folder: str, jobs: int, quiet: bool) -> int:
    """Run each `// RUN: verify-ir ...` line of the .mlir files in DIR.

    %s stands for the file; --verify-diagnostics is added. A line whose toolchain is missing is
    skipped. Exit status: 0 when all are as expected, 1 when one is not, 70 on a fault of verify-ir.
    """
    begin = time.perf_counter()
    paths = walk(Path(folder)) if Path(folder).is_dir() else [folder]
    if not paths:
        raise click.UsageError(f"no .mlir file in folder `{folder}`")
    missing = missing_toolchains(paths)
    work = Work(partial(run_file, missing=missing), _lost)
    found, is_interrupted = run_each(work, paths, job_count(jobs, len(paths)))
    results = [result for results in found for result in results]
    for result in _without_repeats(results):
        _show(result, is_quiet=quiet)
    _show_summary(results, len(found), time.perf_counter() - begin)
    return INTERRUPTED if is_interrupted else _status(results)


def _without_repeats(results: Sequence[LineResult]) -> Iterator[LineResult]:
    """The results, with a fault that was shown before only named."""
    seen: dict[str, str] = {}
    for result in results:
        trace = result.detail.partition("Traceback")[2].partition("==== end of report")[0]
        first = seen.setdefault(trace, result.path) if trace else result.path
        is_new = first == result.path
        yield result if is_new else replace(result, detail=f"the same fault as in {first}")


def _status(results: Sequence[LineResult]) -> int:
    if any(result.status == FAULT for result in results):
        return FAULT
    return REFUTED if any(result.state == "FAIL" for result in results) else 0


def _lost(path: str) -> list[LineResult]:
    detail = f"{path}:1:1: the process that checked it died"
    return [LineResult(path, "", "FAIL", detail, FAULT)]


def run_file(path: str, missing: dict[str, str]) -> list[LineResult]:
    """Run every RUN line of one file; a toolchain in `missing` comes with the reason."""
    text = Path(path).read_text(encoding="utf-8-sig", errors="replace")
    commands = run_lines(text)
    faults = _shelf_faults(path, text)
    if not commands:
        faults.append("no `// RUN: verify-ir ...` line")
    faults += _unheld(path, text, commands)
    shelved = [LineResult(path, "", "FAIL", f"{path}:1:1: {fault}") for fault in faults]
    return [*shelved, *(run_line(path, command, missing) for command in commands)]


def run_lines(text: str) -> list[str]:
    """The commands of the RUN lines in `text`; a backslash at the end joins the next one."""
    commands: list[str] = []
    joins = False
    for line in text.splitlines():
        found = _RUN.match(line)
        if not found:
            continue
        if joins:
            commands[-1] += f" {found['command']}"
        else:
            commands.append(found["command"])
        joins = bool(found["more"])
    return commands


def run_line(path: str, command: str, missing: dict[str, str]) -> LineResult:
    """Run one command in this process."""
    words = [path if word == "%s" else word for word in split(command)]
    if not words or words[0] != "verify-ir":
        detail = f"{path}:1:1: RUN line does not start with `verify-ir`: {command}"
        return LineResult(path, command, "FAIL", detail)
    lacking = needs(command, missing)
    if lacking is not None:
        return LineResult(path, command, "skip", f"{lacking}: {missing[lacking]}")
    from verify.cli.main import run

    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        status = run([*words[1:], "--verify-diagnostics", "--no-config"])
    return LineResult(path, command, "FAIL" if status else "ok", printed.getvalue(), status)


def needs(command: str, missing: Mapping[str, str]) -> str | None:
    """The first toolchain in `missing` that a command runs, if any; gradients are Enzyme's."""
    if "enzyme" in missing and re.match(r"verify-ir\s+gradient\b", command):
        return "enzyme"
    names = (name for name in missing if re.search(rf"(?<![\w-]){re.escape(name)}:", command))
    return next(names, None)


def split(command: str) -> list[str]:
    """The words of a command; none where its quotes do not close."""
    try:
        return shlex.split(command)
    except ValueError:
        return []


def _shelf_faults(path: str, text: str) -> list[str]:
    """Expectations that do not fit the folder: `safe` has no error, `unsafe` has one."""
    kind, is_wanted = _FOLDERS.get(Path(path).parent.name, ("", False))
    if not kind:
        return []
    expectations, _ = parse_expectations(path, text)
    has_some = any(each.kind == kind for each in expectations)
    if has_some == is_wanted:
        return []
    verb = "expects no" if is_wanted else "expects an"
    return [f"a file in `{Path(path).parent.name}` {verb} {kind}"]


def _unheld(path: str, text: str, commands: Sequence[str]) -> list[str]:
    """Expectations about stages that no command of the file has."""
    stages = [stage for command in commands for stage in _stages(command)]
    expectations, _ = parse_expectations(path, text)
    return [
        f"no RUN line has the stage of line {each.written_line}: {each.text}"
        for each in expectations
        if not each.applies(stages)
    ]


def _stages(command: str) -> list[str]:
    from verify.driver import TARGET, stage_names
    from verify.toolchain.registry import PassUsageError, steps_of

    words = split(command)
    if words[1:2] == ["tv"]:
        return [TARGET]
    if words[1:2] == ["gradient"]:
        from verify.gradient.findings import stage_names as gradient_stages

        return gradient_stages()
    lists = [after for word, after in pairwise(words) if word in ("-p", "--passes")]
    try:
        is_whole = "--whole-pipelines" in words
        return stage_names(steps_of(lists[-1], is_whole=is_whole)) if lists else []
    except PassUsageError:
        return []


def missing_toolchains(paths: Sequence[str]) -> dict[str, str]:
    """Toolchains that RUN lines name and this machine lacks, with the reasons."""
    commands = [
        command
        for path in paths
        for command in run_lines(Path(path).read_text(encoding="utf-8-sig", errors="replace"))
    ]
    if not any(needs(each, dict.fromkeys(_TOOLCHAINS, "")) for each in commands):
        return {}
    from verify.toolchain.registry import toolchains

    return {each.name: each.reason or "not found" for each in toolchains() if not each.available}


def _show(result: LineResult, *, is_quiet: bool) -> None:
    if result.state == "FAIL":
        write(f"FAIL {result.path}: {result.command}\n")
        write("".join(f"     {line}\n" for line in result.detail.splitlines()))
    elif not is_quiet:
        why = f" ({result.detail})" if result.state == "skip" else ""
        write(f"{result.state:<4} {result.path}: {result.command}{why}\n")


def _show_summary(results: Sequence[LineResult], files: int, seconds: float) -> None:
    def number(state: str) -> int:
        return sum(result.state == state for result in results)

    write(
        f"{count(files, 'file')}: {number('ok')} as expected, {number('FAIL')} not, "
        f"{number('skip')} skipped ({seconds:.2f} s)\n"
    )
