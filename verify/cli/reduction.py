"""One run of `reduce`: find what to keep, search, and write the result as a corpus file."""

import sys
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from verify.cli.inputs import STDIN, read_stdin
from verify.cli.progress import Progress
from verify.config import Options
from verify.report.phrases import count

if TYPE_CHECKING:
    from verify.diagnostic import Diagnostic
    from verify.ir.module import ParsedModule
    from verify.ir.source import SourceText
    from verify.reduce.cause import Cause
    from verify.reduce.search import Reduced
    from verify.result import FileResult

_MOST_SHOWN = 6


@dataclass(frozen=True, slots=True)
class Request:
    """What the command line asks for."""

    path: str
    code: str
    specs: tuple[str, ...]
    options: Options
    function: str | None
    output: str | None
    time_s: float
    is_quiet: bool


@dataclass(frozen=True, slots=True)
class _Aim:
    """The module to reduce, what to keep on it, and how to find out whether it is kept.

    `is_named` tells whether the cause has a stack with names.
    """

    parsed: "ParsedModule"
    cause: "Cause"
    holds: "Callable[[ParsedModule], bool]"
    is_named: bool = False


def run_reduction(request: Request, command: str) -> tuple[str, bool]:
    """The text of the reduced file, and whether an interrupt cut the search short."""
    from verify.reduce.search import Budget, NotInterestingError, reduce_module
    from verify.toolchain.stacks import without_names

    source = _source(request.path)
    progress = Progress(request.output, is_quiet=request.is_quiet)
    with without_names():
        aim = _aim(request, source)
        progress.say(f"keeping {aim.cause}")
        budget = Budget(request.time_s)
        try:
            reduced = reduce_module(
                _own_text(aim.parsed), aim.holds, budget, progress=progress.show
            )
        except NotInterestingError as error:
            message = f"{request.path}: not found again in generic form: {error}"
            raise click.UsageError(message) from error
    try:
        aim, reduced = _with_names(request, aim, reduced, progress)
        progress.end(reduced)
        lines = source.text.count("\n")
        text = _file(request, aim, _body(aim, reduced.text), command, lines)
    except KeyboardInterrupt:
        return reduced.text, True
    return text, reduced.end == "interrupted"


def _with_names(
    request: Request, aim: _Aim, reduced: "Reduced", progress: Progress
) -> "tuple[_Aim, Reduced]":
    """Go on with the names of functions where memory was misused: such ends vary in their calls.

    What a compiler does with freed memory also depends on what its process did before.
    """
    from verify.ir.frontend import read_text
    from verify.reduce.cause import is_by_memory
    from verify.reduce.judge import failures_of, keeps_failure_afresh
    from verify.reduce.search import Budget, NotInterestingError, reduce_module

    if not is_by_memory(aim.cause):
        return aim, reduced
    # What is left shows the cause as well, and is the better witness: little else is in it.
    found = failures_of(request.specs, read_text(reduced.text), request.options)
    found = found or failures_of(request.specs, aim.parsed, request.options)
    named = [cause for cause in found if cause.code == aim.cause.code]
    left_s = request.time_s - reduced.seconds
    if not named or left_s <= 0 or reduced.end == "interrupted":
        return aim, reduced
    holds = keeps_failure_afresh(named[0], request.specs, request.options)
    try:
        again = reduce_module(reduced.text, holds, Budget(left_s), progress=progress.show)
    except NotInterestingError:
        return aim, reduced
    again = replace(
        again,
        ops_before=reduced.ops_before,
        tests=reduced.tests + again.tests,
        seconds=reduced.seconds + again.seconds,
    )
    return replace(aim, cause=named[0], holds=holds, is_named=True), again


def _own_text(parsed: "ParsedModule") -> str:
    from verify.ir.printing import to_generic_text

    assert parsed.module is not None
    return to_generic_text(parsed.module, locations=False)


def _source(path: str) -> "SourceText":
    from verify.ir.source import SourceError, decode_source, read_source

    try:
        return decode_source(STDIN, read_stdin()) if path == STDIN else read_source(path)
    except SourceError as error:
        raise _unreadable(path, error.diagnostic) from error
    except OSError as error:
        raise click.UsageError(f"{path}: cannot be read: {error.strerror or error}") from error


def _unreadable(path: str, diagnostic: "Diagnostic") -> click.UsageError:
    place = diagnostic.location
    at = f"{place.file}:{place.line}:{place.column}" if place else path
    return click.UsageError(f"{at}: [{diagnostic.code}] {diagnostic.message}")


def _aim(request: Request, source: "SourceText") -> _Aim:
    """The first finding of the code, in the first module that has one."""
    from verify.ir.frontend import read_modules

    others: list[Cause] = []
    for parsed in read_modules(source, split=request.options.split_input_file):
        if parsed.module is None:
            raise _unreadable(request.path, parsed.errors[0])
        found, holds = _causes(request, parsed)
        for cause in found:
            if cause.code == request.code:
                return _Aim(parsed, cause, holds(cause))
        others += found
    seen = "; ".join(dict.fromkeys(map(str, others[:_MOST_SHOWN]))) or "nothing"
    where = f" in `@{request.function}`" if request.function else ""
    raise click.UsageError(f"{request.code} does not occur{where} in {request.path}; found: {seen}")


def _causes(
    request: Request, parsed: "ParsedModule"
) -> "tuple[list[Cause], Callable[[Cause], Callable[[ParsedModule], bool]]]":
    """What is found in a module, and what decides whether a cause among that is kept."""
    from verify.blame import stage_names
    from verify.driver import examine
    from verify.reduce.judge import (
        PASS_FAILURES,
        causes_in,
        failures_of,
        keeps_failure,
        keeps_finding,
    )

    options, specs = request.options, request.specs
    if request.code in PASS_FAILURES:
        found = failures_of(specs, parsed, options)
        return found, lambda cause: keeps_failure(cause, specs, options)
    result = examine(parsed, options, specs)
    _check_function(request, result)
    found = causes_in(result, parsed, request.function)
    known = causes_in(result, parsed)
    stages = ["input", *stage_names(specs)]

    def holds(cause: "Cause") -> "Callable[[ParsedModule], bool]":
        needed = specs[: stages.index(cause.stage)]
        return keeps_finding(cause, known, lambda other: examine(other, options, needed))

    return found, holds


def _check_function(request: Request, result: "FileResult") -> None:
    names = [each.name for each in result.functions if each.name]
    if request.function is not None and request.function not in names:
        known = ", ".join(f"`@{name}`" for name in names) or "none"
        raise click.UsageError(f"--function: no `@{request.function}` here; there are: {known}")


def _body(aim: _Aim, generic: str) -> str:
    """The most readable form of the module that shows the cause."""
    from verify.ir.frontend import read_text
    from verify.reduce.written import TOP, readable
    from verify.toolchain.stacks import without_names

    with nullcontext() if aim.is_named else without_names():
        for text in readable(generic):
            parsed = read_text(TOP + text)
            if parsed.module is not None and aim.holds(parsed):
                return text
    return generic


def _file(request: Request, aim: _Aim, body: str, command: str, lines: int) -> str:
    """The file with its header, and with expectations when it meets them."""
    from verify.driver import examine
    from verify.ir.frontend import read_text
    from verify.reduce.cause import cause_of
    from verify.reduce.written import TOP, Header, with_expectations

    path = request.output or STDIN
    parsed = read_text(TOP + body, path)
    result = examine(parsed, request.options, request.specs)
    found = [
        diagnostic
        for function in result.functions
        for stage in function.stages
        for diagnostic in stage.diagnostics
        if diagnostic.code == request.code
    ]
    cause = cause_of(found[0], parsed) if found else aim.cause
    shows = found[0].message if found else str(cause)
    header = Header(shows, _idea(request, cause, lines), _seen_with(request), command).text()
    text = with_expectations(header, body, path, result)
    return text if _meets_itself(text, request) else header + body


def _meets_itself(text: str, request: Request) -> bool:
    """Whether a file has the findings that its comments expect; says so if not."""
    from verify.driver import examine
    from verify.expectations import check_expectations
    from verify.ir.frontend import read_text

    parsed = read_text(text, request.output or STDIN)
    result = examine(parsed, request.options, request.specs)
    mismatches = check_expectations(parsed.path, text, [result])
    if mismatches:
        sys.stderr.write(f"reduce: written without expectations: {mismatches[0]}\n")
    return not mismatches


def _idea(request: Request, cause: "Cause", lines: int) -> str:
    name = "standard input" if request.path == STDIN else f"`{Path(request.path).name}`"
    return (
        f"reduced from {name} ({count(lines, 'line')}) by `verify-ir reduce --keep "
        f"{request.code}`; kept is {cause}."
    )


def _seen_with(request: Request) -> str:
    from verify import __version__
    from verify.cli.checking import toolchain_versions

    versions = {"verify-ir": __version__, **toolchain_versions(request.specs, request.options)}
    return ", ".join(f"{name} {version}" for name, version in versions.items()) + "."
