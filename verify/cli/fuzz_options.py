"""Options that several commands of `fuzz` share."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

_DURATION = {"s": 1, "m": 60, "h": 3600, "d": 86400}


class Duration(click.ParamType[float]):
    """A time such as 90, 90s, 10m or 2h, in seconds."""

    name = "duration"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Seconds from `90`, `90s`, `10m`, `2h` or `1d`."""
        text = str(value)
        try:
            seconds = (
                float(text[:-1]) * _DURATION[text[-1]] if text[-1:] in _DURATION else float(text)
            )
        except ValueError:
            seconds = 0.0
        if not 0 < seconds < float("inf"):
            self.fail(f"{text!r} is no time such as 90, 90s, 10m or 2h", param, ctx)
        return seconds


STORE = click.option(
    "--store", required=True, type=click.Path(dir_okay=False), metavar="FILE",
    help="The file that holds the campaign.",
)  # fmt: skip
JOBS = click.option(
    "-j", "--jobs", type=click.IntRange(min=1), metavar="N", help="Processes. Default: all cores."
)
NO_TRIAGE = click.option(
    "--no-triage", is_flag=True,
    help="Do not reduce what is found at the end, for which a part of --time is kept.",
)  # fmt: skip
QUIET = click.option("-q", "--quiet", is_flag=True, help="Findings of new groups only.")


def usage(function: Callable[..., Any]) -> Callable[..., Any]:
    """Tell what cannot be done as wrong usage."""

    @wraps(function)
    def guarded(*arguments: Any, **named: Any) -> Any:
        from fuzz.runs import CampaignError

        try:
            return function(*arguments, **named)
        except CampaignError as error:
            raise click.UsageError(str(error)) from error

    return guarded
