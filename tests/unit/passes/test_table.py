"""The table of passes."""

import pytest

from verify import passes


def test_the_pass_that_sinks_views_is_listed() -> None:
    assert "sink-checkpoint-views" in passes.names()


@pytest.mark.parametrize("name", passes.names())
def test_a_pass_carries_the_name_it_is_listed_under(name: str) -> None:
    assert name == passes.load(name).name


def test_an_unknown_name_is_an_error_that_lists_the_known_ones() -> None:
    with pytest.raises(KeyError, match="unknown pass `sink`.*sink-checkpoint-views"):
        passes.load("sink")
