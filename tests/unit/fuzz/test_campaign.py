"""Campaigns as whole commands: what they find, how they go on, and what they refuse."""

import json
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.unit.fuzz.campaigning import (
    OWN,
    QUICK,
    ROOT,
    command,
    environment,
    findings,
    fuzz,
    rows,
    told,
)

FIRST_FORM = "gpu-async-region{form=first}"


def run(store: Path, *arguments: str, targets: str = OWN, count: int = 40) -> list[str]:
    """The arguments of a campaign that ends soon."""
    some = ["--targets", targets, "--oracles", QUICK, "--count", str(count), "--seed", "5"]
    some.append("--no-triage")
    return ["run", "--store", str(store), "--jobs", "2", *some, *arguments]


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a campaign that found something."""
    store = tmp_path_factory.mktemp("campaign") / "one.db"
    done = fuzz(*run(store, targets=FIRST_FORM, count=90))
    assert 1 == done.returncode, done.stderr
    assert set(told(done.stdout)) == {number for (number,) in rows(store, "SELECT id FROM finding")}
    return store


@pytest.mark.slow
def test_a_known_bad_pass_is_found_out(finished: Path) -> None:
    found = rows(finished, "SELECT DISTINCT code, target FROM finding WHERE blames = 'compiler'")

    assert ("E0303", FIRST_FORM) in found


@pytest.mark.slow
def test_every_program_of_the_count_is_judged(finished: Path) -> None:
    assert [(90,)] == rows(finished, "SELECT count(*) FROM program WHERE status != 'planned'")
    assert [(0,)] == rows(finished, "SELECT count(*) FROM program WHERE status = 'put-off'")


@pytest.mark.slow
def test_a_finding_is_drawn_and_judged_again(finished: Path) -> None:
    query = "SELECT id, text, grp FROM finding WHERE oracle = 'invariants'"
    ((number, text, group), *_) = rows(finished, query)
    done = fuzz("replay", str(number), "--store", str(finished))

    assert 1 == done.returncode
    assert done.stdout.startswith(str(text))
    assert f"[{group}]" in done.stdout


@pytest.mark.slow
def test_the_report_stands_alone(finished: Path, tmp_path: Path) -> None:
    done = fuzz("report", "--store", str(finished), "-o", str(tmp_path))

    page = tmp_path / "one" / "index.html"
    data = json.loads((tmp_path / "one" / "campaign.json").read_text())
    assert str(page) == done.stdout.strip()
    text = page.read_text()
    assert not [word for word in ("<script", "src=", "@import", "url(") if word in text]
    assert all(f'id="{group["group"]}"' in text for group in data["groups"])
    assert 90 == sum(data["programs"].values())
    assert data["groups"][0]["text"]


@pytest.mark.slow
def test_the_status_is_told_while_a_campaign_runs_and_after_it(finished: Path) -> None:
    done = fuzz("status", "--store", str(finished), "--format", "json")

    found = json.loads(done.stdout)
    assert ("one", "done") == (found["campaign"], found["state"])
    assert found["pairs"] > 100


@pytest.mark.slow
def test_what_the_baseline_has_is_no_news(finished: Path, tmp_path: Path) -> None:
    again = run(tmp_path / "b.db", "--baseline", str(finished), targets=FIRST_FORM, count=90)
    done = fuzz(*again)

    assert 0 == done.returncode, done.stdout
    assert "0 groups of findings that are new" in done.stdout


@pytest.mark.slow
def test_a_pruned_corpus_keeps_the_coverage(finished: Path, tmp_path: Path) -> None:
    folder = tmp_path / "small"
    done = fuzz("run", "--mode", "prune", "--store", str(finished), "-o", str(folder))
    files = sorted(folder.glob("*.mlir"))
    assert 0 == done.returncode
    assert 10 < len(files) < 85

    store = tmp_path / "c.db"
    cover = ["--mode", "coverage", "--corpus", str(folder), "--budget", "60"]
    fuzz("run", "--store", str(store), "--targets", FIRST_FORM, "--oracles", QUICK, *cover)
    pairs = [json.loads(fuzz("status", "--store", str(s), "--format", "json").stdout)["pairs"]
             for s in (finished, store)]  # fmt: skip
    assert [(len(files),)] == rows(store, "SELECT count(*) FROM program")
    assert pairs[0] == pairs[1]


@pytest.mark.slow
def test_a_campaign_that_was_interrupted_goes_on(tmp_path: Path) -> None:
    store, whole = tmp_path / "a.db", tmp_path / "b.db"
    targets = FIRST_FORM
    with subprocess.Popen(
        command(*run(store, targets=targets, count=90)),
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment(), cwd=ROOT, text=True,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        first = process.stdout.readline()
        process.send_signal(signal.SIGINT)
        rest = process.stdout.read()  # not `communicate`, which forgets what was read with `first`
        assert 130 == process.wait(timeout=60)
    assert set(told(first + rest)) == {n for (n,) in rows(store, "SELECT id FROM finding")}

    assert 1 == fuzz("resume", "--store", str(store), "--no-triage").returncode
    fuzz(*run(whole, targets=targets, count=90))
    assert findings(whole) == findings(store)


@pytest.mark.slow
def test_a_full_disk_is_told_and_nothing_is_lost(tmp_path: Path) -> None:
    store, whole = tmp_path / "a.db", tmp_path / "b.db"
    targets = FIRST_FORM
    seeds = ["--corpus", str(tmp_path)]
    limited = ["bash", "-c", 'ulimit -f 160; trap "" XFSZ; exec "$@"', "bash"]
    process = subprocess.Popen(
        [*limited, *command(*run(store, *seeds, targets=targets, count=90))],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(), cwd=ROOT, text=True,
    )  # fmt: skip
    assert process.stderr is not None
    begin = time.monotonic()
    said = ""
    while "wait to be written" not in said and time.monotonic() - begin < 150:
        line = process.stderr.readline()
        said += line
        if not line:
            break
    process.kill()
    output, _ = process.communicate()
    assert "wait to be written" in said
    assert set(told(output)) <= {n for (n,) in rows(store, "SELECT id FROM finding")}

    fuzz("resume", "--store", str(store), "--no-triage")
    fuzz(*run(whole, *seeds, targets=targets, count=90))
    assert findings(whole) == findings(store)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["run", "--store", "{}/a.db", "--oracles", "guess"], "there is no oracle `guess`"),
        (["run", "--store", "{}/a.db", "--targets", "no-such-pass"], "--targets"),
        (["run", "--store", "{}/a.db", "--engine", "dask"], "belong together"),
        (["run", "--store", "{}/a.db", "--time", "soon"], "is no time"),
        (["run", "--store", "{}/a.db", "--count", "0"], "--count"),
        (["run", "--store", "{}/a.db", "--mode", "prune"], "--output"),
        (["run", "--store", "{}/none/a.db", "--count", "1"], "cannot be written"),
        (["run", "--store", "{}/a.db", "--baseline", "{}/none.db"], "there is no store"),
        (["resume", "--store", "{}/none.db"], "there is no store"),
        (["status", "--store", "{}/none.db"], "there is no store"),
        (["report", "--store", "{}/text.db"], "no store that can be read"),
        (["replay", "7", "--store", "{}/text.db"], "no store that can be read"),
    ],
)
def test_wrong_usage_is_told_in_a_sentence(
    tmp_path: Path, arguments: list[str], words: str
) -> None:
    (tmp_path / "text.db").write_text("some text that is no database at all\n" * 40)
    done = fuzz(*(a.replace("{}", str(tmp_path)) for a in arguments))

    assert 2 == done.returncode
    assert words in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_a_second_campaign_does_not_overwrite_the_first(finished: Path) -> None:
    before = rows(finished, "SELECT count(*) FROM program")
    done = fuzz(*run(finished))

    assert 2 == done.returncode
    assert "holds a campaign already" in done.stderr
    assert before == rows(finished, "SELECT count(*) FROM program")
