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
from fuzz.runs import baseline_keys
from tests.unit.fuzz.campaigning import ROOT, environment
from verify.toolchain.registry import toolchains

WORKFLOW = ROOT / ".github/workflows/nightly.yml"
OWN = "gpu-async-region{form=first}"
LEAK = ROOT / "corpus/passes/gpu_async_first_form_leaks.mlir"
FOUND = ROOT / "corpus/found/gpu_async_region_uses_freed_ops.mlir"
HERE = {each.name for each in toolchains() if each.available}


def corpus_of(folder: Path, *files: Path) -> str:
    folder.mkdir()
    for file in files:
        shutil.copy(file, folder)
    return str(folder)


def night(folder: Path, corpus: str, *more: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "fuzz.nightly", str(folder), "--corpus", corpus]
    return subprocess.run(
        [*command, "--count", "2", "--seed", "1", "--targets", OWN, "--jobs", "1", *more],
        capture_output=True, text=True, timeout=120, cwd=ROOT, env=environment(), check=False,
    )  # fmt: skip


def kept(folder: Path, name: str = "causes") -> list[dict[str, Any]]:
    """What `known.json` has of causes, or of groups."""
    return json.loads((folder / "known.json").read_text())[name]


def keep(folder: Path, **known: object) -> None:
    folder.mkdir(exist_ok=True)
    (folder / "known.json").write_text(json.dumps(known))


@pytest.mark.slow
def test_a_night_keeps_all_and_what_it_found_is_known_from_then_on(tmp_path: Path) -> None:
    folder, corpus = tmp_path / "kept", corpus_of(tmp_path / "corpus", LEAK)
    first = night(folder, corpus)
    (own,) = (folder / "nights").iterdir()
    (cause,) = kept(folder)
    (new,) = (own / "new").iterdir()
    heading, program = new.read_text().split("\n", 1)
    reported = own / "report/night/causes" / cause["cause"]

    assert QUIET == first.returncode, first.stdout + first.stderr
    assert "This is the first night" in first.stdout
    assert f"| **new** | {cause['cause']} |" in first.stdout
    assert (cause["cause"], own.name) == (new.stem, cause["night"])
    assert f"// E0303 {OWN}: {cause['title']}" == heading
    assert (reported / "program.mlir").read_text() == program
    assert len(program.splitlines()) < 9
    assert (own / "report/night/index.html").exists()
    assert (own / "summary.md").read_text().strip() == first.stdout.strip()
    assert "fuzz run" in (own / "log.txt").read_text()

    group = {"group": "of another cause"}
    keep(folder, groups=[group], causes=[{**cause, "keys": cause["keys"][:1], "night": "before"}])
    second = night(folder, corpus, "--keep", "1")
    (last,) = (folder / "nights").iterdir()

    assert QUIET == second.returncode, second.stdout + second.stderr
    assert "0 new causes" in second.stdout
    assert "first night" not in second.stdout
    assert own != last
    assert [] == list((last / "new").iterdir())
    assert [{**cause, "night": "before"}] == kept(folder)
    assert group in kept(folder, "groups")


@pytest.mark.slow
def test_a_cause_that_an_older_file_does_not_have_fails_the_night(tmp_path: Path) -> None:
    folder, corpus = tmp_path / "kept", corpus_of(tmp_path / "corpus", LEAK)
    group = {"group": "of another cause", "code": "E0304"}
    keep(folder, groups=[group])
    done = night(folder, corpus)
    (cause,) = kept(folder)

    assert NEW == done.returncode, done.stdout + done.stderr
    assert f"| **new** | {cause['cause']} |" in done.stdout
    assert "first night" not in done.stdout
    assert group in kept(folder, "groups")
    assert baseline_keys(str(folder / "known.json")) == {*cause["keys"], "of another cause"}


@pytest.mark.slow
@pytest.mark.skipif("mlir" not in HERE, reason="MLIR's bindings are not installed")
def test_what_the_corpus_has_is_not_new_and_is_remembered(tmp_path: Path) -> None:
    folder, corpus = tmp_path / "kept", corpus_of(tmp_path / "corpus", FOUND)
    keep(folder, groups=[], causes=[])
    done = night(folder, corpus, "--targets", "mlir:func.func(gpu-async-region)", "--count", "1")
    (own,) = (folder / "nights").iterdir()
    (cause,) = kept(folder)

    assert QUIET == done.returncode, done.stdout + done.stderr
    assert "first night" not in done.stdout
    assert re.search(rf"^\|  \| {cause['cause']} .*\| {FOUND.stem} \|$", done.stdout, re.MULTILINE)
    assert [] == list((own / "new").iterdir())


def test_two_nights_do_not_run_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with (tmp_path / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)

        assert BUSY == main([str(tmp_path)])
    assert "another run uses" in capsys.readouterr().out
    assert not (tmp_path / "nights").exists()


def test_a_night_that_cannot_run_says_where_to_look(tmp_path: Path) -> None:
    folder, corpus = tmp_path / "kept", corpus_of(tmp_path / "corpus", LEAK)
    keep(folder, groups=[], causes=["of what?"])
    done = night(folder, corpus, "--targets", "none:such")

    assert BROKEN == done.returncode
    log = re.search(r"see (\S+log\.txt)", done.stdout)
    assert log is not None
    assert "there is no toolchain `none`" in Path(log[1]).read_text()
    assert "was damaged; this night counts as the first" in done.stdout
    assert (folder / "known.damaged").exists()
    assert not (folder / "known.json").exists()


def test_a_summary_tells_what_is_new_first_and_stays_a_table() -> None:
    cause: dict[str, Any] = {
        "cause": "a", "title": "died | of <b>\nthis", "programs": 2, "code": "E0304",
        "targets": ["mlir:x", ""], "keys": ["1", "2"], "known": "", "lines": 4,
    }  # fmt: skip
    found: dict[str, Any] = {
        "campaign": "night", "programs": {"judged": 5}, "seconds": 2.0, "pairs": 7,
        "programs_per_second": 2.5, "versions": {"mlir": "22"},
        "causes": [
            cause,
            {**cause, "cause": "b", "keys": ["3"], "known": "a_file"},
            {**cause, "cause": "c", "keys": ["4"], "lines": 0},
        ],
    }  # fmt: skip
    lines = to_markdown(found, {"2"}).splitlines()
    title = r"died \| of &lt;b> this"

    assert "## Campaign night: 1 new cause" == lines[0]
    assert "3 causes in all" in lines[2]
    assert [
        "| new | cause | title | programs | code | targets | lines | known as |",
        "|---|---|---|---|---|---|---|---|",
        f"| **new** | c | {title} | 2 | E0304 | `mlir:x`, verify-ir | not reduced yet |  |",
        f"|  | a | {title} | 2 | E0304 | `mlir:x`, verify-ir | 4 |  |",
        f"|  | b | {title} | 2 | E0304 | `mlir:x`, verify-ir | 4 | a_file |",
    ] == lines[4:]


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
