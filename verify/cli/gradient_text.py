"""Gradients for a person to read: the status of each variant, and the elements that differ."""

from collections.abc import Iterator

from verify.cli.gradient_run import GradientOutcome
from verify.cli.output import can_draw, wants_color
from verify.config import Options as Settings
from verify.diagnostic import Location
from verify.gradient.result import (
    CRASH,
    DOES_NOT_COMPILE,
    NOT_RUN,
    RIGHT,
    UNDECIDED,
    WRONG,
    GradientResult,
    Sample,
    VariantResult,
)
from verify.report.context import RenderContext
from verify.report.phrases import count, say_value
from verify.report.sources import Sources
from verify.report.style import Paint, clean
from verify.report.table import Cell, render_table
from verify.report.text import render_diagnostic

_STYLES = {
    RIGHT: "proven",
    WRONG: "refuted",
    DOES_NOT_COMPILE: "refuted",
    CRASH: "refuted",
    UNDECIDED: "undecided",
    NOT_RUN: "undecided",
}
_MOST_ELEMENTS = 8
_FINITE = "finite differences"


def to_text(
    outcome: GradientOutcome, settings: Settings, output: str | None, verbosity: int
) -> str:
    """Errors, a block for each function, and what was left out."""
    paint = Paint(wants_color(settings.color, output))
    is_unicode = can_draw(output)
    lines = _errors(outcome, paint)
    for result in outcome.results:
        lines += _function(result, paint, is_unicode=is_unicode, verbosity=verbosity)
    head = "left out" if outcome.results else paint("error", "error")
    lines += [f"{head}: {clean(str(each))}" for each in outcome.refusals]
    lines.append(_summary(outcome))
    return "".join(f"{line}\n" for line in lines)


def _errors(outcome: GradientOutcome, paint: Paint) -> list[str]:
    texts = {outcome.path: outcome.source.text} if outcome.source else {}
    context = RenderContext(sources=Sources(texts), command="gradient")
    return [
        line
        for error in outcome.errors
        for line in render_diagnostic(error, context, paint, outcome.path)
    ]


def _function(
    result: GradientResult, paint: Paint, *, is_unicode: bool, verbosity: int
) -> list[str]:
    rows: list[list[Cell]] = [["variant", "gradient"]]
    rows += [_row(result, variant) for variant in result.variants]
    lines = [paint("strong", _headline(result))]
    lines += render_table(rows, is_unicode=is_unicode, paint=paint)
    lines += _messages(result, paint)
    for sample in range(len(result.samples)):
        lines += _elements(result, sample, paint, is_unicode=is_unicode, verbosity=verbosity)
    lines += [f"{paint('note', 'note')}: {clean(note)}" for note in result.notes]
    if verbosity > 0:
        lines += _details(result)
    return [*lines, ""]


def _headline(result: GradientResult) -> str:
    written = f", written with the {result.written} schedule" if result.written else ""
    active = [name for name, activity in result.activities.items() if activity != "const"]
    place = f":{result.location.line}" if result.location else ""
    by = ", ".join(active)
    return clean(
        f"{result.path}{place}: @{result.function} by {by} "
        f"({count(len(result.elements), 'element')}, {count(len(result.samples), 'sample')})"
        f"{written}"
    )


def _row(result: GradientResult, variant: VariantResult) -> list[Cell]:
    mark = " (as written)" if variant.variant.name == f"on:{result.written}" else ""
    return [variant.variant.name + mark, (_STYLES[variant.status], variant.status)]


def _messages(result: GradientResult, paint: Paint) -> Iterator[str]:
    """What is said about the variants, once for all of which the same is said."""
    said: dict[tuple[str, str], list[str]] = {}
    for variant in result.variants:
        if variant.message:
            message = clean(" ".join(variant.message.split()))
            place = _place(variant.location)
            said.setdefault((variant.status, f"{place}{message}"), []).append(variant.variant.name)
    for (status, message), names in said.items():
        yield f"{paint(_STYLES[status], ', '.join(names))}: {message}"


def _place(location: Location | None) -> str:
    return f"{location.file}:{location.line}:{location.column}: " if location else ""


def _elements(
    result: GradientResult, sample: int, paint: Paint, *, is_unicode: bool, verbosity: int
) -> list[str]:
    """A table of the elements that are wrong in some variant, or of all in a verbose run."""
    wrong = {
        found.element
        for variant in result.variants
        for found in variant.differences
        if found.sample == sample
    }
    chosen = [
        index
        for index, name in enumerate(result.elements)
        if name in wrong or (verbosity > 0 and result.samples[sample].expected)
    ]
    if not chosen:
        return []
    shown = chosen if verbosity > 0 else chosen[:_MOST_ELEMENTS]
    columns = list(_columns(result, sample, shown))
    rows: list[list[Cell]] = [["element", *(title for title, _ in columns)]]
    for position, index in enumerate(shown):
        rows.append([result.elements[index], *(cells[position] for _, cells in columns)])
    more = len(chosen) - len(shown)
    tail = [f"... {count(more, 'more element')}, shown with -v"] if more else []
    title = f"sample {sample + 1}, {_weights(result.samples[sample])}:"
    return [title, *render_table(rows, is_unicode=is_unicode, paint=paint), *tail]


def _weights(sample: Sample) -> str:
    """What was differentiated: a result, or a weighted sum of everything that is left."""
    weights = [weight for numbers in sample.seeds.values() for weight in numbers if weight != 0]
    if weights == [1.0]:
        return "gradient of the result"
    return "gradient of a weighted sum of results and memory"


def _columns(
    result: GradientResult, sample: int, shown: list[int]
) -> Iterator[tuple[str, list[Cell]]]:
    """A column for each different gradient, under the names of its variants."""
    expected = result.samples[sample].expected
    yield _FINITE, [f"{expected[index]:.6g}" for index in shown]
    groups: dict[tuple[str, ...], list[str]] = {}
    wrong: dict[tuple[str, ...], set[str]] = {}
    for variant in result.variants:
        if not variant.gradients:
            continue
        cells = tuple(f"{variant.gradients[sample][index]:.6g}" for index in shown)
        groups.setdefault(cells, []).append(variant.variant.name)
        found = {each.element for each in variant.differences if each.sample == sample}
        wrong.setdefault(cells, set()).update(found)
    for cells, names in groups.items():
        title = names[0] + (f" and {len(names) - 1} more" if len(names) > 1 else "")
        yield (
            title,
            [
                ("refuted", f"{cell} !") if result.elements[index] in wrong[cells] else cell
                for index, cell in zip(shown, cells, strict=True)
            ],
        )


def _details(result: GradientResult) -> Iterator[str]:
    for number, sample in enumerate(result.samples, start=1):
        for name, numbers in sample.inputs.items():
            yield clean(f"sample {number}: {name} = {say_value(list(numbers))}")
    for variant in result.variants:
        times = (
            f"{variant.compile_s * 1000:.1f} ms to compile, {variant.run_s * 1000:.1f} ms to run"
        )
        by = f" by {variant.runner}" if variant.runner else ""
        yield f"{variant.variant.name}: {times}{by}"
        yield clean(f"  verify-ir passes {result.path} -p '{variant.pipeline}'")
        yield from (f"  | {clean(line)}" for line in variant.stderr.strip().splitlines()[-10:])
    yield f"tolerance {result.tolerance:g}, seed {result.seed}"


def _summary(outcome: GradientOutcome) -> str:
    statuses = [variant.status for result in outcome.results for variant in result.variants]
    kinds = [f"{statuses.count(each)} {each}" for each in _STYLES if each in statuses]
    functions = count(len(outcome.results), "function")
    seconds = sum(result.seconds for result in outcome.results)
    end = "interrupted; " if outcome.is_interrupted else ""
    return f"{end}{functions}: {', '.join(kinds) or 'nothing was judged'} ({seconds:.2f} s)"
