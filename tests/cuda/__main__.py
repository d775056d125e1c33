"""`python -m tests.cuda --count 1000 --seed 0`: kernels of the corpus and of drawn programs.

NVRTC compiles every kernel for sm_90. Where a C++ compiler is, as many programs without library
functions run on the CPU as well, and are compared with the interpreter bit for bit.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from tests import campaign
from tests.cuda import host
from tests.cuda.differential import KERNELS, InvalidProgramError, program_of
from tests.cuda.judge import Judgement, compare_all, compiled, judge, stored_files
from verify.replay.cuda.nvrtc import ARCHITECTURE, version


@dataclass(slots=True)
class Totals:
    """What a run found."""

    programs: int = 0
    kernels: int = 0
    compiled: int = 0
    compared: int = 0
    stored: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    listed: dict[str, list[int]] = field(default_factory=dict)

    def add(self, number: int, judgement: Judgement) -> None:
        """Count one program."""
        self.programs += 1
        self.kernels += judgement.kernels
        self.compiled += judgement.compiled
        self.compared += judgement.compared
        self.faults.update(judgement.faults)
        self.reasons.update(judgement.reasons)
        for words in (*judgement.faults, *judgement.reasons):
            self.listed.setdefault(words, []).append(number)


def judge_batch(seed: int, numbers: range) -> list[tuple[int, Judgement]]:
    """Compile the kernels of several programs, and run them on the CPU."""
    found = [judge(seed, number) for number in numbers]
    if host.COMPILER is not None:
        for judgement, other in zip(found, compare_all(seed, numbers), strict=True):
            judgement.compared += other.compared
            judgement.faults += other.faults
            judgement.reasons += other.reasons
            judgement.text = other.text if other.faults else judgement.text
    return list(zip(numbers, found, strict=True))


def stored() -> Totals:
    """The kernels of the corpus."""
    totals = Totals()
    for path in stored_files():
        text = path.read_text()
        try:
            found = compiled(program_of(text))
        except InvalidProgramError as error:
            totals.stored["files that MLIR does not take"] += 1
            if any(name in text for name in KERNELS):
                totals.faults[f"{path.name}: {error}"] += 1
            continue
        totals.stored["files"] += 1
        totals.stored["files with kernels"] += found.kernels > 0
        totals.stored["kernels"] += found.kernels
        totals.stored["kernels compiled"] += found.compiled
        totals.faults.update(f"{path.name}: {words}" for words in found.faults)
        totals.reasons.update(f"{path.name}: {words}" for words in found.reasons)
    return totals


def keep(folder: Path, seed: int, number: int, judgement: Judgement) -> None:
    """Write a program with what was found to a file."""
    folder.mkdir(parents=True, exist_ok=True)
    words = "".join(f"// {w.splitlines()[0]}\n" for w in (*judgement.faults, *judgement.reasons))
    (folder / f"kernel_{seed}_{number}.mlir").write_text(words + judgement.text)


def table(totals: Totals, seconds: float) -> str:
    """The final table."""
    lines = [f"NVRTC {version()}, {ARCHITECTURE}; on the CPU: {host.COMPILER or 'no compiler'}"]
    lines += [f"corpus            {words}: {n}" for words, n in totals.stored.items()]
    lines += [
        f"programs          {totals.programs} ({totals.programs / seconds:.1f}/s)",
        f"kernels           {totals.kernels}, compiled by NVRTC: {totals.compiled}",
        f"runs compared     {totals.compared}",
    ]
    for title, counter in (("fault", totals.faults), ("not judged", totals.reasons)):
        for words, number in counter.most_common():
            lines.append(f"{title}: {words}: {number} {totals.listed.get(words, [])[:8]}")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(campaign.run("cuda", stored(), judge_batch, keep, table))
