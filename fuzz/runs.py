"""What the commands of a campaign do: start or go on, tell its state, draw a finding again."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from fuzz.campaign import Campaign
from fuzz.engine import Engine
from fuzz.judging import Job, Judged, judge
from fuzz.oracles import ORACLES
from fuzz.recipes import from_json, source_of
from fuzz.screen import shown
from fuzz.settings import GRADIENT, OTHER_MLIR, TARGETS, Settings
from fuzz.store import Store
from fuzz.subject import Limits
from fuzz.tables import StoreError
from verify.toolchain.binaries import binary_version, other_versions
from verify.toolchain.registry import PassUsageError, check_spec, toolchains


class CampaignError(Exception):
    """A campaign that cannot be run as it was asked for."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a run ended: `done`, `stopped` or `interrupted`, and how many groups are new."""

    state: str
    new_groups: int
    programs: int


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
    return tuple(name for name in ORACLES if not names or name in names)


def start(path: Path, name: str, settings: Settings, *, is_quiet: bool) -> Ended:
    """A new campaign in a new store."""
    store = _opened(path)
    try:
        if store.campaign() is not None:
            raise CampaignError(
                f"`{path}` holds a campaign already; go on with `verify-ir fuzz resume`"
            )
        try:
            store.begin(name, settings.to_plain(), versions(), _texts(settings.corpus))
        except sqlite3.OperationalError as error:
            raise CampaignError(f"the store `{path}` cannot be written: {error}") from error
        return _run(store, settings, is_quiet=is_quiet)
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


def resume(path: Path, *, time_s: float | None, jobs: int | None, is_quiet: bool) -> Ended:
    """Go on with a campaign, for some seconds more where that is asked."""
    if not path.exists():
        raise CampaignError(f"there is no store `{path}`")
    store = _opened(path)
    try:
        campaign = store.campaign()
        if campaign is None:
            raise CampaignError(f"`{path}` holds no campaign")
        plain = dict(campaign["settings"])
        if time_s is not None:
            plain["time_s"] = campaign["seconds"] + time_s
        plain["jobs"] = jobs or plain["jobs"]
        return _run(store, Settings.from_plain(plain), is_quiet=is_quiet)
    finally:
        store.close()


def _opened(path: Path) -> Store:
    try:
        return Store(path)
    except (StoreError, sqlite3.Error) as error:
        raise CampaignError(str(error)) from error


def _run(store: Store, settings: Settings, *, is_quiet: bool) -> Ended:
    known = baseline_groups(settings.baseline)
    engine = _engine(settings)
    with shown(is_quiet=is_quiet) as watcher:
        campaign = Campaign(store, settings, engine, versions(), watcher, known)
        try:
            state = campaign.run()
        except KeyboardInterrupt:
            state = "interrupted"
            campaign.finish("stopped")
        finally:
            engine.close()
    new = len(store.group_names() - known)
    return Ended(state, new, store.counts().get("judged", 0))


def _engine(settings: Settings) -> Engine:
    if settings.engine == "dask":
        from fuzz.engine.remote import DaskEngine, EngineError

        try:
            return DaskEngine(settings.scheduler)
        except EngineError as error:
            raise CampaignError(str(error)) from error
    from fuzz.engine.local import LocalEngine

    return LocalEngine(settings.jobs)


def baseline_groups(path: str) -> frozenset[str]:
    """The groups that a store or a JSON report knows already."""
    if not path:
        return frozenset()
    if path.endswith(".json"):
        try:
            report = json.loads(Path(path).read_text(encoding="utf-8"))
            return frozenset(str(group["group"]) for group in report["groups"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise CampaignError(f"--baseline: `{path}` is no report of a campaign") from error
    store = reading(Path(path))
    try:
        return frozenset(store.group_names())
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
