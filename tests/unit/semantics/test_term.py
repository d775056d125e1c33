"""Linear terms: arithmetic, bounds, and conditions that fold."""

from __future__ import annotations

import pytest

from verify.semantics import term as t
from verify.semantics.term import Var


def small(low: int | None = 0, high: int | None = 9) -> t.Lin:
    """A fresh unknown with bounds."""
    return Var("x", low, high).term()


def test_a_sum_in_which_a_variable_cancels_is_a_number() -> None:
    x = small()

    assert x + 3 - x == 3


def test_a_term_times_zero_is_zero() -> None:
    assert small().scaled(0) == 0


@pytest.mark.parametrize(("factor", "expected"), [(2, (1, 19)), (-2, (-17, 1)), (0, (1, 1))])
def test_bounds_of_a_term_follow_the_sign_of_its_factor(
    factor: int, expected: tuple[int, int]
) -> None:
    assert t.interval(t.times(small(), factor) + 1) == expected


def test_a_term_of_an_unbounded_variable_is_unbounded() -> None:
    assert t.interval(small(None, 9) + 1) == (None, 10)


def test_terms_of_even_factors_never_differ_by_one() -> None:
    assert t.equal(small(None, None).scaled(4), small(None, None).scaled(2) + 1) is False


def test_comparisons_that_bounds_settle_are_plain_truth_values() -> None:
    x = small()

    assert t.at_most(x, 9) is True
    assert t.less(x, 0) is False
    assert t.equal(x, 10) is False


def test_the_negation_of_a_comparison_is_a_comparison() -> None:
    x = small()

    assert t.negation(t.at_most(x, 4)) == t.at_most(5, x)


def test_a_conjunction_with_a_part_and_its_negation_is_false() -> None:
    part = t.equal(small(), 3)

    assert t.all_of([part, t.negation(part)]) is False


def test_a_conjunction_says_each_part_once() -> None:
    part, other = t.equal(small(), 3), t.equal(small(), 4)
    both = t.all_of([part, other])

    assert t.all_of([part, both]) == both


def test_an_empty_disjunction_is_false_and_an_empty_conjunction_is_true() -> None:
    assert (t.any_of([]), t.all_of([])) == (False, True)


def test_the_scope_of_terms_is_the_deepest_of_their_variables() -> None:
    inner, outer = Var("i", scope=(1, 2)).term(), Var("o", scope=(1,)).term()

    assert t.scope_of(outer, inner + 1) == (1, 2)
