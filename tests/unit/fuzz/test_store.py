"""A store keeps what was committed, and says what is wrong with it."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from fuzz.finding import Finding
from fuzz.judging import JUDGED, Judged
from fuzz.store import Store
from fuzz.tables import StoreError

FOUND = Finding("crash", "enzyme:x", "E0304", "died", "died")


@pytest.fixture(autouse=True)
def _closes_stores(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every store that a test opens is closed after it."""
    opened: list[Store] = []
    begin = Store.__init__

    def noted(self: Store, path: Path, *, writes: bool = True) -> None:
        begin(self, path, writes=writes)
        opened.append(self)

    monkeypatch.setattr(Store, "__init__", noted)
    yield
    for store in opened:
        store.close()


def filled(path: Path) -> Store:
    store = Store(path)
    store.begin("one", {"seed": 3}, {"mlir": "22"}, {"a.mlir": "text"})
    store.plan(0, 0, ["{}", "{}", "{}"])
    return store


def judged(number: int, *findings: Finding) -> Judged:
    return Judged(number, JUDGED, "proven", ("a:1", "b:2"), findings, {"all": 0.5}, "text")


def test_what_is_recorded_is_read_again(tmp_path: Path) -> None:
    store = filled(tmp_path / "a.db")
    new = store.record(judged(1, FOUND), 2.0, {"mlir": "22"})
    store.close()

    again = Store(tmp_path / "a.db", writes=False)
    assert [FOUND] == [row.finding for row in again.findings()]
    assert [1] == [row.id for row in new]
    assert {"planned": 2, "judged": 1, "verdict proven": 1} == again.counts()
    (row,) = again.programs("WHERE status = 'judged'")
    assert ("a:1", "b:2") == row.features


def test_the_same_finding_twice_is_one(tmp_path: Path) -> None:
    store = filled(tmp_path / "a.db")
    store.record(judged(1, FOUND), 2.0, {})

    assert [] == store.record(judged(1, FOUND), 3.0, {})
    assert 1 == len(store.findings())


def test_two_processes_do_not_write_one_store(tmp_path: Path) -> None:
    filled(tmp_path / "a.db")

    with pytest.raises(StoreError, match="another process writes"):
        Store(tmp_path / "a.db")


def test_a_group_is_told_by_its_smallest_program(tmp_path: Path) -> None:
    store = filled(tmp_path / "a.db")
    store.record(Judged(0, JUDGED, findings=(FOUND,), text="a long text"), 1.0, {})
    store.record(Judged(2, JUDGED, findings=(FOUND,), text="short"), 1.0, {})

    ((row, number),) = store.groups()
    assert ("short", 2) == (row.text, number)


@pytest.mark.parametrize("content", [b"no database, but some text that is long enough" * 30])
def test_a_file_that_is_no_store_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.db"
    path.write_bytes(content)

    with pytest.raises(StoreError, match="no store"):
        Store(path)
    assert content == path.read_bytes()


def test_a_store_with_a_damaged_page_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    store = filled(path)
    for number in range(3):
        store.record(judged(number, FOUND), 1.0, {})
    store.close()
    content = bytearray(path.read_bytes())
    content[4096 : len(content) - 4096] = b"\xff" * (len(content) - 8192)
    path.write_bytes(bytes(content))

    with pytest.raises(StoreError):
        Store(path)


def test_a_store_of_another_version_is_refused(tmp_path: Path) -> None:
    filled(tmp_path / "a.db").close()
    database = sqlite3.connect(tmp_path / "a.db")
    database.execute("UPDATE meta SET value = '99' WHERE key = 'schema'")
    database.commit()
    database.close()

    with pytest.raises(StoreError, match="its schema is 99"):
        Store(tmp_path / "a.db")
