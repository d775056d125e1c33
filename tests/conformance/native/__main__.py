"""`python -m tests.conformance.native --count 2000`: interpreter, JIT and mlir-runner compared.

Each program is compiled twice: alone by the JIT in a worker, and with its batch by `mlir-opt` and
`mlir-runner`, the one without optimisation and the other with, by turns. Exit code 1 when results
differ, or a program that the interpreter runs does not compile or dies; it is made smaller first.
"""

from __future__ import annotations

import random
import sys
import traceback
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests import campaign
from tests.conformance.native.draw import build
from tests.conformance.native.judge import (
    Judgement,
    Prepared,
    Runner,
    faults_of,
    judge,
    prepare,
)
from tests.conformance.native.program import Program, op_names, render
from tests.conformance.native.shrink import shrink
from verify.toolchain.mlir_runner import find_runner, run_with_runner
from verify.toolchain.native import NativeCall, NativeOptions, NativeOutcome, run_native


@dataclass(slots=True)
class Totals:
    """What a run of many programs found."""

    programs: int = 0
    agreeing: int = 0
    runs: int = 0
    compared: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)
    ops: Counter[str] = field(default_factory=Counter)
    listed: dict[str, list[int]] = field(default_factory=dict)
    smallest: str = ""

    def add(self, number: int, judgement: Judgement) -> None:
        """Count one program."""
        self.programs += 1
        self.runs += judgement.runs
        self.compared += judgement.compared
        self.ops.update(set(op_names(judgement.text)))
        self.left_out.update(_kind(words, "unsupported") for words in judgement.left_out)
        self.agreeing += judgement.compared > 0 and not judgement.faults
        for words in judgement.faults:
            kind = _kind(words, "refused")
            self.faults[kind] += 1
            self.listed.setdefault(kind, []).append(number)
        if judgement.faults:
            shown = _with_faults(judgement)
            self.smallest = min(self.smallest or shown, shown, key=len)


def _with_faults(judgement: Judgement) -> str:
    """A program under comments that tell what is wrong with it."""
    lines = [line for words in judgement.faults for line in words.splitlines()]
    return "".join(f"// {line}\n" for line in lines) + judgement.text


def _kind(words: str, detailed: str) -> str:
    """What a finding is counted as: its first words, or all of them where the cause matters."""
    first = words.split(":", 1)[0]
    return words if first == detailed else first


def prepared_number(seed: int, number: int) -> tuple[Prepared, list[str]]:
    """The program of that number: the first drawn one with a defined run; why others had none."""
    draw = random.Random(f"{seed}/{number}")
    skipped: list[str] = []
    while True:
        prepared = prepare(build(draw, f"p{number}_"), f"{seed}/{number}")
        if prepared.calls:
            return prepared, skipped
        skipped += prepared.left_out


def judge_batch(seed: int, numbers: range) -> list[tuple[int, Judgement]]:
    """Judge several programs in one process."""
    optimised = numbers.start // campaign.BATCH % 2
    prepared: dict[int, Prepared] = {}
    found: dict[int, Judgement] = {}
    for number in numbers:
        try:
            prepared[number], skipped = prepared_number(seed, number)
        except Exception:  # noqa: BLE001 - a fault of its own
            found[number] = Judgement("", [f"interpreter: {traceback.format_exc()}"])
            continue
        found[number] = prepared[number].judgement()
        found[number].left_out += skipped
        found[number].runs += len(skipped)
        _compare(found[number], prepared[number], seed, run_native, 2 - 2 * optimised)
    if find_runner() is not None:
        _compare_in_one_process([*prepared.items()], found, seed, 2 * optimised)
    return [*found.items()]


def _compare(found: Judgement, one: Prepared, seed: int, runner: Runner, optimisation: int) -> None:
    outcomes = runner(one.text, one.calls, one.options(optimisation))
    _count(found, one, outcomes, seed, runner, optimisation)


def _count(
    found: Judgement,
    one: Prepared,
    outcomes: Sequence[NativeOutcome],
    seed: int,
    runner: Runner,
    optimisation: int,
) -> None:
    faults = faults_of(one, outcomes)
    found.compared += len(outcomes)
    found.faults += faults
    if faults:
        found.text = smallest(one.program, seed, faults[0], runner, optimisation)


def _compare_in_one_process(
    prepared: Sequence[tuple[int, Prepared]],
    found: dict[int, Judgement],
    seed: int,
    optimisation: int,
) -> None:
    """Run programs through one mlir-runner; each through its own when that one fails."""
    for drops in (False, True):
        group = [(n, one) for n, one in prepared if one.program.has_backwards == drops]
        if not group:
            continue
        options = NativeOptions(optimisation=optimisation, drops_promises=drops)
        calls: list[NativeCall] = [call for _, one in group for call in one.calls]
        outcomes = run_with_runner("\n".join(one.text for _, one in group), calls, options)
        if any(outcome.status != "ran" for outcome in outcomes):
            for n, one in group:
                _compare(found[n], one, seed, run_with_runner, optimisation)
            continue
        rest = iter(outcomes)
        for n, one in group:
            own = [next(rest) for _ in one.calls]
            _count(found[n], one, own, seed, run_with_runner, optimisation)


def smallest(program: Program, seed: int, fault: str, runner: Runner, optimisation: int) -> str:
    """The text of the smallest program found that has a fault of the same kind."""
    kind = fault.split(maxsplit=1)[0]
    number = program.main.name.partition("_")[0].removeprefix("p")

    def holds(smaller: Program) -> bool:
        try:
            found = judge(smaller, f"{seed}/{number}", runner, optimisation)
        except Exception:  # noqa: BLE001 - not a valid program
            return False
        return any(words.split(maxsplit=1)[0] == kind for words in found.faults)

    return render(shrink(program, holds))


def keep(folder: Path, seed: int, number: int, judgement: Judgement) -> None:
    """Write a program with what was found to a file."""
    folder.mkdir(parents=True, exist_ok=True)
    text = f"// seed {seed}, number {number}\n{_with_faults(judgement)}"
    (folder / f"native_{seed}_{number}.mlir").write_text(text)


def table(totals: Totals, seconds: float) -> str:
    """The final table, and the smallest program that went wrong.

    Where values differ, a fault is counted by the result or the buffer; the program shows both.
    """
    left_out = sum(totals.left_out.values())
    share = 100 * left_out / max(1, totals.runs)
    lines = [
        f"programs          {totals.programs}",
        f"agree             {totals.agreeing}",
        f"programs/s        {totals.programs / seconds:.1f}",
        f"runs              {totals.runs}, {left_out} left out ({share:.1f} %)",
        f"native runs       {totals.compared} compared, {totals.faults.total()} faults",
        f"ops               {len(totals.ops)} different ones",
    ]
    lines += [f"left out: {words}: {n}" for words, n in totals.left_out.most_common()]
    for words, n in totals.faults.most_common():
        lines.append(f"fault: {words}: {n} {totals.listed[words][:8]}")
    rare = sorted(totals.ops.items(), key=lambda item: item[1])[:6]
    lines.append("rarest ops        " + ", ".join(f"{name} {n}" for name, n in rare))
    if totals.smallest:
        lines += ["the smallest program with a fault:", totals.smallest]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(campaign.run("conformance.native", Totals(), judge_batch, keep, table))
