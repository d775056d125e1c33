"""Questions that stay open, each with its reason."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation

from verify.checklist import OF_LOOPS
from verify.checks.context import Context
from verify.checks.evidence import loop_here, place_of
from verify.checks.schedules import ScheduleSearch
from verify.diagnostic import Diagnostic, Location, Related
from verify.ir.names import op_name
from verify.model.memory import Access, Checkpoint, Unsupported
from verify.smt.overlap import Decision
from verify.smt.solver import Answer


def undecided(
    context: Context,
    point: Checkpoint,
    what: str,
    accesses: Sequence[Access],
    decision: Decision | None,
    check: str,
) -> Diagnostic:
    """U0001, U0002 or U0003 in `check`, by what kept the question open."""
    external = next((a for a in accesses if not a.is_modelled), None)
    related = [
        Related(f"this {'write' if a.is_write else 'read'}", place_of(a.op, a.calls))
        for a in accesses
    ]
    related.append(loop_here(point.info.op))
    if external is not None:
        code = "U0002"
        message = f"{what}: `{op_name(external.op)}` may touch this memory, and has no body"
    elif decision is not None and decision.answer is Answer.UNKNOWN:
        code = "U0001"
        message = f"{what}: the solver gave no answer in {context.options.solver_timeout_s:g} s"
    else:
        code = "U0003"
        message = f"{what}: no concrete run shows it"
        if context.search.blocked:
            message += f" ({context.search.blocked})"
    place = place_of(accesses[0].op, accesses[0].calls) if accesses else place_of(point.info.op)
    return _open(context, code, message, place, related, (check,))


def _open(
    context: Context,
    code: str,
    message: str,
    place: Location | None,
    related: Sequence[Related],
    checks: tuple[str, ...],
) -> Diagnostic:
    name, stage = context.model.name, context.stage
    return Diagnostic(code, message, name, stage, place, "", tuple(related), checks=checks)


def doubtful(
    context: Context,
    what: str,
    accesses: Sequence[Access],
    decision: Decision | None,
    search: ScheduleSearch,
    check: str,
    op: Operation | None = None,
) -> Diagnostic:
    """The same for questions of order, which belong to no loop."""
    blocked = search.blocked
    external = next((a for a in accesses if not a.is_modelled), None)
    if external is not None:
        code, why = "U0002", f"`{op_name(external.op)}` has no body"
    elif decision is not None and decision.answer is Answer.UNKNOWN:
        code = "U0001"
        why = f"the solver gave no answer in {context.options.solver_timeout_s:g} s"
    else:
        code, why = "U0003", "no schedule that was run shows it"
        why += f" ({blocked})" if blocked else ""
    related = [Related("this one", place_of(a.op, a.calls)) for a in accesses[1:]]
    place = place_of(accesses[0].op, accesses[0].calls) if accesses else None
    if op is not None:
        place = place_of(op)
    return _open(context, code, f"{what}: {why}", place, related, (check,))


def unsupported(context: Context, point: Checkpoint, record: Unsupported) -> Diagnostic:
    """U0002 for an op of unknown effects in a checkpointed loop."""
    message = f"{record.reason}, so replays of this loop cannot be judged"
    place = place_of(record.op, point.calls) or place_of(point.info.op)
    return _open(context, "U0002", message, place, [loop_here(point.info.op)], OF_LOOPS)
