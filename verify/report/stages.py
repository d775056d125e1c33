"""The table stage by check of a file in plain text: one for all of its functions, or one for each.

A cell holds `proven`, the codes that refute a check or leave it open, or `-` where there was
nothing to ask.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import zip_longest

from verify.checklist import CHECKS, OTHER, Answer, answers, worst
from verify.codes import Severity, severity_of
from verify.report.context import RenderContext
from verify.report.phrases import count
from verify.report.style import Paint, clean
from verify.report.table import Cell, render_table
from verify.report.walk import stage_names
from verify.result import FileResult, FunctionResult, StageResult
from verify.verdict import Verdict

NOT_ASKED = "-"
_NARROWEST = 12
_BREAKS = re.compile(r"(?<=[:(,{ -])")
_STYLES = {
    Severity.ERROR: "refuted",
    Severity.UNDECIDED: "undecided",
    Severity.WARNING: "warning",
    Severity.NOTE: "proven",
}
_Row = tuple[str, dict[str, Answer]]


def render_stages(file: FileResult, context: RenderContext, paint: Paint) -> list[str]:
    """The tables of one file, each below its title."""
    functions = [function for function in file.functions if function.name]
    if context.verbosity > 0 and len(functions) > 1:
        return [
            line
            for function in file.functions
            for line in _titled(
                f"{title_of(file)}: {name_of(function)}", _rows(function.stages), context, paint
            )
        ]
    title = title_of(file)
    if functions:
        several = f"{count(len(functions), 'function')}, the worst of them in each cell"
        title += f": {name_of(functions[0]) if len(functions) == 1 else several}"
    lines = _titled(title, _worst_rows(file), context, paint)
    return lines + (_first_seen(file) if len(functions) > 1 else [])


def title_of(file: FileResult) -> str:
    """The path of a file, with the compiler where there are several."""
    return f"{file.path} with {file.compiler}" if file.compiler else file.path


def name_of(function: FunctionResult) -> str:
    """A function as it is called in a report; the module for what belongs to none."""
    return f"@{clean(function.name)}" if function.name else "module"


def cell_text(answer: Answer | None) -> str:
    """What stands in the cell of one check."""
    return NOT_ASKED if answer is None else answer.text


def cell_style(answer: Answer | None) -> str:
    """The style of that cell."""
    if answer is None:
        return "dim"
    return "warning" if answer.is_vacuous else _STYLES[answer.severity]


def _rows(stages: Iterable[StageResult]) -> list[_Row]:
    return [(stage.stage, answers(stage)) for stage in stages]


def _worst_rows(file: FileResult) -> list[_Row]:
    """A row for each stage, with the worst that any function has in each cell."""
    rows: list[_Row] = []
    for name in stage_names(file):
        found = [
            answers(stage)
            for function in file.functions
            for stage in function.stages
            if stage.stage == name
        ]
        checks = dict.fromkeys(check for each in found for check in each)
        rows.append((name, {c: worst(each[c] for each in found if c in each) for c in checks}))
    return rows


def _titled(title: str, rows: list[_Row], context: RenderContext, paint: Paint) -> list[str]:
    checks = [c for c in (*CHECKS, OTHER) if any(c in found for _, found in rows)]
    room = _room(checks, rows, context, is_stacked=False)
    is_stacked = max((len(name) for name, _ in rows), default=0) > room
    if is_stacked:
        room = max(_NARROWEST, _room(checks, rows, context, is_stacked=True))
    table: list[Sequence[Cell]] = [["stage", *checks]]
    for name, found in rows:
        columns: list[Sequence[Cell]] = [_folded(clean(name), room)]
        columns += [_cell(found.get(check), is_stacked=is_stacked) for check in checks]
        table += zip_longest(*columns, fillvalue="")
    drawn = render_table(table, is_unicode=context.is_unicode, paint=paint)
    return [paint("strong", clean(title)), *drawn]


def _room(
    checks: Sequence[str], rows: list[_Row], context: RenderContext, *, is_stacked: bool
) -> int:
    """What is left for the names of stages."""
    taken = 4
    for check in checks:
        cells = [_cell(found.get(check), is_stacked=is_stacked) for _, found in rows]
        taken += 3 + max(len(check), *(len(line) for lines in cells for _, line in lines))
    return context.columns - taken


def _cell(answer: Answer | None, *, is_stacked: bool) -> list[tuple[str, str]]:
    """The lines of a cell, each with its style; several codes may stand above one another."""
    text = cell_text(answer)
    return [(cell_style(answer), line) for line in (text.split() if is_stacked else [text])]


def _folded(name: str, room: int) -> list[str]:
    """The name of a stage in lines of at most `room` columns where it can be broken."""
    lines = [""]
    for part in _BREAKS.split(name):
        if lines[-1].strip() and len(lines[-1]) + len(part) > room:
            lines.append("  ")
        lines[-1] += part
    return lines


def _first_seen(file: FileResult) -> list[str]:
    """Each function that is not simply proven, with the stage at which each code turns up."""
    lines: list[str] = []
    for function in file.functions:
        seen: dict[str, str] = {}
        for stage in function.stages:
            for diagnostic in stage.diagnostics:
                if severity_of(diagnostic.code) is not Severity.NOTE or diagnostic.checks:
                    seen.setdefault(diagnostic.code, stage.stage)
        if seen or function.verdict is not Verdict.PROVEN:
            told = ", ".join(f"{code} at {clean(stage)}" for code, stage in seen.items())
            lines.append(f"{name_of(function)}: {told or function.verdict.value}")
    return lines
