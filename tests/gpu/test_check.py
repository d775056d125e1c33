"""The check on a GPU, rehearsed without one and run where there is one."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.gpu import __main__ as check
from tests.gpu import examine
from tests.unit.replay.simulated_streams import SimulatedStreams, simulated
from verify.replay.arrays import DeviceError, arrays_for


@pytest.mark.slow
def test_the_whole_check_is_good_in_a_rehearsal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "new" / "report.json"

    assert check.GOOD == check.main(["--rehearse", "-o", str(output)])

    found: dict[str, Any] = json.loads(output.read_text())
    assert (check.SCHEMA, True) == (found["schema"], found["is_good"])
    assert found["bundles"]["count"] == found["bundles"]["reproduced"] > 100
    assert found["races"]["orders"] == found["races"]["forced"] > 30
    (example,) = found["double_snapshot"]["example"]
    assert (3, 0) == (example["before"]["rows"], example["after"]["rows"])
    assert ["signal", "copied"] == [a["end"] for a in found["memory_space"]["attempts"]]
    assert 0 == found["values"]["differing"] < found["values"]["functions"]
    assert "races: 36 of 36 forced" in capsys.readouterr().out


def test_a_device_that_holds_nothing_back_or_is_too_slow_is_told(tmp_path: Path) -> None:
    class Hasty(SimulatedStreams):
        def finish(self) -> bool:
            return super().finish() and False

    device = Hasty()
    arrays = replace(simulated()[0], streams=lambda: device)
    paths = [path for path in _few(tmp_path) if "gpu_token_dropped" in path.name]

    rows = examine.run_bundles(paths, arrays, deadline=float("inf"))
    late = examine.run_bundles(paths, arrays, deadline=0.0)

    assert [] != paths
    assert () == examine.bundles(rows).faults
    assert "did not hold work back" in examine.races(rows).faults[0]
    assert "the time was over" in examine.bundles(late).faults[0]
    assert examine.double_snapshot(rows).faults


def _few(folder: Path) -> list[Path]:
    from tests.unit.replay.made_bundles import bundle_of

    path = folder / "gpu_token_dropped.zip"
    path.write_bytes(bundle_of("gpu_token_dropped"))
    return [path]


def test_without_a_gpu_it_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    try:
        arrays_for("cuda")
    except DeviceError as error:
        reason = str(error)
    else:
        pytest.skip("there is a CUDA device here")

    assert check.NO_GPU == check.main([])
    assert f"there is no GPU to check on: {reason}\n" == capsys.readouterr().err


@pytest.mark.gpu
@pytest.mark.slow
def test_the_whole_check_is_good_on_a_gpu() -> None:
    try:
        arrays = arrays_for("cuda")
    except DeviceError as error:
        pytest.skip(str(error))

    assert [] == check.faults_in(check.report(arrays))
