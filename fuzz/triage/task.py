"""What a process of triage is asked to do and what it gives back, as plain data."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Literal

Kind = Literal["reduce", "look"]
AT = "see current operation:"
"""How a note begins that has the op at which MLIR's verifier stopped."""
REDUCED, PARTIAL, WHOLE = "reduced", "partial", "whole"
"""A search that came to its end, one that was cut short, and a program that is as it was found."""

ACCESS, GPU = "access", "gpu"
"""Kinds of ops: what reads or writes one element, and what runs on a device."""


@dataclass(frozen=True, slots=True)
class Task:
    """A finding and the program that shows it.

    `kind` is `reduce` (make it smaller, then look) or `look` (see what shows on it). `specs` are
    the passes that it is shown to afterwards, and `oracles` what judges them. `recipe` and `base`
    draw the program again where it was drawn.
    """

    kind: Kind
    group: str
    oracle: str
    target: str
    code: str
    text: str
    recipe: str = ""
    base: str = ""
    specs: tuple[str, ...] = ()
    oracles: tuple[str, ...] = ()
    seconds: float = 60.0

    def to_plain(self) -> dict[str, Any]:
        """The task as JSON takes it."""
        return asdict(self)

    @staticmethod
    def from_plain(plain: dict[str, Any]) -> Task:
        """The task that `to_plain` gave."""
        given: dict[str, Any] = {**plain}
        for name in ("specs", "oracles"):
            given[name] = tuple(plain[name])
        return Task(**given)


@dataclass(frozen=True, slots=True)
class Sighting:
    """What one pass, `spec`, showed on a program; an empty `code` means that nothing is wrong."""

    spec: str
    group: str = ""
    oracle: str = ""
    code: str = ""
    message: str = ""
    shape: str = ""


@dataclass(frozen=True, slots=True)
class Mark:
    """A line of a text, counted from 1, with what is to be said of it."""

    line: int
    words: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """What can be told of one finding on one program.

    `output` is what the pass printed, `marks` are about it and `input_marks` about the program.
    `picture` is a `verify.diagnostic.Picture` as plain data. `bundle` holds the entries
    of a bundle that are its own, by name and in base64.
    """

    message: str = ""
    code: str = ""
    notes: tuple[str, ...] = ()
    inputs: str = ""
    replay: str = ""
    help: str = ""
    stack: tuple[str, ...] = ()
    output: str = ""
    marks: tuple[Mark, ...] = ()
    input_marks: tuple[Mark, ...] = ()
    picture: dict[str, Any] | None = None
    bundle: dict[str, str] = field(default_factory=dict[str, str])

    @staticmethod
    def from_plain(plain: dict[str, Any]) -> Evidence:
        """The evidence that `asdict` made plain."""
        given: dict[str, Any] = {**plain}
        for name in ("marks", "input_marks"):
            given[name] = tuple(Mark(**each) for each in plain[name])
        for name in ("notes", "stack"):
            given[name] = tuple(plain[name])
        return Evidence(**given)


@dataclass(frozen=True, slots=True)
class Reduction:
    """What became of one group; `text` is the program in its most readable form.

    `state` is `reduced`, `partial` or `whole`, and `why` tells in words what cut the search short.
    `shape` is the program up to names. `is_shown` is false where the finding did not come again;
    `errors` are what is wrong with the program itself, by code.
    """

    group: str
    state: str
    text: str
    shape: str = ""
    why: str = ""
    is_shown: bool = True
    lines_before: int = 0
    ops_before: int = 0
    ops: int = 0
    kinds: tuple[str, ...] = ()
    tests: int = 0
    seconds: float = 0.0
    sightings: tuple[Sighting, ...] = ()
    evidence: Evidence = field(default_factory=Evidence)
    errors: tuple[str, ...] = ()

    @property
    def lines(self) -> int:
        """How many lines of code the program has."""
        return code_lines(self.text)

    def to_plain(self) -> dict[str, Any]:
        """The reduction as JSON takes it."""
        return asdict(self)

    @staticmethod
    def from_plain(plain: dict[str, Any]) -> Reduction:
        """The reduction that `to_plain` gave."""
        given: dict[str, Any] = {**plain}
        given["sightings"] = tuple(Sighting(**each) for each in plain["sightings"])
        given["kinds"], given["errors"] = tuple(plain["kinds"]), tuple(plain["errors"])
        given["evidence"] = Evidence.from_plain(plain["evidence"])
        return Reduction(**given)


def code_lines(text: str) -> int:
    """The lines of a program that are neither empty nor a comment alone."""
    return sum(line.strip()[:2] not in ("", "//") for line in text.splitlines())
