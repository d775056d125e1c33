"""Functions that no input lets run to their end; whatever is said of their runs is true.

One run that comes to its end settles the question. Without one, the demands that a function makes
on every way through it are put to the solver: where they contradict one another there is no such
run. Demands count up to the first thing that need not come back, a call without a body say.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from xdsl.ir import Operation, Region

from verify.diagnostic import Location
from verify.ir.names import op_name
from verify.ir.spans import op_location
from verify.model.analyse import functions_of
from verify.model.symbols import collect_symbols
from verify.refine.events import Graph, Opaque, Path, While
from verify.refine.normal import PARTIAL, NormalMachine, promises_of
from verify.refine.terms import Interner
from verify.replay.inputs import Inputs
from verify.replay.schedule import run_schedule
from verify.replay.scheduler import Scheduler
from verify.semantics import term as t
from verify.semantics.arith import scalar_bits
from verify.semantics.term import Condition, Number
from verify.semantics.types import UnsupportedError
from verify.smt.implied import follow
from verify.smt.solver import Solver

if TYPE_CHECKING:
    from verify.checks.options import CheckOptions

MOST_STEPS = 2_000
MORE_RUNS = 20
_NEVER = (((), (False,)),)
_MAY_NOT_RETURN = (Graph, Opaque, While)


def vacuous_functions(
    module: Operation, names: Iterable[str], options: CheckOptions
) -> dict[str, Location | None]:
    """Those of the functions `names` that have no run, with their places."""
    wanted = set(names)
    if not wanted:
        return {}
    symbols = collect_symbols(module)
    return {
        name: op_location(op)
        for name, op in functions_of(module)
        if name in wanted and is_vacuous(op, symbols, options)
    }


def is_vacuous(
    function: Operation, symbols: Mapping[str, Operation], options: CheckOptions
) -> bool:
    """Whether it is certain that no run of `function` comes to its end."""
    if _status(function, symbols, 0) != "undefined":
        return False
    demands = _demands(function, symbols, may_alias=options.may_alias)
    if not demands or not follow(demands, _NEVER, Solver(options.solver_timeout_s)):
        return False
    return all(_status(function, symbols, seed) != "ran" for seed in range(1, MORE_RUNS))


def _status(function: Operation, symbols: Mapping[str, Operation], seed: int) -> str:
    inputs = Inputs(seed=seed, scale=1 + seed % 3)
    return run_schedule(function, dict(symbols), inputs, Scheduler(), MOST_STEPS).status


def _demands(
    function: Operation, symbols: Mapping[str, Operation], *, may_alias: bool
) -> list[tuple[tuple[Condition, ...], tuple[Condition, ...]]]:
    machine = _CertainMachine(symbols, Interner(), may_alias=may_alias)
    try:
        made = set(machine.summary(function).demands)
    except (UnsupportedError, RecursionError):
        return []
    # A body of a loop is run until it settles, and what was demanded on the way is taken back.
    return [demand for demand in machine.certain if demand in made]


class _CertainMachine(NormalMachine):
    """Keeps the demands that are sure to be made where their conditions hold."""

    def __init__(
        self, symbols: Mapping[str, Operation], interner: Interner, *, may_alias: bool
    ) -> None:
        super().__init__(symbols, interner, may_alias=may_alias)
        self.certain: list[tuple[tuple[Condition, ...], tuple[Condition, ...]]] = []
        self._doubts = 0
        self._counted: set[Path] = set()

    def demand(self, conditions: Sequence[Condition]) -> None:
        """What must hold here, or the run is undefined."""
        super().demand(conditions)
        wanted = tuple(c for c in conditions if c is not True)
        if wanted and not self._doubts and self._is_reached(self.here.path):
            self.certain.append((tuple(self.conditions), wanted))

    def _is_reached(self, path: Path) -> bool:
        """Whether the conditions say all about when control comes to a place.

        They do in arms of branches, which are `True` and `False` on the path, and in bodies of
        counted loops. Other loops may have no iteration.
        """
        return all(
            isinstance(part, bool) or path[: place + 1] in self._counted
            for place, part in enumerate(path)
            if place % 2
        )

    def for_loop(
        self,
        op: Operation,
        bounds: tuple[Number, Number, Number],
        initial: Sequence[Any],
        region: Region,
    ) -> Sequence[Any]:
        """A counted loop, in whose body the counter is below the count by condition."""
        self._counted.add((*self.here.path, len(self.here.events), "body"))
        return super().for_loop(op, bounds, initial, region)

    def emit(self, event: Any) -> None:
        """Add an event; what follows one that may not come back is not certain."""
        super().emit(event)
        self._doubts += isinstance(event, _MAY_NOT_RETURN)

    def execute(self, op: Operation) -> None:
        """Run one op; flags that promise something only make a value useless, not the run."""
        if not promises_of(op):
            self._demand_divisor(op)
            super().execute(op)
            return
        self._doubts += 1
        super().execute(op)
        self._doubts -= 1

    def _demand_divisor(self, op: Operation) -> None:
        name = op_name(op)
        is_partial = name.startswith(("arith.", "llvm.")) and any(p in name for p in PARTIAL)
        if is_partial and len(op.operands) == 2 and scalar_bits(op.operands[1].type) is not None:
            self.demand([t.negation(t.equal(self.number(op.operands[1]), 0))])
