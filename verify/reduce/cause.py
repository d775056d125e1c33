"""What a finding comes from, apart from names and numbers: two findings with one cause are alike.

A cause is more than a code. It holds the stage, the message without names, types and numbers, the
kinds of the ops that the finding points at, and where a compiler died.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from verify.codes import CODES
from verify.diagnostic import Diagnostic, Location
from verify.ir.module import ParsedModule
from verify.ir.names import op_name
from verify.ir.spans import file_location_of

_DIED, _SAID = "it died in:\n", "it printed last:\n"
# A compiler's own message says enough, and its place is that of whatever came first.
_WITHOUT_PLACE = frozenset({"E0301", "E0304", "E0305", "E0306"})
_BRACKETS = re.compile(r"<[^<>]*>")
_NAME = re.compile(r"([%@])(?:[\w$.-]+|\"[^\"]*\")")
# The number of a signal, an exit code or a diagnostic is a part of the cause.
_NUMBER = re.compile(r"(?<!exit code )(?<![\w.])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")
_RESULTS = re.compile(r"%[\w$.\-#:]+(?:\s*,\s*%[\w$.\-#:]+)*\s*=\s*")
_INVALID = re.compile(r"^gives invalid IR: ")


# What a misuse of memory ends with; an assertion would say more.
_BY_MEMORY = re.compile(r"died with signal SIG(?:SEGV|BUS|ABRT)")
_NEAREST, _ENOUGH_FRAMES = 4, 2
_RUNNERS = ("mlir::detail::", "mlir::PassManager::", "run_pass_pipeline")


@dataclass(frozen=True, slots=True)
class Cause:
    """What makes a finding the one it is; `stack` is where a compiler died, innermost first."""

    code: str
    stage: str
    message: str
    ops: tuple[str, ...] = ()
    stack: tuple[str, ...] = ()

    def is_same(self, other: "Cause") -> bool:
        """Whether `other` is the same cause.

        One misuse of memory may end in several ways and a call further in or out.
        """
        if (self.code, self.stage, self.ops) != (other.code, other.stage, other.ops):
            return False
        if self.message == other.message and self.stack[:1] == other.stack[:1]:
            return True
        are_signals = is_by_memory(self) and is_by_memory(other)
        return are_signals and len(_nearest(self.stack) & _nearest(other.stack)) >= _ENOUGH_FRAMES

    def __str__(self) -> str:
        place = "" if self.stage == "input" else f" {self.stage}"
        ops = f" at {', '.join(self.ops)}" if self.ops else ""
        stack = f" in {self.stack[0]}" if self.stack else ""
        return f"{self.code} ({CODES[self.code].name}){place}: {self.message}{stack}{ops}"


def cause_of(diagnostic: Diagnostic, parsed: ParsedModule) -> Cause:
    """The cause of one finding about the module `parsed`."""
    stack = tuple(_note(diagnostic, _DIED))
    message = _plain(diagnostic.message, diagnostic.stage)
    if diagnostic.code == "E0304" and not stack and (said := _note(diagnostic, _SAID)):
        message = f"{message}: {_plain(said[-1].strip(), '')}"
    ops = () if diagnostic.code in _WITHOUT_PLACE else _ops_of(diagnostic, parsed)
    return Cause(diagnostic.code, diagnostic.stage, message, ops, stack)


def _nearest(stack: tuple[str, ...]) -> set[str]:
    """The innermost functions, without those that run every pass."""
    return {frame for frame in stack[:_NEAREST] if not frame.startswith(_RUNNERS)}


def _note(diagnostic: Diagnostic, begin: str) -> list[str]:
    """The lines of the note that begins with `begin`."""
    found = [note for note in diagnostic.notes if note.startswith(begin)]
    return found[0].removeprefix(begin).splitlines() if found else []


def is_by_memory(cause: Cause) -> bool:
    """Whether a compiler died as it does when it misuses memory."""
    return _BY_MEMORY.fullmatch(cause.message) is not None


def is_among(cause: Cause, others: Iterable[Cause]) -> bool:
    """Whether one of `others` is the same cause."""
    return any(cause.is_same(other) for other in others)


def _plain(message: str, stage: str) -> str:
    """The message without the pass that its stage names, and without names, types and numbers."""
    spec = stage.removeprefix("after:").partition("#")[0]
    text = message.removeprefix(f"`{spec}` ")
    text = _INVALID.sub("", text).replace("->", "to")
    while (shorter := _BRACKETS.sub("", text)) != text:
        text = shorter
    text = _NAME.sub(r"\1", text)
    return _NUMBER.sub("N", text)


def _ops_of(diagnostic: Diagnostic, parsed: ParsedModule) -> tuple[str, ...]:
    """The kinds of the ops at the place of a finding and at the places related to it."""
    places = [("", diagnostic.location)]
    places += [(_plain(each.message, ""), each.location) for each in diagnostic.related]
    kinds = _kinds(parsed)
    found = {
        f"{_kind_at(place, parsed, kinds)}{f' ({role})' if role else ''}"
        for role, place in places
        if place is not None and place.file == parsed.source.path
    }
    return tuple(sorted(found))


def _kinds(parsed: ParsedModule) -> dict[tuple[int, int], str]:
    kinds: dict[tuple[int, int], str] = {}
    for op in parsed.module.walk() if parsed.module else ():
        place = file_location_of(op.location)
        if place is not None and place.filename.data == parsed.source.path:
            kinds.setdefault((place.line.data, place.column.data), op_name(op))
    return kinds


def _kind_at(place: Location, parsed: ParsedModule, kinds: dict[tuple[int, int], str]) -> str:
    """The kind of op that starts at a place, or that defines the value there."""
    column = place.column
    line = parsed.source.line(place.line)
    if match := _RESULTS.match(line, column - 1):
        column = match.end() + 1
    default = "argument" if line.startswith("%", place.column - 1) else ""
    return kinds.get((place.line, column), default)
