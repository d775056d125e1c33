"""Holds the verdict on a program against what running it shows."""

from __future__ import annotations

import random
import re
from collections import Counter
from dataclasses import dataclass, field, replace

from fuzz.references.replays import Inputs, Observed, observe
from fuzz.strategies import syntax as s
from fuzz.strategies.rendering import render
from verify.checks.options import CheckOptions
from verify.checks.run import check_module
from verify.diagnostic import Diagnostic
from verify.ir.frontend import read_text
from verify.result import StageResult
from verify.verdict import Verdict

REFUTING = ("E0101", "E0105", "E0106")
TRIES_IF_PROVEN = 60
SEARCH = 5


@dataclass(slots=True)
class Judgement:
    """One program: its verdict, what is wrong with it, and the numbers of runs."""

    verdict: str
    faults: list[str] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    codes: list[str] = field(default_factory=list)
    deciders: Counter[tuple[str, str]] = field(default_factory=Counter)
    runs: int = 0
    defined: int = 0
    evidence: str = ""


def is_sensible(program: s.Program) -> bool:
    """Whether a fair share of random inputs gives runs, snapshots included, that are defined."""
    tries = drawn(program, 3, 16)
    return sum(observe(program, i).is_defined for i in tries) >= 6


def judge(program: s.Program, *, seed: int = 0, tries: int = TRIES_IF_PROVEN) -> Judgement:
    """Check a program and run it up to `tries` times, or five times as often in search of a
    divergence; `faults` is empty when both agree.
    """
    text = render(program)
    parsed = read_text(text)
    if parsed.module is None:
        words = "; ".join(e.message for e in parsed.errors)
        return Judgement("invalid", [f"invalid text: {words}"])
    ((_, stage),) = check_module(parsed.module, CheckOptions())
    return judge_verdict(program, stage, seed=seed, tries=tries)


def judge_verdict(program: s.Program, stage: StageResult, *, seed: int, tries: int) -> Judgement:
    """Hold one result against runs of the program."""
    codes = [d.code for d in stage.diagnostics]
    judgement = Judgement(stage.verdict.value, codes=[c for c in codes if c[0] in "EW"])
    for record in stage.proof:
        judgement.deciders[record.check, record.decider] += record.count
    match stage.verdict:
        case Verdict.PROVEN:
            _proven(program, stage, judgement, drawn(program, seed, tries))
        case Verdict.REFUTED:
            _refuted(program, stage, judgement, drawn(program, seed, tries * SEARCH))
        case _:
            _undecided(program, stage, judgement, drawn(program, seed, tries * SEARCH))
    return judgement


def _undecided(
    program: s.Program, stage: StageResult, judgement: Judgement, tries: list[Inputs]
) -> None:
    """Count the reasons, and whether runs would have shown a divergence."""
    judgement.reasons = sorted(
        {f"{d.code}: {_shape(d)}" for d in stage.diagnostics if d.code[0] == "U"}
    )
    found = next((i for i in tries if _diverges(program, i, judgement)), None)
    if found is not None:
        judgement.notes.append("undecided, but runs diverge")
        judgement.evidence = f"{found}\n{observe(program, found).divergence}"
    else:
        defined = "no run diverges" if judgement.defined else "no run is defined"
        judgement.notes.append(f"undecided, and {defined}")


def _shape(diagnostic: Diagnostic) -> str:
    """A message without the names in it."""
    return re.sub(r"`%[^`]*`", "`%_`", diagnostic.message)


def _proven(
    program: s.Program, stage: StageResult, judgement: Judgement, tries: list[Inputs]
) -> None:
    overlaps: set[tuple[str, str, str]] = set()
    for inputs in tries:
        seen = _run(program, inputs, judgement)
        if not seen.is_defined:
            continue
        if seen.divergence:
            judgement.faults.append("wrong proven")
            judgement.evidence = f"{inputs}\n{seen.divergence}"
            return
        overlaps |= seen.overlapping
    if not judgement.defined:
        judgement.notes.append("no defined run")
    _warnings(program, stage, judgement, overlaps)


def _warnings(
    program: s.Program,
    stage: StageResult,
    judgement: Judgement,
    overlaps: set[tuple[str, str, str]],
) -> None:
    pairs = {frozenset(pair) for _, *pair in overlaps}
    warned = [_warned(d) for d in stage.diagnostics if d.code == "W0102"]
    for pair, diagnostic in zip(
        warned, (d for d in stage.diagnostics if d.code == "W0102"), strict=True
    ):
        if pair not in pairs and not _overlap_shown(program, diagnostic, pair, judgement):
            judgement.faults.append("wrong W0102")
            judgement.evidence = diagnostic.message
    if pairs - set(warned):
        judgement.notes.append("overlap without W0102")
        judgement.evidence = judgement.evidence or str(sorted(map(sorted, pairs - set(warned))))


def _warned(diagnostic: Diagnostic) -> frozenset[str]:
    return frozenset(re.findall(r"`%([^`]*)`", diagnostic.message))


def _overlap_shown(
    program: s.Program, diagnostic: Diagnostic, pair: frozenset[str], judgement: Judgement
) -> bool:
    tries = [
        *of_counterexample(program, diagnostic, 20),
        *drawn(program, 7, SEARCH * TRIES_IF_PROVEN),
    ]
    for inputs in tries:
        seen = _run(program, inputs, judgement)
        if seen.is_defined and any(frozenset(two) == pair for _, *two in seen.overlapping):
            return True
    return False


def _refuted(
    program: s.Program, stage: StageResult, judgement: Judgement, tries: list[Inputs]
) -> None:
    for diagnostic in stage.diagnostics:
        if diagnostic.code in REFUTING:
            for inputs in of_counterexample(program, diagnostic, 20):
                if _diverges(program, inputs, judgement):
                    return
    for inputs in tries:
        if _diverges(program, inputs, judgement):
            judgement.notes.append("diverges on other inputs than the counterexample's")
            return
    judgement.faults.append("wrong refuted")
    judgement.evidence = "\n".join(
        f"{d.code} {d.message} {d.counterexample}" for d in stage.diagnostics if d.code in REFUTING
    )


def _diverges(program: s.Program, inputs: Inputs, judgement: Judgement) -> bool:
    seen = _run(program, inputs, judgement)
    return seen.is_defined and bool(seen.divergence)


def _run(program: s.Program, inputs: Inputs, judgement: Judgement) -> Observed:
    seen = observe(program, inputs)
    judgement.runs += 1
    judgement.defined += seen.is_defined
    return seen


def drawn(program: s.Program, seed: int, number: int) -> list[Inputs]:
    """Random inputs: trip counts 0 to 6, sizes 1 to 9, all truth values."""
    return [_draw(program, random.Random(f"{seed}/{k}"), k) for k in range(number)]


def _draw(program: s.Program, draw: random.Random, seed: int) -> Inputs:
    scalars: dict[str, int] = {}
    sizes: dict[str, tuple[int, ...]] = {}
    least = draw.choice([1, 1, 3, 6])
    for parameter in program.parameters:
        if isinstance(parameter.type, s.MemType):
            dims = [d for d in parameter.type.shape if d is None]
            top = 28 if parameter.type.element == "i8" else 9
            sizes[parameter.name] = tuple(draw.randint(least, top) for _ in dims)
        elif parameter.type == "i1":
            scalars[parameter.name] = draw.randint(0, 1)
        elif parameter.type == "index":
            is_step = parameter.name == "s"
            scalars[parameter.name] = (
                draw.randint(1, 3) if is_step else draw.randint(0, draw.choice([2, 4, 6]))
            )
    return Inputs(seed, scalars, sizes)


def of_counterexample(program: s.Program, diagnostic: Diagnostic, number: int) -> list[Inputs]:
    """The inputs that a diagnostic names; what it leaves open is drawn."""
    found = diagnostic.counterexample
    if found is None:
        return []
    made: list[Inputs] = []
    for inputs in drawn(program, 1, number):
        scalars, sizes = dict(inputs.scalars), dict(inputs.sizes)
        contents: dict[str, list[int]] = {}
        for parameter in program.parameters:
            name = f"%{parameter.name}"
            if name in found.inputs:
                scalars[parameter.name] = int(found.inputs[name])
            if f"sizes of {name}" in found.inputs and isinstance(parameter.type, s.MemType):
                shape = zip(found.inputs[f"sizes of {name}"], parameter.type.shape, strict=True)
                sizes[parameter.name] = tuple(n for n, d in shape if d is None)
            if f"contents of {name}" in found.inputs:
                contents[parameter.name] = list(found.inputs[f"contents of {name}"])
        made.append(replace(inputs, scalars=scalars, sizes=sizes, contents=contents))
    return made
