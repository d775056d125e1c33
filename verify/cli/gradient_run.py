"""One run of the command `gradient`: from a file to the results of its functions."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from verify.config import Options as Settings
from verify.diagnostic import Diagnostic, Location
from verify.expectations import Mismatch, check_expectations
from verify.gradient.findings import function_result
from verify.gradient.oracle import check_gradient
from verify.gradient.result import GradientResult, Options
from verify.gradient.signature import GradientUsageError, find_function, functions_of
from verify.ir.frontend import read_modules
from verify.ir.module import ParsedModule
from verify.ir.source import SourceError, SourceText, decode_source, read_source
from verify.result import FileResult


@dataclass(frozen=True, slots=True)
class Refusal:
    """A function that cannot be judged, why, and what is in the way."""

    path: str
    function: str
    reason: str
    location: Location | None = None

    def __str__(self) -> str:
        is_named = not self.function or f"`@{self.function}`" in self.reason
        name = "" if is_named else f"@{self.function}: "
        at = self.location
        place = f"{at.file}:{at.line}:{at.column}" if at else self.path
        return f"{place}: {name}{self.reason}"


@dataclass(slots=True)
class GradientOutcome:
    """What became of a file; what was finished, when it was interrupted.

    `errors` are those of a file that cannot be read.
    """

    path: str
    source: SourceText | None = None
    results: list[GradientResult] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)
    errors: list[Diagnostic] = field(default_factory=list)
    mismatches: list[Mismatch] = field(default_factory=list)
    is_interrupted: bool = False


def run_file(
    path: str,
    content: bytes | None,
    function: str | None,
    options: Options,
    settings: Settings,
    progress: Callable[[str], None],
) -> GradientOutcome:
    """Judge one function of a file, or each that can be judged."""
    outcome = GradientOutcome(path)
    try:
        source = read_source(path) if content is None else decode_source(path, content)
    except SourceError as error:
        outcome.errors.append(error.diagnostic)
        return outcome
    except OSError as error:
        reason = f"`{path}` cannot be read: {error.strerror or error}"
        outcome.errors.append(Diagnostic("E0001", reason))
        return outcome
    outcome.source = source
    modules = read_modules(source, split=settings.split_input_file)
    outcome.errors += [error for module in modules for error in module.errors]
    readable = [module for module in modules if module.module is not None]
    try:
        for module, name in _chosen(readable, function, outcome):
            _judge(module, name, options, outcome, progress)
    except KeyboardInterrupt:
        outcome.is_interrupted = True
    if settings.verify_diagnostics:
        outcome.mismatches = _mismatches(outcome, source)
    return outcome


def _chosen(
    modules: list[ParsedModule], function: str | None, outcome: GradientOutcome
) -> Iterator[tuple[ParsedModule, str]]:
    """The functions to judge; of a named one, the first module that has it."""
    if function is None:
        for module in modules:
            names = functions_of(module)
            if not names:
                refusal = Refusal(module.path, "", "there is no `func.func` with a body")
                outcome.refusals.append(refusal)
            yield from ((module, name) for name in names)
        return
    reasons: list[Refusal] = []
    for module in modules:
        try:
            find_function(module, function)
        except GradientUsageError as error:
            reasons.append(Refusal(module.path, function.removeprefix("@"), str(error)))
            continue
        yield module, function
        return
    outcome.refusals += reasons


def _judge(
    module: ParsedModule,
    function: str,
    options: Options,
    outcome: GradientOutcome,
    progress: Callable[[str], None],
) -> None:
    try:
        outcome.results.append(check_gradient(module, function, options, progress))
    except GradientUsageError as error:
        name = function.removeprefix("@")
        outcome.refusals.append(Refusal(module.path, name, str(error), error.location))


def _mismatches(outcome: GradientOutcome, source: SourceText) -> list[Mismatch]:
    """Where the results and the comments in the file disagree."""
    functions = tuple(function_result(result) for result in outcome.results)
    file = FileResult(source.path, functions, tuple(outcome.errors))
    return check_expectations(source.path, source.text, [file])
