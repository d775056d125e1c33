import os
import signal
import threading
import time

import pytest

from verify.diagnostic import Location
from verify.ir import frontend
from verify.ir.frontend import ParsedModule, mlir_worker, read_modules, read_text
from verify.ir.names import attr, int_array, op_name, operand_segments
from verify.ir.opaque import opaque_text
from verify.ir.source import SourceText

if not frontend.has_bindings():
    pytest.skip("MLIR's Python bindings are not installed", allow_module_level=True)


def _ops(parsed: ParsedModule):
    assert parsed.module is not None, parsed.errors
    return {op_name(op): op for op in parsed.module.walk()}


def _error(text: str):
    parsed = read_text(text, "f.mlir")
    assert parsed.module is None
    (error,) = parsed.errors
    return error


def test_custom_syntax_gives_registered_ops_with_properties():
    ops = _ops(
        read_text(
            "func.func @f(%a: memref<4xf32>, %i: index) {\n"
            "  %x = memref.load %a[%i] {nontemporal = true} : memref<4xf32>\n  return\n}"
        )
    )

    load = ops["memref.load"]
    assert load.properties.keys() == {"nontemporal"}
    assert str(load.results[0].type) == "f32"


def test_what_a_definition_of_xdsl_does_not_know_is_kept_as_an_attribute():
    ops = _ops(
        read_text(
            "func.func @f(%a: memref<4xf32>, %i: index) {\n"
            "  %x = memref.load %a[%i] {alignment = 8 : i64} : memref<4xf32>\n  return\n}"
        )
    )

    assert str(attr(ops["memref.load"], "alignment")) == "8 : i64"


def test_an_op_of_an_unknown_dialect_keeps_its_name_and_attributes():
    ops = _ops(read_text('"a.b"() {c = #d.e<f>} : () -> ()'))

    assert str(attr(ops["a.b"], "c")) == "#d.e<f>"


def test_properties_of_unknown_ops_are_kept_apart_from_attributes():
    op = _ops(read_text('"a.b"() <{p = "}>, x", q = 5 : i8}> {r} : () -> ()'))["a.b"]

    assert {name: str(value) for name, value in op.properties.items()} == {
        "p": '"}>, x"',
        "q": "5 : i8",
    }
    assert attr(op, "r") is not None


def test_flags_that_the_bindings_do_not_list_are_kept():
    text = (
        "func.func @f(%p: !llvm.ptr) {\n"
        "  %q = llvm.getelementptr inbounds %p[3] : (!llvm.ptr) -> !llvm.ptr, f32\n  return\n}"
    )

    assert str(attr(_ops(read_text(text))["llvm.getelementptr"], "noWrapFlags")) == "3 : i32"


def test_segment_sizes_are_kept():
    ops = _ops(
        read_text(
            "func.func @f(%n: index) {\n  %t = gpu.wait async\n"
            "  %m, %u = gpu.alloc async [%t] (%n) : memref<?xf32>\n  return\n}"
        )
    )

    assert int_array(ops["gpu.alloc"], "operandSegmentSizes") == (1, 1, 0)
    assert [len(group) for group in operand_segments(ops["gpu.alloc"])] == [1, 1, 0]


def test_a_value_used_before_its_definition_is_joined_with_it():
    parsed = read_text(
        "func.func @f() -> i32 {\n  cf.br ^b\n^c:\n  return %x : i32\n^b:\n"
        "  %x = arith.constant 1 : i32\n  cf.br ^c\n}"
    )

    ops = _ops(parsed)
    assert ops["func.return"].operands[0] is ops["arith.constant"].results[0]


def test_what_xdsl_cannot_parse_keeps_its_text():
    text = "#llvm.cconv<ptx_kernelcc>"
    found = attr(_ops(read_text(f'"a.b"() {{c = {text}}} : () -> ()'))["a.b"], "c")

    assert found is not None
    assert opaque_text(found) == text
    assert str(found) == text


def test_written_locations_give_way_to_the_place_in_the_file():
    ops = _ops(read_text('\n"a.b"() : () -> () loc("elsewhere":7:8)', "f.mlir"))

    assert str(ops["a.b"].location) == 'loc("f.mlir":2:1)'


def test_an_empty_file_is_an_empty_module():
    parsed = read_text("")

    assert parsed.module is not None
    assert len(parsed.module.ops) == 0


def test_a_syntax_error_has_its_place_and_token():
    error = _error("func.func @f() {\n  foo.bar %x\n}")

    assert (error.code, error.location) == ("E0001", Location("f.mlir", 2, 3, 10))
    assert "dialect `foo`" in error.message


def test_a_verifier_error_is_told_from_a_syntax_error():
    error = _error("func.func @f() -> i32 {\n  return\n}")

    assert (error.code, error.location) == ("E0002", Location("f.mlir", 2, 3, 9))


@pytest.mark.parametrize(
    "text",
    [
        "func.func @f() {",
        "func.func @f() {\n  return",
        '"x',
        "func.func @f() { return }}",
        '"a.b"(%x) : (i32) -> ()',
        "((((" * 1000,
    ],
)
def test_truncated_and_senseless_texts_are_syntax_errors(text: str):
    assert _error(text).code == "E0001"


def test_columns_after_other_scripts_count_characters():
    error = _error('"a.b"() {x = "éé"} : () -> () foo.bar')

    assert error.location is not None
    assert error.location.column == 31


def test_each_module_of_a_split_file_has_its_own_entry_and_true_lines():
    text = "func.func @f() { return }\n// -----\nfunc.func @g() {\n  retrn\n}\n"
    source = SourceText("f.mlir", text)

    first, second = read_modules(source)

    assert (first.path, first.errors) == ("f.mlir#1", ())
    assert second.path == "f.mlir#2"
    assert second.errors[0].location == Location("f.mlir", 4, 3, 8)


def test_nesting_up_to_the_limit_can_be_walked_and_cloned():
    depth = frontend.MAX_NESTING - 10
    parsed = read_text(
        "func.func @f(%c: i1) {\n" + "scf.if %c {\n" * depth + "}\n" * depth + "return\n}"
    )

    assert parsed.module is not None
    assert sum(op.name == "scf.if" for op in parsed.module.clone().walk()) == depth


def test_nesting_beyond_the_limit_is_refused_with_its_place():
    error = _error("func.func @f(%c: i1) {\n" + "scf.if %c {\n" * 3000 + "}\n" * 3000 + "return\n}")

    assert error.code == "E0001"
    assert error.location is not None


def test_a_text_that_crashes_the_reader_is_an_error_and_the_next_one_is_read():
    error = _error('"a.b"() {x = ' + "[" * 1_000_000)

    assert error.code == "E0001"
    assert "reader" in error.message
    assert read_text("").module is not None


def test_a_reader_that_is_killed_from_outside_is_started_again():
    body = "\n".join(f"%x{i} = memref.load %a[%c] : memref<4xf32>" for i in range(20_000))
    text = f"func.func @f(%a: memref<4xf32>, %c: index) {{\n{body}\nreturn\n}}"
    mlir_worker().start()
    pid = mlir_worker().pid
    assert pid is not None

    def kill() -> None:
        time.sleep(0.05)
        os.kill(pid, signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    parsed = read_text(text)
    killer.join()

    assert parsed.module is not None


def test_xdsl_reads_generic_text_without_mlir():
    parsed = read_text('"a.b"() : () -> ()', frontend="xdsl")

    assert op_name(_ops(parsed)["a.b"]) == "a.b"


def test_xdsl_reports_syntax_errors_with_their_place():
    parsed = read_text('"a.b"() : () ->\n  5', "f.mlir", frontend="xdsl")

    assert parsed.errors[0].code == "E0001"
    assert parsed.errors[0].location is not None
    assert parsed.errors[0].location.line == 2


def test_an_unknown_frontend_is_named():
    with pytest.raises(ValueError, match="no frontend `nosuch`"):
        read_text("", frontend="nosuch")
