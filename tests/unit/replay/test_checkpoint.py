"""Checkpoint replay: what each segment reads from its snapshots."""

from __future__ import annotations

from tests.unit.checks.checking import MARK, ROW, function
from verify.ir.frontend import read_text
from verify.ir.spans import value_name
from verify.model.analyse import functions_of
from verify.model.symbols import collect_symbols
from verify.replay.inputs import Inputs
from verify.replay.run import Outcome, run_function

TWIN = f"%v = memref.subview %m[0] [8] [1] : {ROW} to {ROW}"
STALE = (
    f"memref.store %f, %v[%i] : {ROW}\n%x = memref.load %m[%c1] : {ROW}\n"
    f"memref.store %x, %m[%c4] : {ROW}"
)


def outcome(text: str, **scalars: int) -> Outcome:
    """A run of `@f` with its replays; scalars by position, as `p1=3`."""
    parsed = read_text(text)
    if parsed.module is None:
        raise ValueError(str(parsed.errors[0]))
    symbols = collect_symbols(parsed.module)
    given = {int(name[1:]): value for name, value in scalars.items()}
    return run_function(dict(functions_of(parsed.module))["f"], symbols, Inputs(scalars=given))


def test_a_faithful_loop_never_diverges() -> None:
    text = function(f"%m: {ROW}", "", f"memref.store %f, %m[%i] : {ROW}")

    assert outcome(text, p1=5).observation.divergences == []


def test_every_iteration_is_counted_and_read_from() -> None:
    seen = outcome(function(f"%m: {ROW}", TWIN, STALE), p1=4).observation

    assert list(seen.iterations.values()) == [4]
    assert seen.reads == 4


def test_a_stale_read_tells_where_it_was_written() -> None:
    first = outcome(function(f"%m: {ROW}", TWIN, STALE), p1=3).observation.divergences[0]

    assert (first.kind, first.segment, first.iteration, first.place, first.size) == (
        "stale", 0, 1, 4, 4,
    )  # fmt: skip
    assert first.capture is not None
    assert value_name(first.capture) == "%m"
    assert first.writer is not None
    assert first.writer.capture is not None
    assert (value_name(first.writer.capture), first.writer.iteration) == ("%v", 1)
    assert first.expected == 1.0


def test_a_segment_behind_the_write_starts_from_the_right_value() -> None:
    found = outcome(function(f"%m: {ROW}", TWIN, STALE), p1=4).observation.divergences

    assert [d.segment for d in found] == [0, 1]


def test_captures_that_overlap_are_noted_with_their_bytes() -> None:
    ((_, first, second, start, end),) = outcome(
        function(f"%m: {ROW}", TWIN, STALE), p1=1
    ).observation.overlaps

    assert {value_name(first), value_name(second)} == {"%m", "%v"}
    assert (start, end) == (0, 32)


def test_memory_is_afterwards_as_the_primal_left_it() -> None:
    text = function(f"%m: {ROW}", TWIN, STALE).replace(
        "return", f"%end = memref.load %m[%c0] : {ROW}\nmemref.store %end, %m[%c1] : {ROW}\nreturn"
    )
    buffer = outcome(text, p1=3).arguments[0].memory

    assert buffer.data[:4].tobytes() == buffer.data[4:8].tobytes()


def test_a_loop_that_is_not_marked_is_not_replayed() -> None:
    text = function(f"%m: {ROW}", TWIN, STALE).replace(MARK, "")

    assert outcome(text, p1=3).observation.iterations == {}


def test_a_run_that_is_undefined_says_why() -> None:
    found = outcome(function(f"%m: {ROW}", "", f"memref.store %f, %m[%i] : {ROW}"), p1=9)

    assert (found.status, found.reason) == ("undefined", "index 8 outside [0, 8)")
