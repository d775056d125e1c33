"""Results as workflow commands that GitHub Actions turns into annotations.

Undecided functions are warnings there; assumption notes are shown only in verbose runs.
"""

from verify.codes import CODES, Severity
from verify.diagnostic import Diagnostic
from verify.report.context import RenderContext
from verify.report.phrases import count, say_evidence
from verify.report.walk import findings
from verify.result import RunResult

_COMMAND = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.UNDECIDED: "warning",
    Severity.NOTE: "notice",
}


def render(run: RunResult, context: RenderContext) -> str:
    """One command a finding, and one line with the verdict of the run."""
    lines = [
        _command(diagnostic, file.path)
        for file, diagnostic in findings(run)
        if context.verbosity > 0 or CODES[diagnostic.code].severity is not Severity.NOTE
    ]
    if context.verbosity >= 0:
        lines.append(f"verify-ir: {run.verdict.value}, {count(len(run.files), 'module')}")
    return "".join(f"{line}\n" for line in lines)


def _command(diagnostic: Diagnostic, path: str) -> str:
    code = CODES[diagnostic.code]
    properties = {"file": path}
    if diagnostic.location:
        place = diagnostic.location
        properties = {"file": place.file, "line": str(place.line), "col": str(place.column)}
        if place.end_column:
            properties |= {"endLine": str(place.line), "endColumn": str(place.end_column)}
    properties["title"] = f"{code.code} {code.name}"
    written = ",".join(f"{key}={_escape_property(value)}" for key, value in properties.items())
    return f"::{_COMMAND[code.severity]} {written}::{_escape(_message(diagnostic))}"


def _message(diagnostic: Diagnostic) -> str:
    at = "" if diagnostic.stage == "input" else f" ({diagnostic.stage})"
    lines = [f"{diagnostic.message}{at}"]
    for related in diagnostic.related:
        place = f" (line {related.location.line})" if related.location else ""
        lines.append(f"note: {related.message}{place}")
    return "\n".join([*lines, *(f"{label}: {text}" for label, text in say_evidence(diagnostic))])


def _escape(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(text: str) -> str:
    return _escape(text).replace(":", "%3A").replace(",", "%2C")
