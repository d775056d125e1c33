from xdsl.ir import Operation

from tests.unit.gradient.programs import FIXED, needs_bindings, read
from verify.gradient.signature import find_function
from verify.gradient.variants import (
    SCHEDULES,
    Variant,
    marked,
    reduced_to,
    schedule_of,
    variants_of,
)
from verify.ir.names import all_attrs, symbol_name
from verify.semantics.views_by_name import is_loop

pytestmark = needs_bindings

ALL = ("as-written", *SCHEDULES)


def _names(text: str, sinks: tuple[str, ...] = ("enzyme",)) -> list[str]:
    function = find_function(read(text), None)
    return [variant.name for variant in variants_of(function, ALL, sinks)]


def _marks(text: str, variant: Variant, period: int = 2) -> list[str]:
    module = marked(read(text), variant, period).module
    assert module is not None
    loops: list[Operation] = [op for op in module.walk() if is_loop(op)]
    return sorted(name for loop in loops for name, _ in all_attrs(loop) if "enzyme" in name)


def test_each_schedule_comes_plain_and_sunk() -> None:
    on = ["on:default", "on:periodic", "on:binomial"]
    sunk = ["sunk:default", "sunk:periodic", "sunk:binomial"]

    assert ["off", *on, *sunk] == _names(FIXED)
    assert ["off", *on] == _names(FIXED, ())


def test_a_function_without_checkpoints_has_one_variant() -> None:
    assert ["off"] == _names(FIXED.replace("enzyme.enable_checkpointing = true", "a = true"))


def test_a_mixture_is_tried_as_it_is_written() -> None:
    mixed = FIXED.replace("enzyme.checkpoint_period = 3", "enzyme.binomial_checkpointing")

    assert "on:as-written" in _names(mixed)
    assert "as-written" == schedule_of(find_function(read(mixed), None))
    assert "periodic" == schedule_of(find_function(read(FIXED), None))


def test_marks_follow_the_variant() -> None:
    enable, period = "enzyme.enable_checkpointing", "enzyme.checkpoint_period"

    assert [] == _marks(FIXED, Variant())
    assert [enable] == _marks(FIXED, Variant("default"))
    assert [period, enable] == _marks(FIXED, Variant("periodic"))
    assert ["enzyme.binomial_checkpointing", period, enable] == _marks(FIXED, Variant("binomial"))


def test_a_loop_keeps_its_own_period() -> None:
    def period(text: str) -> str:
        module = marked(read(text), Variant("periodic"), 2).module
        assert module is not None
        return str(next(a for op in module.walk() for n, a in all_attrs(op) if "period" in n))

    assert "3 : i64" == period(FIXED)
    assert "2 : i64" == period(FIXED.replace(", enzyme.checkpoint_period = 3", ""))


def test_only_what_a_function_needs_is_kept() -> None:
    text = """
func.func private @used(%x: f64) -> f64 { return %x : f64 }
func.func @other(%x: f64) -> f64 { return %x : f64 }
func.func @f(%x: f64) -> f64 {
  %y = func.call @used(%x) : (f64) -> f64
  return %y : f64
}
"""
    module = read(text)
    reduced = reduced_to(module, find_function(module, "f")).module

    assert reduced is not None
    assert ["used", "f"] == [symbol_name(op) for op in reduced.body.block.ops]
