"""The command `replay`."""

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from verify.cli.exits import EXIT_TEXT, PROVEN, REFUTED, UNDECIDED, USAGE
from verify.cli.inputs import STDIN, expand, read_stdin
from verify.cli.output import can_draw, check_writable, wants_color, write
from verify.cli.settings import options_from, replay_options
from verify.config import Options
from verify.verdict import Verdict

if TYPE_CHECKING:
    from verify.ir.module import ParsedModule
    from verify.replays import Wish

_STATUS = {Verdict.PROVEN: PROVEN, Verdict.REFUTED: REFUTED, Verdict.UNDECIDED: UNDECIDED}


@click.command(epilog=EXIT_TEXT, short_help="Run counterexamples, before and after a pass.")
@click.argument("file", metavar="FILE")
@click.option("--function", metavar="NAME", help="Only this function.")
@click.option(
    "-p",
    "--passes",
    "pipeline",
    metavar="P1,P2,...",
    help="What is run after. Default: sink-checkpoint-views, or gpu-async-region for E02xx.",
)
@click.option(
    "--schedule",
    default="every",
    metavar="PLAN",
    help="What is replayed: every (from each iteration to the end, default), periodic:N or "
    "binomial:N.",
)
@click.option(
    "--layout",
    type=click.Choice(("own", "rows")),
    default="own",
    help="Where copies lie: own allocations (default), or rows of one larger buffer.",
)
@click.option(
    "--result",
    type=click.Path(dir_okay=False),
    metavar="JSON",
    help="With a bundle: report this result of running it elsewhere, and run nothing.",
)
@replay_options
def replay(
    file: str,
    function: str | None,
    pipeline: str | None,
    schedule: str,
    layout: str,
    result: str | None,
    output: str | None,
    **given: Any,
) -> int:
    """Run the counterexamples of FILE, then the same inputs on what a pass makes of it.

    FILE is MLIR text, - for standard input, or a bundle that --bundle wrote; nothing in a bundle
    is run but the IR in it, by this program. Each read that differs is a row: the first one of
    each replay from snapshots, or of an order of asynchronous work. Functions without a
    counterexample are replayed on drawn inputs.
    """
    options = options_from(given, file)
    check_writable(output, options.bundle)
    begin = time.perf_counter()
    wish = _wish(options, pipeline, schedule, layout, function)
    if is_bundle(file):
        return _report_bundle(Path(file), wish, result, output, begin)
    if result is not None:
        raise click.UsageError(f"--result: `{file}` is no bundle")
    modules = _modules(file, options)
    for parsed in modules:
        for error in parsed.errors:
            _show_error(parsed, error)
    if any(parsed.module is None for parsed in modules):
        return USAGE
    return _report(modules, wish, output, begin)


def _wish(
    options: Options, pipeline: str | None, schedule: str, layout: str, function: str | None
) -> "Wish":
    from verify.replay.arrays import DeviceError, arrays_for
    from verify.replay.plans import Manner, PlanError, plan_named
    from verify.replays import Wish
    from verify.toolchain.registry import PassUsageError, check_spec, steps_of

    try:
        for step in steps_of(pipeline or ""):
            check_spec(step, options)
        return Wish(
            options,
            Manner(plan_named(schedule), layout),
            arrays_for(options.device),
            pipeline,
            function,
        )
    except PassUsageError as error:
        raise click.UsageError(f"-p: {error}") from error
    except PlanError as error:
        raise click.UsageError(f"--schedule: {error}") from error
    except DeviceError as error:
        raise click.UsageError(f"--device: {error}") from error


def _modules(file: str, options: Options) -> "list[ParsedModule]":
    from verify.ir.frontend import read_modules
    from verify.ir.source import SourceError, decode_source, read_source

    path = expand([file])[0]
    if path != file:
        raise click.UsageError(f"`{file}` is a folder; one file is replayed")
    try:
        source = decode_source(path, read_stdin()) if path == STDIN else read_source(path)
    except SourceError as error:
        raise click.UsageError(f"{file}: {error.diagnostic.message}") from error
    except OSError as error:
        raise click.UsageError(f"cannot read `{file}`: {error.strerror or error}") from error
    return list(read_modules(source, split=options.split_input_file))


def _show_error(parsed: "ParsedModule", error: Any) -> None:
    place = error.location
    where = f"{place.file}:{place.line}:{place.column}" if place else parsed.path
    click.echo(f"{where}: error[{error.code}]: {error.message}", err=True)


def _report(modules: "list[ParsedModule]", wish: "Wish", output: str | None, begin: float) -> int:
    from verify.replays import SCHEMA, replay_module, verdict_of

    options = wish.options
    found = [replay_module(parsed, wish) for parsed in modules]
    names = {each for module in found for each in module.functions}
    if wish.function is not None and wish.function.removeprefix("@") not in names:
        raise click.UsageError(f"--function: there is no function `{wish.function}`")
    verdict = verdict_of(found, last_only=options.judge == "last-stage")
    document = {
        "schema": SCHEMA,
        "verdict": verdict.value,
        "device": wish.arrays.device,
        "device_name": wish.arrays.name,
        "note": wish.arrays.note,
        "schedule": str(wish.manner.plan),
        "layout": wish.manner.layout,
        "findings": [each for module in found for each in module.findings],
        "others": [each for module in found for each in module.others],
        "bundles": [each for module in found for each in module.bundles],
        "seconds": round(time.perf_counter() - begin, 6),
    }
    show(document, options, output)
    return _STATUS[verdict]


def _report_bundle(
    path: Path, wish: "Wish", result: str | None, output: str | None, begin: float
) -> int:
    """Run a bundle with the code that is installed, or report what running it elsewhere gave."""
    from verify.replay.bundle.manifest import BundleError
    from verify.replay.bundle.perform import perform
    from verify.replay.bundle.read import read_bundle
    from verify.replay.bundle.result import read_result
    from verify.replays import bundle_document

    if wish.spec is not None or wish.options.bundle is not None:
        raise click.UsageError("a bundle goes without --passes and --bundle")
    try:
        bundle, name = read_bundle(path)
        if result is None:
            found = perform(bundle, name, wish.arrays, wish.manner)
        else:
            found = read_result(Path(result), name)
    except BundleError as error:
        raise click.UsageError(f"{path}: {error}") from error
    seconds = round(time.perf_counter() - begin, 6)
    document, verdict = bundle_document(bundle, found, str(path), seconds)
    show(document, wish.options, output)
    return _STATUS[verdict]


def show(document: dict[str, Any], options: Options, output: str | None) -> None:
    """Write a document of replays as JSON or text."""
    from verify.report.replay import render_replays
    from verify.report.style import Paint

    if options.format == "json":
        text = json.dumps(document, indent=1, allow_nan=False) + "\n"
        write(text, output, is_utf8=True)
        return
    paint = Paint(wants_color(options.color, output))
    write(render_replays(document, paint, is_unicode=can_draw(output)), output)


def is_bundle(file: str) -> bool:
    """Whether a file is a bundle and not MLIR text."""
    if file == STDIN:
        return False
    if file.endswith(".zip"):
        return True
    try:
        with Path(file).open("rb") as stream:
            return stream.read(4) == b"PK\x03\x04"
    except OSError:
        return False
