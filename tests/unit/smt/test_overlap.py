"""Cheap tests that keep two accesses apart, and the orders in which two can come."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.unit.model.modelling import model_of
from verify.model.memory import Access, Memory
from verify.semantics.values import View
from verify.smt.memories import relation
from verify.smt.overlap import OverlapQueries, Question, cannot_meet, difference, orders
from verify.smt.solver import Answer, Solver

OPEN = "memref<?xf32, strided<[?], offset: ?>>"


def in_loop(first: str, second: str, more: str = "", upper: str = "%n") -> Sequence[Access]:
    """Two writes at these indices of one buffer, in one loop."""
    return model_of(
        "%c2 = arith.constant 2 : index\n%c100 = arith.constant 100 : index\n"
        f"scf.for %i = %c0 to {upper} step %c1 {{\n{more}\n"
        f"memref.store %f, %m[{first}] : memref<?xf32>\n"
        f"memref.store %f, %m[{second}] : memref<?xf32>\n}}",
        "%m: memref<?xf32>, %n: index, %k: index",
    ).accesses


def test_one_byte_of_distance_is_told_by_a_constant_or_an_interval() -> None:
    first, second = in_loop("%c0", "%c1")

    assert cannot_meet(first, second, set()) == "interval"


def test_odd_and_even_elements_are_told_by_a_common_divisor() -> None:
    more = "%a = affine.apply affine_map<(d) -> (d * 2)>(%i)\n"
    more += "%b = affine.apply affine_map<(d) -> (d * 2 + 1)>(%i)"
    first, second = in_loop("%a", "%b", more, "%c100")

    assert cannot_meet(first, second, set()) == "gcd"


def test_the_same_element_can_meet() -> None:
    first, second = in_loop("%i", "%c2")

    assert cannot_meet(first, second, set()) is None


def test_a_variable_of_an_outer_loop_cancels_where_the_loop_is_shared() -> None:
    first, second = in_loop("%i", "%i")
    loop = first.loops[0].id

    assert difference(first.address, second.address, {loop}) == (0, [])
    assert len(difference(first.address, second.address, set())[1]) == 2


def test_the_first_access_comes_first_within_an_iteration_and_across() -> None:
    first, second = in_loop("%i", "%i")

    assert [o.is_strict for o in orders(first, second, 0)] == [True, False]
    assert [o.is_strict for o in orders(second, first, 0)] == [True]


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("argument", "argument", "assumed"),
        ("argument", "alloc", "distinct"),
        ("alloc", "alloc", "distinct"),
        ("argument", "global", "assumed"),
        ("global", "global", "distinct"),
        ("argument", "unknown", "unknown"),
        ("alloc", "unknown", "unknown"),
    ],
)
def test_two_memories_are_related_by_where_they_come_from(
    first: str, second: str, expected: str
) -> None:
    views = [View(Memory(kind, kind), 0, None, (), None, 0) for kind in (first, second)]

    assert relation(views[0], views[1]) == expected


def test_a_later_write_to_the_same_element_is_found_by_the_solver() -> None:
    first, second = in_loop("%i", "%k")
    decision = OverlapQueries(Solver()).decide(Question(first, second))

    assert (decision.answer, decision.decider) == (Answer.FOUND, "z3")


def test_an_index_that_only_grows_never_comes_back() -> None:
    first, second = in_loop("%j", "%i", "%j = arith.addi %i, %c1 : index")
    queries = OverlapQueries(Solver())

    assert queries.decide(Question(second, first)).answer is Answer.NONE
    assert queries.decide(Question(first, second)).answer is Answer.FOUND
