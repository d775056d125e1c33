"""`expected-*` comments: what a file says the diagnostics on it should be.

A comment such as `// expected-error@+1 {{[E0101]}}` expects one diagnostic whose `[code] message`
contains the text. Kinds stand for severities: `error`, `warning`, `remark` (undecided) and `note`.
Places are `@+N`, `@-N`, `@above`, `@below` (next line without such a comment) and `@unknown`.
`-re` after the kind lets `{{...}}` inside the text hold a regular expression. A text that starts
with a stage (`after:PASS `) is about that stage, every other one about the input; a stage that the
run does not have is left out. Every error, warning and undecided question must be expected, and
everything expected must come; notes may stay unmentioned, places related to a finding are notes.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from verify.codes import Severity, severity_of
from verify.diagnostic import Diagnostic
from verify.result import FileResult
from verify.verdict import Verdict

_KIND = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.UNDECIDED: "remark",
    Severity.NOTE: "note",
}
_COMMENT = re.compile(
    r"expected-(?P<kind>error|warning|note|remark)(?P<re>-re)?\s*"
    r"(?:@(?P<place>[+-]\d+|above|below|unknown))?\s*(?P<open>\{\{)?"
)


@dataclass(frozen=True, slots=True)
class Expectation:
    """One comment: it stands on `written_line` and speaks about `line` (None: about no place)."""

    written_line: int
    column: int
    line: int | None
    kind: str
    text: str
    is_regex: bool

    def matches(self, message: str, stages: Sequence[str]) -> bool:
        """Whether `message` contains the text, or a match of it."""
        text = self.text.removeprefix(self.stage(stages) or "").lstrip()
        if not self.is_regex:
            return text in message
        return re.search(_to_regex(text), message) is not None

    def stage(self, stages: Sequence[str]) -> str | None:
        """Which of `stages` the text names; None for the input or a stage that is not there."""
        named = [stage for stage in stages if self.text.startswith(f"{stage} ")]
        return max(named, key=len, default=None)

    def applies(self, stages: Sequence[str]) -> bool:
        """Whether a run with these stages can meet it."""
        return not self.text.startswith("after:") or self.stage(stages) is not None


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A diagnostic that was not expected, or one that was and did not come."""

    path: str
    line: int
    column: int
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}: {self.message}"


@dataclass(frozen=True, slots=True)
class _Seen:
    line: int | None
    column: int
    kind: str
    stage: str
    message: str
    is_optional: bool


def parse_expectations(path: str, text: str) -> tuple[list[Expectation], list[Mismatch]]:
    """The comments in `text`, and those among them that are not well formed."""
    lines = text.split("\n")
    found: list[Expectation] = []
    faults: list[Mismatch] = []
    for number, line in enumerate(lines, start=1):
        position = line.find("//")
        while position >= 0 and (comment := _COMMENT.search(line, position)):
            end = _closing(line, comment.end()) if comment["open"] else None
            target, is_placed = _target(lines, number, comment["place"])
            if end is None or not is_placed:
                reason = "malformed expectation; it should read expected-KIND@PLACE {{text}}"
                faults.append(Mismatch(path, number, comment.start() + 1, reason))
                break
            inner = line[comment.end() : end]
            column, is_regex = comment.start() + 1, bool(comment["re"])
            found.append(Expectation(number, column, target, comment["kind"], inner, is_regex))
            position = end
    return found, faults


def check_expectations(path: str, text: str, files: Sequence[FileResult]) -> list[Mismatch]:
    """Where the results of one file (all its modules) and its comments disagree, by place."""
    expectations, mismatches = parse_expectations(path, text)
    stages = _stages(files)
    waiting = [each for each in expectations if each.applies(stages)]
    for seen in _seen(path, files):
        match = _best(seen, waiting, stages)
        if match:
            waiting.remove(match)
        elif not seen.is_optional:
            at = "" if seen.stage == "input" else f" {seen.stage}"
            message = f"unexpected {seen.kind}{at}: {seen.message}"
            mismatches.append(Mismatch(path, seen.line or 1, seen.column, message))
    for each in waiting:
        message = f"expected {each.kind} did not come: {each.text}"
        mismatches.append(Mismatch(path, each.written_line, each.column, message))
    mismatches += _silent(path, files)
    return sorted(mismatches, key=lambda each: (each.line, each.column, each.message))


def _best(seen: _Seen, waiting: Iterable[Expectation], stages: Sequence[str]) -> Expectation | None:
    """The longest expectation that `seen` meets."""
    fitting = [
        each
        for each in waiting
        if each.kind == seen.kind
        and each.line == seen.line
        and (each.stage(stages) or "input") == seen.stage
        and each.matches(seen.message, stages)
    ]
    return max(fitting, key=lambda each: len(each.text), default=None)


def _stages(files: Iterable[FileResult]) -> list[str]:
    return list(
        dict.fromkeys(
            stage.stage
            for file in files
            for function in file.functions
            for stage in function.stages
        )
    )


def _seen(path: str, files: Iterable[FileResult]) -> list[_Seen]:
    seen: dict[_Seen, None] = {}
    for file in files:
        for error in file.errors:
            seen |= dict.fromkeys(_of(path, error, "input"))
        for function in file.functions:
            for stage in function.stages:
                for diagnostic in stage.diagnostics:
                    seen |= dict.fromkeys(_of(path, diagnostic, stage.stage))
    return list(seen)


def _of(path: str, diagnostic: Diagnostic, stage: str) -> list[_Seen]:
    severity = severity_of(diagnostic.code)
    place = diagnostic.location
    is_here = place is not None and place.file == path
    line, column = (place.line, place.column) if place and is_here else (None, 1)
    message = f"[{diagnostic.code}] {diagnostic.message}"
    own = _Seen(line, column, _KIND[severity], stage, message, severity is Severity.NOTE)
    related = [
        _Seen(
            each.location.line, each.location.column, "note", stage, each.message, is_optional=True
        )
        for each in diagnostic.related
        if each.location and each.location.file == path
    ]
    return [own, *related]


def _silent(path: str, files: Iterable[FileResult]) -> list[Mismatch]:
    """Stages that are not proven although no diagnostic says why."""
    return [
        Mismatch(path, 1, 1, f"@{function.name} is {stage.verdict} {stage.stage} without a reason")
        for file in files
        for function in file.functions
        for stage in function.stages
        if stage.verdict is not Verdict.PROVEN and not stage.diagnostics
    ]


def _target(lines: Sequence[str], number: int, place: str | None) -> tuple[int | None, bool]:
    """The line that a comment on line `number` is about, and whether there is such a line."""
    if place == "unknown":
        return None, True
    if place in ("above", "below"):
        step = -1 if place == "above" else 1
        target = number + step
        while 1 <= target <= len(lines) and _COMMENT.search(lines[target - 1]):
            target += step
    else:
        target = number + int(place or 0)
    return target, 1 <= target <= len(lines)


def _closing(line: str, start: int) -> int | None:
    """Where the `}}` stands that closes a `{{` before `start`; pairs inside are skipped."""
    depth, position = 1, start
    while position < len(line) - 1:
        if line.startswith("{{", position):
            depth, position = depth + 1, position + 2
        elif line.startswith("}}", position):
            run = len(line) - position - len(line[position:].lstrip("}"))
            position += run % 2
            depth -= 1
            if depth == 0:
                return position
            position += 2
        else:
            position += 1
    return None


def _to_regex(text: str) -> str:
    pieces = re.split(r"\{\{(.*?)\}\}(?!\})", text)
    return "".join(
        f"(?:{piece})" if index % 2 else re.escape(piece) for index, piece in enumerate(pieces)
    )
