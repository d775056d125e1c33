"""Results for a person to read: findings with their source lines, then a line for each function."""

import shlex
from collections.abc import Iterable

from verify.blame import cures, pass_of
from verify.checklist import is_vacuous
from verify.codes import Severity, severity_of
from verify.diagnostic import Diagnostic
from verify.report.compilers import render_comparison
from verify.report.context import RenderContext
from verify.report.phrases import say_evidence, say_try
from verify.report.sketch import render_sketch
from verify.report.snippet import render_snippets
from verify.report.stages import name_of, render_stages
from verify.report.style import Paint, clean
from verify.report.summary import ended_at, summary_line
from verify.report.walk import by_stage, findings
from verify.result import FileResult, FunctionResult, RunResult, StageResult
from verify.side_by_side import comparisons
from verify.verdict import Verdict

_Key = tuple[object, ...]
_LONGEST_NOTE = 12
_WIDEST_COLUMN = 72


def render(run: RunResult, context: RenderContext) -> str:
    """Everything `run` found; quiet runs leave out verdicts and counts."""
    paint = Paint(context.is_color)
    lines: list[str] = []
    shown: dict[str, set[_Key]] = {}
    compared = {found.path: found for found in comparisons(run.files)}
    for number, file in enumerate(run.files):
        blocks = _render_findings(file, context, paint, shown.setdefault(file.path, set()))
        lines += ["", *blocks] if blocks and lines and lines[-1] else blocks
        if context.verbosity >= 0:
            lines += _render_verdicts(file, context, paint)
        is_last = all(other.path != file.path for other in run.files[number + 1 :])
        if is_last and file.path in compared:
            lines += [*render_comparison(compared[file.path], context, paint), ""]
    if context.verbosity >= 0:
        lines += [*_explain_line(run), summary_line(run, context)]
    return "".join(f"{line}\n" for line in lines)


def render_diagnostic(
    diagnostic: Diagnostic, context: RenderContext, paint: Paint, path: str
) -> list[str]:
    """One finding as a block of lines with an empty line behind it."""
    severity = severity_of(diagnostic.code).value
    head = paint(severity, f"{severity}[{diagnostic.code}]")
    lines = [f"{head}{paint('strong', ': ' + clean(diagnostic.message))}"]
    lines += render_snippets(diagnostic, context.sources, paint)
    pad = " " * len(str(_last_line(diagnostic)))
    tail = [
        f"{pad} {paint('gutter', '=')} {paint('strong', label)}: "
        + _lines(text, len(pad + label) + 5, context)
        for label, text in _tail(diagnostic, context, path)
    ]
    bar = [paint("gutter", f"{pad} |")] if tail and len(lines) > 2 else []
    shown = [*_picture(diagnostic, context, paint), *_beside(diagnostic, context, paint)]
    return [*lines, *bar, *tail, *shown, ""]


def _picture(diagnostic: Diagnostic, context: RenderContext, paint: Paint) -> list[str]:
    """The order of the ops as a sketch, in verbose runs."""
    if diagnostic.picture is None or context.verbosity <= 0:
        return []
    return ["", *(f"    {line}".rstrip() for line in render_sketch(diagnostic.picture, paint))]


def _beside(diagnostic: Diagnostic, context: RenderContext, paint: Paint) -> list[str]:
    """The function before and after the pass, in verbose runs."""
    if not diagnostic.beside or context.verbosity <= 0:
        return []
    width = min(_WIDEST_COLUMN, max(len(row.left) for row in diagnostic.beside))
    lines = [""]
    for row in diagnostic.beside:
        left, right = (_cut(clean(text)) for text in (row.left, row.right))
        line = f"    {row.mark} {left:<{width}} | {right}".rstrip()
        lines.append(line if row.mark == " " else paint("strong", line))
    return lines


def _cut(text: str) -> str:
    return text if len(text) <= _WIDEST_COLUMN else f"{text[: _WIDEST_COLUMN - 3]}..."


def _lines(text: str, indent: int, context: RenderContext) -> str:
    """A text of several lines under its first one, cut unless the run is verbose."""
    lines = text.split("\n")
    left = len(lines) - _LONGEST_NOTE
    if context.verbosity <= 0 and left > 1:
        lines = [*lines[:_LONGEST_NOTE], f"... {left} more lines, shown with -v"]
    return f"\n{' ' * indent}".join(lines)


def _last_line(diagnostic: Diagnostic) -> int:
    places = [diagnostic.location, *(related.location for related in diagnostic.related)]
    return max((place.line for place in places if place), default=1)


def _tail(diagnostic: Diagnostic, context: RenderContext, path: str) -> Iterable[tuple[str, str]]:
    for related in diagnostic.related:
        if related.location is None:
            yield "note", clean(related.message)
    yield from say_evidence(diagnostic)
    command = say_try(diagnostic, path) if context.command == "check" else None
    if command:
        yield "try", command
    if diagnostic.bundle:
        yield "bundle", f"python {shlex.quote(clean(diagnostic.bundle))}"
    if context.shows_proof and diagnostic.decided_by:
        yield "decided by", clean(diagnostic.decided_by)


def _render_findings(
    file: FileResult, context: RenderContext, paint: Paint, seen: set[_Key]
) -> list[str]:
    """Blocks of all that is no assumption note; what was `seen` before is not repeated."""
    lines: list[str] = []
    for diagnostic in (*file.errors, *by_stage(file)):
        key = (diagnostic.code, diagnostic.function, diagnostic.location, diagnostic.message)
        if severity_of(diagnostic.code) is Severity.NOTE or key in seen:
            continue
        seen.add(key)
        lines += render_diagnostic(diagnostic, context, paint, file.path)
    return lines


def _render_verdicts(file: FileResult, context: RenderContext, paint: Paint) -> list[str]:
    if file.errors:
        return [f"{clean(file.path)}: {paint('undecided', 'not checked')}: it cannot be read"]
    if not file.functions:
        return [f"{clean(file.path)}: no function to check"]
    if context.command != "check":
        return [
            *render_stages(file, context, paint),
            *_outcome_lines(file),
            *_notes(file, context),
            "",
        ]
    return [
        line
        for function in file.functions
        for line in _function_lines(file, function, context, paint)
    ]


def _function_lines(
    file: FileResult, function: FunctionResult, context: RenderContext, paint: Paint
) -> list[str]:
    verdict = function.verdict.value
    codes = _codes(stage for stage in function.stages)
    reason = f" ({', '.join(codes)})" if codes else ""
    place = f"{clean(file.path)}: {name_of(function)}"
    is_empty = verdict == Verdict.PROVEN and any(map(is_vacuous, function.stages))
    empty = " (vacuous)" if is_empty else ""
    lines = [f"{place}: {paint(verdict, verdict)}{empty}{reason}"]
    if context.verbosity > 0 or function.verdict is Verdict.PROVEN:
        lines += _note_lines(function, context)
    return lines + _proof_lines(function, context)


def _codes(stages: Iterable[StageResult]) -> list[str]:
    found = {
        diagnostic.code
        for stage in stages
        for diagnostic in stage.diagnostics
        if severity_of(diagnostic.code) is not Severity.NOTE
    }
    return sorted(found)


def _note_lines(function: FunctionResult, context: RenderContext) -> list[str]:
    """The assumptions behind a verdict on one line, or on one line each when verbose."""
    notes = dict.fromkeys(
        (diagnostic.code, clean(diagnostic.message))
        for stage in function.stages
        for diagnostic in stage.diagnostics
        if severity_of(diagnostic.code) is Severity.NOTE
    )
    if context.verbosity > 0:
        return [f"  note[{code}]: {message}" for code, message in notes]
    joined = "; ".join(message for _, message in notes)
    return [f"  note: {joined}"] if joined else []


def _proof_lines(function: FunctionResult, context: RenderContext) -> list[str]:
    if not context.shows_proof:
        return []
    return [
        f"  proof: {stage.stage}: {record.check}: {record.count} by {record.decider}"
        for stage in function.stages
        for record in stage.proof
    ]


def _outcome_lines(file: FileResult) -> list[str]:
    """What each pass cured, and where the pipeline ended early."""
    stop = ended_at(file)
    cut = [f"the pipeline ended at `{clean(pass_of(stop))}`"] if stop else []
    return cut + [
        f"{name_of(function)}: {code} is gone after `{clean(pass_of(stage))}`"
        for function in file.functions
        for code, stage in cures(function)
    ]


def _notes(file: FileResult, context: RenderContext) -> list[str]:
    return [
        line
        for function in file.functions
        for line in (*_note_lines(function, context), *_proof_lines(function, context))
    ]


def _explain_line(run: RunResult) -> list[str]:
    codes = {
        diagnostic.code
        for _, diagnostic in findings(run)
        if severity_of(diagnostic.code) is not Severity.NOTE
    }
    return [f"more about a code: verify-ir explain {min(codes)}"] if codes else []
