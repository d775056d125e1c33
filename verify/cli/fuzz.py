"""The commands `fuzz run`, `resume`, `status`, `report`, `replay` and `mutants`."""

import json
import os
from pathlib import Path
from typing import Any

import click

from verify.cli.exits import INTERRUPTED, REFUTED
from verify.cli.fuzz_mutants import mutants
from verify.cli.fuzz_options import JOBS as _JOBS
from verify.cli.fuzz_options import NO_TRIAGE as _NO_TRIAGE
from verify.cli.fuzz_options import QUIET as _QUIET
from verify.cli.fuzz_options import STORE as _STORE
from verify.cli.fuzz_options import Duration as _Duration
from verify.cli.fuzz_options import usage as _usage
from verify.cli.fuzz_triage import keep, triage
from verify.cli.output import write

_EXITS = """\b
Exit status:
    0  no finding (with --baseline: no cause that it does not have)
    1  something was found
    2  wrong usage, or a store that cannot be used
  130  interrupted; `fuzz resume` goes on
"""
_TARGETS = """\b
Sets of targets (what is not installed is left out):
  checkpointing  sink-checkpoint-views of Enzyme, and enzyme-wrap: gradients
                 with every schedule, compiled and run
  gpu            gpu-async-region of Enzyme, of MLIR and of each mlir-opt-N on
                 the path; what it gives goes on to MLIR's gpu-to-llvm
  usual          both of these
  common         canonicalize, cse, loop-invariant-code-motion, and lowerings
                 of scf, memref and gpu.launch, each of MLIR
  all            usual and common
\b
Oracles, in order: crash, output (is it valid), refusal (of a valid program),
  streams (used after their end), contract, own-pass (beside our own),
  invariants, equivalence, replay (verdicts against runs), rewriting, gradient
Some are dear and judge one program in so many, as some targets get one.
When named only: reference and native (verdicts against a second interpreter
  and compiled code)
\b
"""


@click.group(short_help="Look for bugs in passes with drawn programs.")
def fuzz() -> None:
    """Campaigns: programs are drawn, run through passes and judged; findings are kept in a store.

    A campaign may be stopped or killed at any moment; `resume` goes on, and nothing that was told
    is lost.
    """


@fuzz.command(epilog=_TARGETS + _EXITS, short_help="Start a campaign.")
@_STORE
@click.option("--name", metavar="NAME", help="Name of the campaign. Default: that of the store.")
@click.option("--count", type=click.IntRange(min=1), metavar="N", help="End after N programs.")
@click.option("--time", "time_s", type=_Duration(), metavar="TIME", help="End after, say, 30m.")
@click.option("--seed", type=click.IntRange(min=0), default=0, metavar="N", help="Default: 0.")
@click.option(
    "--targets", default="usual", metavar="P1,P2,...",
    help="Passes as for `passes -p`, or a set: usual, checkpointing, gpu, common, all. "
    "Default: usual.",
)  # fmt: skip
@click.option(
    "--oracles", default="", metavar="O1,O2,...",
    help="Oracles. Default: all but reference and native.",
)  # fmt: skip
@click.option(
    "--mode", type=click.Choice(["batch", "change", "prune", "coverage"]), default="batch",
    help="batch draws on; change does so for 10 minutes; coverage judges the files of the corpus; "
    "prune writes the smallest corpus with the coverage of the store to --output.",
)  # fmt: skip
@click.option("--baseline", default="", metavar="FILE", help="Store or JSON report: known causes.")
@click.option(
    "--corpus", type=click.Path(exists=True, file_okay=False),
    help="Folder of seeds. Default: corpus, without what shows faults of compilers already.",
)  # fmt: skip
@click.option("-o", "--output", type=click.Path(file_okay=False), help="Folder for --mode prune.")
@click.option(
    "--budget", "budget_s", type=_Duration(), default=0.06, metavar="TIME",
    help="A program that takes longer is put off for later; more passes and oracles have more. "
    "Default: 0.06 s of its process.",
)  # fmt: skip
@click.option("--engine", type=click.Choice(["local", "dask"]), default="local")
@click.option("--scheduler", default="", metavar="ADDRESS", help="The scheduler of --engine dask.")
@_NO_TRIAGE
@_JOBS
@_QUIET
@_usage
def run(store: str, **given: Any) -> int:
    """Draw programs, run the targets on them, and let every oracle judge what comes out.

    With --count, a campaign draws the same programs and finds the same wherever it runs.
    """
    from fuzz.runs import start

    if given["mode"] == "prune":
        return _prune(store, given["output"])
    settings = _settings(given)
    name = given["name"] or Path(store).stem
    quiet, is_off = given["quiet"], given["no_triage"]
    ended = start(Path(store), name, settings, is_quiet=quiet, has_triage=not is_off)
    return _status(ended, store)


def _settings(given: dict[str, Any]) -> Any:
    from fuzz.runs import baseline_keys, oracles_of, targets_of
    from fuzz.settings import Settings, corpus_files
    from verify.toolchain.pipelines import split_pipelines

    if (given["engine"] == "dask") != bool(given["scheduler"]):
        raise click.UsageError("--engine dask and --scheduler ADDRESS belong together")
    baseline_keys(given["baseline"])
    folder = Path(given["corpus"]) if given["corpus"] else None
    time_s = given["time_s"]
    if given["mode"] == "change" and time_s is None and given["count"] is None:
        time_s = 600.0
    return Settings(
        seed=given["seed"],
        targets=targets_of(split_pipelines(given["targets"])),
        oracles=oracles_of([o.strip() for o in given["oracles"].split(",") if o.strip()]),
        count=given["count"],
        time_s=time_s,
        mode=given["mode"],
        corpus=corpus_files(folder),
        budget_s=given["budget_s"],
        jobs=given["jobs"] or os.cpu_count() or 1,
        engine=given["engine"],
        scheduler=given["scheduler"],
        baseline=given["baseline"],
    )


def _status(ended: Any, store: str) -> int:
    write(
        f"{ended.state}: {ended.programs} programs judged, {ended.new_groups} groups of findings"
        f" that are new, {ended.new_causes} causes that are new"
        + (f", {ended.kept} of them in corpus/found already\n" if ended.kept else "\n")
    )
    if ended.left:
        write(f"{ended.left} groups are not reduced yet: verify-ir fuzz triage --store {store}\n")
    if ended.state == "interrupted":
        return INTERRUPTED
    return REFUTED if ended.new_causes else 0


def _prune(store: str, output: str | None) -> int:
    from fuzz.pruning import write_corpus
    from fuzz.runs import reading

    if output is None:
        raise click.UsageError("--mode prune writes to a folder: name one with --output")
    opened = reading(Path(store))
    try:
        written, pairs = write_corpus(opened, Path(output))
    finally:
        opened.close()
    write(f"{written} programs in {output} show all {pairs} pairs of features\n")
    return 0


@fuzz.command(epilog=_EXITS, short_help="Go on with a campaign.")
@_STORE
@click.option("--time", "time_s", type=_Duration(), metavar="TIME", help="That much longer.")
@_NO_TRIAGE
@_JOBS
@_QUIET
@_usage
def resume(
    store: str, time_s: float | None, jobs: int | None, *, quiet: bool, no_triage: bool
) -> int:
    """Go on where a campaign was stopped or killed."""
    from fuzz.runs import resume as go_on

    ended = go_on(Path(store), time_s=time_s, jobs=jobs, is_quiet=quiet, has_triage=not no_triage)
    return _status(ended, store)


@fuzz.command(short_help="The numbers of a campaign.")
@_STORE
@click.option("--format", "form", type=click.Choice(["text", "json", "markdown"]), default="text")
@click.option(
    "--baseline", default="", metavar="FILE",
    help="For markdown: a store or JSON report, whose causes are not new. Those that a file of "
    "corpus/found shows never are.",
)  # fmt: skip
@_usage
def status(store: str, form: str, baseline: str) -> None:
    """Tell how far a campaign is and what it found; it may be running."""
    from fuzz.report.markdown import to_markdown
    from fuzz.report.summary import summary_of, to_text
    from fuzz.runs import baseline_keys, reading

    opened = reading(Path(store))
    try:
        found = summary_of(opened)
    finally:
        opened.close()
    if form == "markdown":
        write(to_markdown(found, baseline_keys(baseline)))
    else:
        write(json.dumps(found, indent=1) + "\n" if form == "json" else to_text(found))


@fuzz.command(short_help="Write the report of a campaign.")
@_STORE
@click.option(
    "-o", "--output", default="reports", type=click.Path(file_okay=False), metavar="DIR",
    help="The report goes to DIR/<campaign>/index.html. Default: reports.",
)  # fmt: skip
@_usage
def report(store: str, output: str) -> None:
    """Write a page with pictures, and the same as JSON beside it."""
    from fuzz.report.page import write_report
    from fuzz.runs import reading

    opened = reading(Path(store))
    try:
        page = write_report(opened, Path(output))
    finally:
        opened.close()
    write(f"{page}\n")


@fuzz.command(short_help="Judge the program of a finding again.")
@click.argument("id")
@_STORE
@click.option("--text", "only_text", is_flag=True, help="Only write the program.")
@_usage
def replay(id: str, store: str, only_text: bool) -> int:  # noqa: A002 - the name of the argument
    """Draw the program of finding ID, or of the group of that name, and judge it again."""
    from fuzz.runs import again, reading

    opened = reading(Path(store))
    try:
        text, judged = again(opened, id)
    finally:
        opened.close()
    write(text)
    if only_text:
        return 0
    for found in judged.findings:
        target = found.target or "verify-ir"
        write(f"// {found.code} {found.oracle} {target} [{found.group}]: {found.message}\n")
    if not judged.findings:
        write("// nothing is found any more\n")
    return REFUTED if judged.findings else 0


fuzz.add_command(mutants)
fuzz.add_command(triage)
fuzz.add_command(keep)
