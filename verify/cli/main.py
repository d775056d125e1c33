"""The `verify-ir` command: which subcommand runs, and how every run ends."""

import contextlib
import os
import signal
import sys
from collections.abc import Sequence
from types import FrameType
from typing import NoReturn

import click

from verify import __version__
from verify.cli.checking import check, passes, tv
from verify.cli.corpus import corpus
from verify.cli.exits import EXIT_TEXT, FAULT, INTERRUPTED, USAGE
from verify.cli.explain import explain
from verify.cli.faults import bug_report
from verify.cli.fuzz import fuzz
from verify.cli.gradient import gradient
from verify.cli.output import drop_stdout
from verify.cli.reduce import reduce
from verify.cli.replaying import replay
from verify.cli.toolchains import toolchains


class DefaultGroup(click.Group):
    """A group that takes `verify-ir FILE...` for `verify-ir check FILE...`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put `check` in front of arguments that name no command."""
        own = {"--help", "-h", "--version"}
        if args and args[0] not in self.commands and not own & set(args[:1]):
            args = ["check", *args]
        return super().parse_args(ctx, args)


@click.group(
    cls=DefaultGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=EXIT_TEXT,
)
@click.version_option(__version__, prog_name="verify-ir")
def command() -> None:
    """Check MLIR files: replays of checkpointed loops, and the order of asynchronous GPU work.

    `verify-ir FILE...` is short for `verify-ir check FILE...`.
    """


for _command in (check, passes, tv, replay, reduce, gradient, fuzz, corpus, explain, toolchains):
    command.add_command(_command)


def run(arguments: Sequence[str]) -> int:
    """Run one command line and give back its exit status; faults of ours are reported."""
    try:
        status = command.main(list(arguments), prog_name="verify-ir", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return USAGE
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except Exception as error:  # noqa: BLE001 - the last resort for faults of ours
        sys.stderr.write(bug_report(arguments, error))
        return FAULT
    return status if isinstance(status, int) else 0


def main() -> NoReturn:
    """Entry of the console script."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError):
            stream.reconfigure(errors="backslashreplace")  # pyright: ignore[reportAttributeAccessIssue]
    signal.signal(signal.SIGTERM, _interrupt)
    if sys.stdout is None:  # closed by whoever started us
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 - for good
    status = run(sys.argv[1:])
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        drop_stdout()
    except OSError:
        drop_stdout()
        status = status or USAGE
    sys.exit(status)


def _interrupt(_signal: int, _frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt
