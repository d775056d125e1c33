"""Programs of the corpus, bloated with what has nothing to do with them, get small again."""

from pathlib import Path

import pytest

from tests.unit.reduce.bloat import bloated
from tests.unit.reduce.programs import CORPUS, causes_of, code_lines, code_of, pipeline_of
from verify.cli.main import run
from verify.reduce.cause import is_among
from verify.toolchain.registry import toolchains

FILES = [
    path
    for path in sorted((CORPUS / "found").glob("*.mlir"))
    if "RUN: verify-ir gradient" not in path.read_text()
] + [
    CORPUS / "unsafe" / f"{name}.mlir"
    for name in (
        "branches_in_the_body",
        "double_snapshot",
        "global_counter",
        "gpu_join_forgets_a_chain",
        "gpu_loop_forgets_its_token",
    )
]
NOT_BLOATED = {
    "canonicalize_dies_behind_a_task_group": "the pass does not die with more around it",
    "gpu_async_region_chains_what_has_a_stream": "its function is in a module of its own",
    "gpu_to_llvm_exchanges_a_float": "what stands in its region must have no effect",
}
MISSING = {each.name for each in toolchains() if not each.available}


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_a_bloated_program_is_reduced_to_its_cause(path: Path, tmp_path: Path) -> None:
    text = path.read_text()
    pipeline, code = pipeline_of(text), code_of(text)
    if pipeline.partition(":")[0] in MISSING:
        pytest.skip(f"no {pipeline.partition(':')[0]} here")
    if path.stem in NOT_BLOATED:
        pytest.skip(NOT_BLOATED[path.stem])
    big, small = tmp_path / "big.mlir", tmp_path / "small.mlir"
    big.write_text(bloated(text, 120, wrapped=pipeline))
    passes = ["-p", pipeline] if pipeline else []

    assert 0 == run(["reduce", str(big), "--keep", code, *passes, "-o", str(small), "-q"])

    reduced = small.read_text()
    assert 120 <= len(code_lines(big.read_text()))
    assert 25 > len(code_lines(reduced))
    assert "unrelated" not in reduced
    before, after = (causes_of(each, pipeline, code) for each in (text, reduced))
    assert any(is_among(cause, after) for cause in before)
    assert 0 == run(["corpus", str(small)])
