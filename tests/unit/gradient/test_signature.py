import pytest

from tests.unit.gradient.programs import needs_bindings, read
from verify.gradient.signature import (
    GradientUsageError,
    Signature,
    find_function,
    functions_of,
    signature_of,
)

pytestmark = needs_bindings

MIXED = """
func.func @mixed(%a: memref<4xf32>, %n: index, %x: f64, %k: memref<?xi32>) -> (f64, i64) {
  %c = arith.constant 7 : i64
  return %x, %c : f64, i64
}
"""


def _signature(text: str, activities: dict[str, str] | None = None) -> Signature:
    return signature_of(find_function(read(text), None), activities)


def _refusal(text: str, activities: dict[str, str] | None = None) -> str:
    with pytest.raises(GradientUsageError) as caught:
        _signature(text, activities)
    return str(caught.value)


def test_floats_are_active_and_numbers_that_count_are_not() -> None:
    signature = _signature(MIXED)

    assert ["dup", "const", "active", "const"] == [each.activity for each in signature.arguments]
    assert ["active", "const"] == [each.activity for each in signature.results]
    assert ["%a", "%n", "%x", "%k"] == [each.name for each in signature.arguments]


@pytest.mark.parametrize("key", ["a", "%a", "0"])
def test_an_activity_is_given_by_name_or_by_position(key: str) -> None:
    signature = _signature(MIXED, {key: "enzyme_const"})

    assert ["const", "const", "active", "const"] == [e.activity for e in signature.arguments]


def test_an_activity_that_does_not_fit_is_refused() -> None:
    assert "`%x` is a scalar and cannot be `dup`" == _refusal(MIXED, {"x": "dup"})
    assert "there is no activity `big`; there are: dup, active, const" == _refusal(
        MIXED, {"x": "big"}
    )
    assert "`@mixed` has no argument `y`" == _refusal(MIXED, {"y": "dup"})


def test_a_function_without_floats_is_refused() -> None:
    text = "func.func @f(%n: index) -> index { return %n : index }"

    assert "`@f` has no float argument to differentiate by" == _refusal(text)


def test_a_function_that_leaves_no_float_is_refused() -> None:
    text = "func.func @f(%x: f64) { return }"

    assert "`@f` has no float result, and no memory to write one to" == _refusal(text)


def test_a_result_that_is_memory_is_refused() -> None:
    text = "func.func @f(%x: memref<2xf64>) -> memref<2xf64> { return %x : memref<2xf64> }"

    assert "result 0 is a memref; only numbers can be returned" == _refusal(text)


def test_an_argument_of_a_type_that_is_no_number_is_refused() -> None:
    text = "func.func @f(%x: f64, %c: complex<f64>) -> f64 { return %x : f64 }"

    assert "argument `%c` cannot be given a value of type `complex<f64>`" == _refusal(text)


def test_a_function_is_found_by_name_or_because_it_is_the_only_one() -> None:
    module = read("func.func @a() { return }\nfunc.func @b() { return }\nfunc.func private @c()")

    assert ["a", "b"] == functions_of(module)
    assert find_function(module, "@b") is find_function(module, "b")
    with pytest.raises(GradientUsageError, match="name one with --function; there are: `@a`, `@b`"):
        find_function(module, None)
    with pytest.raises(GradientUsageError, match="there is no `func.func @c` with a body"):
        find_function(module, "c")
