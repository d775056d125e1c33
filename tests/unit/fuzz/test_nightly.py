"""A night from end to end, and the workflow that runs it."""

from __future__ import annotations

import fcntl
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from fuzz.nightly import BROKEN, BUSY, NEW, QUIET, main
from fuzz.report.markdown import to_markdown
from tests.unit.fuzz.campaigning import ROOT, environment

WORKFLOW = ROOT / ".github/workflows/nightly.yml"
OWN = "gpu-async-region{form=first}"
LEAK = ROOT / "corpus/passes/gpu_async_first_form_leaks.mlir"


def corpus_of(folder: Path, *files: Path) -> str:
    folder.mkdir()
    for file in files:
        shutil.copy(file, folder)
    return str(folder)


def night(folder: Path, corpus: str, *more: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "fuzz.nightly", str(folder), "--corpus", corpus]
    return subprocess.run(
        [*command, "--count", "12", "--seed", "1", "--targets", OWN, "--jobs", "1", *more],
        capture_output=True, text=True, timeout=120, cwd=ROOT, env=environment(), check=False,
    )  # fmt: skip


def test_a_night_keeps_all_and_fails_on_what_is_new_only(tmp_path: Path) -> None:
    folder, corpus = tmp_path / "kept", corpus_of(tmp_path / "corpus", LEAK)
    first = night(folder, corpus)
    (own,) = (folder / "nights").iterdir()
    known = json.loads((folder / "known.json").read_text())["groups"]

    assert QUIET == first.returncode, first.stdout + first.stderr
    assert "This is the first night" in first.stdout
    assert {g["group"] for g in known} == {p.stem for p in (own / "new").iterdir()} != set()
    assert (own / "report/night/index.html").exists()
    assert (own / "summary.md").read_text().strip() == first.stdout.strip()
    assert "fuzz run" in (own / "log.txt").read_text()

    gone, *rest = known
    rest.append({**gone, "group": "of another cause"})
    (folder / "known.json").write_text(json.dumps({"groups": rest}))
    second = night(folder, corpus, "--keep", "1")
    names = {g["group"] for g in json.loads((folder / "known.json").read_text())["groups"]}

    assert NEW == second.returncode, second.stdout + second.stderr
    assert re.search(rf"\*\*new\*\* \| {gone['group']}", second.stdout)
    assert {g["group"] for g in known} | {"of another cause"} <= names
    assert 1 == len(list((folder / "nights").iterdir()))


def test_two_nights_do_not_run_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with (tmp_path / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)

        assert BUSY == main([str(tmp_path)])
    assert "another run uses" in capsys.readouterr().out
    assert not (tmp_path / "nights").exists()


def test_a_night_that_cannot_run_says_where_to_look(tmp_path: Path) -> None:
    corpus = corpus_of(tmp_path / "corpus", LEAK)
    done = night(tmp_path / "kept", corpus, "--targets", "none:such")

    assert BROKEN == done.returncode
    log = re.search(r"see (\S+log\.txt)", done.stdout)
    assert log is not None
    assert "there is no toolchain `none`" in Path(log[1]).read_text()
    assert not (tmp_path / "kept/known.json").exists()


def test_a_summary_tells_what_is_new_first_and_stays_a_table() -> None:
    group = {
        "group": "a", "programs": 2, "code": "E0304", "oracle": "crash", "target": "mlir:x",
        "message": "died | of <b>\nthis",
    }  # fmt: skip
    found: dict[str, Any] = {
        "campaign": "night", "programs": {"judged": 5}, "seconds": 2.0, "pairs": 7,
        "programs_per_second": 2.5, "versions": {"mlir": "22"},
        "groups": [group, {**group, "group": "b", "target": ""}],
    }  # fmt: skip
    lines = to_markdown(found, {"a"}).splitlines()

    assert "## Campaign night: 1 new cause" == lines[0]
    assert ["| **new** | b ", "|  | a "] == [line[: line.index("| 2")] for line in lines[-2:]]
    assert lines[-1].endswith(r"| `mlir:x` | died \| of &lt;b>\nthis |".replace(r"\n", " "))


def test_the_workflow_may_only_read_and_runs_the_night() -> None:
    yaml: Any = pytest.importorskip("yaml")
    plain = yaml.safe_load(WORKFLOW.read_text())
    (job,) = plain["jobs"].values()
    used = [step["uses"] for step in job["steps"] if "uses" in step]
    commands = [step["run"] for step in job["steps"] if "run" in step]

    assert {"contents": "read"} == plain["permissions"]
    assert "schedule" in plain[True]  # YAML 1.1 takes the key `on` for a truth value
    assert plain["concurrency"]["group"]
    assert 0 < job["timeout-minutes"] <= 180
    assert all(re.fullmatch(r"[\w/-]+@v\d+(\.\d+)*", each) for each in used)
    assert any("python -m fuzz.nightly" in each for each in commands)
    assert not any("${{" in each for each in commands)
    restored = [s for s in job["steps"] if "cache/restore" in s.get("uses", "")]
    saved = [s for s in job["steps"] if "cache/save" in s.get("uses", "")]
    assert restored[0]["with"]["path"] == saved[0]["with"]["path"]
