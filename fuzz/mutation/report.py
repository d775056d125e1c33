"""What a hunt of mutants found, as lines, a table, Markdown and JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

from fuzz import mutants
from fuzz.mutation.hunt import Hunt, Limits
from fuzz.mutation.trial import TWIN

SCHEMA = "verify-ir/mutants/v1"


@dataclass(frozen=True, slots=True)
class Totals:
    """The numbers of several hunts; `median` counts programs until the first kill.

    The `own` ones leave out the comparison with a real pass of the same name.
    """

    killed: int
    mutants: int
    median: float | None
    own_killed: int
    own_median: float | None
    oracles: dict[str, int]
    slowest: Hunt | None


def totals_of(hunts: Sequence[Hunt]) -> Totals:
    """The numbers of some hunts."""
    first = [(hunt, hunt.first) for hunt in hunts]
    killed = [(hunt, kill) for hunt, kill in first if kill is not None]
    own = [kill for hunt in hunts if (kill := hunt.own) is not None]
    slowest = max(killed, key=lambda pair: pair[1].programs, default=None)
    return Totals(
        len(killed),
        len(hunts),
        median(kill.programs for _, kill in killed) if killed else None,
        len(own),
        median(kill.programs for kill in own) if own else None,
        dict(Counter(kill.oracle for _, kill in killed).most_common()),
        None if slowest is None else slowest[0],
    )


def line_of(hunt: Hunt) -> str:
    """One mutant on one line."""
    kill = hunt.first
    if kill is None:
        how = hunt.trouble or f"after {hunt.programs} programs, {hunt.seconds:.1f} s"
        return f"SURVIVED {hunt.name}: {how}; {hunt.fault}"
    others = [k.oracle for k in hunt.kills[1:]]
    also = f", also {' and '.join(others)}" if others else ""
    programs = "1 program" if kill.programs == 1 else f"{kill.programs} programs"
    return (
        f"killed   {hunt.name}: {kill.oracle} {kill.code} after {programs}, "
        f"{kill.seconds:.1f} s{also}"
    )


def to_text(hunts: Sequence[Hunt], seconds: float) -> str:
    """The totals under a line for each kind."""
    lines: list[str] = []
    for kind, about in mutants.KINDS.items():
        mine = [hunt for hunt in hunts if hunt.name.startswith(f"{kind}/")]
        if mine:
            lines.append(f"{kind:<13} {_numbers(totals_of(mine))}   {about.title}")
    found = totals_of(hunts)
    lines.append(f"{'all':<13} {_numbers(found)}   {seconds:.0f} s")
    lines.append(f"without {TWIN}: {_own(found)}")
    by = ", ".join(f"{oracle} {count}" for oracle, count in found.oracles.items())
    lines.append(f"killed first by: {by or 'nobody'}")
    if found.slowest is not None and found.slowest.first is not None:
        kill = found.slowest.first
        lines.append(
            f"slowest: {found.slowest.name}, {kill.programs} programs, {kill.seconds:.1f} s"
        )
    lines += [f"survived: {hunt.name}: {hunt.fault}" for hunt in hunts if hunt.first is None]
    return "\n".join(lines) + "\n"


def _numbers(found: Totals) -> str:
    middle = "-" if found.median is None else f"{found.median:g}"
    return f"{found.killed:>3} of {found.mutants:>3} killed, median {middle:>5} programs"


def _own(found: Totals) -> str:
    middle = "-" if found.own_median is None else f"{found.own_median:g}"
    return f"{found.own_killed} killed, median {middle} programs"


def to_json(hunts: Sequence[Hunt], limits: Limits, seconds: float, jobs: int) -> dict[str, Any]:
    """All numbers as plain data."""
    found = totals_of(hunts)
    return {
        "schema": SCHEMA,
        "limits": asdict(limits),
        "jobs": jobs,
        "seconds": round(seconds, 1),
        "killed": found.killed,
        "mutants": found.mutants,
        "median_programs": found.median,
        "own_killed": found.own_killed,
        "own_median_programs": found.own_median,
        "oracles": found.oracles,
        "hunts": [asdict(hunt) for hunt in hunts],
    }


def to_markdown(hunts: Sequence[Hunt], limits: Limits, seconds: float, jobs: int) -> str:
    """A page with a table of all mutants."""
    found = totals_of(hunts)
    by = ", ".join(f"{oracle} {count}" for oracle, count in found.oracles.items())
    numbers = (
        f"{found.killed} of {found.mutants} killed, median {found.median} programs; seed "
        f"{limits.seed}, at most {limits.count} programs and {limits.time_s:g} s each; "
        f"{seconds:.0f} s with {jobs} processes."
    )
    about_twins = (
        f"Killed first by: {by}. `{TWIN}` compares with a real pass of the same name; without it: "
        f"{_own(found)}. What only it tells apart is hunted on, and the last column says who else "
        "found the mutant out."
    )
    titles = "| mutant | fault | killed by | code | programs | seconds | also, after programs |"
    rule = "|---|---|---|---|--:|--:|---|"
    lines = ["# Mutants", "", numbers, "", about_twins, "", titles, rule]
    return "\n".join([*lines, *(_row(hunt) for hunt in hunts)]) + "\n"


def _row(hunt: Hunt) -> str:
    kill = hunt.first
    fault = hunt.fault.replace("|", "\\|")
    if kill is None:
        return f"| {hunt.name} | {fault} | **nobody** | | {hunt.programs} | {hunt.seconds:.1f} | |"
    also = ", ".join(f"{k.oracle} {k.programs}" for k in hunt.kills[1:])
    return (
        f"| {hunt.name} | {fault} | {kill.oracle} | {kill.code} | {kill.programs} "
        f"| {kill.seconds:.1f} | {also} |"
    )
