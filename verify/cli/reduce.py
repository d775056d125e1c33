"""The command `reduce`."""

from typing import Any

import click

from verify.cli.exits import INTERRUPTED
from verify.cli.inputs import STDIN, expand
from verify.cli.output import check_writable, write
from verify.cli.settings import judging_options, options_from, seconds
from verify.codes import CODES
from verify.config import Options

_WORDS = {"crash": "E0304", "invalid": "E0305", "timeout": "E0306"}
_UNREADABLE = ("E0001", "E0002")
# The first line is click's sign to keep the line ends.
_EXIT_TEXT = """\b
Exit status:
  130  interrupted; the smallest file so far is written
   70  a fault of verify-ir; a bug report is printed
    2  wrong usage, an input that cannot be read, or CODE does not occur in it
    0  the reduced file is written
"""


@click.command(epilog=_EXIT_TEXT, short_help="Make a file smaller that shows a finding.")
@click.argument("file", metavar="FILE")
@click.option(
    "--keep",
    required=True,
    metavar="CODE",
    help="What should still happen: a code (E0303) or its name, crash, invalid (output of a "
    "pass) or timeout.",
)
@click.option(
    "-p",
    "--passes",
    "pipeline",
    metavar="P1,P2,...",
    help="Passes in order, as for `verify-ir passes`. Without any, FILE is checked as it stands.",
)
@click.option(
    "--whole-pipelines", is_flag=True, help="Run a pipeline of several passes as one step."
)
@click.option("--function", metavar="F", help="Keep a finding in this function.")
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False),
    metavar="OUT",
    help="Write to OUT, also the smallest file so far while the search goes on. "
    "Default: standard output, at the end.",
)
@click.option(
    "--time",
    "time_s",
    type=seconds,
    default=300.0,
    metavar="SECONDS",
    help="End the search after this time with the smallest file so far. Default: 300.",
)
@click.option("-q", "--quiet", is_flag=True, help="No progress on standard error.")
@judging_options
def reduce(
    file: str,
    keep: str,
    pipeline: str | None,
    output: str | None,
    time_s: float,
    *,
    whole_pipelines: bool,
    function: str | None,
    quiet: bool,
    **given: Any,
) -> int:
    """Reduce FILE to the smallest one found on which the same thing still happens.

    The same thing is the first finding of CODE with its cause: code, stage, message without names
    and numbers, the kinds of ops it points at, and where a compiler died. Every file that is
    tried is valid MLIR, and no error of another code comes in. The result goes straight into a
    corpus: it says how to see the finding again and has `expected-*` comments.
    """
    from verify.cli.checking import require_passes, specs_of
    from verify.cli.reduction import Request, run_reduction

    code = _code(keep)
    options = options_from(given, file)
    specs = specs_of(pipeline, is_whole=whole_pipelines) if pipeline else ()
    require_passes(specs, options)
    _check_usage(file, code, specs, function)
    check_writable(output)
    request = Request(
        expand([file])[0], code, specs, options, function, output, time_s, is_quiet=quiet
    )
    text, is_interrupted = run_reduction(request, _command(specs, options, whole_pipelines))
    write(text, output, is_utf8=True)
    return INTERRUPTED if is_interrupted else 0


def _code(keep: str) -> str:
    wanted = keep.strip().lower()
    known = [code.code for code in CODES.values() if wanted in (code.code.lower(), code.name)]
    code = _WORDS.get(wanted) or (known[0] if known else None)
    if code is None:
        words = ", ".join(_WORDS)
        raise click.UsageError(
            f"--keep: unknown code `{keep}`; `verify-ir explain` lists codes, "
            f"and there are the words {words}"
        )
    return code


def _check_usage(file: str, code: str, specs: tuple[str, ...], function: str | None) -> None:
    from pathlib import Path

    from verify.reduce.judge import PASS_FAILURES

    if file != STDIN and Path(file).is_dir():
        raise click.UsageError(f"one file is reduced, and `{file}` is a folder")
    if code in _UNREADABLE:
        raise click.UsageError(
            f"--keep: {code} is about a file that cannot be read, and only "
            "files that can be are reduced"
        )
    if code.startswith("E03") and not specs:
        raise click.UsageError(f"--keep: {code} is about passes; name them with -p")
    if code in PASS_FAILURES and function is not None:
        raise click.UsageError(f"--function: {code} is about a module and not about a function")


def _command(specs: tuple[str, ...], options: Options, is_whole: bool) -> str:
    """The command that shows the finding again, with `%s` for the file."""
    from verify.reduce.written import quoted

    words = ["passes %s -p", quoted(",".join(specs))] if specs else ["check %s"]
    words += ["--whole-pipelines"] if is_whole else []
    words += ["--arguments may-alias"] if options.arguments == "may-alias" else []
    return " ".join([*words, "--verify-diagnostics"])
