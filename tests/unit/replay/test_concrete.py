"""The concrete machine: values, memory, undefined behaviour, limits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from verify.ir.frontend import read_text
from verify.model.analyse import functions_of
from verify.model.symbols import collect_symbols
from verify.replay.concrete import ConcreteMachine, OutOfStepsError
from verify.replay.inputs import Inputs
from verify.semantics.algebra import UndefinedBehaviourError
from verify.semantics.types import UnsupportedError

CONSTANTS = """
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
"""


def run(
    signature: str, body: str, inputs: Inputs | None = None, steps: int = 1000
) -> Sequence[Any]:
    """The results of a function."""
    parsed = read_text(f"func.func @f{signature} {{{CONSTANTS}{body}\n}}")
    if parsed.module is None:
        raise ValueError(str(parsed.errors[0]))
    ((_, function),) = functions_of(parsed.module)
    machine = ConcreteMachine(collect_symbols(parsed.module), inputs or Inputs(), max_steps=steps)
    region = function.regions[0]
    arguments = [machine.argument(i, a) for i, a in enumerate(region.blocks[0].args)]
    return machine.run_region(region, arguments)


def test_a_stored_value_is_loaded_again_through_a_view() -> None:
    found = run(
        "() -> i32",
        """
  %x = arith.constant -7 : i32
  %m = memref.alloc() : memref<8xi32>
  %v = memref.subview %m[2] [3] [2] : memref<8xi32> to memref<3xi32, strided<[2], offset: 2>>
  %c4 = arith.constant 4 : index
  memref.store %x, %m[%c4] : memref<8xi32>
  %y = memref.load %v[%c1] : memref<3xi32, strided<[2], offset: 2>>
  return %y : i32""",
    )

    assert list(found) == [-7]


def test_bytes_of_an_integer_are_little_endian() -> None:
    found = run(
        "() -> i8",
        """
  %x = arith.constant 258 : i32
  %m = memref.alloc() : memref<8xi8>
  %v = memref.view %m[%c0][] : memref<8xi8> to memref<2xi32>
  memref.store %x, %v[%c0] : memref<2xi32>
  %y = memref.load %m[%c1] : memref<8xi8>
  return %y : i8""",
    )

    assert list(found) == [1]


def test_a_loop_carries_its_values() -> None:
    found = run(
        "(%n: index) -> index",
        """
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c1) -> (index) {
    %b = arith.addi %a, %i : index
    scf.yield %b : index
  }
  return %r : index""",
        Inputs(scalars={0: 4}),
    )

    assert list(found) == [7]


def test_a_while_loop_gives_what_its_condition_hands_on() -> None:
    found = run(
        "(%n: index) -> index",
        """
  %r = scf.while (%a = %c0) : (index) -> (index) {
    %go = arith.cmpi slt, %a, %n : index
    %twice = arith.addi %a, %a : index
    scf.condition(%go) %twice : index
  } do {
  ^bb0(%t: index):
    %b = arith.addi %t, %c1 : index
    scf.yield %b : index
  }
  return %r : index""",
        Inputs(scalars={0: 3}),
    )

    assert list(found) == [6]


def test_points_of_a_grid_come_in_row_major_order() -> None:
    found = run(
        "() -> i32",
        """
  %zero = arith.constant 0 : i32
  %m = memref.alloc() : memref<1xi32>
  memref.store %zero, %m[%c0] : memref<1xi32>
  scf.parallel (%i, %j) = (%c0, %c0) to (%c2, %c2) step (%c1, %c1) {
    %ten = arith.constant 10 : i32
    %old = memref.load %m[%c0] : memref<1xi32>
    %k = arith.addi %i, %i : index
    %p = arith.addi %k, %j : index
    %q = arith.index_cast %p : index to i32
    %s = arith.muli %old, %ten : i32
    %new = arith.addi %s, %q : i32
    memref.store %new, %m[%c0] : memref<1xi32>
    scf.reduce
  }
  %r = memref.load %m[%c0] : memref<1xi32>
  return %r : i32""",
    )

    assert list(found) == [123]


@pytest.mark.parametrize(
    "body",
    [
        "%x = memref.load %m[%n] : memref<?xi32>",
        (
            "%v = memref.subview %m[%c1] [%n] [1] : memref<?xi32> to"
            " memref<?xi32, strided<[1], offset: ?>>"
        ),
        "%v = memref.cast %m : memref<?xi32> to memref<7xi32>",
        "memref.dealloc %m : memref<?xi32>\n%x = memref.load %m[%c0] : memref<?xi32>",
        "%x = arith.divsi %n, %c0 : index",
        "scf.for %i = %c0 to %n step %c0 {\n}",
        '%false = arith.constant false\ncf.assert %false, "no"',
    ],
)
def test_undefined_behaviour_ends_a_run(body: str) -> None:
    inputs = Inputs(scalars={1: 4}, sizes={(0, 0): 4})
    with pytest.raises(UndefinedBehaviourError):
        run("(%m: memref<?xi32>, %n: index)", f"{body}\nreturn", inputs)


def test_a_run_that_takes_too_many_steps_is_ended() -> None:
    loop = "scf.for %i = %c0 to %n step %c1 {\n}\nreturn"
    with pytest.raises(OutOfStepsError):
        run("(%n: index)", loop, Inputs(scalars={0: 1000}), steps=100)


def test_an_op_without_a_meaning_ends_a_run() -> None:
    with pytest.raises(UnsupportedError, match=r"`other\.op` is not modelled"):
        run("(%n: index)", '"other.op"(%n) : (index) -> ()\nreturn')


def test_inputs_depend_on_the_seed_alone() -> None:
    loaded = "%x = memref.load %m[%c0] : memref<4xf32>\nreturn %x : f32"
    values = [run("(%m: memref<4xf32>) -> f32", loaded, Inputs(seed=s))[0] for s in (1, 1, 2)]

    assert values[0] == values[1]
    assert values[0] != values[2]
