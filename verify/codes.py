"""Every diagnostic code, its name and its severity; one registry for all layers."""

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """`undecided` marks a question left open, `note` an assumption that a proof rests on."""

    ERROR = "error"
    WARNING = "warning"
    UNDECIDED = "undecided"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Code:
    """A code with its stable kebab-case name and a one-line summary."""

    code: str
    name: str
    severity: Severity
    summary: str


_E, _W, _U, _N = Severity.ERROR, Severity.WARNING, Severity.UNDECIDED, Severity.NOTE

CODES: dict[str, Code] = {
    code.code: code
    for code in (
        Code("E0001", "syntax", _E, "the input is not MLIR that can be parsed"),
        Code("E0002", "invalid-ir", _E, "the input parses but is not valid IR"),
        Code("E0101", "stale-snapshot", _E, "a replay from snapshots reads a stale value"),
        Code("W0102", "duplicate-snapshot", _W, "overlapping captures are snapshotted twice"),
        Code("E0103", "captured-view", _E, "a loop still captures a view that could be sunk"),
        Code("E0104", "snapshot-memory-space", _E, "a snapshot is taken in the wrong memory space"),
        Code("E0105", "unsnapshotted-state", _E, "a loop changes memory that no snapshot covers"),
        Code("E0106", "snapshot-layout", _E, "a loop relies on the base or alignment of a capture"),
        Code("E0201", "unordered-conflict", _E, "two conflicting accesses have no order"),
        Code("E0202", "host-access-before-wait", _E, "the host touches memory still in use"),
        Code("E0203", "unwaited-token", _E, "asynchronous work may outlive its function"),
        Code("E0204", "async-lifetime", _E, "memory is used outside its asynchronous lifetime"),
        Code("W0205", "redundant-wait", _W, "a wait or dependency adds no order"),
        Code("E0301", "pass-precondition", _E, "the input is outside what the pass accepts"),
        Code("E0302", "behaviour-changed", _E, "source and target differ on some input"),
        Code("E0303", "invariant-broken", _E, "an invariant held before a pass and not after it"),
        Code("E0304", "pass-crash", _E, "the pass died or an assertion in it failed"),
        Code("E0305", "pass-invalid-output", _E, "what a pass printed is not valid IR"),
        Code("E0306", "pass-timeout", _E, "the pass did not end in its time"),
        Code("E0401", "wrong-gradient", _E, "a gradient differs from finite differences"),
        Code("E0402", "gradient-crash", _E, "a gradient dies when it is run"),
        Code("U0001", "solver-timeout", _U, "the solver did not answer in its time"),
        Code("U0002", "unsupported-op", _U, "an op has effects that are not known"),
        Code("U0003", "unconfirmed-counterexample", _U, "no concrete run confirms a suspicion"),
        Code("U0004", "internal-fault", _U, "the checker itself failed on this input"),
        Code("U0005", "gradient-not-judged", _U, "nothing tells whether a gradient is right"),
        Code("N0001", "assumed-no-alias", _N, "function arguments are assumed not to overlap"),
        Code("N0002", "assumed-in-bounds", _N, "accesses are assumed to stay inside their views"),
        Code("N0003", "believed-attributes", _N, "effect attributes of a callee are believed"),
        Code("N0004", "vacuous", _N, "no run comes to its end, so a proof says nothing"),
    )
}


def severity_of(code: str) -> Severity:
    """The severity that belongs to `code`."""
    return CODES[code].severity
