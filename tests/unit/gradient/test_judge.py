import numpy as np

from verify.gradient.differences import Slopes
from verify.gradient.judge import Judgement, judge

NAMES = ("%a[0]", "%a[1]", "%a[2]")


def _slopes(expected: list[float], uncertainty: float | list[float] = 1e-10) -> Slopes:
    doubt = np.broadcast_to(np.array(uncertainty, np.float64), len(expected)).copy()
    is_examined = ~np.isneginf(doubt)
    doubt[~is_examined] = np.inf
    after = np.zeros(0, np.uint8)
    return Slopes(np.array(expected), doubt, is_examined, after, "", is_repeatable=True)


def _judged(actual: list[float], slopes: Slopes, plain: list[float] | None = None) -> Judgement:
    reference = None if plain is None else [np.array(plain)]
    return judge([np.array(actual)], [slopes], reference, NAMES, 1e-6)


def test_what_agrees_is_right() -> None:
    found = _judged([1.0, 2.0 + 1e-9, 0.0], _slopes([1.0, 2.0, 0.0]))

    assert Judgement("right") == found


def test_what_differs_is_wrong_and_the_worst_element_comes_first() -> None:
    found = _judged([1.1, 2.0, 30.0], _slopes([1.0, 2.0, 3.0]))

    assert "wrong" == found.status
    assert ["%a[2]", "%a[0]"] == [each.element for each in found.differences]
    assert (
        "2 of 3 elements differ from finite differences; %a[2] is 30 and should be 3"
        == found.message
    )


def test_a_number_that_is_none_is_wrong() -> None:
    assert "wrong" == _judged([float("nan"), 2.0, 3.0], _slopes([1.0, 2.0, 3.0])).status
    assert "wrong" == _judged([float("inf"), 2.0, 3.0], _slopes([1.0, 2.0, 3.0])).status


def test_a_difference_within_the_uncertainty_is_none() -> None:
    assert "right" == _judged([1.004, 2.0, 3.0], _slopes([1.0, 2.0, 3.0], 1e-3)).status


def test_where_the_slope_is_not_known_it_is_told_whether_the_plain_gradient_agrees() -> None:
    slopes = _slopes([1.0, np.nan, 3.0], [1e-10, np.inf, 1e-10])

    agrees = _judged([1.0, 5.0, 3.0], slopes, plain=[1.0, 5.0, 3.0])
    differs = _judged([1.0, 6.0, 3.0], slopes, plain=[1.0, 5.0, 3.0])

    assert ("undecided", "undecided") == (agrees.status, differs.status)
    why = "finite differences tell nothing about 1 of 3 elements; "
    assert f"{why}there it agrees with the gradient without checkpoints" == agrees.message
    assert f"{why}it differs from the gradient without checkpoints in 1 of these" == differs.message


def test_elements_that_are_too_many_to_examine_should_be_as_they_are_without_checkpoints() -> None:
    slopes = _slopes([1.0, np.nan, 3.0], [1e-10, -np.inf, 1e-10])

    agrees = _judged([1.0, 5.0, 3.0], slopes, plain=[1.0, 5.0, 3.0])
    differs = _judged([1.0, 6.0, 3.0], slopes, plain=[1.0, 5.0, 3.0])

    assert ("right", "undecided") == (agrees.status, differs.status)
    assert "undecided" == _judged([1.0, 5.0, 3.0], slopes).status


def test_without_any_slope_nothing_is_right() -> None:
    slopes = _slopes([np.nan] * 3, np.inf)

    assert "undecided" == _judged([1.0, 5.0, 3.0], slopes, plain=[1.0, 5.0, 3.0]).status


def test_a_gradient_of_zeros_is_known_to_be_that() -> None:
    slopes = _slopes([0.0, 0.0, 0.0], 1e-9)

    assert "right" == _judged([0.0, 0.0, 0.0], slopes).status
    assert "wrong" == _judged([0.0, 1.0, 0.0], slopes).status


def test_the_gradient_without_checkpoints_does_not_agree_with_itself() -> None:
    gradients = [np.array([1.0, 5.0, 3.0])]

    unseen = judge(
        gradients, [_slopes([1.0, 9.0, 3.0], [1e-9, -np.inf, 1e-9])], gradients, NAMES, 1e-6
    )
    unknown = judge(
        gradients, [_slopes([1.0, 9.0, 3.0], [1e-9, np.inf, 1e-9])], gradients, NAMES, 1e-6
    )

    assert Judgement("right", "1 of 3 elements were not examined") == unseen
    assert ("undecided", "finite differences tell nothing about 1 of 3 elements") == (
        unknown.status,
        unknown.message,
    )


def test_an_open_element_does_not_hide_a_wrong_one() -> None:
    slopes = _slopes([1.0, np.nan, 3.0], [1e-10, np.inf, 1e-10])

    assert "wrong" == _judged([1.0, 5.0, 4.0], slopes).status
