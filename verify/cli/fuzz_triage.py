"""The commands `fuzz triage` and `fuzz keep`."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from verify.cli.exits import INTERRUPTED
from verify.cli.fuzz_options import QUIET, STORE, Duration, usage
from verify.cli.output import write

if TYPE_CHECKING:
    from fuzz.triage.causes import Cause
    from verify.result import FileResult

_KNOWN = click.option(
    "--known", default="corpus/found", type=click.Path(file_okay=False), metavar="DIR",
    help="Findings that are known already. Default: corpus/found.",
)  # fmt: skip
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*")


@click.command(short_help="Reduce what a campaign found, and tell its causes.")
@STORE
@click.option("--time", "time_s", type=Duration(), metavar="TIME", help="End after, say, 10m.")
@click.option(
    "--group-time", "group_s", type=Duration(), default=60.0, metavar="TIME",
    help="The most for one group of findings. Default: 60 s.",
)  # fmt: skip
@_KNOWN
@QUIET
@usage
def triage(store: str, time_s: float | None, group_s: float, known: str, quiet: bool) -> int:
    """Reduce the smallest program of each group of findings, and put groups of one cause together.

    Each group that is done is kept: triage may be killed and called again. What the time was too
    short for is gone on with.
    """
    from fuzz.runs import again_opened, say
    from fuzz.triage.causes import causes_in
    from fuzz.triage.run import Plan
    from fuzz.triage.run import triage as work

    plan = Plan(time_s, group_s, Path(known), goes_on=True)
    opened = again_opened(Path(store))
    try:
        done = work(opened, plan, lambda text: say(text, is_quiet=quiet))
        causes = causes_in(opened)
    except KeyboardInterrupt:
        write(f"interrupted; go on with verify-ir fuzz triage --store {store}\n")
        return INTERRUPTED
    finally:
        opened.close()
    write("".join(f"{_line(cause)}\n" for cause in causes))
    left = f", {done.left} groups are left" if done.left else ""
    write(f"{done.groups} groups are {done.causes} causes{left}\n")
    return 0


def _line(cause: "Cause") -> str:
    from fuzz.triage.words import title_of
    from verify.report.style import clean

    known = f" (known: {cause.known})" if cause.known else ""
    done = cause.reduction
    size = f"{done.lines} lines" if done else "not reduced"
    return f"{cause.name}: {clean(title_of(cause))} [{size}]{known}"


@click.command(short_help="Keep a cause as a file of a corpus.")
@click.argument("cause")
@STORE
@click.option("--as", "name", required=True, metavar="NAME", help="The name of the file.")
@click.option(
    "-o", "--output", "folder", default="corpus/found", type=click.Path(file_okay=False),
    metavar="DIR", help="The file is DIR/NAME.mlir. Default: corpus/found.",
)  # fmt: skip
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@usage
def keep(cause: str, store: str, name: str, folder: str, *, force: bool) -> int:
    """Write the reduced program of CAUSE as a corpus file with what is expected of it.

    CAUSE is a name that `fuzz triage` told, or the name of a group.
    """
    from fuzz.runs import reading

    if not _NAME.fullmatch(name.removesuffix(".mlir")):
        raise click.UsageError(f"--as: `{name}` is no plain name such as pass_loses_a_wait")
    path = Path(folder, f"{name.removesuffix('.mlir')}.mlir")
    if path.exists() and not force:
        raise click.UsageError(f"`{path}` is there already; --force writes over it")
    opened = reading(Path(store))
    try:
        campaign = opened.campaign()
        found = _found(opened, cause)
    finally:
        opened.close()
    text = _text(found, path, str(campaign and campaign["name"]))
    path.parent.mkdir(parents=True, exist_ok=True)
    write(text, str(path), is_utf8=True)
    write(f"{path}\n")
    return 0


def _found(store: Any, name: str) -> "Cause":
    from fuzz.triage.causes import causes_in

    causes = causes_in(store)
    for cause in causes:
        if name == cause.name or name in (m.finding.group for m in cause.members):
            if cause.reduction is None:
                raise click.UsageError(f"`{name}` is not reduced yet; `fuzz triage` does that")
            return cause
    known = ", ".join(cause.name for cause in causes) or "none"
    raise click.UsageError(f"there is no cause `{name}`; there are: {known}")


def _text(cause: "Cause", path: Path, campaign: str) -> str:
    """The corpus file; refused where it would not meet its own comments."""
    from verify.expectations import check_expectations
    from verify.ir.frontend import read_text
    from verify.reduce.written import TOP, with_expectations

    done = cause.reduction
    assert done is not None
    result = _examined(TOP + done.text, path, cause)
    text = with_expectations(_header(cause, campaign), done.text, str(path), result)
    parsed = read_text(text, str(path))
    mismatches = check_expectations(parsed.path, text, [_examined(text, path, cause)])
    if mismatches:
        raise click.UsageError(f"the file would not meet its own comments: {mismatches[0]}")
    return text


def _examined(text: str, path: Path, cause: "Cause") -> "FileResult":
    from fuzz.triage.gradients import is_gradient

    if is_gradient(cause.best.finding):
        return _differentiated(text, path)
    from verify.config import Options
    from verify.driver import examine
    from verify.ir.frontend import read_text

    target = cause.best.finding.target
    return examine(read_text(text, str(path)), Options(), (target,) if target else ())


def _differentiated(text: str, path: Path) -> "FileResult":
    """What the command `gradient` says of each function that it can judge."""
    from verify.gradient.findings import function_result
    from verify.gradient.oracle import check_gradient
    from verify.gradient.result import Options
    from verify.gradient.signature import functions_of
    from verify.ir.frontend import read_text
    from verify.result import FileResult

    parsed = read_text(text, str(path))
    results = [check_gradient(parsed, n, Options(samples=1)) for n in functions_of(parsed)]
    return FileResult(str(path), tuple(map(function_result, results)))


def _header(cause: "Cause", campaign: str) -> str:
    from fuzz.triage.gradients import COMMAND, is_gradient
    from fuzz.triage.words import title_of
    from verify.reduce.written import Header, quoted

    done, finding = cause.reduction, cause.best.finding
    assert done is not None
    target = finding.target
    seen = [
        f"{name} {version}"
        for name, version in cause.best.row.versions.items()
        if name in ("verify-ir", *(t.partition(":")[0] for t in cause.targets))
    ]
    others = [t for t in cause.targets if t != target]
    more = f"; the same with {', '.join(f'`{t}`' for t in others)}" if others else ""
    command = f"passes %s -p {quoted(target)}" if target else "check %s"
    if is_gradient(finding):
        command = COMMAND.format("%s")
    return Header(
        f"{title_of(cause)}.",
        f"found by the campaign `{campaign}` (oracle {finding.oracle}) and reduced from"
        f" {done.lines_before} lines.",
        f"{', '.join(seen)}{more}.",
        f"{command} --verify-diagnostics",
    ).text()
