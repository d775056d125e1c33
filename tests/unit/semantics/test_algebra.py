"""The algebra of terms: what folds, what stays exact, and what bounds are known."""

from __future__ import annotations

import pytest

from verify.semantics import term as t
from verify.semantics.algebra import ConcreteAlgebra, SymbolicAlgebra, UndefinedBehaviourError
from verify.semantics.term import Var


def unknown(low: int | None, high: int | None) -> t.Lin:
    """A fresh unknown with bounds."""
    return Var("x", low, high).term()


def test_a_value_in_range_is_not_wrapped() -> None:
    x = unknown(0, 100)

    assert SymbolicAlgebra().wrap(x + 27, 8) == x + 27


def test_a_value_that_may_leave_the_range_is_a_new_unknown_in_it() -> None:
    wrapped = SymbolicAlgebra().wrap(unknown(0, 100) + 28, 8)

    assert t.interval(wrapped) == (-128, 127)


def test_the_same_wrap_is_the_same_term() -> None:
    algebra, x = SymbolicAlgebra(), unknown(None, None)

    assert algebra.wrap(x, 8) == algebra.wrap(x, 8)


def test_a_quotient_of_multiples_is_linear() -> None:
    x = unknown(None, None)

    assert SymbolicAlgebra().divide(x.scaled(4) + 9, 4) == x + 2


def test_a_quotient_whose_bounds_agree_is_a_number() -> None:
    assert SymbolicAlgebra().divide(unknown(8, 11), 4) == 2


def test_a_mask_of_low_bits_is_a_remainder() -> None:
    x = unknown(4, 7)

    assert SymbolicAlgebra().bitwise("and", x, 3, 64) == x - 4


def test_a_choice_between_equals_is_no_choice() -> None:
    algebra = SymbolicAlgebra()

    assert algebra.choose(algebra.fresh_truth("c", ()), 5, 5) == 5


def test_a_product_has_the_bounds_of_its_corners() -> None:
    product = SymbolicAlgebra().multiply(unknown(-2, 3), unknown(-5, 7))

    assert t.interval(product) == (-15, 21)


@pytest.mark.parametrize(("number", "expected"), [(127, 127), (128, -128), (-129, 127), (512, 0)])
def test_concrete_integers_wrap_in_twos_complement(number: int, expected: int) -> None:
    assert ConcreteAlgebra().wrap(number, 8) == expected


def test_a_concrete_division_by_zero_is_undefined() -> None:
    with pytest.raises(UndefinedBehaviourError):
        ConcreteAlgebra().divide(1, 0)
