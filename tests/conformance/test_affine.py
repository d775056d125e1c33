"""Affine maps, bounds and conditions against plain arithmetic and against their own terms."""

from __future__ import annotations

from typing import TypeAlias

from hypothesis import given
from hypothesis import strategies as st

from tests.conformance.carriers import coverage, examples, precision, programs, run_concretely
from tests.conformance.carriers import scalars as inputs_of

Expr: TypeAlias = "int | str | tuple[str, Expr, Expr]"
SIGNATURE = "%a: index, %b: index, %s: index"
NAMES: tuple[str, ...] = ("d0", "d1", "s0")
MAP = "(d0, d1)[s0]"


def expressions() -> st.SearchStrategy[Expr]:
    """Affine expressions of two dimensions and a symbol."""
    leaves = st.one_of(st.sampled_from(NAMES), st.integers(-20, 20))

    def grow(parts: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
        return st.one_of(
            st.tuples(st.sampled_from(["+", "-"]), parts, parts),
            st.tuples(st.just("*"), parts, st.integers(-6, 6)),
            st.tuples(st.sampled_from(["floordiv", "ceildiv", "mod"]), parts, st.integers(1, 9)),
        )

    return st.recursive(leaves, grow, max_leaves=6)


def spelled(expr: Expr) -> str:
    """An expression in MLIR's words."""
    if isinstance(expr, tuple):
        return f"({spelled(expr[1])} {expr[0]} {spelled(expr[2])})"
    return str(expr)


def value_of(expr: Expr, values: dict[str, int]) -> int:
    """The value of an expression, as the affine dialect defines it."""
    if isinstance(expr, int):
        return expr
    if isinstance(expr, str):
        return values[expr]
    name, a, b = expr[0], value_of(expr[1], values), value_of(expr[2], values)
    table = {"+": a + b, "-": a - b, "*": a * b}
    if name in table:
        return table[name]
    return {"floordiv": a // b, "ceildiv": -(-a // b), "mod": a % b}[name]


def places() -> st.SearchStrategy[tuple[int, int, int]]:
    """Values of the two dimensions and the symbol."""
    number = st.one_of(st.integers(-30, 30), st.integers(-(1 << 40), 1 << 40))
    return st.tuples(number, number, number)


@examples(150)
@given(expressions(), expressions(), places(), st.sampled_from(["apply", "min", "max"]))
def test_an_affine_map_is_exact(
    first: Expr, second: Expr, place: tuple[int, int, int], name: str
) -> None:
    exprs = [first] if name == "apply" else [first, second]
    results_text = ", ".join(spelled(e) for e in exprs)
    (program,) = programs(
        f"func.func @f({SIGNATURE}) -> index {{\n"
        f"  %r = affine.{name} affine_map<{MAP} -> ({results_text})>(%a, %b)[%s]\n"
        "  return %r : index\n}\n"
    ).values()
    values = dict(zip(NAMES, place, strict=True))
    found = [value_of(e, values) for e in exprs]
    arguments, results = run_concretely(program, inputs_of(*place))

    assert [max(found) if name == "max" else min(found)] == list(results)
    assert coverage(program, arguments, results) == ["sat"]
    assert precision(program, arguments, results) == ["unsat"]


@examples(100)
@given(expressions(), expressions(), places(), st.sampled_from([">=", "=="]))
def test_an_affine_condition_is_exact(
    first: Expr, second: Expr, place: tuple[int, int, int], relation: str
) -> None:
    (program,) = programs(
        f"func.func @f({SIGNATURE}) -> index {{\n"
        "  %one = arith.constant 1 : index\n  %zero = arith.constant 0 : index\n"
        f"  %r = affine.if affine_set<{MAP} : ({spelled(first)} {relation} 0,"
        f" {spelled(second)} >= 0)>(%a, %b)[%s] -> index {{\n"
        "    affine.yield %one : index\n  } else {\n    affine.yield %zero : index\n  }\n"
        "  return %r : index\n}\n"
    ).values()
    values = dict(zip(NAMES, place, strict=True))
    a, b = value_of(first, values), value_of(second, values)
    arguments, results = run_concretely(program, inputs_of(*place))

    assert [int((a == 0 if relation == "==" else a >= 0) and b >= 0)] == list(results)
    assert coverage(program, arguments, results) == ["sat"]
    assert precision(program, arguments, results) == ["unsat"]


@examples(60)
@given(places(), st.integers(1, 9), st.booleans())
def test_linear_indices_are_exact(place: tuple[int, int, int], size: int, bound: bool) -> None:
    basis = f"3, {size}" if bound else str(size)
    (program,) = programs(
        f"func.func @f({SIGNATURE}) -> (index, index, index) {{\n"
        f"  %l = affine.linearize_index [%a, %b] by ({basis}) : index\n"
        f"  %q, %r = affine.delinearize_index %a into ({basis}) : index, index\n"
        "  return %l, %q, %r : index, index, index\n}\n"
    ).values()
    a, b, _ = place
    arguments, results = run_concretely(program, inputs_of(*place))

    assert [a * size + b, a // size, a % size] == list(results)
    assert coverage(program, arguments, results) == ["sat"] * 3
    assert precision(program, arguments, results) == ["unsat"] * 3
