"""One night: the corpus, a campaign, its report, and what of it is new; `python -m fuzz.nightly`.

All is kept in one folder: `nights/TIME` has the store, the log, the report, the reduced program of
each new cause and a summary; `known.json` has every cause that any night found. A cause is new if
neither a night before nor a file of `corpus/found` shows it. A lock keeps two runs apart, and old
nights are removed.
"""

from __future__ import annotations

import argparse
import fcntl
import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from fuzz.report.summary import is_new
from fuzz.runs import CampaignError, baseline_keys
from verify.report.style import clean

QUIET, NEW, BROKEN, BUSY = 0, 1, 2, 75
"""Exit status: nothing new, new causes, the run itself failed, another run goes on."""
_COMMAND = (sys.executable, "-c", "from verify.cli.main import main; main()")
_SPARE_S = 1800.0
_UNITS = {"s": 1, "m": 60, "h": 3600}


@dataclass(slots=True)
class Known:
    """What nights found: causes, and groups, which are all that an older file has."""

    causes: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    groups: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    keys: frozenset[str] = frozenset()

    def add(self, cause: dict[str, Any], night: str) -> None:
        """Remember a cause; one that was seen before gets the keys that are new."""
        names = {each["group"] for each in self.groups}
        self.groups += [{"group": name} for name in cause["groups"] if name not in names]
        keys = set(cause["keys"])
        for each in self.causes:
            if not keys.isdisjoint(each["keys"]):
                each["keys"] = sorted(keys.union(each["keys"]))
                return
        some = {name: cause[name] for name in ("cause", "keys", "title")}
        self.causes.append({**some, "night": night})


@dataclass(slots=True)
class Night:
    """One run; `folder` is its own, `known` what the nights before found, if there were any."""

    folder: Path
    log: IO[str]
    known: Known | None

    @property
    def store(self) -> Path:
        """The file of the campaign."""
        return self.folder / "night.db"

    def run(self, *arguments: str, limit_s: float = _SPARE_S) -> tuple[int, str]:
        """One command of `verify-ir`, with what it printed; what it says is in the log as well."""
        self.log.write(f"$ verify-ir {' '.join(arguments)}\n")
        self.log.flush()
        try:
            done = subprocess.run(
                [*_COMMAND, *arguments], stdout=subprocess.PIPE, stderr=self.log, text=True,
                timeout=limit_s, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            self.log.write(f"it did not end within {limit_s:.0f} s\n")
            return 128, ""
        self.log.write(done.stdout)
        return done.returncode, done.stdout


def main(arguments: list[str] | None = None) -> int:
    """Run one night, and give the exit status."""
    given = _parser().parse_args(arguments)
    folder = Path(given.folder)
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            _say(f"another run uses `{folder}`")
            return BUSY
        return _one(folder, given)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m fuzz.nightly",
        description="The corpus, a campaign, its report, and what is new since the nights before.",
        epilog="Exit status: 0 nothing new (also on the first night), 1 causes that neither a night"
        " before nor a file of corpus/found shows, 2 the corpus is not as expected or the campaign"
        " failed, 75 another run uses the folder.",
    )
    parser.add_argument("folder", help="where all nights are kept")
    parser.add_argument("--time", default="30m", help="length of the campaign; default 30m")
    parser.add_argument("--count", type=int, help="end after so many programs instead")
    parser.add_argument("--seed", type=int, help="default: another one each day")
    parser.add_argument("--targets", default="usual", help="passes, or the name of a set")
    parser.add_argument("--corpus", default="corpus", help="folder of files to check and to edit")
    parser.add_argument("--keep", type=int, default=14, help="nights that are kept; default 14")
    parser.add_argument("--jobs", type=int, help="processes; default: all cores")
    return parser


def _one(folder: Path, given: argparse.Namespace) -> int:
    now = datetime.now(UTC)
    own = folder / "nights" / now.strftime("%Y-%m-%dT%H%M%S")
    own.mkdir(parents=True)
    with (own / "log.txt").open("w", encoding="utf-8") as log:
        night = Night(own, log, _known(folder))
        corpus, _ = night.run("corpus", given.corpus, "-q")
        seed = now.toordinal() if given.seed is None else given.seed
        campaign = _campaign(night, folder, given, seed)
        new = _tell(night, folder, is_sound=corpus == 0) if campaign in (0, 1) else None
        log.write(f"corpus {corpus}, campaign {campaign}\n")
    _rotate(folder / "nights", given.keep)
    if new is None or corpus != 0:
        _say(f"the run failed (corpus {corpus}, campaign {campaign}); see {own / 'log.txt'}")
        return BROKEN
    return NEW if new and night.known else QUIET


def _known(folder: Path) -> Known | None:
    """What all nights found; a file that cannot be read is put aside, and told."""
    path = folder / "known.json"
    if not path.exists():
        return None
    try:
        keys = baseline_keys(str(path))
    except CampaignError:
        path.rename(path.with_suffix(".damaged"))
        _say(f"`{path}` was damaged; this night counts as the first")
        return None
    plain = json.loads(path.read_text(encoding="utf-8"))
    return Known(list(plain.get("causes", [])), list(plain["groups"]), keys)


def _campaign(night: Night, folder: Path, given: argparse.Namespace, seed: int) -> int:
    length = ["--count", str(given.count)] if given.count else ["--time", given.time]
    arguments = ["--store", str(night.store), *length, "--seed", str(seed)]
    arguments += ["--targets", given.targets, "--corpus", given.corpus]
    if night.known:
        arguments += ["--baseline", str(folder / "known.json")]
    if given.jobs:
        arguments += ["--jobs", str(given.jobs)]
    return night.run("fuzz", "run", *arguments, limit_s=_seconds(given.time) + _SPARE_S)[0]


def _seconds(text: str) -> float:
    unit = _UNITS.get(text[-1:])
    try:
        return float(text[:-1]) * unit if unit else float(text)
    except ValueError:
        return 0.0  # the command itself tells what is wrong with it


def _tell(night: Night, folder: Path, *, is_sound: bool) -> list[dict[str, Any]] | None:
    """Write the report, the programs of new causes and the summary; gives what is new."""
    store = ["--store", str(night.store)]
    reported, _ = night.run("fuzz", "report", *store, "-o", str(night.folder / "report"))
    baseline = ["--baseline", str(folder / "known.json")] if night.known else []
    told, page = night.run("fuzz", "status", *store, "--format", "markdown", *baseline)
    if reported != 0 or told != 0:
        return None
    place = night.folder / "report" / night.store.stem
    found = json.loads((place / "campaign.json").read_text(encoding="utf-8"))["causes"]
    known = night.known.keys if night.known else ()
    new = [cause for cause in found if is_new(cause, known)]
    _write_programs(night.folder / "new", new, place / "causes")
    page += "" if night.known else "\nThis is the first night: what it found counts as known.\n"
    page += "" if is_sound else "\n**The corpus is not as expected; see the log.**\n"
    (night.folder / "summary.md").write_text(page, encoding="utf-8")
    _say(page)
    _remember(folder, night, found)
    return new


def _write_programs(folder: Path, causes: list[dict[str, Any]], reported: Path) -> None:
    """The program of each cause, under a line that says what it shows."""
    folder.mkdir()
    for cause in causes:
        program = (reported / cause["cause"] / "program.mlir").read_text(encoding="utf-8")
        targets = ", ".join(each or "verify-ir" for each in cause["targets"])
        words = clean(cause["title"]).replace("\n", " ")
        text = f"// {cause['code']} {targets}: {words}\n{program}"
        (folder / f"{cause['cause']}.mlir").write_text(text, encoding="utf-8")


def _remember(folder: Path, night: Night, found: list[dict[str, Any]]) -> None:
    """Add what was found to what is known, in one step."""
    known = night.known or Known()
    for cause in found:
        known.add(cause, night.folder.name)
    path = folder / "known.json"
    fresh = path.with_suffix(".new")
    plain = {"groups": known.groups, "causes": known.causes}
    fresh.write_text(json.dumps(plain, indent=1) + "\n", encoding="utf-8")
    fresh.replace(path)


def _rotate(nights: Path, keep: int) -> None:
    for old in sorted(nights.iterdir())[: -max(keep, 1)]:
        shutil.rmtree(old, ignore_errors=True)


def _say(text: str) -> None:
    sys.stdout.write(text.rstrip("\n") + "\n")
    sys.stdout.flush()
    path = os.environ.get("GITHUB_STEP_SUMMARY")
    if path:
        with Path(path).open("a", encoding="utf-8") as summary:
            summary.write(text.rstrip("\n") + "\n")


if __name__ == "__main__":
    sys.exit(main())
