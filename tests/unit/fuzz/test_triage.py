"""Triage: real findings of real passes become causes, whatever happens on the way."""

import json
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from fuzz.finding import Finding
from fuzz.judging import Job, judge
from fuzz.recipes import Edit, to_json
from fuzz.report.page import write_report
from fuzz.runs import baseline_keys
from fuzz.settings import Settings
from fuzz.store import Store
from fuzz.subject import Limits, Subject
from fuzz.triage.bundles import whole_bundle
from fuzz.triage.causes import Cause, causes_in
from fuzz.triage.draft import draft
from fuzz.triage.outcome import outcome_of
from fuzz.triage.process import ROOT, Performer
from fuzz.triage.reducing import smaller
from fuzz.triage.run import Plan, triage
from fuzz.triage.task import PARTIAL, REDUCED, WHOLE, Task
from tests.unit.fuzz.campaigning import ROOT as TREE
from tests.unit.fuzz.campaigning import command, environment, findings, fuzz, rows
from tests.unit.reduce.bloat import bloated
from verify.toolchain.registry import toolchains

FOUND = TREE / "corpus" / "found"
PASS = "func.func(gpu-async-region)"
HERE = {each.name for each in toolchains() if each.available}
TARGETS = tuple(f"{name}:{PASS}" for name in ("mlir", "enzyme") if name in HERE)
ORACLES = ("crash", "output", "refusal", "invariants")
NAMES = ("gpu_async_region_forgets_values", "gpu_async_region_uses_freed_ops")

pytestmark = pytest.mark.skipif("mlir" not in HERE, reason="MLIR's bindings are not installed")


def program(name: str, lines: int = 60) -> str:
    """A finding of the corpus with much that has nothing to do with it."""
    return bloated((FOUND / f"{name}.mlir").read_text(), lines)


def filled(path: Path, names: tuple[str, ...] = NAMES) -> None:
    """A store with what the targets do wrong on some bloated programs."""
    texts = {name: program(name) for name in names}
    recipes = [to_json(Edit(name, 0, 0, 0)) for name in texts]
    settings = Settings(0, TARGETS, ORACLES, count=len(texts))
    store = Store(path)
    store.begin("one", settings.to_plain(), {"mlir": "22", "enzyme": "0"}, texts)
    store.plan(0, 0, recipes)
    for number, (recipe, text) in enumerate(zip(recipes, texts.values(), strict=True)):
        job = Job(number, recipe, TARGETS, ORACLES, Limits(), base=text)
        store.record(judge(job), 1.0, {"mlir": "22", "enzyme": "0"})
    store.close()


@contextmanager
def opened(path: Path, *, writes: bool = False) -> Generator[Store]:
    store = Store(path, writes=writes)
    try:
        yield store
    finally:
        store.close()


@pytest.fixture(scope="module")
def untouched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with groups that are not reduced."""
    path = tmp_path_factory.mktemp("triage") / "one.db"
    filled(path)
    return path


@pytest.fixture(scope="module")
def triaged(untouched: Path) -> Path:
    """The same after triage."""
    path = untouched.with_name("two.db")
    shutil.copy(untouched, path)
    with opened(path, writes=True) as store:
        done = triage(store, Plan(known=FOUND))
    assert (len(NAMES) * len(TARGETS), 0, len(NAMES)) == (done.groups, done.left, done.causes)
    return path


@pytest.fixture
def causes(triaged: Path) -> dict[str, Cause]:
    """The causes by the file that has them."""
    with opened(triaged) as store:
        return {cause.known: cause for cause in causes_in(store)}


def test_one_fault_in_two_toolchains_is_one_known_cause(causes: dict[str, Cause]) -> None:
    assert set(NAMES) == set(causes)
    for cause in causes.values():
        assert set(TARGETS) == set(cause.targets)


def test_programs_are_as_small_as_those_found_by_hand(causes: dict[str, Cause]) -> None:
    lines = {name: c.reduction.lines for name, c in causes.items() if c.reduction}
    assert lines[NAMES[0]] <= 11
    assert lines[NAMES[1]] <= 17
    assert all(c.reduction and c.reduction.lines_before >= 60 for c in causes.values())
    assert all(c.reduction and c.reduction.state == REDUCED for c in causes.values())


def test_a_draft_says_what_races_and_how_to_see_it(causes: dict[str, Cause]) -> None:
    text = draft(causes[NAMES[0]], {"mlir": "22"}, "one")

    assert text.startswith("# after `gpu-async-region`, the host touches memory while `gpu.")
    assert f"mlir-opt program.mlir --pass-pipeline='builtin.module({PASS})'" in text
    assert f"| `mlir:{PASS}` | 22 | yes |" in text
    marked = [line for line in text.splitlines() if "// <-- " in line]
    assert ["gpu.", "memref.load"] == [
        word for word, line in zip(("gpu.", "memref.load"), marked, strict=True) if word in line
    ]
    assert "ops run in the order" in text


def test_a_draft_of_a_crash_names_the_function(causes: dict[str, Cause]) -> None:
    text = draft(causes[NAMES[1]], {}, "one")

    # What was freed may be anything: it ends in one signal or another.
    assert "died with signal SIG" in text.splitlines()[0]
    assert "DeferWaitCallback" in text.partition("## Stack")[2]


def test_a_bundle_shows_the_finding_again(causes: dict[str, Cause], tmp_path: Path) -> None:
    done = causes[NAMES[0]].reduction
    assert done is not None
    path = tmp_path / "one.zip"
    path.write_bytes(whole_bundle(done.evidence.bundle))
    ran = subprocess.run(
        [sys.executable, str(path)], capture_output=True, text=True, timeout=60, check=False
    )

    assert 0 == ran.returncode, ran.stderr
    assert "memref.load of line" in ran.stdout


def test_triage_changes_no_finding(untouched: Path, triaged: Path) -> None:
    assert findings(untouched) == findings(triaged)


def test_a_cause_is_kept_as_a_file_that_the_corpus_takes(triaged: Path, tmp_path: Path) -> None:
    with opened(triaged) as store:
        names = {cause.known: cause.name for cause in causes_in(store)}
    folder = tmp_path / "found"
    kept = fuzz("keep", names[NAMES[0]], "--store", str(triaged), "--as", "lost", "-o", str(folder))
    assert 0 == kept.returncode, kept.stderr
    again = fuzz(
        "keep", names[NAMES[0]], "--store", str(triaged), "--as", "lost", "-o", str(folder)
    )
    assert 2 == again.returncode
    call = [*command()[:-1], "corpus", str(folder)]
    held = subprocess.run(
        call, capture_output=True, text=True, env=environment(), timeout=60, check=False
    )

    assert "1 as expected" in held.stdout, held.stdout


def test_the_report_has_a_folder_for_each_cause(triaged: Path, tmp_path: Path) -> None:
    with opened(triaged) as store:
        page = write_report(store, tmp_path)
    data = json.loads((page.parent / "campaign.json").read_text())
    text = page.read_text()

    for cause in data["causes"]:
        folder = page.parent / "causes" / cause["cause"]
        assert cause["text"] == (folder / "program.mlir").read_text()
        assert f'href="causes/{cause["cause"]}/report.md"' in text
        assert all(f'id="{group}"' in text for group in cause["groups"])
    keys = baseline_keys(str(page.parent / "campaign.json"))
    assert keys == baseline_keys(str(triaged))
    with opened(triaged) as store:
        assert all(cause.keys & keys for cause in causes_in(store))


def test_without_time_groups_wait_and_are_told_all_the_same(
    untouched: Path, tmp_path: Path
) -> None:
    path = tmp_path / "one.db"
    shutil.copy(untouched, path)
    with opened(path, writes=True) as store:
        done = triage(store, Plan(seconds=0.01, known=tmp_path))
        page = write_report(store, tmp_path)

    assert (0, done.groups) == (done.reduced, done.left)
    assert "not reduced yet" in page.read_text()


def test_a_store_from_before_triage_is_read(untouched: Path, tmp_path: Path) -> None:
    path = tmp_path / "one.db"
    shutil.copy(untouched, path)
    with sqlite3.connect(path) as database:
        database.execute("DROP TABLE reduction")
        database.execute("DROP TABLE known")
    database.close()

    with opened(path) as store:
        assert [None] * len(NAMES) == [c.reduction for c in causes_in(store)]


def test_triage_that_was_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    path = tmp_path / "one.db"
    filled(path, NAMES[:1])
    process = subprocess.Popen(
        command("triage", "--store", str(path), "--known", str(tmp_path)),
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment(), cwd=TREE, text=True,
    )  # fmt: skip
    assert process.stderr is not None
    first = process.stderr.readline()
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=30)
    kept = rows(path, "SELECT grp, state FROM reduction")
    assert [group for group, _ in kept if str(group) in first]

    done = fuzz("triage", "--store", str(path), "--known", str(tmp_path))
    assert 0 == done.returncode, done.stderr
    assert not [group for group, _ in kept if f"group {group}" in done.stderr]
    reduced = rows(path, "SELECT grp FROM reduction WHERE state = 'reduced'")
    assert len(TARGETS) == len(reduced)


def test_a_campaign_ends_with_triage(tmp_path: Path) -> None:
    folder, store = tmp_path / "seeds", tmp_path / "one.db"
    folder.mkdir()
    (folder / "bloated.mlir").write_text(program(NAMES[0]))
    some = ["--targets", TARGETS[0], "--oracles", "invariants", "--mode", "coverage"]
    calm = ["--budget", "60", "--corpus", str(folder), "--jobs", "1"]
    done = fuzz("run", "--store", str(store), *some, *calm)

    assert 1 == done.returncode, done.stderr
    assert "1 groups of findings that are new, 1 causes that are new, 1 of them in" in done.stdout
    assert [("reduced",)] == rows(store, "SELECT state FROM reduction")


def test_a_fault_of_the_checker_is_reduced_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(subject: Subject, _targets: Sequence[str]) -> Iterator[Finding]:
        for op in subject.parsed.module.walk() if subject.parsed.module else ():
            if op.name == "memref.load":
                raise ValueError("no load is known here")
        yield from ()

    monkeypatch.setattr("fuzz.oracles.refusal.judge", fails)
    text = program(NAMES[0])
    recipe = to_json(Edit("one", 0, 0, 0))
    (found,) = judge(Job(0, recipe, TARGETS, ORACLES, Limits(), base=text)).findings
    task = Task(
        "reduce", found.group, found.oracle, found.target, found.code, text,
        specs=TARGETS, oracles=("refusal",),
    )  # fmt: skip
    done = outcome_of(task, smaller(task, lambda _: None))

    assert (True, REDUCED, 1) == (done.is_shown, done.state, done.text.count("memref.load"))
    assert done.lines <= 5
    assert "ValueError" in done.evidence.message


SMALL = (FOUND / f"{NAMES[0]}.mlir").read_text()
_WRAPPED = """
import json, os, sys, time
sys.path[0] = {root!r}
import fuzz.triage.child as child
serve = child.serve
def wrapped(plain, tell):
    if plain["kind"] == "reduce":
        tell("smaller", {{"text": {small!r}}}) if {tells} else None
        {end}
    serve(plain, tell)
child.serve = wrapped
child.main()
"""


def performed(end: str, *, tells: bool = True) -> tuple[str, str, str, int]:
    """State, reason, text and number of sightings of a task whose process ends badly."""
    code = _WRAPPED.format(root=ROOT, small=SMALL, tells=tells, end=end)
    text = program(NAMES[0])
    task = Task(
        "reduce", "f49b4e4da2ef", "invariants", TARGETS[0], "E0303", text,
        specs=TARGETS[:1], oracles=("invariants",), seconds=0.5,
    )  # fmt: skip
    with Performer(grace_s=1.0, command=(sys.executable, "-c", code, "")) as performer:
        done = performer.perform(task)
    return done.state, done.why, done.text, len(done.sightings)


def test_what_a_process_told_before_it_died_is_kept() -> None:
    state, why, text, seen = performed("os.kill(os.getpid(), 9)")

    assert (PARTIAL, SMALL, 1) == (state, text, seen)
    assert "SIGKILL" in why


def test_a_process_that_hangs_is_ended() -> None:
    state, why, text, seen = performed("time.sleep(600)")

    assert (PARTIAL, SMALL, 1) == (state, text, seen)
    assert "did not end in time" in why


def test_a_process_that_tells_nothing_leaves_the_program_as_it_was() -> None:
    state, why, text, _ = performed("raise SystemExit('no way')", tells=False)

    assert (WHOLE, program(NAMES[0])) == (state, text)
    assert "exit code 1: no way" in why


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["triage", "--store", "{}/none.db"], "there is no store"),
        (["keep", "nothing", "--store", "{store}", "--as", "a"], "there is no cause `nothing`"),
        (["keep", "a", "--store", "{store}", "--as", "../a"], "is no plain name"),
    ],
)
def test_wrong_usage_is_told(
    triaged: Path, tmp_path: Path, arguments: list[str], words: str
) -> None:
    places = {"{}": str(tmp_path), "{store}": str(triaged)}
    given = [a.replace("{store}", places["{store}"]).replace("{}", places["{}"]) for a in arguments]
    done = fuzz(*given)

    assert 2 == done.returncode
    assert words in done.stderr
