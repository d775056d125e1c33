"""What is kept is the cause: a file with two faults never slips from one to the other."""

import re
from pathlib import Path

import pytest

from tests.unit.reduce.programs import CORPUS, causes_of, pipeline_of
from verify.cli.main import run
from verify.diagnostic import Diagnostic
from verify.ir.frontend import has_bindings, read_text
from verify.reduce.cause import Cause, cause_of
from verify.reduce.judge import failures_of, keeps_failure
from verify.reduce.search import reduce_module
from verify.toolchain.enzyme import is_installed

needs_bindings = pytest.mark.skipif(not has_bindings(), reason="no MLIR bindings here")
needs_enzyme = pytest.mark.skipif(not is_installed(), reason="no enzyme-ad here")


def found(name: str) -> str:
    text = (CORPUS / "found" / f"{name}.mlir").read_text()
    return "".join(f"{line}\n" for line in text.splitlines() if "//" not in line)


def reduced(text: str, tmp_path: Path, *arguments: str) -> str:
    big, small = tmp_path / "big.mlir", tmp_path / "small.mlir"
    big.write_text(text)
    assert 0 == run(["reduce", str(big), "-o", str(small), "-q", *arguments])
    return small.read_text()


@needs_bindings
@pytest.mark.parametrize("first", ["needs_terminators", "miscounts_results"])
def test_one_of_two_kinds_of_invalid_output_is_kept(first: str, tmp_path: Path) -> None:
    """Deleting the first fault leaves a file with the same code, and is no step."""
    names = ["needs_terminators", "miscounts_results"]
    names.sort(key=lambda name: name != first)
    text = "".join(found(f"gpu_async_region_{name}") for name in names)
    pipeline = "mlir:func.func(gpu-async-region)"
    told = causes_of(text, pipeline, "E0305")[0]

    small = reduced(text, tmp_path, "--keep", "invalid", "-p", pipeline)

    assert [told] == causes_of(small, pipeline, "E0305")
    kept = {"needs_terminators": "gpu.memset", "miscounts_results": "gpu.spmm_buffer_size"}
    other = kept[next(name for name in names if name != first)]
    is_first_told = kept[first] in small
    assert is_first_told != (other in small)


@needs_enzyme
@needs_bindings
@pytest.mark.parametrize(
    ("function", "kept", "gone"),
    [("lost", "E0105", "assume_alignment"), ("asserted", "E0106", "memref.cast")],
)
def test_a_broken_invariant_does_not_become_another(
    function: str, kept: str, gone: str, tmp_path: Path
) -> None:
    text = found("enzyme_sinks_alignment") + found("enzyme_sinks_out_of_an_unranked_memref")
    arguments = ["-p", "enzyme:sink-checkpoint-views", "--function", function]

    small = reduced(text, tmp_path, "--keep", "E0303", *arguments)

    assert f"[{kept}]" in small
    assert gone not in small
    assert f"@{function}" in small


@needs_enzyme
@needs_bindings
def test_a_crash_does_not_become_another_crash(tmp_path: Path) -> None:
    """Without its memref, the program of the first crash dies of the second one."""
    name = "enzyme_dies_on_a_memref_in_iter_args"
    pipeline = pipeline_of((CORPUS / "found" / f"{name}.mlir").read_text())
    text = found(name).replace("memref<4xf64>) -> f64", "memref<4xf64>, %ptr: !llvm.ptr) -> f64")
    pipeline = pipeline.replace("argTys=enzyme_dup ", "argTys=enzyme_dup,enzyme_dup ")
    loop = found("enzyme_dies_without_an_extent")
    body = re.search(r"  %power = .*?checkpointing = true}\n", loop, re.DOTALL)
    assert body is not None
    text = text.replace("  return", body[0].replace("%value", "%ptr") + "  return")
    text = text.replace("return %r#0", "%sum = arith.addf %r#0, %power : f64\n  return %sum")
    told = causes_of(text, pipeline, "E0304")[0]

    small = reduced(text, tmp_path, "--keep", "crash", "-p", pipeline)

    after = causes_of(small, pipeline, "E0304")
    assert told.message == after[0].message
    assert told.is_same(after[0])


def test_names_types_and_numbers_are_no_part_of_a_cause() -> None:
    parsed = read_text("")
    message = "`p` gives invalid IR: '{op}' op takes '{type}' of `{value}`, {count} times"
    words = {"op": "memref.load", "type": "memref<4xf32, 1>", "value": "%a", "count": 3}
    other = {"type": "memref<?x8xf32>", "value": "%b_2", "count": 41}
    first, second, third = (
        cause_of(Diagnostic("E0305", message.format(**given), stage="after:p"), parsed)
        for given in (words, {**words, **other}, {**words, "op": "memref.store"})
    )

    assert first == second
    assert first != third
    assert "'memref.load' op takes 'memref' of `%`, N times" == first.message


def test_a_stack_is_the_same_a_call_further_in() -> None:
    deep = Cause("E0304", "after:p", "died with signal SIGSEGV", stack=("x", "f", "g", "h"))
    near = Cause("E0304", "after:p", "died with signal SIGABRT", stack=("y", "f", "g", "h"))
    far = Cause("E0304", "after:p", "died with signal SIGSEGV", stack=("y", "k", "l", "h"))

    assert deep.is_same(near)
    assert not deep.is_same(far)


@needs_bindings
def test_the_cause_holds_where_the_code_alone_slips() -> None:
    """The trap is real: a search that keeps only the code ends at the other fault."""
    names = ("needs_terminators", "miscounts_results")
    text = "".join(found(f"gpu_async_region_{name}") for name in names)
    specs = ("mlir:func.func(gpu-async-region)",)
    told = failures_of(specs, read_text(text))[-1]

    by_code = reduce_module(text, lambda parsed: bool(failures_of(specs, parsed)))
    by_cause = reduce_module(text, keeps_failure(told, specs))

    slipped = failures_of(specs, read_text(by_code.text))
    assert ["E0305"] == [cause.code for cause in slipped]
    assert not told.is_same(slipped[0])
    assert [told] == failures_of(specs, read_text(by_cause.text))
