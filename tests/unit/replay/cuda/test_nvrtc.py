"""NVRTC compiles printed kernels for sm_90; `python -m tests.cuda` asks it about many more."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from fuzz.strategies.kernels import build
from fuzz.strategies.token_rendering import render
from fuzz.strategies.tokens import build as build_tokens
from tests.cuda.differential import InvalidProgramError, program_of
from tests.cuda.judge import compiled, judge, stored_files
from verify.replay.cuda.nvrtc import CompileError, NoCompilerError, compile_kernel, version

COUNT = int(os.environ.get("VERIFY_IR_KERNELS", "120"))
PARTS = 4


@pytest.fixture(autouse=True)
def nvrtc() -> None:
    try:
        version()
    except NoCompilerError as error:
        pytest.skip(str(error))


def test_a_wrong_source_gives_the_compilers_message() -> None:
    found = compile_kernel('extern "C" __global__ void f() { undeclared = 1; }')

    assert isinstance(found, CompileError)
    assert 'identifier "undeclared" is undefined' in found.log


def test_the_kernels_of_the_corpus_compile() -> None:
    kernels = 0
    for path in stored_files():
        text = path.read_text()
        if "gpu.func" in text or "gpu.launch " in text:
            found = compiled(program_of(text))
            kernels += found.kernels
            assert ([], [], found.kernels) == (found.faults, found.reasons, found.compiled), path

    assert kernels >= 4


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_drawn_kernels_compile(part: int) -> None:
    for number in range(part, COUNT, PARTS):
        found = judge(1, number)
        assert ([], [], 1) == (found.faults, found.reasons, found.compiled), found.text


@pytest.mark.slow
def test_kernels_of_drawn_token_programs_compile() -> None:
    kernels = 0
    for number in range(COUNT // 5):
        found = compiled(program_of(render(build_tokens(random.Random(number)))))
        kernels += found.compiled
        assert ([], [], found.kernels) == (found.faults, found.reasons, found.compiled), found.text

    assert kernels > 0


def test_a_program_that_is_wrong_is_told_from_a_kernel_that_is() -> None:
    with pytest.raises(InvalidProgramError):
        program_of("func.func @f() { gpu.return }")


def test_the_same_seed_draws_the_same_program(tmp_path: Path) -> None:
    assert build(random.Random("3/1")) == build(random.Random("3/1"))
