"""Asked of a drawn program: NVRTC takes its kernels, and they compute what the program says."""

from __future__ import annotations

import random
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from fuzz.strategies.kernels import build
from tests.cuda import host
from tests.cuda.differential import InvalidProgramError, Program, compare, program_of
from verify.replay.cuda.nvrtc import CompileError, compile_kernel

ROOT = Path(__file__).parents[2]
SEEDS = (0, 1)


@dataclass(slots=True)
class Judgement:
    """What was found about one program. `compared` counts runs that were compared."""

    kernels: int = 0
    compiled: int = 0
    compared: int = 0
    faults: list[str] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)
    text: str = ""


def drawn(seed: int, number: int, *, is_exact: bool) -> str:
    """The program of that number."""
    return build(random.Random(f"{seed}/{number}"), is_exact=is_exact)


def compiled(program: Program) -> Judgement:
    """Let NVRTC compile every kernel; one that has no source is told as a reason."""
    found = Judgement(len(program.kernels) + len(program.refused), text=program.text)
    found.reasons += [f"refused: {words}" for words in program.refused]
    for kernel in program.kernels:
        result = compile_kernel(kernel.text)
        if isinstance(result, CompileError):
            found.faults.append(f"NVRTC: {_error_of(result.log)}")
        else:
            found.compiled += 1
    return found


def _error_of(log: str) -> str:
    lines = [line for line in log.splitlines() if "error" in line]
    return (lines or log.splitlines() or ["no message"])[0]


def judge(seed: int, number: int) -> Judgement:
    """Draw a program and compile its kernels; a crash on the way is a fault."""
    text = drawn(seed, number, is_exact=False)
    try:
        return compiled(program_of(text))
    except InvalidProgramError as error:
        return Judgement(faults=[f"invalid: {error}"], text=text)
    except Exception as error:  # noqa: BLE001 - reported as a fault
        traceback.print_exc()
        return Judgement(faults=[f"crash: {error!r}"], text=text)


def compare_all(seed: int, numbers: Sequence[int]) -> Iterator[Judgement]:
    """Hold exact programs against the interpreter; their kernels are compiled together."""
    programs = [program_of(drawn(seed, number, is_exact=True)) for number in numbers]
    host.build([kernel for program in programs for kernel in program.kernels])
    for program in programs:
        found = Judgement(text=program.text)
        try:
            found.faults, found.reasons = compare(program, SEEDS, host.HostKernels)
        except host.HostError as error:
            found.faults = [f"on the CPU: {str(error).splitlines()[0]}"]
        found.compared = len(SEEDS) - len(found.reasons)
        yield found


def stored_files() -> list[Path]:
    """The MLIR files of the corpus."""
    return sorted((ROOT / "corpus").rglob("*.mlir"))
