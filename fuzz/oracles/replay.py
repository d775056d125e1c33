"""Verdicts against runs: what is proven never comes apart in a run, what is refuted does.

Runs are on inputs that the verdict did not choose: checkpointed loops are replayed from
snapshots, every other time with copies that lie otherwise than the captures did, and asynchronous
work runs on drawn schedules.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from xdsl.ir import Operation

from fuzz.finding import CHECKER, Finding
from fuzz.subject import Subject
from verify.ir.names import op_name
from verify.model.analyse import functions_of
from verify.model.symbols import collect_symbols
from verify.replay.inputs import Inputs
from verify.replay.run import run_function
from verify.replay.schedule import compare, run_schedule
from verify.replay.scheduler import Scheduler
from verify.result import StageResult
from verify.semantics.views_by_name import checkpointed_loops
from verify.verdict import Verdict

_FIRST_SEED = 1000
_STEPS = 4000


def judge(subject: Subject, _targets: Sequence[str]) -> Iterator[Finding]:
    """Functions that are called proven and come apart, and refutations without a confirmed run."""
    module = subject.parsed.module
    assert module is not None
    verdicts, symbols = subject.verdicts(), collect_symbols(module)
    for name, op in functions_of(module):
        stage = verdicts.get(name)
        if stage is None:
            continue
        yield from _unconfirmed(stage)
        if stage.verdict is Verdict.PROVEN:
            with subject.timed("runs"):
                found = _apart(op, symbols, subject.limits.runs)
            if found:
                kind, words = found
                message = f"a proven function comes apart in a run: {words}"
                yield Finding("replay", "", "E0302", message, kind, CHECKER)


def _unconfirmed(stage: StageResult) -> Iterator[Finding]:
    for diagnostic in stage.diagnostics:
        replay = diagnostic.replay
        is_open = replay is None or replay.status != "confirmed"
        if diagnostic.code in ("E0101", "E0201", "E0202") and is_open:
            message = f"{diagnostic.code} is told without a run that confirms it"
            yield Finding("replay", "", diagnostic.code, message, "unconfirmed", CHECKER)


def _apart(op: Operation, symbols: dict[str, Operation], runs: int) -> tuple[str, str] | None:
    has_loops = bool(checkpointed_loops(op))
    has_tokens = any("token" in str(r.type) for o in op.walk() for r in o.results)
    for seed in range(_FIRST_SEED, _FIRST_SEED + runs):
        inputs = Inputs(seed=seed, scale=1 + seed % 3)
        found = _replayed(op, symbols, inputs) if has_loops else None
        if found is None and has_tokens:
            found = _rescheduled(op, symbols, inputs)
        if found is not None:
            return found
    return None


def _replayed(
    op: Operation, symbols: dict[str, Operation], inputs: Inputs
) -> tuple[str, str] | None:
    shifted = bool(inputs.seed % 2)
    outcome = run_function(op, symbols, inputs, max_steps=_STEPS, shifted=shifted)
    if outcome.status != "ran" or not outcome.observation.divergences:
        return None
    first = outcome.observation.divergences[0]
    return "stale read", f"`{op_name(first.op)}` reads another value, with {inputs}"


def _rescheduled(
    op: Operation, symbols: dict[str, Operation], inputs: Inputs
) -> tuple[str, str] | None:
    expected = run_schedule(op, symbols, inputs, Scheduler(), _STEPS)
    if expected.status != "ran":
        return None
    for scheduler in (Scheduler(is_lazy=True), Scheduler(draw=random.Random(inputs.seed))):
        found = compare(expected, run_schedule(op, symbols, inputs, scheduler, _STEPS))
        if _hands_on_work(op):
            # What a token that is returned speaks for may still be to run.
            found = [each for each in found if each.kind not in ("memory", "open")]
        if found:
            first = found[0]
            what = "the whole" if first.op is None else f"`{op_name(first.op)}`"
            words = f"{first.kind} of {what}: {first.expected} becomes {first.actual}"
            return f"schedule: {first.kind}", f"{words}, with {inputs}"
    return None


def _hands_on_work(op: Operation) -> bool:
    """Whether work may go on after the return, since a token for it is returned."""
    return any(
        "token" in str(value.type) or "async" in str(value.type)
        for block in op.regions[0].blocks
        if block.last_op is not None
        for value in block.last_op.operands
    )
