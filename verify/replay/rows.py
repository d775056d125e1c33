"""Reads that differ between two runs, as rows of a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from xdsl.ir import Operation, SSAValue

from verify.ir.names import op_name
from verify.ir.spans import file_location_of
from verify.replay.checkpoint import Divergence
from verify.replay.recipes import plain_value
from verify.replay.schedule import Difference


@dataclass(frozen=True, slots=True)
class Row:
    """One read that gives another value than it should, or what else comes to the same.

    `kind` is that of a `Divergence` or `Difference`. `bytes` are half-open, from the start of the
    buffer. A loop's segment is the iteration that the replay starts from.
    """

    kind: str
    function: str
    op: str | None = None
    line: int | None = None
    loop: str | None = None
    loop_line: int | None = None
    segment: int | None = None
    iteration: int | None = None
    bytes: tuple[int, int] | None = None
    expected: Any = None
    actual: Any = None

    def plain(self) -> dict[str, Any]:
        """The row in JSON's own types."""
        return {**asdict(self), "bytes": None if self.bytes is None else list(self.bytes)}


def line_of(op: Operation | None) -> int | None:
    """The line that an op stands on in its file."""
    place = None if op is None else file_location_of(op.location)
    return None if place is None else place.line.data or None


def _name(op: Operation | None) -> str | None:
    return None if op is None else op_name(op)


def divergence_row(function: str, divergence: Divergence) -> Row:
    """The row of a read that a replay from snapshots gives another value."""
    span = (divergence.place, divergence.place + divergence.size)
    return Row(
        divergence.kind,
        function,
        op_name(divergence.op),
        line_of(divergence.op),
        op_name(divergence.loop),
        line_of(divergence.loop),
        divergence.segment,
        divergence.iteration,
        span if divergence.size else None,
        plain_value(divergence.expected),
        plain_value(divergence.actual),
    )


def difference_row(function: str, difference: Difference) -> Row:
    """The row of what another order of asynchronous work does."""
    return Row(
        difference.kind,
        function,
        _name(difference.op),
        line_of(difference.op),
        bytes=difference.span,
        expected=plain_value(difference.expected),
        actual=plain_value(difference.actual),
    )


def space_row(function: str, loop: Operation, value: SSAValue, named: str, real: str) -> Row:
    """The row of a snapshot whose type names another space than its memory lies in."""
    owner = value.owner if isinstance(value.owner, Operation) else None
    return Row(
        "space",
        function,
        _name(owner) or "argument",
        line_of(owner),
        op_name(loop),
        line_of(loop),
        expected=space_text(real),
        actual=space_text(named),
    )


def space_text(space: str) -> str:
    """A memory space for a person."""
    if not space:
        return "host memory"
    return "device memory" if space == "device" else f"memory space {space}"


def divergence_evidence(divergence: Divergence) -> dict[str, Any]:
    """What makes a divergence the one that was found; ops stand for themselves."""
    return {
        "kind": divergence.kind,
        "loop": divergence.loop,
        "op": divergence.op,
        "segment": divergence.segment,
        "iteration": divergence.iteration,
        "bytes": [divergence.place, divergence.place + divergence.size],
        "expected": plain_value(divergence.expected),
        "actual": plain_value(divergence.actual),
    }


def difference_evidence(difference: Difference) -> dict[str, Any]:
    """What makes a difference the one that was found; ops stand for themselves."""
    return {
        "kind": difference.kind,
        "op": difference.op,
        "bytes": None if difference.span is None else list(difference.span),
        "expected": plain_value(difference.expected),
        "actual": plain_value(difference.actual),
    }


def fits(evidence: Mapping[str, Any], found: Mapping[str, Any]) -> bool:
    """Whether what was seen is what a recipe speaks of."""
    return all(found.get(key) == value for key, value in evidence.items())
