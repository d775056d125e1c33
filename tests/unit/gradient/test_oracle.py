import pytest

from tests.unit.gradient.programs import FIXED, MEASURED, UNKNOWN, needs_enzyme, read
from verify.gradient.oracle import check_gradient
from verify.gradient.result import GradientResult, Options
from verify.gradient.signature import GradientUsageError

pytestmark = needs_enzyme

CUBE = """
func.func @f(%buf: memref<3xf64>, %x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %v = memref.load %buf[%c0] : memref<3xf64>
  %y = arith.mulf %v, %x : f64
  memref.store %y, %buf[%c0] : memref<3xf64>
  return %y : f64
}
"""


def _statuses(result: GradientResult) -> dict[str, str]:
    return {each.variant.name: each.status for each in result.variants}


def test_the_measured_example_is_wrong_with_checkpoints_and_right_without() -> None:
    result = check_gradient(read(FIXED), "f", Options(values=MEASURED, samples=1))

    assert {
        "off": "right",
        "on:default": "wrong",
        "on:periodic": "wrong",
        "on:binomial": "wrong",
        "sunk:default": "does-not-compile",
        "sunk:periodic": "does-not-compile",
        "sunk:binomial": "right",
    } == _statuses(result)
    assert ("2.5396", "0.2540") == (
        f"{result.variant('on:periodic').gradients[0][1]:.4f}",
        f"{result.variant('off').gradients[0][1]:.4f}",
    )
    assert "mismatch of result layout" in result.variant("sunk:periodic").message
    assert "periodic" == result.written
    assert result.has_fault


def test_a_shadow_of_integers_is_filled_with_zeros() -> None:
    text = """
    func.func @f(%x: memref<2xf32>) {
      %bytes = memref.alloc() : memref<16xi8>
      affine.for %i = 1 to 3 {
        %y = affine.load %bytes[14] : memref<16xi8>
      } {enzyme.enable_checkpointing = true}
      return
    }
    """
    statuses = _statuses(check_gradient(read(text), "f", Options(samples=1)))

    assert {"right"} == set(statuses.values())


@pytest.mark.parametrize("runner", ["jit", "interpreter"])
def test_a_view_at_an_unknown_offset_is_right_once_it_is_sunk(runner: str) -> None:
    options = Options(values={**MEASURED, "place": (0.0,)}, runner=runner, sinks=("enzyme", "own"))

    result = check_gradient(read(UNKNOWN), "f", options)

    expected = {"off": "right"}
    for schedule in ("default", "periodic", "binomial"):
        expected[f"on:{schedule}"] = "does-not-compile"
        expected[f"sunk:{schedule}"] = "right"
        expected[f"own-sunk:{schedule}"] = "right"
    assert expected == _statuses(result)
    assert (
        "operand count does not equal memref symbol count" in result.variant("on:periodic").message
    )
    assert "0.2540" == f"{result.variant('sunk:periodic').gradients[0][1]:.4f}"


def test_runners_give_the_same_gradients() -> None:
    options = {
        runner: Options(runner=runner, samples=2, schedules=("binomial",), sinks=())
        for runner in ("jit", "mlir-runner", "interpreter")
    }
    found = {
        runner: [each.gradients for each in check_gradient(read(FIXED), "f", chosen).variants]
        for runner, chosen in options.items()
    }

    assert found["jit"] == found["mlir-runner"]
    for one, other in zip(found["jit"], found["interpreter"], strict=True):
        assert one[0] == pytest.approx(other[0], rel=1e-12)


def test_the_gradient_is_of_results_first_and_then_of_memory_too() -> None:
    result = check_gradient(read(CUBE), None, Options(samples=2))
    first, second = result.samples

    assert ("%buf[0]", "%buf[1]", "%buf[2]", "%x") == result.elements
    assert first.inputs["%x"][0] == pytest.approx(first.expected[0])
    assert (0.0, 0.0) == first.expected[1:3]
    assert second.seeds["%buf"][1:] == pytest.approx(second.expected[1:3])
    assert {"off": "right"} == _statuses(result)


def test_the_same_seed_gives_the_same_result() -> None:
    one, two, other = (
        check_gradient(read(CUBE), None, Options(samples=1, seed=seed)) for seed in (5, 5, 6)
    )

    assert one.samples == two.samples
    assert one.samples != other.samples


def test_a_death_of_enzyme_is_told_and_leaves_the_oracle_alive() -> None:
    text = """
func.func @f(%data: memref<4xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1.0 : f64
  %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%p = %one, %m = %data)
      -> (f64, memref<4xf64>) {
    %x = memref.load %m[%i] : memref<4xf64>
    %next = arith.mulf %p, %x : f64
    scf.yield %next, %m : f64, memref<4xf64>
  }
  return %r#0 : f64
}
"""
    dead = check_gradient(read(text))

    assert {"off": "crash"} == _statuses(dead)
    assert "`enzyme:enzyme-wrap` died with signal SIG" in dead.variants[0].message
    assert {"off": "right"} == _statuses(check_gradient(read(CUBE)))


def test_a_shadow_of_local_memory_is_zeroed() -> None:
    text = """
func.func @f(%x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %buf = memref.alloc() : memref<2xf64>
  %q = arith.mulf %x, %x : f64
  memref.store %q, %buf[%c0] : memref<2xf64>
  %r = memref.load %buf[%c0] : memref<2xf64>
  return %r : f64
}
"""
    assert {"off": "right"} == _statuses(check_gradient(read(text)))


def test_a_jump_at_the_input_leaves_the_question_open() -> None:
    text = """
func.func @f(%x: f64, %y: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %limit = arith.constant 1.0 : f64
  %is_big = arith.cmpf ogt, %x, %limit : f64
  %r = scf.if %is_big -> (f64) {
    scf.yield %y : f64
  } else {
    scf.yield %x : f64
  }
  return %r : f64
}
"""
    result = check_gradient(read(text), None, Options(values={"x": (1.0,)}, samples=1))

    assert {"off": "undecided"} == _statuses(result)
    assert not result.is_judged
    assert not result.has_fault


@pytest.mark.parametrize(
    ("op", "reason"),
    [
        ('%y = "vendor.op"(%x) : (f64) -> f64', "what `vendor.op` does is not known"),
        ("gpu.wait\n %y = arith.addf %x, %x : f64", "`gpu.wait` cannot be run on the CPU"),
    ],
)
def test_what_cannot_be_run_is_refused(op: str, reason: str) -> None:
    text = f"func.func @f(%x: f64) -> f64 {{\n {op}\n return %y : f64\n}}"

    with pytest.raises(GradientUsageError, match=reason):
        check_gradient(read(text))


def test_a_function_that_is_never_defined_is_refused() -> None:
    text = """
func.func @f(%buf: memref<2xf64>) -> f64 {
  %c5 = arith.constant 5 : index
  %x = memref.load %buf[%c5] : memref<2xf64>
  return %x : f64
}
"""
    with pytest.raises(GradientUsageError, match=r"index 5 outside \[0, 2\)"):
        check_gradient(read(text))


def test_memory_that_nobody_has_set_is_not_judged() -> None:
    text = """
func.func @f(%x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %buf = memref.alloc() : memref<1xf64>
  %old = memref.load %buf[%c0] : memref<1xf64>
  %new = arith.addf %old, %x : f64
  memref.store %new, %buf[%c0] : memref<1xf64>
  return %new : f64
}
"""
    result = check_gradient(read(text), None, Options(samples=1))

    assert result.variants[0].status in {"not-run", "right", "undecided"}
    assert not result.has_fault
