"""A reduced module as a file that can go straight into a corpus.

Its header says what it shows, how it came about and what to run; `expected-*` comments stand in
front of the lines that they are about.
"""

import shlex
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from verify.codes import Severity, severity_of
from verify.diagnostic import Diagnostic
from verify.ir.frontend import read_text
from verify.ir.printing import to_pretty_text
from verify.result import FileResult

_WIDTH = 108
_KINDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.UNDECIDED: "remark"}
_OPEN = "module {\n"
TOP = "//\n"
"""The line that stands for the header of a file while the rest of it is examined."""


@dataclass(frozen=True, slots=True)
class Header:
    """What the comments at the top say; `command` is without `verify-ir` and has `%s`."""

    shows: str
    idea: str
    seen_with: str
    command: str

    def text(self) -> str:
        """The comments, each paragraph folded to the width of a line."""
        paragraphs = [f"Shows: {self.shows}", f"Idea: {self.idea}", f"Seen with: {self.seen_with}"]
        lines = [line for each in paragraphs for line in _folded(each)]
        return "".join(f"// {line}\n" for line in [*lines, f"RUN: verify-ir {self.command}"])


def readable(generic: str) -> list[str]:
    """Texts of the module, the most readable first: custom syntax, and generic as the last."""
    parsed = read_text(generic)
    if parsed.module is None:
        return [generic]
    pretty = to_pretty_text(parsed.module)
    return list(dict.fromkeys([_without_wrapper(pretty), pretty, generic]))


def _without_wrapper(text: str) -> str:
    """The text without a `module` op that says nothing."""
    body = text.strip("\n")
    if not body.startswith(_OPEN) or not body.endswith("\n}"):
        return text
    return textwrap.dedent(body[len(_OPEN) : -2]) + "\n"


def quoted(spec: str) -> str:
    """A pipeline as one word of a command line."""
    if shlex.quote(spec) == spec:
        return spec
    return f'"{spec}"' if not set(spec) & set('"$`\\!') else shlex.quote(spec)


def with_expectations(header: str, body: str, path: str, result: FileResult) -> str:
    """Both as one text with a comment for every finding of `result` but notes.

    The result is about `TOP` and `body`, and what it finds on its first line is about no op.
    """
    found = _expected(path, result)
    written = header.splitlines()
    written += [comment for line, comment in found if line is None]
    for comment in (comment for line, comment in found if line == 1):
        written.append(comment.replace("@", f"@-{len(written)}", 1))
    for number, line in enumerate(body.splitlines(), start=2):
        here = [comment for at, comment in found if at == number]
        indent = line[: len(line) - len(line.lstrip())]
        for k, comment in enumerate(here):
            written.append(indent + comment.replace("@", f"@+{len(here) - k}", 1))
        written.append(line)
    return "".join(f"{line}\n" for line in written)


def _expected(path: str, result: FileResult) -> list[tuple[int | None, str]]:
    """A comment for each finding, with the line that it is about; its `@` has no number yet."""
    seen: dict[tuple[object, ...], tuple[int | None, str]] = {}
    for diagnostic in _diagnostics(result):
        kind = _KINDS.get(severity_of(diagnostic.code))
        if kind is None:
            continue
        place = diagnostic.location
        line = place.line if place is not None and place.file == path else None
        column = place.column if place is not None and line else 1
        stage = "" if diagnostic.stage == "input" else f"{diagnostic.stage} "
        at = "@unknown" if line is None else "@"
        comment = f"// expected-{kind}{at} {{{{{stage}[{diagnostic.code}]}}}}"
        key = (line, column, diagnostic.stage, diagnostic.code, diagnostic.message)
        seen.setdefault(key, (line, comment))
    return list(seen.values())


def _diagnostics(result: FileResult) -> Iterable[Diagnostic]:
    for function in result.functions:
        for stage in function.stages:
            yield from stage.diagnostics


def _folded(text: str) -> Sequence[str]:
    return textwrap.wrap(text, _WIDTH, break_long_words=False, break_on_hyphens=False)
