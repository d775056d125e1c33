import pytest

from verify.diagnostic import Location
from verify.ir import frontend
from verify.ir.frontend import read_text
from verify.ir.names import op_name
from verify.ir.spans import op_location, value_location, value_name

if not frontend.has_bindings():
    pytest.skip("MLIR's Python bindings are not installed", allow_module_level=True)

TEXT = """func.func @f(%buf: memref<4xf32>, %n: index) {
  %0 = arith.constant 0 : index
  %head =
     memref.load %buf[%0] : memref<4xf32>
  %p:2, // comment
    %q = "foo.bar"(%head) : (f32) -> (f32, f32, f32)
  scf.for %i = %0 to %n step %n {
  }
  return
}
"""


@pytest.fixture(scope="module")
def parsed():
    return read_text(TEXT, "spans.mlir")


def _op(parsed: frontend.ParsedModule, name: str):
    assert parsed.module is not None
    return next(op for op in parsed.module.walk() if op_name(op) == name)


def test_an_op_stands_at_its_name(parsed: frontend.ParsedModule):
    assert op_location(_op(parsed, "memref.load")) == Location("spans.mlir", 4, 6, 17)
    assert op_location(_op(parsed, "foo.bar")) == Location("spans.mlir", 6, 10, 19)


def test_results_stand_at_their_names_also_on_lines_above(parsed: frontend.ParsedModule):
    assert value_location(_op(parsed, "memref.load").results[0]) == Location("spans.mlir", 3, 3, 8)
    first, second, third = _op(parsed, "foo.bar").results
    assert value_location(first) == value_location(second) == Location("spans.mlir", 5, 3, 5)
    assert value_location(third) == Location("spans.mlir", 6, 5, 7)


def test_values_have_the_names_of_the_source(parsed: frontend.ParsedModule):
    assert value_name(_op(parsed, "arith.constant").results[0]) == "%0"
    assert value_name(_op(parsed, "memref.load").results[0]) == "%head"
    assert [value_name(v) for v in _op(parsed, "foo.bar").results] == ["%p#0", "%p#1", "%q"]


def test_block_arguments_have_names_and_places(parsed: frontend.ParsedModule):
    function, loop = _op(parsed, "func.func"), _op(parsed, "scf.for")

    assert [value_name(a) for a in function.regions[0].block.args] == ["%buf", "%n"]
    assert value_name(loop.regions[0].block.args[0]) == "%i"
    assert value_location(function.regions[0].block.args[0]) == Location("spans.mlir", 1, 14, 18)


def test_clones_keep_their_names(parsed: frontend.ParsedModule):
    clone = _op(parsed, "memref.load").clone()

    assert value_name(clone.results[0]) == "%head"


def test_an_implicit_terminator_has_the_place_of_its_loop(parsed: frontend.ParsedModule):
    location = op_location(_op(parsed, "scf.yield"))

    assert location is not None
    assert location.line == 7


def test_values_without_a_place_are_numbered_as_a_printer_would():
    parsed = read_text(
        '"a.b"() ({\n^bb0(%x: i32, %y: i32):\n %0 = "a.c"() : () -> i32\n}) : () -> ()'
    )
    assert parsed.module is not None
    clone = parsed.module.clone()
    for op in clone.walk():
        op.location = _unknown()
        for region in op.regions:
            for argument in (a for block in region.blocks for a in block.args):
                argument.location, argument.name_hint = _unknown(), None

    op = next(op for op in clone.walk() if op_name(op) == "a.c")
    assert value_name(op.results[0]) == "%0"
    assert op.parent is not None
    assert [value_name(a) for a in op.parent.args] == ["%arg0", "%arg1"]


def _unknown():
    from xdsl.dialects.builtin import UnknownLoc

    return UnknownLoc()
