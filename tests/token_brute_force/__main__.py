"""`python -m tests.token_brute_force --count 10000 --seed 0 --jobs 2`: the full number."""

from __future__ import annotations

import random
import sys
import traceback
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from fuzz.references.order_verdicts import Judgement, judge
from fuzz.strategies import token_syntax as s
from fuzz.strategies.token_rendering import render
from fuzz.strategies.tokens import build
from tests import campaign


@dataclass(slots=True)
class Totals:
    """What a run of many programs found; `listed` has the numbers of the programs."""

    programs: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    codes: Counter[str] = field(default_factory=Counter)
    truth: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    notes: Counter[str] = field(default_factory=Counter)
    deciders: Counter[tuple[str, str]] = field(default_factory=Counter)
    listed: dict[str, list[int]] = field(default_factory=dict)

    def add(self, number: int, judgement: Judgement) -> None:
        """Count one program."""
        self.programs += 1
        self.verdicts[judgement.verdict] += 1
        self.codes.update(judgement.codes)
        self.truth.update(judgement.truth or ["none"])
        faults = sorted(set(judgement.faults))
        self.faults.update(faults)
        self.reasons.update(judgement.reasons)
        self.notes.update(judgement.notes)
        self.deciders.update(judgement.deciders)
        for words in (*faults, *judgement.reasons, *judgement.notes):
            self.listed.setdefault(words, []).append(number)


def program_of(seed: int, number: int) -> s.Program:
    """The program of that number."""
    return build(random.Random(f"{seed}/{number}"))


def judge_number(seed: int, number: int) -> tuple[int, Judgement]:
    """Draw and judge one program; a crash of the checker is a fault of its own."""
    program = program_of(seed, number)
    try:
        return number, judge(program, seed=seed)
    except Exception:  # noqa: BLE001 - reported as a fault
        words = traceback.format_exc().strip().splitlines()
        return number, Judgement("crash", [f"crash: {words[-1]}"], evidence=words)


def judge_batch(seed: int, numbers: range) -> list[tuple[int, Judgement]]:
    """Judge several programs in one process."""
    return [judge_number(seed, number) for number in numbers]


def keep(folder: Path, seed: int, number: int, judgement: Judgement) -> None:
    """Write a program with what was found to a file."""
    folder.mkdir(parents=True, exist_ok=True)
    words = [f"seed {seed}, number {number}: {judgement.verdict} {judgement.codes}"]
    words += [f"truth: {judgement.truth}", *judgement.faults, *judgement.reasons]
    words += [*judgement.notes, *judgement.evidence]
    text = render(program_of(seed, number)) + "".join(f"// {line}\n" for line in words)
    kind = (judgement.faults or judgement.reasons)[0].split(":")[0].replace(" ", "_")
    (folder / f"{kind}_{seed}_{number}.mlir").write_text(text)


def table(totals: Totals, seconds: float) -> str:
    """The final table."""
    lines = [
        f"programs          {totals.programs}",
        f"programs/s        {totals.programs / seconds:.1f}",
    ]
    for name in ("proven", "refuted", "undecided", "invalid", "crash"):
        share = 100 * totals.verdicts[name] / max(1, totals.programs)
        lines.append(f"{name:<17} {totals.verdicts[name]} ({share:.1f} %)")
    for title, counter in (("codes", totals.codes), ("truth", totals.truth)):
        lines.append(f"{title:<18}" + ", ".join(f"{c} {n}" for c, n in sorted(counter.items())))
    for title, counter in (
        ("fault", totals.faults),
        ("undecided", totals.reasons),
        ("note", totals.notes),
    ):
        for words, number in counter.most_common():
            lines.append(f"{title}: {words}: {number} {totals.listed[words][:8]}")
    for (check, decider), number in sorted(totals.deciders.items()):
        lines.append(f"decided: {check} by {decider}: {number}")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(campaign.run("token_brute_force", Totals(), judge_batch, keep, table))
