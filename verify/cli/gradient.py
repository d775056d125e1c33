"""The command `gradient`: real gradients of a function, with and without checkpoints, compared."""

import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from verify.cli.exits import INTERRUPTED, UNDECIDED, USAGE
from verify.cli.inputs import STDIN, expand, read_stdin
from verify.cli.output import check_writable, write
from verify.cli.settings import options_from

EXIT_TEXT = """\b
Exit status, the first that fits:
  1  a variant is wrong, does not compile or crashes (or an expectation is not met)
  2  wrong usage, an input that cannot be read, or no function that can be differentiated and run
  3  a variant of which nothing tells whether it is right
  0  all variants are right
"""
_SCHEDULES = ("as-written", "default", "periodic", "binomial")
_SINKS = ("enzyme", "own", "both", "none")
_RUNNERS = ("auto", "jit", "mlir-runner", "interpreter")


class _Pair(click.ParamType[tuple[str, str]]):
    name = "pair"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, str]:
        """An argument and what is said about it."""
        if isinstance(value, tuple):
            return value
        name, equals, said = str(value).partition("=")
        if not (name and equals and said):
            self.fail(f"{value!r} should read ARGUMENT=...", param, ctx)
        return name.strip(), said.strip()


@click.command(epilog=EXIT_TEXT, short_help="Run what Enzyme makes of a function, and compare.")
@click.argument("file", metavar="FILE")
@click.option(
    "--function", metavar="NAME", help="The function. Default: every one that can be judged."
)
@click.option(
    "--schedule",
    "schedules",
    type=click.Choice(_SCHEDULES),
    multiple=True,
    help="Schedule of the checkpoints; may be given several times. Default: all.",
)
@click.option(
    "--sink",
    type=click.Choice(_SINKS),
    default="enzyme",
    help="Whose sink-checkpoint-views runs first in the variants `sunk:...` and `own-sunk:...`. "
    "Default: enzyme.",
)
@click.option(
    "--period",
    type=click.IntRange(min=1),
    default=2,
    help="Period, or number of snapshots, of loops that name none. Default: 2.",
)
@click.option(
    "--activity",
    "activities",
    type=_Pair(),
    multiple=True,
    metavar="ARGUMENT=dup|active|const",
    help="Activity of an argument, by name or position. Default: floats and memory of floats are "
    "active, the rest is constant.",
)
@click.option(
    "--value",
    "values",
    type=_Pair(),
    multiple=True,
    metavar="ARGUMENT=X,Y,...",
    help="Elements of an argument. Default: drawn.",
)
@click.option("--seed", type=int, default=0, help="Of the inputs that are drawn. Default: 0.")
@click.option(
    "--samples", type=click.IntRange(1, 100), default=2, help="Inputs to try. Default: 2."
)
@click.option(
    "--tolerance",
    type=click.FloatRange(min=0, min_open=True),
    help="Relative difference that is none. Default: by the float type, 1e-6 for f64.",
)
@click.option(
    "--runner",
    type=click.Choice(_RUNNERS),
    default="auto",
    help="Who runs the functions. Default: auto, the first that is installed of jit (in a "
    "worker process), mlir-runner and interpreter.",
)
@click.option(
    "--timeout",
    "timeout_s",
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    help="Time for one pass pipeline, and for one run. Default: 60.",
)
@click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", help="Default: text."
)
@click.option("-o", "--output", type=click.Path(dir_okay=False), metavar="FILE")
@click.option("--color", type=click.Choice(["auto", "always", "never"]))
@click.option("-v", "--verbose", count=True, help="Inputs, whole gradients, pipelines and times.")
@click.option("--verify-diagnostics", is_flag=True, default=None, hidden=True)
@click.option("--config", type=click.Path(exists=True, dir_okay=False), metavar="FILE")
@click.option("--no-config", is_flag=True, help="Read no configuration file.")
def gradient(file: str, form: str, output: str | None, **given: Any) -> int:
    """Differentiate the functions of FILE with Enzyme, run the gradients, and say which are wrong.

    The variants of a function are: checkpointing off; on, as the file has it and with the
    schedules default, periodic and binomial; and on after sink-checkpoint-views. All run on the
    same inputs, and are compared with central finite differences of the function and with each
    other.
    """
    from verify.cli.gradient_run import run_file

    settings = options_from(given, file)
    options = _oracle_options(given, settings.timeout_s)
    _check_possible(file, output)
    content = read_stdin() if file == STDIN else None
    show = _progress(is_wanted=given["verbose"] > 0)
    outcome = run_file(file, content, given["function"], options, settings, show)
    if settings.verify_diagnostics:
        return _held_to_comments(outcome)
    from verify.cli.gradient_json import to_json
    from verify.cli.gradient_text import to_text

    verbosity = given["verbose"]
    text = to_json(outcome) if form == "json" else to_text(outcome, settings, output, verbosity)
    write(text, output, is_utf8=form == "json")
    return _status(outcome)


def _check_possible(file: str, output: str | None) -> None:
    """Fail before the work when there is no such file, no Enzyme, or no place for the output."""
    from verify.gradient.oracle import NO_ENZYME
    from verify.toolchain import enzyme

    check_writable(output)
    if Path(file).is_dir():
        raise click.UsageError(f"`gradient` takes one file, and `{file}` is a folder")
    expand([file])
    if not enzyme.is_installed():
        raise click.UsageError(NO_ENZYME)


def _oracle_options(given: dict[str, Any], timeout_s: float) -> Any:
    from verify.gradient.result import Options

    sinks = {"both": ("enzyme", "own"), "none": ()}.get(given["sink"], (given["sink"],))
    options = Options(
        sinks=sinks,
        period=given["period"],
        seed=given["seed"],
        samples=given["samples"],
        tolerance=given["tolerance"],
        timeout_s=timeout_s,
        runner=given["runner"],
        activities=dict(given["activities"]),
        values={name: _numbers(name, said) for name, said in given["values"]},
    )
    return replace(options, schedules=given["schedules"]) if given["schedules"] else options


def _numbers(name: str, said: str) -> tuple[float, ...]:
    try:
        return tuple(float(each) for each in said.split(","))
    except ValueError:
        message = f"--value: `{name}={said}` should list numbers"
        raise click.UsageError(message) from None


def _progress(*, is_wanted: bool) -> Callable[[str], None]:
    """Lines on stderr: for each step when verbose, else only when a run takes long."""
    from verify.cli.execute import PATIENCE_S

    last = time.perf_counter()

    def show(line: str) -> None:
        nonlocal last
        now = time.perf_counter()
        if is_wanted or now - last > PATIENCE_S:
            last = now
            sys.stderr.write(f"{line}\n")
            sys.stderr.flush()

    return show


def _status(outcome: Any) -> int:
    results = outcome.results
    if outcome.is_interrupted:
        return INTERRUPTED
    if any(result.has_fault for result in results):
        return 1
    if outcome.errors or not results:
        return USAGE
    return 0 if all(result.is_judged for result in results) else UNDECIDED


def _held_to_comments(outcome: Any) -> int:
    if outcome.is_interrupted:
        return INTERRUPTED
    for each in outcome.mismatches:
        write(f"{each}\n")
    if outcome.refusals and not outcome.results:
        sys.stderr.write("".join(f"{each}\n" for each in outcome.refusals))
        return USAGE
    return 1 if outcome.mismatches else 0
