"""Copies out of memory of another space, in a process that dies of it."""

from __future__ import annotations

import pytest

from verify.replay.arrays import DeviceError, arrays_for
from verify.replay.attempts import Attempt, attempt_copy, attempts_for, is_confirmed

BROKEN = Attempt("cpu", "to-host", "protected pages", "signal", "SIGSEGV")
WHOLE = Attempt("cpu", "plain", "plain pages", "copied")


@pytest.mark.parametrize("way", ["to-host", "to-device"])
def test_memory_of_another_space_cannot_be_touched(way: str) -> None:
    found = attempt_copy("cpu", way, size=10_000)

    assert ("protected pages", "signal") == (found.memory, found.end)
    assert found.detail in ("SIGSEGV", "SIGBUS")
    assert found.fails


@pytest.mark.parametrize("size", [1, 4096, 100_001])
def test_the_same_copy_succeeds_where_nothing_is_in_its_way(size: int) -> None:
    assert "copied" == attempt_copy("cpu", "plain", size).end


def test_a_crash_counts_only_beside_a_copy_that_succeeds() -> None:
    assert is_confirmed([BROKEN, WHOLE])
    assert not is_confirmed([BROKEN, BROKEN])
    assert not is_confirmed([WHOLE, WHOLE])


def test_a_child_that_does_not_get_as_far_confirms_nothing() -> None:
    try:
        arrays_for("cuda")
    except DeviceError:
        found = attempt_copy("cuda", "to-host")
    else:
        pytest.skip("there is a CUDA device here")

    assert "not-run" == found.end
    assert found.detail
    assert not is_confirmed([found])


@pytest.mark.gpu
@pytest.mark.parametrize("real", ["device", ""])
def test_real_device_memory_cannot_be_touched(real: str) -> None:
    try:
        arrays_for("cuda")
    except DeviceError as error:
        pytest.skip(str(error))

    (found,) = attempts_for("cuda", real)

    assert "not-run" != found.end, found.detail
    if real:
        assert ("device memory", True) == (found.memory, found.fails)
