"""Results as one self-contained HTML page, light or dark as the reader's system is."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from verify.checklist import Answer, answers, checks_in
from verify.codes import CODES, Severity
from verify.diagnostic import Diagnostic, Location
from verify.report.compilers import cell_of, output_word, say_differences
from verify.report.context import RenderContext
from verify.report.phrases import count, say_evidence, say_try
from verify.report.picture_svg import render_picture
from verify.report.snippet import word_end
from verify.report.stages import cell_style, cell_text, name_of, title_of
from verify.report.style import clean
from verify.report.walk import by_stage
from verify.result import FileResult, RunResult
from verify.side_by_side import Comparison, comparisons

_TEMPLATE = Path(__file__).with_name("page.html.j2")


@dataclass(frozen=True, slots=True)
class Excerpt:
    """One marked source line, cut in three so that the middle part can be marked."""

    number: int
    before: str
    marked: str
    after: str
    label: str
    is_primary: bool


def render(run: RunResult, context: RenderContext) -> str:
    """The page."""
    import jinja2

    environment = jinja2.Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined
    )
    template = environment.from_string(_TEMPLATE.read_text(encoding="utf-8"))
    functions = sum(bool(function.name) for file in run.files for function in file.functions)
    files = [_file(file, context) for file in run.files]
    page = template.render(
        run=run,
        context=context,
        files=files,
        comparisons=[_comparison(found) for found in comparisons(run.files)],
        has_pictures=any(finding["picture"] for file in files for finding in file["findings"]),
        counts=f"{count(functions, 'function')} in {count(len(run.files), 'module')}",
        syntax_css=_syntax_css(),
    )
    return page.rstrip("\n") + "\n"


def _file(file: FileResult, context: RenderContext) -> dict[str, Any]:
    diagnostics = [*file.errors, *by_stage(file)]
    is_note = {code.code for code in CODES.values() if code.severity is Severity.NOTE}
    notes = [diagnostic for diagnostic in diagnostics if diagnostic.code in is_note]
    return {
        "path": clean(title_of(file)),
        "verdict": file.verdict.value,
        "checks": checks_in(file),
        "rows": _rows(file),
        "findings": [
            _finding(diagnostic, context, file.path)
            for diagnostic in diagnostics
            if diagnostic.code not in is_note
        ],
        "notes": list(dict.fromkeys((note.code, clean(note.message)) for note in notes)),
    }


def _comparison(found: Comparison) -> dict[str, Any]:
    return {
        "path": clean(found.path),
        "compilers": [clean(name) for name in found.compilers],
        "rows": [
            (stage.stage, [cell_of(side) for side in stage.sides], output_word(stage))
            for stage in found.stages
        ],
        "lines": say_differences(found),
    }


def _rows(file: FileResult) -> list[dict[str, Any]]:
    """A row for each function at each stage."""
    checks = checks_in(file)
    return [
        {
            "stage": stage.stage,
            "function": name_of(function),
            "verdict": stage.verdict.value,
            "cells": [_cell(found.get(check)) for check in checks],
        }
        for function in file.functions
        for stage in function.stages
        for found in [answers(stage)]
    ]


def _cell(answer: Answer | None) -> dict[str, str]:
    """A cell's text, its style, and what its codes mean."""
    means = "; ".join(CODES[code].summary for code in answer.codes) if answer else "not asked"
    return {"text": cell_text(answer), "style": cell_style(answer), "means": means}


def _finding(diagnostic: Diagnostic, context: RenderContext, path: str) -> dict[str, Any]:
    facts = [("note", related.message) for related in diagnostic.related if not related.location]
    facts += say_evidence(diagnostic)
    command = say_try(diagnostic, path) if context.command == "check" else None
    if command:
        facts.append(("try", command))
    return {
        "diagnostic": diagnostic,
        "code": CODES[diagnostic.code],
        "message": clean(diagnostic.message),
        "facts": [(name, clean(text)) for name, text in facts],
        "excerpts": _excerpts(diagnostic, context),
        "picture": render_picture(diagnostic.picture) if diagnostic.picture else "",
        "beside": [
            (_MARKS[row.mark], _highlight(clean(row.left)), _highlight(clean(row.right)))
            for row in diagnostic.beside
        ],
    }


_MARKS = {" ": "same", "~": "changed", "-": "gone", "+": "new"}


def _excerpts(diagnostic: Diagnostic, context: RenderContext) -> list[Excerpt]:
    places: list[tuple[Location, str, bool]] = []
    if diagnostic.location:
        places.append((diagnostic.location, diagnostic.label, True))
    places += [
        (related.location, related.message, related.is_primary)
        for related in diagnostic.related
        if related.location
    ]
    excerpts = [_excerpt(place, context) for place in places]
    return sorted((each for each in excerpts if each), key=lambda each: each.number)


def _excerpt(place: tuple[Location, str, bool], context: RenderContext) -> Excerpt | None:
    location, label, is_primary = place
    text = context.sources.line(location.file, location.line)
    if text is None:
        return None
    text = clean(text)
    start = min(max(location.column - 1, 0), len(text))
    end = min(location.end_column - 1 if location.end_column else word_end(text, start), len(text))
    first = max(start - 120, 0)
    parts = text[first:start], text[start:end], text[end : end + 120]
    before, marked, after = (_highlight(part) for part in parts)
    return Excerpt(location.line, before, marked, after, clean(label), is_primary)


@lru_cache(maxsize=1)
def _tools() -> tuple[Any, Any]:
    from mlir_pygments import MLIRLexer
    from pygments.formatters import HtmlFormatter

    return MLIRLexer(stripnl=False, ensurenl=False), HtmlFormatter(nowrap=True)


def _highlight(text: str) -> Any:
    from markupsafe import Markup
    from pygments import highlight

    return Markup(highlight(text, *_tools()).rstrip("\n"))


def _syntax_css() -> Any:
    from markupsafe import Markup
    from pygments.formatters import HtmlFormatter

    light = HtmlFormatter(style="default").get_style_defs("pre")
    dark = HtmlFormatter(style="github-dark").get_style_defs("pre")
    rules = "\n".join(line for line in light.splitlines() if line.startswith("pre ."))
    night = "\n".join(line for line in dark.splitlines() if line.startswith("pre ."))
    return Markup(f"{rules}\n@media (prefers-color-scheme: dark) {{\n{night}\n}}")
