"""Recipes of runs: all that a run draws is written down, and read with its types checked."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.unit.replay.made_bundles import CORPUS
from verify.checks.options import CheckOptions
from verify.checks.run import check_module
from verify.ir.frontend import read_text
from verify.ir.generic_text import read_generic_text
from verify.ir.printing import to_generic_text
from verify.recipe import Recipe
from verify.replay.recipes import RecipeError, inputs_of
from verify.replay.rerun import rerun, subject_of

NAMES = ["double_snapshot", "gpu_join_forgets_a_chain", "device_view_without_space"]


def found(name: str) -> tuple[Any, Recipe]:
    """A module of the corpus and the recipe of its first finding."""
    module = read_text((CORPUS / "unsafe" / f"{name}.mlir").read_text()).module
    assert module is not None
    results = check_module(module, CheckOptions(recipes=True))
    recipe = next(d.recipe for _, r in results for d in r.diagnostics if d.recipe is not None)
    return module, recipe


@pytest.mark.parametrize("name", NAMES)
def test_a_recipe_shows_its_finding_in_a_module_that_was_printed_and_read(name: str) -> None:
    module, recipe = found(name)
    again = read_generic_text(to_generic_text(module))

    assert rerun(subject_of(module, recipe), recipe).shows
    assert rerun(subject_of(again, recipe), recipe).shows


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_drawn_when_a_recipe_is_run(name: str) -> None:
    module, recipe = found(name)
    other = replace(recipe, inputs={**recipe.inputs, "seed": 12345})
    first, second = (rerun(subject_of(module, each), each) for each in (recipe, other))

    assert first == second


def test_other_contents_do_not_show_it() -> None:
    module, recipe = found("double_snapshot")
    zeros = {
        name: replace(each, data=bytes(len(each.data))) for name, each in recipe.contents.items()
    }

    assert not rerun(subject_of(module, recipe), replace(recipe, contents=zeros)).shows


@pytest.mark.parametrize(
    ("inputs", "words"),
    [
        ({"seed": True}, "`seed` should hold whole numbers"),
        ({"scale": "1"}, "`scale` should hold whole numbers"),
        ({"scalars": {"x": 1}}, "should be keyed by argument"),
        ({"floats": {"0": None}}, "`floats` should hold numbers"),
        ({"sizes": {"0": 1}}, "argument and dimension"),
        ({"is_overlapping": 1}, "`is_overlapping` should be true or false"),
    ],
)
def test_inputs_of_another_form_are_refused(inputs: dict[str, Any], words: str) -> None:
    _, recipe = found("double_snapshot")

    with pytest.raises(RecipeError, match=words):
        inputs_of(replace(recipe, inputs={**recipe.inputs, **inputs}))


LAUNCHES = """func.func @late(%cells: memref<4xindex, 1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %t = gpu.launch async blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      memref.store %i, %cells[%i] : memref<4xindex, 1>
      gpu.terminator
    }
  }
  return
}
"""


def test_a_kernel_that_runs_late_sees_the_values_of_its_launch() -> None:
    from verify.model.symbols import collect_symbols
    from verify.replay.concrete import ConcreteMachine
    from verify.replay.inputs import Inputs
    from verify.replay.scheduler import Order

    module = read_text(LAUNCHES).module
    assert module is not None
    function = next(op for op in module.walk() if op.regions and "late" in str(op.properties))
    scheduler = Order(is_lazy=True).scheduler()
    machine = ConcreteMachine(collect_symbols(module), Inputs(seed=1), scheduler=scheduler)
    region = function.regions[0]

    machine.run_region(region, [machine.argument(0, region.blocks[0].args[0])])
    scheduler.finish()

    written = machine.buffers[0].host().view("<i8")
    assert [0, 1, 2, 3] == written[:4].tolist()
