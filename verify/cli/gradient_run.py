"""One run of the command `gradient`: from a file to the results of its functions."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from verify.config import Options as Settings
from verify.diagnostic import Diagnostic
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
    """A function that cannot be judged, and why."""

    path: str
    function: str
    reason: str

    def __str__(self) -> str:
        is_named = not self.function or f"`@{self.function}`" in self.reason
        name = "" if is_named else f"@{self.function}: "
        return f"{self.path}: {name}{self.reason}"


@dataclass(slots=True)
class GradientOutcome:
    """What became of a file. `errors` are those of a file that cannot be read."""

    path: str
    source: SourceText | None = None
    results: list[GradientResult] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)
    errors: list[Diagnostic] = field(default_factory=list)
    mismatches: list[Mismatch] = field(default_factory=list)


def run_file(
    path: str,
    content: bytes | None,
    function: str | None,
    options: Options,
    settings: Settings,
) -> GradientOutcome:
    """Judge one function of a file, or each that can be judged."""
    outcome = GradientOutcome(path)
    try:
        source = read_source(path) if content is None else decode_source(path, content)
    except SourceError as error:
        outcome.errors.append(error.diagnostic)
        return outcome
    except OSError as error:
        reason = error.strerror or str(error)
        outcome.errors.append(Diagnostic("E0001", f"the file cannot be read: {reason}"))
        return outcome
    outcome.source = source
    modules = read_modules(source, split=settings.split_input_file)
    outcome.errors += [error for module in modules for error in module.errors]
    readable = [module for module in modules if module.module is not None]
    for module, name in _chosen(readable, function, outcome):
        _judge(module, name, options, outcome)
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
                refusal = Refusal(module.path, "", "there is no function with a body")
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


def _judge(module: ParsedModule, function: str, options: Options, outcome: GradientOutcome) -> None:
    try:
        outcome.results.append(check_gradient(module, function, options))
    except GradientUsageError as error:
        outcome.refusals.append(Refusal(module.path, function.removeprefix("@"), str(error)))


def _mismatches(outcome: GradientOutcome, source: SourceText) -> list[Mismatch]:
    """Where the results and the comments in the file disagree."""
    functions = tuple(function_result(result) for result in outcome.results)
    file = FileResult(source.path, functions, tuple(outcome.errors))
    return check_expectations(source.path, source.text, [file])
