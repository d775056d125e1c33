"""The pass gives op for op what Enzyme's own `sink-checkpoint-views` gives."""

from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import ModuleOp

from tests.unit.passes.view_programs import ProgramWriter
from verify.ir.frontend import has_bindings, read_modules
from verify.ir.module import ParsedModule
from verify.ir.source import SourceText
from verify.semantics.views_by_name import inner_first
from verify.toolchain import enzyme
from verify.toolchain.registry import run_pass

pytestmark = [
    pytest.mark.skipif(not has_bindings(), reason="MLIR's Python bindings are not installed"),
    pytest.mark.skipif(not enzyme.is_installed(), reason="enzyme-ad is not installed"),
]

CORPUS = Path(__file__).parents[3] / "corpus"
FILES = [path for path in sorted(CORPUS.glob("*/*.mlir")) if "vendor." not in path.read_text()]


def read(path: str, text: str) -> ParsedModule:
    (module,) = read_modules(SourceText(path, text))
    return module


def after(spec: str, module: ParsedModule) -> ModuleOp:
    outcome = run_pass(spec, module)
    assert outcome.diagnostics == ()
    assert outcome.module is not None
    assert outcome.module.module is not None
    return outcome.module.module


def locations(module: ModuleOp) -> list[str]:
    return [str(op.location) for op in inner_first(module)]


def assert_same_result(module: ParsedModule) -> None:
    own = after("sink-checkpoint-views", module)
    real = after("enzyme:sink-checkpoint-views", module)

    assert real.is_structurally_equivalent(own), f"{own}\n\n{real}"


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_a_corpus_file_comes_out_alike(path: Path) -> None:
    modules = read_modules(SourceText(str(path), path.read_text()))
    if any(module.errors for module in modules):
        pytest.skip("not valid MLIR on purpose")
    if '"other.' in path.read_text():
        pytest.skip("Enzyme refuses dialects that it does not know")

    for module in modules:
        assert_same_result(module)


def test_clones_stand_where_enzyme_says_they_do() -> None:
    path = CORPUS / "passes" / "sinking_cures_with_enzyme.mlir"
    module = read(str(path), path.read_text())

    own = after("sink-checkpoint-views", module)
    real = after("enzyme:sink-checkpoint-views", module)

    assert locations(real) == locations(own)


@settings(max_examples=150, deadline=None, derandomize=True, database=None)
@given(st.randoms(use_true_random=False))
def test_a_drawn_program_comes_out_alike(random: Random) -> None:
    assert_same_result(read("drawn.mlir", ProgramWriter(random).program()))
