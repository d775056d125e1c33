"""The commands `check`, `passes` and `tv`."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from verify.cli.exits import EXIT_TEXT
from verify.cli.inputs import STDIN, expand
from verify.cli.settings import checking_options, options_from, pass_options
from verify.config import Options

if TYPE_CHECKING:
    from verify.cli.execute import Variant
    from verify.toolchain.binaries import Binary

_FAMILY = "mlir-opt:"


@click.command(epilog=EXIT_TEXT, short_help="Check files as they stand.")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@checking_options
def check(files: tuple[str, ...], output: str | None, **given: Any) -> int:
    """Check that loops can be replayed from snapshots, and that GPU work is in order.

    A FILE is MLIR text, a folder (its .mlir files), or - for standard input.
    """
    from verify.cli.execute import execute

    options = options_from(given, files[0])
    return execute(expand(files), options, output)


@click.command(epilog=EXIT_TEXT, short_help="Check a file before and after passes.")
@click.argument("file", metavar="FILE")
@click.option(
    "-p",
    "--passes",
    "pipeline",
    required=True,
    metavar="P1,P2,...",
    help="Passes in order: an own one (sink-checkpoint-views, gpu-async-region), "
    "enzyme:PIPELINE, mlir:PIPELINE or mlir-opt:PIPELINE.",
)
@click.option(
    "--whole-pipelines", is_flag=True, help="Run a pipeline of several passes as one step."
)
@pass_options
def passes(
    file: str, pipeline: str, output: str | None, *, whole_pipelines: bool, **given: Any
) -> int:
    """Check FILE as it stands and again after each pass, and name the pass that breaks it.

    With several binaries (--mlir-opt A,B) the pipeline runs once with each, and what differs is
    told.

    A pipeline of several passes (`mlir:builtin.module(P1,func.func(P2))`) runs and is judged pass
    by pass. It ends at a pass that refuses its input, crashes, prints invalid IR or takes too
    long. By default the exit status is 1 when anything is refuted at any stage, the input
    included; with --judge last-stage a bug that the pipeline cures does not count.
    """
    from verify.cli.execute import execute

    options = options_from(given, file)
    paths = expand([file])
    specs = specs_of(pipeline, is_whole=whole_pipelines)
    return execute(paths, options, output, _variants(specs, options))


@click.command(epilog=EXIT_TEXT, short_help="Hold a file against what a compiler made of it.")
@click.argument("source", metavar="SOURCE")
@click.argument("target", metavar="[TARGET]", required=False)
@pass_options
def tv(source: str, target: str | None, output: str | None, **given: Any) -> int:
    """Check that TARGET does what SOURCE does, and the invariants of both.

    Functions are compared by name: same results, same memory, same calls, on every input.
    Several modules in a file (`// -----`) are compared in order. Without a TARGET, the first
    module of SOURCE is the source and each of the others a target.
    """
    from verify.cli.execute import execute

    for path in (source, target or source):
        if Path(path).is_dir() or path == STDIN == target:
            raise click.UsageError(f"two files are compared, and `{path}` is not one")
    options = options_from(given, source)
    against = expand([target])[0] if target else ""
    return execute(expand([source]), options, output, target=against)


def specs_of(pipeline: str, *, is_whole: bool) -> tuple[str, ...]:
    """The passes that the text of `-p` names; one that cannot be read is wrong usage."""
    from verify.toolchain.registry import PassUsageError, steps_of

    try:
        specs = tuple(steps_of(pipeline, is_whole=is_whole))
    except PassUsageError as error:
        raise click.UsageError(f"-p: {error}") from error
    if not specs:
        raise click.UsageError("-p: no pass is named")
    return specs


def _variants(specs: tuple[str, ...], options: Options) -> "list[Variant]":
    """One way to run for each binary that is named, or only one where no pass needs it."""
    from verify.cli.execute import Variant
    from verify.toolchain.binaries import binaries_in
    from verify.toolchain.registry import PassUsageError

    is_used = options.mlir_opt and any(spec.startswith(_FAMILY) for spec in specs)
    try:
        found = binaries_in(options.mlir_opt or "") if is_used else ()
    except PassUsageError as error:
        raise click.UsageError(f"--mlir-opt: {error}") from error
    variants = [_variant(specs, options, each) for each in found]
    if len(variants) < 2:
        variants = [Variant(options, specs, toolchains=toolchain_versions(specs, options))]
    for each in variants:
        require_passes(each.passes, each.options)
    return variants


def require_passes(specs: tuple[str, ...], options: Options) -> None:
    """A pass that nobody has is wrong usage."""
    from verify.toolchain.registry import PassUsageError, check_spec

    try:
        for spec in specs:
            check_spec(spec, options)
    except PassUsageError as error:
        raise click.UsageError(f"-p: {error}") from error


def _variant(specs: tuple[str, ...], options: Options, binary: "Binary") -> "Variant":
    from verify.cli.execute import Variant
    from verify.toolchain.binaries import binary_version

    label = f"{binary.label}:"
    own = tuple(
        label + spec.removeprefix(_FAMILY) if spec.startswith(_FAMILY) else spec for spec in specs
    )
    chosen = replace(options, mlir_opt=binary.path, mlir_opt_label=binary.label)
    toolchains = toolchain_versions(specs, options)
    toolchains.pop("mlir-opt", None)
    toolchains[binary.label] = binary_version(binary.path)
    return Variant(chosen, own, binary.label, toolchains)


def toolchain_versions(specs: tuple[str, ...], options: Options) -> dict[str, str]:
    """Versions of the compilers that the passes come from."""
    from verify.toolchain.registry import toolchains

    used = {spec.partition(":")[0] for spec in specs if ":" in spec}
    found = toolchains(options.mlir_opt) if used else []
    return {each.name: each.version for each in found if each.name in used}
