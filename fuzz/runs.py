"""What the commands of a campaign do: start or go on, tell its state, draw a finding again."""

from __future__ import annotations

import json
import sqlite3
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from fuzz.campaign import Campaign
from fuzz.engine import Engine
from fuzz.judging import Job, Judged, judge
from fuzz.oracles import ON_DEMAND, ORACLES
from fuzz.recipes import from_json, source_of
from fuzz.screen import shown
from fuzz.settings import GRADIENT, OTHER_MLIR, TARGETS, Settings
from fuzz.store import Store
from fuzz.subject import Limits
from fuzz.tables import StoreError
from fuzz.triage.causes import causes_in
from verify.report.style import clean
from verify.toolchain.binaries import binary_version, other_versions
from verify.toolchain.registry import PassUsageError, check_spec, toolchains

TRIAGE_SHARE = 0.15
"""Of the time of a campaign, for triage."""
LEAST_TRIAGE_S = 20.0


class CampaignError(Exception):
    """A campaign that cannot be run as it was asked for."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a run ended: `done`, `stopped` or `interrupted`, and how much of what it found is new.

    `kept` of the new causes are those that a file of `corpus/found/` shows; `left` counts groups
    that triage did not come to.
    """

    state: str
    new_groups: int
    programs: int
    new_causes: int = 0
    kept: int = 0
    left: int = 0


def versions() -> dict[str, str]:
    """The compilers and this project, by version."""
    found = {each.name: each.version for each in toolchains() if each.available}
    return found | {name: binary_version(path) for name, path in other_versions().items()}


def targets_of(names: Sequence[str]) -> tuple[str, ...]:
    """The passes named, one by one or as a set, or those of the usual set that are installed."""
    found: list[str] = []
    for name in names or ("usual",):
        found += _installed(TARGETS[name]) if name in TARGETS else [_checked(name)]
    return tuple(dict.fromkeys(found))


def _checked(name: str) -> str:
    try:
        if name != GRADIENT:
            check_spec(name)
    except PassUsageError as error:
        raise CampaignError(f"--targets: {error}; sets: {', '.join(TARGETS)}") from error
    return name


def _installed(targets: Sequence[str]) -> list[str]:
    there = {each.name for each in toolchains() if each.available}
    found = [t for t in targets if t.partition(":")[0] in there]
    others = [OTHER_MLIR.replace("mlir-opt-N", name) for name in other_versions()]
    return found + (others if OTHER_MLIR in targets else [])


def oracles_of(names: Sequence[str]) -> tuple[str, ...]:
    """The oracles named, or all."""
    unknown = [name for name in names if name not in ORACLES]
    if unknown:
        known = ", ".join(ORACLES)
        raise CampaignError(f"--oracles: there is no oracle `{unknown[0]}`; there are: {known}")
    usual = [name for name in ORACLES if name not in ON_DEMAND]
    return tuple(name for name in ORACLES if name in (names or usual))


def start(
    path: Path, name: str, settings: Settings, *, is_quiet: bool, has_triage: bool = True
) -> Ended:
    """A new campaign in a new store; a part of its time is for triage, unless it has none."""
    time_s = settings.time_s
    if has_triage and time_s is not None:
        settings = replace(settings, time_s=time_s * (1.0 - TRIAGE_SHARE))
    store = opened(path)
    try:
        if store.campaign() is not None:
            raise CampaignError(
                f"`{path}` holds a campaign already; go on with `verify-ir fuzz resume`"
            )
        try:
            store.begin(name, settings.to_plain(), versions(), _texts(settings.corpus))
        except sqlite3.OperationalError as error:
            raise CampaignError(f"the store `{path}` cannot be written: {error}") from error
        return _run(store, settings, time_s, is_quiet=is_quiet, has_triage=has_triage)
    finally:
        store.close()


def _texts(paths: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for path in paths:
        try:
            found[path] = Path(path).read_text(encoding="utf-8-sig", errors="replace")
        except OSError as error:
            raise CampaignError(f"`{path}` cannot be read: {error.strerror}") from error
    return found


def resume(
    path: Path, *, time_s: float | None, jobs: int | None, is_quiet: bool, has_triage: bool = True
) -> Ended:
    """Go on with a campaign, for some seconds more where that is asked."""
    store = again_opened(path)
    try:
        campaign = store.campaign()
        assert campaign is not None
        plain = dict(campaign["settings"])
        if time_s is not None:
            share = TRIAGE_SHARE if has_triage else 0.0
            plain["time_s"] = campaign["seconds"] + time_s * (1.0 - share)
        plain["jobs"] = jobs or plain["jobs"]
        settings = Settings.from_plain(plain)
        return _run(store, settings, time_s, is_quiet=is_quiet, has_triage=has_triage)
    finally:
        store.close()


def again_opened(path: Path) -> Store:
    """The store of a campaign, to be written again."""
    if not path.exists():
        raise CampaignError(f"there is no store `{path}`")
    store = opened(path)
    if store.campaign() is None:
        store.close()
        raise CampaignError(f"`{path}` holds no campaign")
    return store


def opened(path: Path) -> Store:
    """A store to be written, new or not."""
    try:
        return Store(path)
    except (StoreError, sqlite3.Error) as error:
        raise CampaignError(str(error)) from error


def _run(
    store: Store, settings: Settings, time_s: float | None, *, is_quiet: bool, has_triage: bool
) -> Ended:
    known = baseline_keys(settings.baseline)
    begin = time.monotonic()
    state = _campaign(store, settings, known, is_quiet=is_quiet)
    if has_triage and state != "interrupted":
        spare = (time.monotonic() - begin) * TRIAGE_SHARE / (1.0 - TRIAGE_SHARE)
        seconds = max(spare, LEAST_TRIAGE_S) if time_s is None else time_s * TRIAGE_SHARE
        from fuzz.triage.run import Plan, triage

        try:
            triage(store, Plan(seconds), lambda text: say(text, is_quiet=is_quiet))
        except KeyboardInterrupt:
            state = "interrupted"
    return _ended(store, known, state)


def _ended(store: Store, known: frozenset[str], state: str) -> Ended:
    causes = causes_in(store)
    left = sum(m.reduction is None for cause in causes for m in cause.members)
    groups = len(store.group_names() - known)
    new = [cause for cause in causes if not cause.keys & known]
    kept = sum(bool(cause.known) for cause in new)
    return Ended(state, groups, store.counts().get("judged", 0), len(new), kept, left)


def _campaign(store: Store, settings: Settings, known: frozenset[str], *, is_quiet: bool) -> str:
    engine = _engine(settings)
    with shown(is_quiet=is_quiet) as watcher:
        campaign = Campaign(store, settings, engine, versions(), watcher, known)
        try:
            return campaign.run()
        except KeyboardInterrupt:
            campaign.finish("stopped")
            return "interrupted"
        finally:
            engine.close()


def say(text: str, *, is_quiet: bool) -> None:
    """A line on what triage does, unless there should be none."""
    if not is_quiet:
        sys.stderr.write(f"triage: {clean(text)}\n")
        sys.stderr.flush()


def _engine(settings: Settings) -> Engine:
    if settings.engine == "dask":
        from fuzz.engine.remote import DaskEngine, EngineError

        try:
            return DaskEngine(settings.scheduler)
        except EngineError as error:
            raise CampaignError(str(error)) from error
    from fuzz.engine.local import LocalEngine

    return LocalEngine(settings.jobs)


def baseline_keys(path: str) -> frozenset[str]:
    """What tells apart the groups and causes that a store or a JSON report knows already."""
    if not path:
        return frozenset()
    if path.endswith(".json"):
        try:
            report = json.loads(Path(path).read_text(encoding="utf-8"))
            groups = {str(group["group"]) for group in report["groups"]}
            return frozenset(groups.union(*(each["keys"] for each in report.get("causes", []))))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise CampaignError(f"--baseline: `{path}` is no report of a campaign") from error
    store = reading(Path(path))
    try:
        return frozenset(store.group_names().union(*(c.keys for c in causes_in(store))))
    finally:
        store.close()


def reading(path: Path) -> Store:
    """A store to look at, which may be written meanwhile."""
    try:
        store = Store(path, writes=False)
    except (StoreError, sqlite3.Error) as error:
        raise CampaignError(str(error)) from error
    if store.campaign() is None:
        store.close()
        raise CampaignError(f"`{path}` holds no campaign")
    return store


def again(store: Store, name: str) -> tuple[str, Judged]:
    """The program of a finding or a group, drawn and judged once more without limits.

    `name` is the number of a finding or the name of a group.
    """
    where, value = ("WHERE id = ?", int(name)) if name.isdigit() else ("WHERE grp = ?", name)
    found = store.findings(where, (value,))
    if not found and name.isdigit():
        found = store.findings("WHERE grp = ?", (name,))
    campaign = store.campaign()
    if not found or campaign is None:
        raise CampaignError(f"there is no finding `{name}` in `{store.path}`")
    (row,) = store.programs("WHERE number = ?", (found[0].number,))
    settings = Settings.from_plain(campaign["settings"])
    limits = Limits(solver_s=5.0, pass_s=60.0, runs=20)
    asked = (found[0].finding.oracle,)
    oracles = asked if asked[0] in ORACLES else settings.oracles
    base = store.seeds().get(source_of(from_json(row.recipe)), "")
    judged = judge(Job(row.number, row.recipe, settings.targets, oracles, limits, base))
    return found[0].text, judged
