"""Judges of a campaign, one file each: `judge(subject, targets)` gives findings.

A new oracle is a file here and a line in the table. They run in the order of the table, so that
what costs little comes first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import TypeAlias

from fuzz.finding import Finding
from fuzz.subject import Subject

Oracle: TypeAlias = Callable[[Subject, Sequence[str]], Iterator[Finding]]

ORACLES = {
    "crash": "fuzz.oracles.crash",
    "output": "fuzz.oracles.output",
    "refusal": "fuzz.oracles.refusal",
    "streams": "fuzz.oracles.streams",
    "contract": "fuzz.oracles.contract",
    "own-pass": "fuzz.oracles.own_pass",
    "invariants": "fuzz.oracles.invariants",
    "equivalence": "fuzz.oracles.equivalence",
    "replay": "fuzz.oracles.replay",
    "rewriting": "fuzz.oracles.rewriting",
    "reference": "fuzz.oracles.reference",
    "native": "fuzz.oracles.native",
    "gradient": "fuzz.oracles.gradient",
}
"""Each oracle's name with its module."""
ON_DEMAND = ("reference", "native")
"""Oracles that only a campaign has which names them."""


def load(name: str) -> Oracle:
    """The oracle of a name."""
    judge: Oracle = import_module(ORACLES[name]).judge
    return judge
