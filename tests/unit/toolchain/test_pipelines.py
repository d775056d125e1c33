import pytest

from verify.toolchain.pipelines import (
    nest_in,
    single_passes,
    split_pipelines,
    strip_module,
    wanted_anchor,
)


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("a", ["a"]),
        ("a, b ,", ["a", "b"]),
        ("a{x=1,y=2},mlir:b(c,d),e", ["a{x=1,y=2}", "mlir:b(c,d)", "e"]),
        ("a{f='x,y'},b", ["a{f='x,y'}", "b"]),
        ("", []),
    ],
)
def test_only_commas_outside_of_brackets_and_quotes_separate(text: str, items: list[str]):
    assert split_pipelines(text) == items


@pytest.mark.parametrize(
    ("pipeline", "bare"),
    [
        ("builtin.module(a,b(c))", "a,b(c)"),
        ("any(a)", "a"),
        ("a,b", "a,b"),
        ("any(a),any(b)", "any(a),any(b)"),
        ("func.func(a)", "func.func(a)"),
    ],
)
def test_one_outer_module_is_taken_off(pipeline: str, bare: str):
    assert strip_module(pipeline) == bare


def test_a_pass_is_nested_where_mlir_wants_it():
    message = (
        "Can't add pass 'P' restricted to 'func.func' on a PassManager intended to run on "
        "'builtin.module', did you intend to nest?"
    )

    anchor = wanted_anchor(message)

    assert anchor == "func.func"
    assert nest_in(anchor, "p{x=1}") == "builtin.module(func.func(p{x=1}))"


@pytest.mark.parametrize(
    ("pipeline", "passes"),
    [
        ("cse", ["cse"]),
        ("a,b{x=1 y=2}", ["a", "b{x=1 y=2}"]),
        (
            "builtin.module(a,func.func(b,c{x=f(1,2)}),d)",
            ["a", "func.func(b)", "func.func(c{x=f(1,2)})", "d"],
        ),
        ("any(gpu.module(gpu.func(p,q)))", ["gpu.module(gpu.func(p))", "gpu.module(gpu.func(q))"]),
        ("func.func(a),func.func(b)", ["func.func(a)", "func.func(b)"]),
        ("builtin.module()", []),
        ("func.func()", ["func.func()"]),
    ],
)
def test_a_pipeline_is_cut_into_its_passes(pipeline: str, passes: list[str]) -> None:
    assert passes == single_passes(pipeline)
