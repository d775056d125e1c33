"""What a store holds: its tables, and the rows that others see."""

from __future__ import annotations

from dataclasses import dataclass

from fuzz.finding import Finding

SCHEMA = 1
"""The version of the tables."""
PLANNED = "planned"
TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE campaign (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, settings TEXT NOT NULL, versions TEXT NOT NULL,
  created REAL NOT NULL, seconds REAL NOT NULL DEFAULT 0, state TEXT NOT NULL
);
CREATE TABLE program (
  number INTEGER PRIMARY KEY, round INTEGER NOT NULL, recipe TEXT NOT NULL,
  status TEXT NOT NULL, verdict TEXT NOT NULL DEFAULT '', seconds REAL NOT NULL DEFAULT 0,
  features TEXT NOT NULL DEFAULT '[]'
);
CREATE INDEX program_status ON program (status);
CREATE TABLE feature (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE finding (
  id INTEGER PRIMARY KEY, grp TEXT NOT NULL, number INTEGER NOT NULL, oracle TEXT NOT NULL,
  target TEXT NOT NULL, code TEXT NOT NULL, message TEXT NOT NULL, shape TEXT NOT NULL,
  blames TEXT NOT NULL, detail TEXT NOT NULL, text TEXT NOT NULL, versions TEXT NOT NULL,
  seconds REAL NOT NULL, UNIQUE (grp, number, message)
);
CREATE INDEX finding_group ON finding (grp);
CREATE TABLE part (name TEXT PRIMARY KEY, seconds REAL NOT NULL);
CREATE TABLE sample (
  seconds REAL NOT NULL, programs INTEGER NOT NULL, pairs INTEGER NOT NULL,
  groups INTEGER NOT NULL, workers INTEGER NOT NULL
);
CREATE TABLE seed (path TEXT PRIMARY KEY, text TEXT NOT NULL);
CREATE TABLE event (seconds REAL NOT NULL, text TEXT NOT NULL);
"""


LATER_TABLES = """
CREATE TABLE IF NOT EXISTS reduction (
  grp TEXT PRIMARY KEY, state TEXT NOT NULL, data TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS known (path TEXT PRIMARY KEY, digest TEXT NOT NULL, data TEXT NOT NULL)
"""
"""Tables that older stores of this version lack; a store that is written gets them."""


class StoreError(Exception):
    """A store that cannot be used: not one, of another version, damaged, or in use."""


@dataclass(frozen=True, slots=True)
class FoundRow:
    """A finding with its number in the store and the program that shows it."""

    id: int
    number: int
    seconds: float
    text: str
    versions: dict[str, str]
    finding: Finding


@dataclass(frozen=True, slots=True)
class ProgramRow:
    """A program of the plan."""

    number: int
    round: int
    recipe: str
    status: str
    verdict: str
    seconds: float
    features: tuple[str, ...]
