"""Recipes of schedules run on the streams of a device, the order forced by gates."""

from __future__ import annotations

from verify.recipe import Recipe
from verify.replay.arrays import CPU
from verify.replay.recipes import inputs_of
from verify.replay.rerun import Rerun, Subject, order_of, pair_of, program_order
from verify.replay.rows import difference_row
from verify.replay.schedule import Pair, Trace, compare
from verify.replay.scheduler import PROGRAM_ORDER, Order
from verify.replay.stream_machine import Forced, run_on_streams

DIFFERS = "differs"


def force(subject: Subject, recipe: Recipe) -> Rerun | None:
    """What the order of a recipe shows on streams; None where there are none, or no order.

    `status` is `differs` where a run in program order does not end as on the CPU, and
    `unsupported` where the order cannot be forced.
    """
    if subject.arrays.streams is None or recipe.kind != "schedule":
        return None
    pair = pair_of(subject, recipe.settings.get("pair"))
    expected, actual = (
        _run(subject, recipe, order, pair) for order in (PROGRAM_ORDER, order_of(subject, recipe))
    )
    failure = _failure(expected, actual, program_order(subject, inputs_of(recipe), CPU))
    if failure is not None:
        return failure
    found = [*compare(expected.trace, actual.trace), *actual.differences(pair)]
    rows = tuple(difference_row(subject.name, each) for each in found)
    return Rerun("ran", "", rows, bool(rows), 1, len(expected.trace.reads))


def ends_as_on_cpu(subject: Subject, recipe: Recipe) -> bool:
    """Whether a run in program order with compiled kernels ends in the same bytes as on the CPU."""
    if subject.arrays.launcher is None:
        return True
    inputs = inputs_of(recipe)
    known, found = program_order(subject, inputs, CPU), program_order(subject, inputs)
    return known.status != "ran" or (found.status == "ran" and _end(found) == _end(known))


def _run(subject: Subject, recipe: Recipe, order: Order, pair: Pair | None) -> Forced:
    assert subject.arrays.streams is not None
    return run_on_streams(subject, inputs_of(recipe), order, subject.arrays.streams(), pair)


def _failure(expected: Forced, actual: Forced, known: Trace) -> Rerun | None:
    """Why two runs say nothing about the order, if so."""
    if expected.trace.status != "ran":
        return Rerun(expected.trace.status, expected.trace.reason)
    if _end(expected.trace) != _end(known):
        return Rerun(DIFFERS, "in program order it does not end as on the CPU")
    if actual.trace.status in ("unsupported", "too-long"):
        return Rerun(actual.trace.status, actual.trace.reason)
    if not actual.has_held:
        return Rerun("unsupported", "the device did not hold work back for as long as was needed")
    return None


def _end(trace: Trace) -> tuple[list[tuple[str, bytes]], list[str]]:
    return trace.memory, [str(result) for result in trace.results]
