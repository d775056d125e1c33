"""The store of a campaign: one SQLite file, written by one process.

Each result is one transaction, so a process that dies at any moment leaves all results that were
told and no half of one. Write-ahead logging lets others read meanwhile.
"""

from __future__ import annotations

import fcntl
import json
import sqlite3
import time
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from fuzz.finding import Finding
from fuzz.judging import JUDGED, Judged
from fuzz.tables import LATER_TABLES, PLANNED, SCHEMA, TABLES, FoundRow, ProgramRow, StoreError


class Store:
    """One campaign on disk."""

    def __init__(self, path: Path, *, writes: bool = True) -> None:
        """Open or, when it is to be written, make the store; raises `StoreError`."""
        self.path = path
        self._lock: IO[str] | None = None
        if not writes and not path.exists():
            raise StoreError(f"there is no store `{path}`")
        if writes:
            self._lock = _locked(path)
        try:
            self._db = sqlite3.connect(path, isolation_level=None, timeout=30.0)
            self._open(writes=writes)
        except sqlite3.DatabaseError as error:
            self.release()
            raise StoreError(f"`{path}` is no store that can be read: {error}") from error
        self._features = dict(self._db.execute("SELECT name, id FROM feature"))
        self._names = {number: name for name, number in self._features.items()}

    def _open(self, *, writes: bool) -> None:
        tables = self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if writes and tables == 0:
            self._db.execute("PRAGMA journal_mode = WAL")
            with self._transaction():
                for statement in TABLES.split(";\n"):
                    self._db.execute(statement)
                self._db.execute("INSERT INTO meta VALUES ('schema', ?)", (str(SCHEMA),))
        self._db.execute("PRAGMA synchronous = NORMAL")
        query = "SELECT value FROM meta WHERE key = 'schema'"
        found = self._db.execute(query).fetchone() if writes or tables else None
        if found is None or found[0] != str(SCHEMA):
            version = found[0] if found else "none"
            raise sqlite3.DatabaseError(f"its schema is {version}, and {SCHEMA} is known")
        if writes:
            for statement in LATER_TABLES.split(";\n"):
                self._db.execute(statement)
        damage = self._db.execute("PRAGMA quick_check(1)").fetchone()
        if damage[0] != "ok":
            raise sqlite3.DatabaseError(damage[0])

    def release(self) -> None:
        """Let another process write."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def close(self) -> None:
        """Close it."""
        self._db.close()
        self.release()

    @contextmanager
    def _transaction(self) -> Generator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            with suppress(sqlite3.Error):
                self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    # The campaign

    def begin(
        self,
        name: str,
        settings: Mapping[str, Any],
        versions: Mapping[str, str],
        seeds: Mapping[str, str],
    ) -> None:
        """Write down a new campaign, with the texts of the files that it starts from."""
        with self._transaction():
            self._db.executemany("INSERT INTO seed VALUES (?, ?)", seeds.items())
            self._db.execute(
                "INSERT INTO campaign (name, settings, versions, created, state)"
                " VALUES (?, ?, ?, ?, 'running')",
                (name, json.dumps(settings), json.dumps(versions), time.time()),
            )

    def campaign(self) -> dict[str, Any] | None:
        """Name, settings, versions, creation time, seconds run and state; nothing when new."""
        row = self._db.execute(
            "SELECT name, settings, versions, created, seconds, state FROM campaign"
        ).fetchone()
        if row is None:
            return None
        keys = ("name", "settings", "versions", "created", "seconds", "state")
        found = dict(zip(keys, row, strict=True))
        return {
            **found,
            "settings": json.loads(found["settings"]),
            "versions": json.loads(found["versions"]),
        }

    def seeds(self) -> dict[str, str]:
        """The texts of the files that the campaign starts from."""
        return dict(self._db.execute("SELECT path, text FROM seed"))

    def set_state(self, state: str, seconds: float) -> None:
        """Note how far a campaign is: `running`, `stopped` or `done`."""
        with self._transaction():
            self._db.execute("UPDATE campaign SET state = ?, seconds = ?", (state, seconds))

    # Programs

    def plan(self, round_: int, first: int, recipes: Iterable[str]) -> None:
        """Write down a round of programs before any of them is judged."""
        rows = [(first + i, round_, recipe, PLANNED) for i, recipe in enumerate(recipes)]
        with self._transaction():
            self._db.executemany(
                "INSERT INTO program (number, round, recipe, status) VALUES (?, ?, ?, ?)", rows
            )

    def record(self, judged: Judged, seconds: float, versions: Mapping[str, str]) -> list[FoundRow]:
        """Commit one result; gives the findings that are new in the store, with their ids."""
        new: list[FoundRow] = []
        with self._transaction():
            ids = [self._feature(name) for name in judged.features]
            self._db.execute(
                "UPDATE program SET status = ?, verdict = ?, seconds = ?, features = ?"
                " WHERE number = ?",
                (
                    judged.status, judged.verdict, judged.seconds.get("all", 0.0),
                    json.dumps(ids, separators=(",", ":")), judged.number,
                ),
            )  # fmt: skip
            for name, spent in judged.seconds.items():
                self._db.execute(
                    "INSERT INTO part VALUES (?, ?) ON CONFLICT (name)"
                    " DO UPDATE SET seconds = seconds + excluded.seconds",
                    (name, spent),
                )
            for finding in judged.findings:
                row = self._add(finding, judged, seconds, versions)
                new += [row] if row is not None else []
            self._db.execute("UPDATE campaign SET seconds = ?", (seconds,))
        return new

    def _feature(self, name: str) -> int:
        known = self._features.get(name)
        if known is None:
            known = len(self._features) + 1
            self._db.execute("INSERT OR IGNORE INTO feature VALUES (?, ?)", (known, name))
            self._features[name], self._names[known] = known, name
        return known

    def _add(
        self, finding: Finding, judged: Judged, seconds: float, versions: Mapping[str, str]
    ) -> FoundRow | None:
        done = self._db.execute(
            "INSERT OR IGNORE INTO finding (grp, number, oracle, target, code, message, shape,"
            " blames, detail, text, versions, seconds) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                finding.group, judged.number, finding.oracle, finding.target, finding.code,
                finding.message, finding.shape, finding.blames, finding.detail, judged.text,
                json.dumps(dict(versions)), seconds,
            ),
        )  # fmt: skip
        if done.rowcount != 1 or done.lastrowid is None:
            return None
        number, text = judged.number, judged.text
        return FoundRow(done.lastrowid, number, seconds, text, dict(versions), finding)

    def programs(self, where: str = "", values: tuple[Any, ...] = ()) -> Iterator[ProgramRow]:
        """Programs in the order of their numbers, perhaps only some of them."""
        query = "SELECT number, round, recipe, status, verdict, seconds, features FROM program"
        for row in self._db.execute(f"{query} {where} ORDER BY number", values):
            names = tuple(self._names[i] for i in json.loads(row[6]))
            number, round_, recipe, status, verdict, seconds, _ = row
            yield ProgramRow(number, round_, recipe, status, verdict, seconds, names)

    def counts(self) -> dict[str, int]:
        """How many programs have each status, and how many there are of each verdict."""
        found = dict(self._db.execute("SELECT status, count(*) FROM program GROUP BY status"))
        verdicts = self._db.execute(
            "SELECT verdict, count(*) FROM program WHERE status = ? GROUP BY verdict", (JUDGED,)
        )
        return found | {f"verdict {name}": number for name, number in verdicts}

    # Findings and what was seen on the way

    def findings(self, where: str = "", values: tuple[Any, ...] = ()) -> list[FoundRow]:
        """Findings in the order in which they were found."""
        query = (
            "SELECT id, number, seconds, text, versions, oracle, target, code, message, shape,"
            f" blames, detail FROM finding {where} ORDER BY id"
        )
        return [_found(row) for row in self._db.execute(query, values)]

    def groups(self) -> list[tuple[FoundRow, int]]:
        """The smallest program of each group, and how many programs show it; largest first."""
        rows = self._db.execute(
            "SELECT grp, count(DISTINCT number) FROM finding GROUP BY grp ORDER BY 2 DESC, 1"
        ).fetchall()
        smallest = "WHERE grp = ? AND length(text) = (SELECT min(length(text)) FROM finding f"
        found = [(self.findings(f"{smallest} WHERE f.grp = ?)", (g, g)), n) for g, n in rows]
        return [(some[0], number) for some, number in found]

    def group_names(self) -> set[str]:
        """The names of all groups."""
        return {row[0] for row in self._db.execute("SELECT DISTINCT grp FROM finding")}

    def put(self, table: str, *values: str) -> None:
        """Write a row of one of the tables of triage in place of the one with its key."""
        places = ", ".join("?" * len(values))
        with self._transaction():
            self._db.execute(f"INSERT OR REPLACE INTO {table} VALUES ({places})", values)

    def rows_of(self, table: str) -> list[tuple[str, ...]]:
        """The rows of one of the tables of triage; none where the store is older than they are."""
        query = "SELECT count(*) FROM sqlite_master WHERE name = ?"
        if not self._db.execute(query, (table,)).fetchone()[0]:
            return []
        return self._db.execute(f"SELECT * FROM {table} ORDER BY rowid").fetchall()

    def add_sample(self, *numbers: float) -> None:
        """Note seconds, programs, pairs, groups and workers, for pictures over time."""
        with self._transaction():
            self._db.execute("INSERT INTO sample VALUES (?, ?, ?, ?, ?)", numbers)

    def samples(self) -> list[tuple[float, int, int, int, int]]:
        """All samples in order."""
        return self._db.execute("SELECT * FROM sample ORDER BY seconds").fetchall()

    def add_event(self, seconds: float, text: str) -> None:
        """Note something that went wrong on the way."""
        with self._transaction():
            self._db.execute("INSERT INTO event VALUES (?, ?)", (seconds, text))

    def events(self) -> list[tuple[float, str]]:
        """All events in order."""
        return self._db.execute("SELECT * FROM event ORDER BY seconds").fetchall()

    def parts(self) -> dict[str, float]:
        """Where the time of judging went, in seconds."""
        return dict(self._db.execute("SELECT name, seconds FROM part ORDER BY 2 DESC"))


def _found(row: Sequence[Any]) -> FoundRow:
    id_, number, seconds, text, versions, *rest = row
    oracle, target, code, message, shape, blames, detail = rest
    finding = Finding(oracle, target, code, message, shape, blames, detail)
    return FoundRow(id_, number, seconds, text, json.loads(versions), finding)


def _locked(path: Path) -> IO[str]:
    try:
        lock = path.with_name(f"{path.name}.lock").open("a")
    except OSError as error:
        raise StoreError(f"the store `{path}` cannot be written: {error.strerror}") from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        lock.close()
        raise StoreError(f"another process writes the store `{path}`") from error
    return lock
