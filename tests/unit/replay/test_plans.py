"""Schedules of checkpoints: what is replayed, and from where."""

from __future__ import annotations

import pytest

from verify.replay.plans import EVERY, MAX_SEGMENTS, Advance, PlanError, plan_named

pytest.importorskip("checkpoint_schedules")


@pytest.mark.parametrize("text", ["every", "periodic:1", "periodic:3", "binomial:2"])
def test_a_plan_is_called_what_it_was_named(text: str) -> None:
    assert text == str(plan_named(text))


@pytest.mark.parametrize(
    "text", ["", "daily", "periodic", "periodic:", "periodic:-1", "binomial:0", "binomial:70000"]
)
def test_other_names_are_refused(text: str) -> None:
    with pytest.raises(PlanError, match="there are: every, periodic:N, binomial:N"):
        plan_named(text)


def test_every_plan_starts_at_every_iteration() -> None:
    assert [[Advance(0)], [Advance(1)], [Advance(2)]] == EVERY.journeys(3)
    assert MAX_SEGMENTS == len(EVERY.journeys(1000))
    assert [] == EVERY.journeys(0)


@pytest.mark.parametrize("count", [1, 2, 3, 5, 8, 13])
@pytest.mark.parametrize(
    "name", ["periodic:1", "periodic:2", "periodic:4", "binomial:1", "binomial:3"]
)
def test_every_iteration_is_replayed_and_starts_where_a_state_is(name: str, count: int) -> None:
    replayed: set[int] = set()
    for journey in plan_named(name).journeys(count):
        assert journey[0].restores
        at = journey[0].start
        for number, advance in enumerate(journey):
            assert at == advance.start
            assert (number == 0) == advance.restores
            stop = count if advance.stop is None else advance.stop
            replayed |= set(range(advance.start, stop))
            at = stop

    assert set(range(count)) == replayed


def test_a_periodic_plan_starts_again_at_every_period() -> None:
    starts = {journey[0].start for journey in plan_named("periodic:3").journeys(9)}

    assert {0, 3, 6} <= starts
