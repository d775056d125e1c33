"""Arrays of another module: the same runs, byte for byte, and errors that say what is missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.replay.foreign_arrays import FOREIGN
from verify.ir.frontend import read_text
from verify.model.analyse import functions_of
from verify.model.symbols import collect_symbols
from verify.replay.arrays import CPU, Arrays, DeviceError, arrays_for
from verify.replay.inputs import Inputs
from verify.replay.run import Outcome, run_function
from verify.replay.schedule import Trace, run_schedule
from verify.replay.scheduler import Scheduler

CORPUS = Path(__file__).parents[3] / "corpus"
FILES = sorted([*CORPUS.glob("safe/*.mlir"), *CORPUS.glob("unsafe/*.mlir")])


def on_a_device() -> Arrays:
    """The CUDA device; the test is skipped where there is none."""
    try:
        return arrays_for("cuda")
    except DeviceError as error:
        pytest.skip(str(error))


def outcomes(path: Path, arrays: Arrays) -> list[tuple[Outcome, Trace]]:
    """Both replays of every function of a file."""
    module = read_text(path.read_text()).module
    if module is None:
        return []
    symbols = collect_symbols(module)
    return [
        (
            run_function(op, symbols, Inputs(seed=7), shifted=True, arrays=arrays),
            run_schedule(op, symbols, Inputs(seed=7), Scheduler(), arrays=arrays),
        )
        for _, op in functions_of(module)
    ]


def facts(path: Path, arrays: Arrays) -> list[object]:
    """What two runs of the same program must have in common."""
    return [
        (
            outcome.status,
            outcome.reason,
            outcome.observation.reads,
            [
                (d.kind, d.segment, d.iteration, d.place, str(d.expected), str(d.actual))
                for d in outcome.observation.divergences
            ],
            trace.status,
            trace.memory,
            [str(r) for r in trace.results],
        )
        for outcome, trace in outcomes(path, arrays)
    ]


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_arrays_of_another_module_give_the_same_bytes(path: Path) -> None:
    assert facts(path, CPU) == facts(path, FOREIGN)


@pytest.mark.gpu
@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_cupy_gives_the_same_bytes(path: Path) -> None:
    device = on_a_device()

    assert facts(path, CPU) == facts(path, device)


def test_the_corpus_runs_and_diverges() -> None:
    found = [o for path in FILES for o, _ in outcomes(path, FOREIGN)]

    assert sum(o.status == "ran" for o in found) > 60
    assert sum(bool(o.observation.divergences) for o in found) > 10


def test_the_cpu_needs_nothing() -> None:
    assert arrays_for("cpu") is CPU


def test_a_device_of_unknown_name_is_refused() -> None:
    with pytest.raises(DeviceError, match="the device `tpu` is none of cpu, cuda, auto"):
        arrays_for("tpu")


def test_without_a_gpu_the_reason_is_told_and_auto_takes_the_cpu() -> None:
    try:
        arrays_for("cuda")
    except DeviceError as error:
        reason = str(error)
    else:
        pytest.skip("there is a CUDA device here")

    chosen = arrays_for("auto")

    assert chosen.device == "cpu"
    assert chosen.note == f"runs on the CPU: {reason}"
    assert "CUDA" in reason or "CuPy" in reason
    assert "\n" not in reason


@pytest.mark.gpu
def test_auto_takes_the_gpu_where_there_is_one() -> None:
    assert on_a_device().name == arrays_for("auto").name
