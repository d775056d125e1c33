"""The options that commands share, and how they join a configuration file into settings."""

from collections.abc import Callable, Sequence
from functools import reduce
from pathlib import Path
from typing import Any

import click

from verify.config import (
    ARGUMENTS,
    COLORS,
    DEVICES,
    FORMATS,
    JUDGES,
    REPLAY_FORMATS,
    ConfigError,
    Options,
    find_config,
    load_config,
    resolve,
)

_Decorator = Callable[[Any], Any]


class _Seconds(click.ParamType[float]):
    name = "seconds"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Seconds from the text of an option."""
        try:
            seconds = float(value)
        except ValueError:
            seconds = 0.0
        if not 0 < seconds < float("inf"):
            self.fail(f"{value!r} is not a number of seconds above 0", param, ctx)
        return seconds


_FORMAT = click.option(
    "--format", type=click.Choice(FORMATS), help="Form of the result. Default: text."
)
_REPLAY_FORMAT = click.option(
    "--format", type=click.Choice(REPLAY_FORMATS), help="Form of the result. Default: text."
)

_OUTPUT: tuple[_Decorator, ...] = (
    click.option(
        "-o",
        "--output",
        type=click.Path(dir_okay=False),
        metavar="FILE",
        help="Write the result to FILE instead of standard output.",
    ),
    click.option(
        "--color",
        type=click.Choice(COLORS),
        help="Colour in text. Default: auto (a terminal, and NO_COLOR is not set).",
    ),
    click.option("-q", "--quiet", count=True, help="Findings only, no verdicts and counts."),
    click.option("-v", "--verbose", count=True, help="Notes in full, and progress of each file."),
    click.option(
        "--config",
        type=click.Path(exists=True, dir_okay=False),
        metavar="FILE",
        help="Configuration file. Default: the nearest one above the first input.",
    ),
    click.option("--no-config", is_flag=True, help="Read no configuration file."),
)

_BUNDLE = click.option(
    "--bundle",
    type=click.Path(file_okay=False),
    metavar="DIR",
    help="Write a file to DIR for each counterexample that runs it elsewhere.",
)

_REPLAY: tuple[_Decorator, ...] = (
    _BUNDLE,
    click.option(
        "--device",
        type=click.Choice(DEVICES),
        help="Where it runs. Default: auto, a CUDA device where there is one, else the CPU.",
    ),
)

_SOLVING: tuple[_Decorator, ...] = (
    click.option(
        "--arguments",
        type=click.Choice(ARGUMENTS),
        help="Whether two function arguments may overlap. Default: no-alias.",
    ),
    click.option(
        "--solver-timeout",
        "solver_timeout_s",
        type=_Seconds(),
        metavar="SECONDS",
        help="Time for one solver query. Default: 5.",
    ),
    click.option(
        "--split-input-file",
        is_flag=True,
        default=None,
        help="`// -----` lines with a title separate modules too; plain ones always do.",
    ),
)

_CHECKING: tuple[_Decorator, ...] = (
    *_SOLVING,
    click.option("--strict", is_flag=True, default=None, help="Warnings count as errors."),
    click.option(
        "--verify-diagnostics",
        is_flag=True,
        default=None,
        help="Hold the result against `expected-*` comments: exit 0 if met, 1 if not. "
        "Kinds: error, warning, remark (undecided), note (optional).",
    ),
    click.option(
        "--explain-proof",
        is_flag=True,
        default=None,
        help="Say which decider settled each question.",
    ),
    click.option(
        "--emit-smt2",
        type=click.Path(file_okay=False),
        metavar="DIR",
        help="Write every solver query to DIR.",
    ),
    click.option(
        "-j",
        "--jobs",
        type=click.IntRange(min=0),
        metavar="N",
        help="Processes, a file a task. Default: 0, as many as pay off.",
    ),
)

_PASSES: tuple[_Decorator, ...] = (
    click.option(
        "--mlir-opt",
        type=click.Path(),
        metavar="PATH[,PATH...]",
        help="The mlir-opt binary, by path or name. With several the pipeline runs with each, "
        "and they are compared. Default: the newest found.",
    ),
    click.option(
        "--timeout",
        "timeout_s",
        type=_Seconds(),
        metavar="SECONDS",
        help="Time for one pass. Default: 60.",
    ),
    click.option(
        "--reproducers",
        type=click.Path(file_okay=False),
        metavar="DIR",
        help="Keep what a pass died on, or took too long on, in a file in DIR.",
    ),
    click.option(
        "--judge",
        type=click.Choice(JUDGES),
        help="What the exit status judges. every-stage (default): anything refuted at any "
        "stage, the input included. last-stage: what the pipeline ends with, and "
        "each pass that fails or breaks something; a bug that it cures is no fault.",
    ),
)


def _apply(options: Sequence[_Decorator]) -> _Decorator:
    return lambda function: reduce(lambda made, option: option(made), reversed(options), function)


output_options = _apply((_FORMAT, *_OUTPUT))
checking_options = _apply((*_CHECKING, _BUNDLE, _FORMAT, *_OUTPUT))
pass_options = _apply((*_PASSES, *_CHECKING, _BUNDLE, _FORMAT, *_OUTPUT))
replay_options = _apply((*_REPLAY, *_PASSES, *_SOLVING, _REPLAY_FORMAT, *_OUTPUT))
# Limits of passes and of the solver, how arguments are taken, and the configuration file.
judging_options = _apply((*_PASSES[:2], *_SOLVING[:2], *_OUTPUT[-2:]))
seconds = _Seconds()


def options_from(given: dict[str, Any], first_input: str | None) -> Options:
    """Settings from the options `given` by parameter name and the configuration file."""
    fields = {name: value for name, value in given.items() if name in Options.__slots__}
    fields["verbosity"] = (given.get("verbose") or 0) - (given.get("quiet") or 0)
    try:
        return resolve(fields, _file_settings(given, first_input))
    except ConfigError as error:
        raise click.UsageError(str(error)) from error


def _file_settings(given: dict[str, Any], first_input: str | None) -> dict[str, Any]:
    if given.get("config"):
        return load_config(Path(given["config"]))
    if given.get("no_config"):
        return {}
    place = Path(first_input) if first_input and first_input != "-" else Path()
    found = find_config(place if place.is_dir() else place.parent)
    return load_config(found) if found else {}
