"""Several versions of one compiler beside each other, in words and as a table."""

from collections.abc import Iterable, Iterator, Sequence
from difflib import unified_diff

from verify.report.context import RenderContext
from verify.report.style import Paint, clean
from verify.report.table import Cell, render_table
from verify.side_by_side import ComparedStage, Comparison, Side

_LONGEST_DIFFERENCE = 60


def render_comparison(found: Comparison, context: RenderContext, paint: Paint) -> list[str]:
    """The table of verdicts, what differs, and with -v how the first outputs that do differ."""
    rows: list[Sequence[Cell]] = [["stage", *map(clean, found.compilers), "output"]]
    for stage in found.stages:
        cells = [cell_of(side) for side in stage.sides]
        rows.append([clean(stage.stage), *cells, output_word(stage)])
    title = clean(f"{found.path}: {_listed(found.compilers)} beside each other")
    table = render_table(rows, is_unicode=context.is_unicode, paint=paint)
    shown = list(_difference(found)) if context.verbosity > 0 else []
    return [paint("strong", title), *table, *say_differences(found), *shown]


def cell_of(side: Side) -> tuple[str, str]:
    """The style and text of one version at one stage."""
    return (side.verdict.value if side.verdict else "dim"), side.text


def output_word(stage: ComparedStage) -> str:
    """Whether the outputs of a stage are the same."""
    compared = sum(map(len, stage.forms))
    if compared < 2:
        return "-"
    return "alike" if len(stage.forms) == 1 else "differ"


def say_differences(found: Comparison) -> list[str]:
    """A sentence for each difference, or one that there is none."""
    if found.is_agreed:
        return [f"{_listed(found.compilers)} agree: the same verdicts, the same IR but for names"]
    return [clean(line) for stage in found.stages for line in _differences(stage)]


def _differences(stage: ComparedStage) -> Iterator[str]:
    if len({(side.verdict, side.codes) for side in stage.sides if side.verdict}) > 1:
        by_text: dict[str, list[str]] = {}
        for side in stage.sides:
            text = side.text if side.verdict else "nothing"
            by_text.setdefault(text, []).append(side.compiler)
        told = "; ".join(f"{text} with {_listed(names)}" for text, names in by_text.items())
        yield f"{stage.stage}: {told}"
    if len(stage.forms) > 1:
        groups = [_listed(side.compiler for side in form) for form in stage.forms]
        yield f"{stage.stage}: the IR differs between {'; '.join(groups)}"


def _difference(found: Comparison) -> Iterator[str]:
    """The lines in which the first two outputs that differ do so."""
    stage = next((stage for stage in found.stages if len(stage.forms) > 1), None)
    if stage is None:
        return
    one, other = stage.forms[0][0], stage.forms[1][0]
    left, right = one.output.splitlines(), other.output.splitlines()
    lines = unified_diff(left, right, one.compiler, other.compiler, n=1, lineterm="")
    for number, line in enumerate(lines):
        if number == _LONGEST_DIFFERENCE:
            yield "    ..."
            return
        yield f"    {clean(line)}"


def _listed(names: Iterable[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last
