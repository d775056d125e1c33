"""Causes: the groups of a campaign that have one reason, found from what shows on which program.

Two groups are one cause when their pass is the same, whatever toolchain it is of, and their
reduced programs are the same up to names, or each one's program shows the other's finding too, or
the same is said of both, or both lose an order that runs along the same kinds of ops.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import PurePosixPath

from fuzz.finding import COMPILER, Finding
from fuzz.store import Store
from fuzz.tables import FoundRow
from fuzz.triage.known import Known, blamed, known_in
from fuzz.triage.task import ACCESS, GPU, REDUCED, Reduction, Sighting

_HOLDER = re.compile(r"`[\w.]+` op expects(?= region #N to have N or N blocks)")
_LOST_ORDERS = ("E0201", "E0202", "E0203")
Key = tuple[str, str, str, str]


@dataclass(frozen=True, slots=True)
class Member:
    """A group of findings: its smallest program as found, and what triage made of it, if it did."""

    row: FoundRow
    programs: int
    reduction: Reduction | None

    @property
    def finding(self) -> Finding:
        """The finding of the smallest program."""
        return self.row.finding


@dataclass(frozen=True, slots=True)
class Cause:
    """Groups with one reason, the one with the smallest program first.

    `known` is a file that shows the same on a program with all that this one has; `like` are
    files that show the same on other programs.
    """

    name: str
    members: tuple[Member, ...]
    known: str = ""
    like: tuple[str, ...] = ()

    @property
    def best(self) -> Member:
        """The group that stands for the cause."""
        return self.members[0]

    @property
    def reduction(self) -> Reduction | None:
        """The reduction that stands for the cause."""
        return self.best.reduction

    @property
    def blames(self) -> str:
        """`compiler` or `checker`."""
        return self.best.finding.blames

    @property
    def targets(self) -> tuple[str, ...]:
        """The passes that were found to have it."""
        return tuple(dict.fromkeys(m.finding.target for m in self.members))

    @property
    def programs(self) -> int:
        """How many programs of the campaign show the group that was seen most."""
        return max(m.programs for m in self.members)

    @property
    def keys(self) -> frozenset[str]:
        """What tells the cause apart from others, also in other campaigns."""
        own = {"\n".join(key_of(m.finding)) for m in self.members}
        shapes = {m.reduction.shape for m in self.members if m.reduction and m.reduction.shape}
        hashed = {sha256(key.encode()).hexdigest()[:16] for key in own | shapes}
        return frozenset(hashed | {m.finding.group for m in self.members})


def key_of(found: Finding | Sighting) -> Key:
    """What is said of which pass, without the toolchain, and which op it left with more blocks."""
    spec = found.spec if isinstance(found, Sighting) else found.target
    head = spec.partition(":")[0] + ":"
    shape = _HOLDER.sub("an op expects", found.shape.replace(head, ""))
    return blamed(spec), found.oracle, found.code, shape


def members_of(store: Store) -> list[Member]:
    """The groups of a store, with their reductions."""
    rows = store.rows_of("reduction")
    done = {group: Reduction.from_plain(json.loads(data)) for group, _, data in rows}
    return [Member(row, number, done.get(row.finding.group)) for row, number in store.groups()]


def causes_in(store: Store) -> list[Cause]:
    """The causes of a store: those in compilers first, and what shows on most programs first."""
    return causes_of(members_of(store), known_in(store))


def causes_of(members: Sequence[Member], known: Iterable[Known] = ()) -> list[Cause]:
    """Put groups together that are one cause."""
    files = list(known)
    bundles: list[list[Member]] = []
    for member in members:
        alike = [b for b in bundles if any(is_one(member, other) for other in b)]
        merged = [member, *(each for b in alike for each in b)]
        bundles = [b for b in bundles if b not in alike] + [merged]
    causes = [_cause(each, files) for each in bundles]
    return sorted(causes, key=lambda c: (c.blames != COMPILER, -c.programs, c.name))


def is_one(a: Member, b: Member) -> bool:
    """Whether two groups have one reason."""
    if blamed(a.finding.target) != blamed(b.finding.target):
        return False
    if a.finding.target and key_of(a.finding) == key_of(b.finding):
        return True
    first, second = a.reduction, b.reduction
    if first is None or second is None or not (first.is_shown and second.is_shown):
        return False
    if first.shape and first.shape == second.shape:
        return True
    if _shows(first, b.finding) and _shows(second, a.finding):
        return True
    way = _way(a)
    return way is not None and way == _way(b)


def _way(member: Member) -> frozenset[str] | None:
    """What an order that a pass loses runs along: the kinds of ops but for what is ordered.

    One lost order is a race between two ops of a device, or between one and the host, or work that
    is left at the end. Ops in a straight line have no such way.
    """
    done, finding = member.reduction, member.finding
    if done is None or done.state != REDUCED or finding.code != "E0303":
        return None
    if finding.shape.partition(" ")[0] not in _LOST_ORDERS:
        return None
    return frozenset(done.kinds) - {ACCESS, GPU} or None


def _shows(reduction: Reduction, finding: Finding) -> bool:
    return any(each.group == finding.group for each in reduction.sightings)


def _cause(members: list[Member], files: Sequence[Known]) -> Cause:
    ordered = sorted(members, key=_rank)
    first = min(members, key=lambda m: m.row.id).finding
    name = _name(first)
    reduction = ordered[0].reduction
    same = [f for f in files if _is_alike(ordered, f.seen)]
    if reduction is None:
        return Cause(name, tuple(ordered), like=tuple(_stem(f) for f in same))
    needed = set(reduction.kinds)
    whole = [f for f in same if needed <= set(f.seen.kinds)]
    whole.sort(key=lambda f: (f.seen.shape != reduction.shape, len(f.seen.kinds)))
    known = _stem(whole[0]) if whole else ""
    return Cause(name, tuple(ordered), known, tuple(_stem(f) for f in same if not known))


def _rank(member: Member) -> tuple[bool, bool, int, bool, int]:
    """Shown, then small, then of MLIR itself, then early."""
    done = member.reduction
    ops = done.ops if done else len(member.row.text)
    is_mlir = member.finding.target.startswith("mlir")
    is_shown = done is not None and done.is_shown
    return done is None, not is_shown, ops, not is_mlir, member.row.id


def _is_alike(members: Sequence[Member], seen: Reduction) -> bool:
    """Whether a file shows what one of the groups is about."""
    keys = {key_of(m.finding) for m in members}
    return any(key_of(each) in keys for each in seen.sightings if each.code)


def _stem(file: Known) -> str:
    return PurePosixPath(file.path).stem


def _name(finding: Finding) -> str:
    passes = blamed(finding.target).replace("func.func(", "").replace("own ", "")
    words = "".join(c if c.isalnum() else "-" for c in passes or "verify-ir").strip("-")
    return f"{words[:40].strip('-')}-{finding.code.lower()}-{finding.group[:6]}"
