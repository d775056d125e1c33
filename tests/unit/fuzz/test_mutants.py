"""The registry of mutants, and that hunts kill faults and nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fuzz import mutants
from fuzz.finding import Finding
from fuzz.mutants import KINDS, Mutant, Patch
from fuzz.mutation import hunt as hunting
from fuzz.mutation.hunt import Hunt, Hunter, Kill, Limits, hunt_all
from fuzz.mutation.report import line_of, to_json, to_markdown, to_text, totals_of
from fuzz.mutation.trial import Trial, judge
from fuzz.recipes import FAMILIES
from verify.cli.main import run
from verify.passes import gpu_async_region, sink_checkpoint_views
from verify.semantics.machine import RULES, rule_for
from verify.toolchain.native import has_jit

NAMES = mutants.names()
AT_ONCE = {
    "sink": ("first_use_only", "only_single_use", "sinks_once", "erases_the_view"),
    "async_region": (
        "forgets_wait_at_block_end",
        "drops_dependencies",
        "waits_on_the_token_before",
        "stores_are_free",
    ),
    "semantics": (
        "wait_does_not_block",
        "memset_is_no_write",
        "join_takes_first_token",
        "await_does_not_wait",
    ),
    "checker": (
        "snapshot_is_of_the_start",
        "nothing_is_ever_put_off",
        "open_work_at_the_return_is_forgotten",
        "work_runs_without_its_dependencies",
    ),
}
"""Mutants that few programs kill, without a real compiler."""
NATIVE = ("loop_step_is_one", "load_turns_indices_round")


def trials(name: str, count: int) -> list[Trial]:
    """The first programs of a hunt."""
    kind = name.partition("/")[0]
    families = mutants.load(name).families
    return [Trial(name, kind, families, 0, number) for number in range(count)]


def told(trial: Trial) -> set[tuple[str, str]]:
    """Which oracles say something, and what."""
    return {(f.oracle, f.code) for f in judge(trial) or ()}


def is_killed(name: str, count: int) -> bool:
    """Whether the first programs kill a mutant, in this process."""
    mutant = mutants.load(name)
    for trial in trials(name, count):
        with mutant.applied():
            found = told(trial)
        if found - told(trial):
            return True
    return False


@pytest.mark.parametrize("name", NAMES)
def test_a_mutant_says_its_fault_and_why_one_makes_it(name: str) -> None:
    mutant = mutants.load(name)

    assert 15 < len(mutant.fault) < 100
    assert mutant.reason.endswith(".")
    assert set(mutant.families) <= set(FAMILIES)


def test_there_are_enough_mutants_of_every_kind() -> None:
    counts = {kind: sum(n.startswith(f"{kind}/") for n in NAMES) for kind in KINDS}

    assert 60 <= len(NAMES) == len(set(NAMES))
    assert counts["sink"] >= 22
    assert counts["async_region"] >= 22
    assert counts["semantics"] >= 16
    assert counts["checker"] >= 16
    assert len({mutants.load(n).fault for n in NAMES}) == len(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_what_a_mutant_replaces_is_put_back(name: str) -> None:
    for file in ("memref", "scf", "arith", "affine", "linalg", "gpu", "async"):
        rule_for(f"{file}.")
    modules = (sink_checkpoint_views, gpu_async_region)
    before = [dict(RULES), *(dict(vars(module)) for module in modules)]

    with mutants.load(name).applied():
        during = [dict(RULES), *(dict(vars(module)) for module in modules)]
    after = [dict(RULES), *(dict(vars(module)) for module in modules)]

    assert before == after
    if name.startswith("sink/"):
        assert before != during


@pytest.mark.parametrize("name", [f"{kind}/{n}" for kind, some in AT_ONCE.items() for n in some])
def test_a_fault_is_killed_by_few_programs(name: str) -> None:
    assert is_killed(name, 40)


@pytest.mark.skipif(not has_jit(), reason="MLIR's JIT is not installed")
@pytest.mark.parametrize("name", NATIVE)
def test_what_both_carriers_get_wrong_is_seen_by_lowered_code(name: str) -> None:
    with mutants.load(f"semantics/{name}").applied():
        found = [told(trial) for trial in trials(f"semantics/{name}", 4)]

    assert any(("native", "E0302") in each for each in found)
    assert not any(told(trial) for trial in trials(f"semantics/{name}", 4))


@pytest.mark.parametrize("kind", KINDS)
def test_code_without_a_fault_survives(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mutants, "load", idle)
    monkeypatch.setattr(hunting, "_asked", lambda worker, trial: judge(trial))
    hunter = Hunter(Limits(count=8))

    hunt = hunter.hunt(f"{kind}/nothing")
    hunter.close()

    assert ([], 8) == (hunt.kills, hunt.programs)


def idle(name: str) -> Mutant:
    """A mutant without a fault."""
    kind = KINDS[name.partition("/")[0]]
    return Mutant(name, "nothing is wrong", "", kind.families, lambda patch: None)


def test_what_the_sane_code_says_too_is_no_kill(monkeypatch: pytest.MonkeyPatch) -> None:
    def asked(worker: object, trial: Trial) -> list[Finding]:
        usual = Finding("replay", "", "E0302", "as always", "")
        twin = Finding("own-pass", "", "E0302", "differs", "")
        new = Finding("reference", "", "E0302", "wrong proven", "")
        if not trial.mutant or trial.number < 3:
            return [usual]
        return [twin, usual] if trial.number < 5 else [usual, twin, new]

    monkeypatch.setattr(hunting, "_asked", asked)
    hunter = Hunter(Limits())
    try:
        found = hunter.hunt("sink/sinks_once")
    finally:
        hunter.close()

    assert [("own-pass", 4), ("reference", 6)] == [(k.oracle, k.programs) for k in found.kills]


def test_a_mutant_in_a_process_of_its_own_is_killed_and_one_that_hangs_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines: list[str] = []

    names = ["async_region/drops_dependencies"]
    hunts, _ = hunt_all(names, Limits(count=5), 1, lambda hunt: lines.append(line_of(hunt)))
    assert hunts[0].own is not None
    assert "invariants" == hunts[0].own.oracle
    assert lines[0].startswith("killed   async_region/drops_dependencies: ")

    monkeypatch.setattr(hunting, "HANGS_AFTER_S", 0.01)
    hunter = Hunter(Limits(count=1))
    trial = trials(names[0], 1)[0]
    try:
        (found,) = hunting._asked(hunter._sane, trial) or []
    finally:
        hunter.close()
    assert ("crash", "E0306") == (found.oracle, found.code)


def example() -> list[Hunt]:
    """Two mutants, of which one survives."""
    kills = [Kill("own-pass", "E0302", "", 3, 1.0), Kill("contract", "E0103", "", 9, 2.0)]
    return [
        Hunt("sink/sinks_once", "a fault | another", 9, 0, 2.0, kills),
        Hunt("semantics/if_arms_are_swapped", "a swap", 20, 1, 5.0),
    ]


def test_the_report_tells_who_killed_and_who_survived() -> None:
    hunts = example()
    totals = totals_of(hunts)
    text, page = to_text(hunts, 7.0), to_markdown(hunts, Limits(), 7.0, 2)
    plain = json.loads(json.dumps(to_json(hunts, Limits(), 7.0, 2)))

    assert (1, 2, 3, 9) == (totals.killed, totals.mutants, totals.median, totals.own_median)
    assert "survived: semantics/if_arms_are_swapped: a swap" in text
    assert "killed first by: own-pass 1" in text
    assert (
        "| sink/sinks_once | a fault \\| another | own-pass | E0302 | 3 | 1.0 | contract 9 |"
        in page
    )
    assert "| **nobody** |" in page
    assert ["sink/sinks_once", "semantics/if_arms_are_swapped"] == [
        h["name"] for h in plain["hunts"]
    ]


def test_the_command_lists_and_refuses_and_gives_a_status(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert 0 == run(["fuzz", "mutants", "--list", "sink/*"])
    assert "sink/sinks_once: A clone's own source is not looked at again" in capsys.readouterr().out

    assert 2 == run(["fuzz", "mutants", "nothing/like_it"])
    assert "there is no mutant `nothing/like_it`" in capsys.readouterr().err

    asked = ["fuzz", "mutants", "-j", "1", "--count", "1", "-o", str(tmp_path / "out")]
    assert 1 == run([*asked, "sink/sinks_once"])
    assert 0 == run([*asked, "semantics/wait_does_not_block"])
    written = json.loads((tmp_path / "out" / "mutants.json").read_text())
    assert (1, 1) == (written["killed"], written["mutants"])


def test_a_patch_refuses_what_is_not_there() -> None:
    patch = Patch()

    with pytest.raises(KeyError):
        patch.set(sink_checkpoint_views, "no_such_helper", None)
    with pytest.raises(KeyError):
        patch.rule("memref.no_such_op", lambda m, op, right: right(m, op))
