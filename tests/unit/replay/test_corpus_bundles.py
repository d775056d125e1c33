"""Every refuted file of the corpus has a bundle, and it reproduces on the CPU."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

from tests.gpu.corpus import Finding, findings
from tests.unit.replay.simulated_streams import simulated
from verify.replay.bundle.perform import perform
from verify.replay.bundle.read import read_bundle

# What a compiler does, and no run of IR: a refusal, a crash, invalid output, IR that is invalid.
OF_A_COMPILER = {"E0001", "E0002", "E0103", "E0301", "E0304", "E0305", "E0306"}
MOST_BYTES = 1_000_000
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> list[Finding]:
    """Every error of the corpus."""
    return findings(tmp_path_factory.mktemp("bundles"))


def paths(found: list[Finding]) -> list[Path]:
    return sorted({Path(each.diagnostic.bundle) for each in found if each.diagnostic.bundle})


def test_every_finding_about_what_ir_does_has_a_bundle(found: list[Finding]) -> None:
    own = [each for each in found if each.diagnostic.code not in {*OF_A_COMPILER, "E0303"}]

    assert [] == [str(each) for each in own if not each.diagnostic.bundle]
    assert len(own) > 100


def test_what_a_pass_breaks_has_the_bundle_of_what_it_breaks(found: list[Finding]) -> None:
    broken = [each for each in found if each.diagnostic.code == "E0303"]
    places = {(e.path, e.function, e.stage) for e in found if e.diagnostic.bundle}

    assert broken
    assert [] == [str(e) for e in broken if (e.path, e.function, e.stage) not in places]


def test_every_bundle_reproduces_on_the_cpu(found: list[Finding]) -> None:
    results = [(path.name, perform(*read_bundle(path))) for path in paths(found)]

    assert [] == [name for name, result in results if not result["reproduced"]]
    assert len(results) > 100
    assert all(result["before"]["rows"] for _, result in results)


def test_nothing_differs_after_the_pass_that_cures_it(found: list[Finding]) -> None:
    results = [
        perform(*read_bundle(path)) for path in paths(found) if "double_snapshot" in path.name
    ]

    assert results
    for result in results:
        assert 3 == len(result["before"]["rows"])
        assert ("ran", []) == (result["after"]["status"], result["after"]["rows"])


def test_every_bundle_is_small(found: list[Finding]) -> None:
    assert [] == [path.name for path in paths(found) if path.stat().st_size >= MOST_BYTES]


def test_every_order_shows_when_it_is_forced_on_streams(found: list[Finding]) -> None:
    forced = 0
    for path in paths(found):
        bundle, name = read_bundle(path)
        if bundle.recipe.kind != "schedule":
            continue
        result = perform(bundle, name, simulated()[0])
        assert ("ran", True) == (result["streams"]["status"], result["streams"]["shows"]), path.name
        forced += 1

    assert forced > 30


def test_one_of_each_kind_runs_with_python_and_numpy_alone(
    found: list[Finding], tmp_path: Path
) -> None:
    kinds = {read_bundle(path)[0].recipe.kind: path for path in paths(found)}
    environment = only_numpy(tmp_path)

    assert {"checkpoint", "schedule", "space", "difference"} == set(kinds)
    for kind, path in kinds.items():
        done = subprocess.run(
            [sys.executable, "-S", "-s", str(path), "--device", "cpu"],
            capture_output=True,
            check=False,
            cwd=tmp_path,
            env=environment,
            text=True,
        )
        assert (0, "") == (done.returncode, done.stderr), kind
        assert "  reproduced on CPU" in done.stdout, kind


def only_numpy(folder: Path) -> dict[str, str]:
    """An environment in which a Python without site packages finds NumPy and nothing else."""
    alone = folder / "alone"
    alone.mkdir()
    package = Path(np.__file__).parent
    for part in package.parent.glob("numpy*"):
        if part.name in ("numpy", "numpy.libs"):
            (alone / part.name).symlink_to(part)
    return {**os.environ, "PYTHONPATH": str(alone)}


def test_a_bundle_brings_the_licences_of_the_code_in_it(found: list[Finding]) -> None:
    with zipfile.ZipFile(paths(found)[0]) as archive:
        names = archive.namelist()
        texts = {
            name: archive.read(name).decode() for name in names if name.startswith("licenses/")
        }
    carried = {name.split("/")[1].removesuffix(".py") for name in names if "runtime/" in name}

    assert {"verify", "xdsl", "immutabledict", "typing_extensions"} == carried
    assert "Apache License" in texts["licenses/verify-ir/LICENSE"]
    assert "Apache License" in texts["licenses/xdsl/LICENSE"]
    assert "LLVM Exceptions" in texts["licenses/xdsl/LICENSE"]
    assert "PYTHON SOFTWARE FOUNDATION" in texts["licenses/typing-extensions/LICENSE"]
    assert "MIT" in texts["licenses/immutabledict/LICENSE"]
