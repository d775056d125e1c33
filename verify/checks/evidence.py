"""Concrete evidence as diagnostics: places, counterexample, replayed values."""

from __future__ import annotations

from typing import Any

from xdsl.ir import Operation, SSAValue

from verify.checks.context import Context, input_values
from verify.checks.search import Confirmed
from verify.diagnostic import Counterexample, Location, Related, Replay
from verify.ir.names import op_name
from verify.ir.spans import op_location, value_location, value_name
from verify.recipe import Recipe
from verify.replay.checkpoint import Divergence
from verify.replay.recipes import plain_value, write_recipe
from verify.replay.rows import divergence_evidence


def counterexample(
    context: Context, found: Confirmed[Any], divergence: Divergence
) -> Counterexample:
    """The inputs, iterations and accesses of a divergence."""
    accesses: list[dict[str, Any]] = []
    # What is asked of a layout reads no byte.
    span = [divergence.place, divergence.place + divergence.size] if divergence.size else None
    writer = divergence.writer
    if writer is not None:
        accesses.append(_access(writer.op, writer.capture, "write", writer.iteration, span))
    kind = "read" if span else "layout"
    accesses.append(_access(divergence.op, divergence.capture, kind, divergence.iteration, span))
    iterations = {"replay from": divergence.segment, "read": divergence.iteration}
    if writer is not None:
        iterations["write"] = writer.iteration
    inputs = input_values(found.inputs, context, found.outcome.arguments, found.outcome.initial)
    return Counterexample(inputs, iterations, tuple(accesses))


def recipe_of(context: Context, found: Confirmed[Any], divergence: Divergence) -> Recipe | None:
    """How to run a divergence again, where that is asked for."""
    if not context.options.recipes:
        return None
    return write_recipe(
        "checkpoint",
        context.model.op,
        context.search.symbols,
        found.inputs,
        {"shifted": found.shifted, "layout_ops": found.layout_ops},
        divergence_evidence(divergence),
    )


def _access(
    op: Operation, capture: SSAValue | None, kind: str, iteration: int, span: list[int] | None
) -> dict[str, Any]:
    place = op_location(op)
    return {
        "op": op_name(op),
        "capture": None if capture is None else value_name(capture),
        "kind": kind,
        "iteration": iteration,
        "bytes": span,
        "line": None if place is None else place.line,
    }


def replayed(divergence: Divergence) -> Replay:
    """Expected and actual value of the read that differs."""
    expected, actual = plain_value(divergence.expected), plain_value(divergence.actual)
    return Replay("cpu", "confirmed", expected, actual)


def assumed_in(found: Confirmed[Any]) -> tuple[str, ...]:
    """What the run took for granted about code that it cannot see."""
    names = ", ".join(f"`{name}`" for name in found.outcome.silent)
    return (f"{names} without a body is taken to do nothing in this run",) if names else ()


def defined_here(value: SSAValue, message: str) -> Related:
    """A capture at its definition, underlined like the main place."""
    return Related(message, value_location(value), is_primary=True)


def loop_here(loop: Operation) -> Related:
    """The checkpointed loop."""
    return Related("in this checkpointed loop", op_location(loop))


def place_of(op: Operation, calls: tuple[Operation, ...] = ()) -> Location | None:
    """Where `op` stands; a call's place when it has none of its own."""
    found = op_location(op)
    for call in reversed(calls):
        found = found or op_location(call)
    return found
