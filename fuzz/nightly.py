"""One night: the corpus, a campaign, its report, and what of it is new; `python -m fuzz.nightly`.

All is kept in one folder: `nights/TIME` has the store, the log, the report, the program of each new
cause and a summary; `known.json` has every cause that any night found. A lock keeps two runs apart,
and old nights are removed.
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

QUIET, NEW, BROKEN, BUSY = 0, 1, 2, 75
"""Exit status: nothing new, new causes, the run itself failed, another run goes on."""
_RUN = frozenset({"E0302", "E0303"})
"""Codes whose counterexamples a bundle can run."""
_COMMAND = (sys.executable, "-c", "from verify.cli.main import main; main()")
_SPARE_S = 1800.0
_UNITS = {"s": 1, "m": 60, "h": 3600}


@dataclass(slots=True)
class Night:
    """One run; `folder` is its own, `known` the causes before it, by group."""

    folder: Path
    log: IO[str]
    known: dict[str, Any] = field(default_factory=dict[str, Any])

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
        epilog="Exit status: 0 nothing new (also on the first night), 1 new causes, 2 the corpus is"
        " not as expected or the campaign failed, 75 another run uses the folder.",
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


def _known(folder: Path) -> dict[str, Any]:
    """The causes of all nights; a file that cannot be read is put aside, and told."""
    path = folder / "known.json"
    try:
        return {each["group"]: each for each in json.loads(path.read_text())["groups"]}
    except FileNotFoundError:
        return {}
    except (ValueError, KeyError, TypeError):
        path.rename(path.with_suffix(".damaged"))
        _say(f"`{path}` was damaged; this night counts as the first")
        return {}


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
    night.run("fuzz", "report", *store, "-o", str(night.folder / "report"))
    status, text = night.run("fuzz", "status", *store, "--format", "json")
    if status != 0:
        return None
    found = json.loads(text)["groups"]
    new = [group for group in found if group["group"] not in night.known]
    programs = night.folder / "new"
    programs.mkdir()
    for group in new:
        _, program = night.run("fuzz", "replay", str(group["finding"]), *store, "--text")
        path = programs / f"{group['group']}.mlir"
        path.write_text(_headed(group, program))
        if group["code"] in _RUN and group["oracle"] != "streams" and ":" in group["target"]:
            bundles = str(night.folder / "bundles")
            night.run("passes", str(path), "-p", group["target"], "--bundle", bundles, "-q")
    baseline = ["--baseline", str(folder / "known.json")] if night.known else []
    _, page = night.run("fuzz", "status", *store, "--format", "markdown", *baseline)
    page += "" if night.known else "\nThis is the first night: what it found counts as known.\n"
    page += "" if is_sound else "\n**The corpus is not as expected; see the log.**\n"
    (night.folder / "summary.md").write_text(page)
    _say(page)
    _remember(folder, night, new)
    return new


def _headed(group: dict[str, Any], program: str) -> str:
    target = group["target"] or "verify-ir"
    words = str(group["message"]).replace("\n", " ")
    return f"// {group['code']} {group['oracle']} {target}: {words}\n{program}"


def _remember(folder: Path, night: Night, new: list[dict[str, Any]]) -> None:
    """Add the new causes to those that are known, in one step."""
    kept = {**night.known, **{g["group"]: {**g, "night": night.folder.name} for g in new}}
    path = folder / "known.json"
    fresh = path.with_suffix(".new")
    fresh.write_text(json.dumps({"groups": list(kept.values())}, indent=1) + "\n")
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
