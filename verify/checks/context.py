"""What the checks of one function share: its model, the solver, the concrete runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

from xdsl.ir import Operation, SSAValue

from verify.checks.options import CheckOptions
from verify.checks.search import Search
from verify.diagnostic import Diagnostic
from verify.ir.names import op_name
from verify.ir.spans import value_name
from verify.model import windows
from verify.model.memory import Access, Capture, Checkpoint, FunctionModel
from verify.model.windows import span_of
from verify.replay.inputs import Inputs
from verify.semantics.term import whole
from verify.semantics.values import View
from verify.smt.overlap import Decision, OverlapQueries
from verify.smt.solver import Answer, Solver


@dataclass(slots=True)
class Context:
    """One function at one stage; `asked` lists the checks that have something to look at."""

    model: FunctionModel
    options: CheckOptions
    stage: str
    search: Search
    queries: OverlapQueries
    deciders: Counter[tuple[str, str]] = field(default_factory=Counter)
    assumed_no_alias: bool = False
    diagnostics: list[Diagnostic] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    def count(self, check: str, decision: Decision) -> None:
        """Record who settled a question."""
        self.deciders[check, decision.decider] += 1
        self.assumed_no_alias |= decision.assumed_no_alias


def make_context(
    model: FunctionModel, symbols: dict[str, Operation], options: CheckOptions, stage: str
) -> Context:
    """A context with a solver and a search of its own."""
    solver = Solver(options.solver_timeout_s, options.emit_smt2)
    search = Search(model, symbols, may_alias=options.may_alias, effort=options.effort)
    queries = OverlapQueries(solver, [*model.defined, *model.accesses], _known(model))
    return Context(model, options, stage, search, queries)


def _known(model: FunctionModel) -> Sequence[Access]:
    """All accesses of a function that does nothing else, in the order of their paths."""
    is_plain = not model.unsupported and all(a.event < 0 for a in model.accesses)
    return model.accesses if is_plain else ()


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


def meeting(
    reads: Sequence[Access], writes: Sequence[Access], point: Checkpoint
) -> Iterator[tuple[Access, Access]]:
    """Pairs of a read and a write in the loop of `point` that may meet.

    Bounds count within one memory only; accesses to different memories always make a pair.
    """
    scope = tuple(info.id for info in point.outer)
    for read_group in _by_memory(reads):
        for write_group in _by_memory(writes):
            if read_group[0].view.memory is not write_group[0].view.memory:
                yield from product(read_group, write_group)
                continue
            spans = [[span_of(a, scope) for a in group] for group in (read_group, write_group)]
            for i, j in windows.meeting(*spans):
                yield read_group[i], write_group[j]


def _by_memory(accesses: Sequence[Access]) -> list[list[Access]]:
    groups: dict[int, list[Access]] = {}
    for access in accesses:
        groups.setdefault(access.view.memory.id, []).append(access)
    return list(groups.values())


def input_values(
    inputs: Inputs,
    context: Context,
    arguments: Sequence[object],
    initial: Mapping[int, list[int]],
) -> dict[str, object]:
    """Arguments of a run by their names: integers, sizes of buffers, integers in them."""
    shown: dict[str, object] = {}
    parameters = context.model.op.regions[0].blocks[0].args
    for position, (value, given) in enumerate(zip(parameters, arguments, strict=False)):
        name = value_name(value)
        if isinstance(given, bool | int):
            shown[name] = given
        if not isinstance(given, View):
            continue
        if given.sizes is not None and _is_dynamic(value):
            shown[f"sizes of {name}"] = [whole(s) for s in given.sizes]
        if position in initial:
            shown[f"contents of {name}"] = initial[position]
        if inputs.is_overlapping:
            shown[f"address of {name}"] = whole(given.offset)
    return shown


def _is_dynamic(value: SSAValue) -> bool:
    return "?" in str(value.type)


def is_open(decision: Decision) -> bool:
    """Whether the question stays open after a decision."""
    return decision.answer is not Answer.NONE
