import math
from dataclasses import replace

import numpy
import pytest

from tests.unit.report.samples import STALE, TWICE
from verify.diagnostic import Counterexample, Replay
from verify.report.phrases import (
    plain,
    say_bytes,
    say_counterexample,
    say_evidence,
    say_replay,
    say_value,
)


def test_a_counterexample_is_one_sentence_in_plain_numbers() -> None:
    expected = (
        "`%n` = 2; iteration 0 writes bytes 0 to 7 through `%view`; "
        "iteration 1 reads it through `%buf`"
    )

    assert STALE.counterexample is not None
    assert expected == say_counterexample(STALE.counterexample)


def test_only_the_value_in_the_name_of_an_input_is_marked() -> None:
    told = say_counterexample(Counterexample({"sizes of %row": [2], "%where": 1}))

    assert told == "sizes of `%row` = [2]; `%where` = 1"


def test_iterations_are_told_where_no_access_tells_them() -> None:
    told = say_counterexample(Counterexample({"%n": 3}, {"%i": 1}))

    assert "`%n` = 3; `%i` = 1" == told
    assert "any input" == say_counterexample(Counterexample())


def test_an_access_without_an_iteration_is_told_by_its_op() -> None:
    accesses = ({"op": "memref.copy", "kind": "write", "bytes": [4, 5]}, {"kind": "read"})

    told = say_counterexample(Counterexample(accesses=accesses))

    assert "`memref.copy` writes byte 4; the program reads memory" == told


def test_a_schedule_names_each_op_and_its_line_and_tells_repetitions_once() -> None:
    fill, load, store = ({"op": f"x.{name}", "line": line} for line, name in enumerate("fls", 1))
    last = {"op": "x.end", "line": None}

    told = say_counterexample(Counterexample(schedule=(fill, load, store, load, store, last)))

    assert (
        "ops run in the order `x.f` of line 1, `x.l` of line 2, `x.s` of line 3 (2 times), `x.end`"
    ) == told


def test_a_long_schedule_is_cut() -> None:
    steps = tuple({"op": "x.f", "line": line} for line in range(20))

    told = say_counterexample(Counterexample(schedule=steps))

    assert told.endswith("`x.f` of line 11, ...")


@pytest.mark.parametrize(
    ("replay", "expected"),
    [
        (Replay("cpu", "confirmed", 1.0, 0.0), "expected 1.0, got 0.0 (cpu, confirmed)"),
        (Replay("cuda", "confirmed"), "confirmed (cuda)"),
        (Replay("cpu", "not-run"), "not run (cpu)"),
    ],
)
def test_a_replay_is_told_by_its_values_or_its_status(replay: Replay, expected: str) -> None:
    assert expected == say_replay(replay)


def test_bytes_are_told_with_the_last_one_included() -> None:
    assert ["byte 3", "bytes 0 to 7", "memory"] == [
        say_bytes([3, 4]),
        say_bytes([0, 8]),
        say_bytes(None),
    ]


def test_values_become_types_that_json_has() -> None:
    value = {1: (numpy.float32(0.5), math.nan, math.inf), "s": {2}, "o": object, "a": numpy.ones(2)}

    assert plain(value)["1"] == [0.5, "nan", "inf"]
    assert plain(value)["s"] == [2]
    assert plain(value)["a"] == [1.0, 1.0]
    assert isinstance(plain(value)["o"], str)


def test_long_lists_are_cut() -> None:
    assert "[0, 1, 2, 3, 4, 5, 6, 7, ...]" == say_value(list(range(20)))
    assert ["true", "[]"] == [say_value(True), say_value([])]


def test_evidence_that_says_nothing_is_left_out_of_warnings() -> None:
    bare = replace(TWICE, counterexample=Counterexample(), replay=Replay("cpu", "confirmed"))

    assert [] == list(say_evidence(bare))
    assert ["counterexample", "replay"] == [
        label for label, _ in say_evidence(replace(bare, code="E0104"))
    ]
