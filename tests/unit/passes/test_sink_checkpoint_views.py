"""The pass on hand-written programs: what is sunk, where the clones go, what is left alone."""

from io import StringIO

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import (
    Builtin,
    FileLineColLoc,
    IntAttr,
    ModuleOp,
    StringAttr,
    UnrankedMemRefType,
    f32,
)
from xdsl.ir import Operation
from xdsl.parser import Parser
from xdsl.printer import Printer

from verify.ir.names import op_name
from verify.ir.opaque import OpaqueType
from verify.passes.contracts import check_contract, passes_in
from verify.passes.sink_checkpoint_views import SinkCheckpointViewsPass
from verify.semantics.views_by_name import (
    captures,
    checkpointed_loops,
    inner_first,
    is_clonable,
    sinkable_captures,
    type_name,
)

PROGRAM = """
"builtin.module"() ({
  "func.func"() <{function_type = (memref<8xf32>, index) -> (), sym_name = "f"}> ({
  ^bb0(%m: memref<8xf32>, %n: index):
    VIEWS
    "LOOP"(%n, %n, %n) ({
    ^bb0(%i: index):
      BODY
      "scf.yield"() : () -> ()
    }) {enzyme.enable_checkpointing = FLAG} : (index, index, index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
"""
VIEW = '%v = "memref.subview"(%m, %n) : (memref<8xf32>, index) -> memref<4xf32>'
USE_VIEW = '"test.use"(%v) : (memref<4xf32>) -> ()'
USE_BOTH = '"test.use"(%m, %v) : (memref<8xf32>, memref<4xf32>) -> ()'


def parse(text: str) -> ModuleOp:
    context = Context(allow_unregistered=True)
    context.load_dialect(Builtin)
    return Parser(context, text).parse_module()


def program(views: str, body: str, *, loop: str = "scf.for", flag: str = "true") -> ModuleOp:
    text = PROGRAM.replace("VIEWS", views).replace("BODY", body)
    return parse(text.replace("LOOP", loop).replace("FLAG", flag))


def sunk(module: ModuleOp) -> ModuleOp:
    SinkCheckpointViewsPass().apply(Context(), module)
    return module


def printed(module: ModuleOp) -> str:
    stream = StringIO()
    Printer(stream=stream, print_generic_format=True).print_op(module)
    return stream.getvalue()


def the_loop(module: ModuleOp) -> Operation:
    (loop,) = checkpointed_loops(module)
    return loop


def body_names(module: ModuleOp) -> list[str]:
    return [op_name(op) for op in the_loop(module).regions[0].block.ops]


def test_a_view_moves_to_the_top_of_the_body() -> None:
    module = sunk(program(VIEW, USE_BOTH))

    assert ["memref.subview", "test.use", "scf.yield"] == body_names(module)
    assert [] == sinkable_captures(the_loop(module))


def test_the_view_above_the_loop_stays() -> None:
    module = sunk(program(VIEW, USE_VIEW))

    assert 2 == printed(module).count('"memref.subview"')


def test_a_clone_keeps_its_location_and_name() -> None:
    module = program(VIEW, USE_VIEW)
    (view,) = (op for op in inner_first(module) if op_name(op) == "memref.subview")
    view.location = FileLineColLoc(StringAttr("f.mlir"), IntAttr(5), IntAttr(7))

    clone = the_loop(sunk(module)).regions[0].block.first_op
    assert clone is not None

    assert view.location == clone.location
    assert "v" == clone.results[0].name_hint


def test_a_chain_is_sunk_down_to_its_source() -> None:
    chain = VIEW + '\n%w = "memref.cast"(%v) : (memref<4xf32>) -> memref<?xf32>'
    module = sunk(program(chain, '"test.use"(%w) : (memref<?xf32>) -> ()'))

    assert ["memref.subview", "memref.cast", "test.use", "scf.yield"] == body_names(module)
    assert ["m", "n"] == [value.name_hint for value in captures(the_loop(module))]


def test_each_region_that_uses_a_view_gets_its_own_clone() -> None:
    module = sunk(
        parse(
            """
            %m = "test.source"() : () -> memref<8xf32>
            %v = "memref.cast"(%m) : (memref<8xf32>) -> memref<?xf32>
            "scf.while"() ({
              "test.use"(%v) : (memref<?xf32>) -> ()
            }, {
              "test.use"(%v) : (memref<?xf32>) -> ()
            }) {enzyme.enable_checkpointing = true} : () -> ()
            """
        )
    )

    regions = the_loop(module).regions

    assert [["memref.cast", "test.use"]] * 2 == [
        [op_name(op) for op in region.block.ops] for region in regions
    ]


def test_a_region_that_does_not_use_the_view_gets_no_clone() -> None:
    module = sunk(
        parse(
            """
            %m = "test.source"() : () -> memref<8xf32>
            %v = "memref.cast"(%m) : (memref<8xf32>) -> memref<?xf32>
            "scf.while"() ({
              "test.other"() : () -> ()
            }, {
              "test.use"(%v) : (memref<?xf32>) -> ()
            }) {enzyme.enable_checkpointing = true} : () -> ()
            """
        )
    )

    assert ["test.other"] == [op_name(op) for op in the_loop(module).regions[0].block.ops]


def test_a_use_in_a_nested_region_counts() -> None:
    nested = '"scf.if"(%n) ({\n' + USE_VIEW + "\n}) : (index) -> ()"

    assert ["memref.subview", "scf.if", "scf.yield"] == body_names(sunk(program(VIEW, nested)))


def test_a_second_run_changes_nothing() -> None:
    once = printed(sunk(program(VIEW, USE_BOTH)))

    assert once == printed(sunk(parse(once)))


@pytest.mark.parametrize("flag", ["unit", "false", "1 : i32", '"true"'])
def test_only_the_boolean_true_marks_a_loop(flag: str) -> None:
    module = program(VIEW, USE_BOTH, flag=flag)

    assert [] == checkpointed_loops(module)
    assert printed(module) == printed(sunk(module))


@pytest.mark.parametrize("flag", ["true", "1 : i1", "-1 : i1"])
def test_every_spelling_of_the_boolean_true_marks_a_loop(flag: str) -> None:
    assert 1 == len(checkpointed_loops(program(VIEW, USE_BOTH, flag=flag)))


def test_an_op_that_is_no_loop_is_not_checkpointed() -> None:
    assert [] == checkpointed_loops(program(VIEW, USE_BOTH, loop="scf.execute_region"))


@pytest.mark.parametrize(
    "view",
    [
        '%v = "memref.cast"(%m) : (memref<8xf32>) -> memref<*xf32>',
        '%v = "memref.distinct_objects"(%m) : (memref<8xf32>) -> memref<8xf32>',
        '%v = "arith.select"(%n, %m, %m) : (index, memref<8xf32>, memref<8xf32>) -> memref<8xf32>',
        '%v, %o = "memref.extract_strided_metadata"(%m) : (memref<8xf32>) -> (memref<f32>, index)',
    ],
    ids=["unranked", "distinct-objects", "select", "several-results"],
)
def test_what_is_not_sinkable_stays(view: str) -> None:
    result = view.rsplit("-> ", 1)[1].strip("()").split(", ")[0]
    module = program(view, f'"test.use"(%v) : ({result}) -> ()')

    assert printed(module) == printed(sunk(module))


def test_the_contract_names_loop_view_and_function() -> None:
    module = program(VIEW, USE_BOTH)
    the_loop(module).location = FileLineColLoc(StringAttr("f.mlir"), IntAttr(9), IntAttr(3))

    (diagnostic,) = check_contract(
        "enzyme:sink-checkpoint-views", module, module, "after:enzyme:sink-checkpoint-views"
    )

    assert "E0103" == diagnostic.code
    assert "f" == diagnostic.function
    assert "after:enzyme:sink-checkpoint-views" == diagnostic.stage
    assert diagnostic.location is not None
    assert (9, 3) == (diagnostic.location.line, diagnostic.location.column)
    assert "`scf.for` still captures the view `%v`" == diagnostic.message


def test_the_contract_is_kept_by_the_pass() -> None:
    source = program(VIEW, USE_BOTH)
    target = sunk(source.clone())

    assert () == check_contract("sink-checkpoint-views", source, target, "after")


def test_a_pipeline_without_a_contract_has_nothing_to_answer_for() -> None:
    module = program(VIEW, USE_BOTH)

    assert () == check_contract("mlir:canonicalize", module, module, "after")


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("sink-checkpoint-views", ["sink-checkpoint-views"]),
        ("enzyme:sink-checkpoint-views", ["sink-checkpoint-views"]),
        ("enzyme:builtin.module(cse,sink-checkpoint-views)", ["cse", "sink-checkpoint-views"]),
        ("mlir:func.func(cse, canonicalize{max-iterations=2 a=b})", ["cse", "canonicalize"]),
        ("gpu-async-region{form=first}", ["gpu-async-region"]),
        ("", []),
    ],
)
def test_the_passes_of_a_pipeline(spec: str, expected: list[str]) -> None:
    assert expected == passes_in(spec)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("memref<4x!vendor.float>", "memref"),
        ("memref<*x!vendor.float>", "unranked_memref"),
        ("!vendor.handle<3>", "vendor.handle"),
    ],
)
def test_a_type_that_cannot_be_parsed_still_has_a_name(text: str, name: str) -> None:
    assert name == type_name(OpaqueType(StringAttr(text)))


def test_an_unranked_memref_is_not_clonable() -> None:
    assert not is_clonable(UnrankedMemRefType.from_type(f32))
