"""What the checks of one function share: its model, the solver, the concrete runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from xdsl.ir import Operation, SSAValue

from verify.checks.options import CheckOptions
from verify.checks.search import Search
from verify.diagnostic import Diagnostic
from verify.ir.names import op_name
from verify.ir.spans import value_name
from verify.model.memory import Access, Capture, Checkpoint, FunctionModel
from verify.replay.inputs import Inputs
from verify.semantics.term import interval, whole
from verify.semantics.values import View
from verify.smt.overlap import Decision, OverlapQueries
from verify.smt.solver import Answer, Solver


@dataclass(slots=True)
class Context:
    """One function at one stage."""

    model: FunctionModel
    options: CheckOptions
    stage: str
    search: Search
    queries: OverlapQueries
    deciders: Counter[tuple[str, str]] = field(default_factory=Counter)
    assumed_no_alias: bool = False
    diagnostics: list[Diagnostic] = field(default_factory=list)

    def count(self, check: str, decision: Decision) -> None:
        """Record who settled a question."""
        self.deciders[check, decision.decider] += 1
        self.assumed_no_alias |= decision.assumed_no_alias


def make_context(
    model: FunctionModel, symbols: dict[str, Operation], options: CheckOptions, stage: str
) -> Context:
    """A context with a solver and a search of its own."""
    solver = Solver(options.solver_timeout_s, options.emit_smt2)
    search = Search(model, symbols, may_alias=options.may_alias, runs=options.runs)
    return Context(model, options, stage, search, OverlapQueries(solver))


def capture_of(access: Access, point: Checkpoint) -> Capture | None:
    """The capture through which `access` goes in the loop of `point`."""
    return access.view.capture_in(point.info.id)


def is_local(access: Access, point: Checkpoint) -> bool:
    """Whether the memory is allocated anew in each iteration of the loop."""
    memory = access.view.memory
    return memory.kind == "alloc" and point.info.id in memory.scope


def capture_name(value: SSAValue | None) -> str:
    """The source name of a captured value."""
    return "memory that no snapshot holds" if value is None else value_name(value)


def short(op: Operation) -> str:
    """An op in back-ticks."""
    return f"`{op_name(op)}`"


def bounds_of(access: Access) -> tuple[float, float]:
    """The bytes that an access may touch, as far as they are known without a solver."""
    low, high = interval(access.address)
    return (
        float("-inf") if low is None else low,
        float("inf") if high is None else high + access.size,
    )


def meeting(reads: Sequence[Access], writes: Sequence[Access]) -> Iterator[tuple[Access, Access]]:
    """Pairs of a read and a write that may meet, without trying all pairs.

    Bounds count within one memory only; accesses to different memories always make a pair.
    """
    by_memory: dict[int, list[tuple[float, float, int]]] = {}
    for i, write in enumerate(writes):
        by_memory.setdefault(write.view.memory.id, []).append((*bounds_of(write), i))
    for spans in by_memory.values():
        spans.sort()
    for read in reads:
        low, high = bounds_of(read)
        for memory, spans in by_memory.items():
            is_same = memory == read.view.memory.id
            for start, end, i in spans:
                if is_same and start >= high:
                    break
                if not is_same or end > low:
                    yield read, writes[i]


def input_values(
    inputs: Inputs, context: Context, arguments: Sequence[object]
) -> dict[str, object]:
    """Arguments of a run by their names: integers as they are, buffers by their sizes."""
    shown: dict[str, object] = {}
    for value, given in zip(context.model.op.regions[0].blocks[0].args, arguments, strict=False):
        if isinstance(given, bool | int):
            shown[value_name(value)] = given
        elif isinstance(given, View) and given.sizes is not None and _is_dynamic(value):
            shown[f"sizes of {value_name(value)}"] = [whole(s) for s in given.sizes]
    if inputs.is_overlapping:
        for value, given in zip(
            context.model.op.regions[0].blocks[0].args, arguments, strict=False
        ):
            if isinstance(given, View):
                shown[f"address of {value_name(value)}"] = whole(given.offset)
    return shown


def _is_dynamic(value: SSAValue) -> bool:
    return "?" in str(value.type)


def is_open(decision: Decision) -> bool:
    """Whether the question stays open after a decision."""
    return decision.answer is not Answer.NONE
