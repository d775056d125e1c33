"""Holds the verdict on a token program against all of its runs on small inputs."""

from __future__ import annotations

import random
import re
from collections import Counter
from dataclasses import dataclass, field

from fuzz.references.orders import (
    Inputs,
    Violation,
    all_inputs,
    order_of_conflicts,
    run,
    violations,
)
from fuzz.references.schedules import differs
from fuzz.strategies import token_syntax as s
from fuzz.strategies.token_rendering import Lines, render_with_lines
from verify.checks.options import CheckOptions
from verify.checks.run import check_module
from verify.diagnostic import Diagnostic
from verify.ir.frontend import read_text
from verify.result import StageResult
from verify.verdict import Verdict

MOST_FINDINGS = 20


@dataclass(slots=True)
class Judgement:
    """One program: its verdict, and what is wrong with it."""

    verdict: str
    faults: list[str] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    codes: list[str] = field(default_factory=list)
    truth: list[str] = field(default_factory=list)
    deciders: Counter[tuple[str, str]] = field(default_factory=Counter)
    evidence: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Case:
    """A program with its text, the lines of its statements and what its runs violate."""

    program: s.Program
    text: str
    lines: Lines
    truth: dict[Violation, Inputs]

    def codes(self) -> set[str]:
        """All codes that some violation has."""
        return {code for v in self.truth for code in v.codes}


def case_of(program: s.Program) -> Case:
    """The ground truth of a program."""
    text, lines = render_with_lines(program)
    truth: dict[Violation, Inputs] = {}
    for inputs in all_inputs(program):
        for violation in violations(run(program, inputs)):
            truth.setdefault(violation, inputs)
    return Case(program, text, lines, truth)


def judge(program: s.Program, *, seed: int = 0, sees_data: bool = True) -> Judgement:
    """Check a program and hold the result against its runs; no `faults` where both agree."""
    case = case_of(program)
    parsed = read_text(case.text)
    if parsed.module is None:
        words = "; ".join(e.message for e in parsed.errors)
        return Judgement("invalid", [f"invalid text: {words}"])
    stage = dict(check_module(parsed.module, CheckOptions()))["f"]
    return judge_result(case, stage, seed=seed, sees_data=sees_data)


def judge_result(
    case: Case, stage: StageResult, *, seed: int = 0, sees_data: bool = True
) -> Judgement:
    """Hold one result against the truth."""
    codes = sorted({d.code for d in stage.diagnostics if d.code[0] in "EW"})
    judgement = Judgement(stage.verdict.value, codes=codes, truth=sorted(case.codes()))
    for record in stage.proof:
        judgement.deciders[record.check, record.decider] += record.count
    if stage.verdict is Verdict.PROVEN and case.truth:
        judgement.faults.append(f"wrong proven: {'/'.join(judgement.truth)}")
        judgement.evidence += [_say(case, v) for v in case.truth]
    elif stage.verdict is Verdict.UNDECIDED:
        judgement.reasons = sorted({_reason(d) for d in stage.diagnostics if d.code[0] == "U"})
    _errors(case, stage, judgement)
    _unnoticed(case, stage, judgement)
    _waits(case, stage, judgement)
    if sees_data:
        _data(case, judgement, random.Random(seed))
    return judgement


def _say(case: Case, violation: Violation) -> str:
    lines = [sorted(case.lines[i]) for i in (violation.first, violation.second) if i]
    return f"{'/'.join(sorted(violation.codes))} lines {lines} {case.truth.get(violation)}"


def _reason(diagnostic: Diagnostic) -> str:
    """A message without the names in it."""
    return f"{diagnostic.code}: {re.sub(r'`[^`]*`', '`_`', diagnostic.message)}"


def _places(diagnostic: Diagnostic) -> set[int]:
    found = [diagnostic.location, *(r.location for r in diagnostic.related)]
    return {place.line for place in found if place is not None}


def _matches(case: Case, diagnostic: Diagnostic, violation: Violation) -> bool:
    """Whether a diagnostic names the ops of a violation."""
    places = _places(diagnostic)
    is_end = violation.second is None
    if diagnostic.code[0] == "U":
        if is_end != ("when the function returns" in diagnostic.message):
            return False
    elif diagnostic.code not in violation.codes:
        return False
    ops = [i for i in (violation.first, violation.second) if i is not None]
    return all(case.lines[i] & places for i in ops)


def _errors(case: Case, stage: StageResult, judgement: Judgement) -> None:
    """Every error must be true of the ops that it names."""
    for diagnostic in stage.diagnostics:
        if diagnostic.code[0] != "E":
            continue
        known = [*case.truth, *_further(case, diagnostic)]
        if any(_matches(case, diagnostic, v) for v in known):
            continue
        has_code = any(diagnostic.code in v.codes for v in known)
        what = "wrong pair" if has_code else "wrong refuted"
        judgement.faults.append(f"{what}: {diagnostic.code}")
        judgement.evidence.append(
            f"{what} {diagnostic.code} lines {sorted(_places(diagnostic))}: {diagnostic.message}"
        )


def _further(case: Case, diagnostic: Diagnostic) -> set[Violation]:
    """What the inputs of a counterexample, and longer loops, violate."""
    found: set[Violation] = set()
    tries = [i for i in all_inputs(case.program, 4) if 4 in i.scalars.values()]
    if diagnostic.counterexample is not None:
        given = diagnostic.counterexample.inputs
        names = [p.name for p in case.program.parameters if p.type in ("i1", "index")]
        scalars = {n: int(given[f"%{n}"]) for n in names if f"%{n}" in given}
        if len(scalars) == len(names) and all(v <= 20 for v in scalars.values()):
            tries.append(Inputs(scalars))
    for inputs in tries:
        try:
            found |= violations(run(case.program, inputs))
        except IndexError:
            continue
    return found


def _unnoticed(case: Case, stage: StageResult, judgement: Judgement) -> None:
    """Every violation must be found, or be an open question; of all open work one is enough."""
    said = [d for d in stage.diagnostics if d.code[0] in "EU"]
    if stage.verdict is Verdict.PROVEN or len(said) >= MOST_FINDINGS:
        return
    says_open = any(d.code == "E0203" or "the function returns" in d.message for d in said)
    for violation in case.truth:
        if violation.second is None and says_open:
            continue
        if not any(_matches(case, d, violation) for d in said):
            judgement.faults.append(f"unnoticed: {'/'.join(sorted(violation.codes))}")
            judgement.evidence.append(f"unnoticed {_say(case, violation)}")


def _waits(case: Case, stage: StageResult, judgement: Judgement) -> None:
    """A wait that adds nothing can be left out."""
    statements = {id(st): st for st in all_statements(case.program.body)}
    for diagnostic in stage.diagnostics:
        if diagnostic.code != "W0205":
            continue
        places = _places(diagnostic)
        named = [st for i, st in statements.items() if case.lines.get(i, set()) & places]
        is_dependency = "dependency" in diagnostic.message
        if not any(_is_redundant(case, st, is_dependency=is_dependency) for st in named):
            judgement.faults.append("wrong W0205")
            judgement.evidence.append(f"wrong W0205 lines {sorted(places)}")


def _is_redundant(case: Case, statement: s.Statement, *, is_dependency: bool) -> bool:
    """Whether leaving out a wait, or one dependency, changes no order in any run."""
    positions = [-1]
    if is_dependency:
        positions = list(range(len(getattr(statement, "deps", ()))))
    for position in positions:
        without = (statement, position)
        if all(
            order_of_conflicts(run(case.program, i))
            == order_of_conflicts(run(case.program, i, without))
            for i in all_inputs(case.program)
        ):
            return True
    return False


def all_statements(body: tuple[s.Statement, ...]) -> list[s.Statement]:
    """The statements of a body, those inside others included."""
    return [x for st in body for x in (st, *(all_statements(sum(s.regions(st), ()))))]


def _data(case: Case, judgement: Judgement, draw: random.Random) -> None:
    """Whether a schedule shows another result: never without a conflict."""
    pairs = {v: i for v, i in case.truth.items() if v.second is not None}
    if not pairs:
        inputs = draw.choice(list(all_inputs(case.program)))
        if differs(run(case.program, inputs), draw) is not None:
            judgement.faults.append("the reference sees a difference without a conflict")
        return
    shown = any(differs(run(case.program, i), draw) for i in list(pairs.values())[:3])
    if judgement.reasons or not shown:
        is_open = "undecided" if judgement.reasons else "decided"
        judgement.notes.append(f"{is_open}; conflict {'' if shown else 'not '}seen in data")
