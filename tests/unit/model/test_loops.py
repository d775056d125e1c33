"""Integers that loops carry as closed forms of the number of the iteration."""

from __future__ import annotations

import pytest

from tests.unit.model.modelling import model_of, writes
from verify.semantics.term import Lin

LOOP = """
%r = scf.for %i = %c0 to %n step %c1 iter_args(%a = {0}) -> (index) {{
  memref.store %f, %m[%a] : memref<8xf32>
  {1}
  scf.yield %b : index
}}"""


def stored_at(start: str, step: str) -> Lin:
    """The byte that a loop writes when it carries an index from `start` by `step`."""
    address = writes(model_of(LOOP.format(start, step)))[0].address
    assert isinstance(address, Lin)
    return address


def variables(address: Lin) -> list[tuple[str, int]]:
    """The variables of a term with their factors."""
    return [(v.name, c) for v, c in address.coefficients.items()]


def test_a_carried_index_that_goes_up_by_one_is_the_number_of_the_iteration() -> None:
    address = stored_at("%c0", "%b = arith.addi %a, %c1 : index")

    assert variables(address) == [("iteration", 4)]


def test_a_carried_index_that_stays_is_its_initial_value() -> None:
    address = writes(model_of(LOOP.format("%c1", "%b = arith.addi %a, %c0 : index")))[0].address

    assert address == 4


@pytest.mark.parametrize(
    "step",
    [
        "%b = arith.muli %a, %n : index",
        "%b = arith.addi %a, %n : index",
        "%s = arith.index_cast %a : index to i32\n%b = arith.index_cast %s : i32 to index",
        "%b = arith.addi %i, %c1 : index",
    ],
)
def test_a_carried_index_that_changes_otherwise_is_not_known(step: str) -> None:
    assert variables(stored_at("%n", step)) == [("carried", 4)]


def test_the_result_of_a_loop_is_not_known() -> None:
    after = LOOP.format("%c0", "%b = arith.addi %a, %c1 : index")
    model = model_of(f"{after}\nmemref.store %f, %m[%r] : memref<8xf32>")
    address = writes(model)[1].address

    assert isinstance(address, Lin)
    assert variables(address) == [("result", 4)]
