"""Functions that no input lets run to their end; whatever is said of their runs is true.

One run that comes to its end settles the question. Without one, the demands that a function makes
on every way through it are put to the solver: where they contradict one another there is no such
run. Demands count up to the first thing that need not come back, a call without a body say, whose
effects a proof does speak of. A function that never returns is only found out where it calls
nothing of that kind.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from xdsl.dialects import builtin
from xdsl.ir import Operation, Region

from verify.ir.names import op_name
from verify.ir.spans import op_location
from verify.model.analyse import functions_of
from verify.model.symbols import collect_symbols
from verify.refine.cycles import shape_of, targets
from verify.refine.events import Graph, Opaque, Path, While
from verify.refine.normal import PARTIAL, NormalMachine, promises_of
from verify.refine.terms import Interner
from verify.refine.unrolled import UnrolledMachine
from verify.replay.inputs import Inputs
from verify.replay.schedule import run_schedule
from verify.replay.scheduler import Scheduler
from verify.result import NoRun
from verify.semantics import term as t
from verify.semantics.algebra import UndefinedBehaviourError
from verify.semantics.arith import scalar_bits
from verify.semantics.term import Condition, Number
from verify.semantics.types import UnsupportedError
from verify.smt.implied import Demand, follow
from verify.smt.solver import Solver

if TYPE_CHECKING:
    from verify.checks.options import CheckOptions

MOST_OPS = 300
MOST_STEPS = 300
MOST_ACCESSES = 1_000
MORE_RUNS = 20
DRAWN = 1 << 12
_PLENTY = {1: 1 << 16, 2: 256, 3: 64}
"""Sizes by the number of those of a memref that are not known."""
_NEVER: tuple[Demand, ...] = (((), (False,)),)
_MAY_NOT_RETURN = (Graph, Opaque, While)


def vacuous_functions(
    module: Operation, names: Iterable[str], options: CheckOptions
) -> dict[str, NoRun]:
    """Those of the functions `names` that have no run, and why."""
    wanted = set(names)
    if not wanted:
        return {}
    symbols = collect_symbols(module)
    found = (
        (name, no_run(op, symbols, options)) for name, op in functions_of(module) if name in wanted
    )
    return {name: why for name, why in found if why is not None}


def placed_in(module: Operation, empty: Mapping[str, NoRun]) -> dict[str, NoRun]:
    """The same functions at the places that they have in `module`."""
    return {
        name: replace(empty[name], location=op_location(op))
        for name, op in (functions_of(module) if empty else ())
        if name in empty
    }


def no_run(
    function: Operation, symbols: Mapping[str, Operation], options: CheckOptions
) -> NoRun | None:
    """Why it is certain that no run of `function` comes to its end, if it is."""
    if next(islice(function.walk(), MOST_OPS, None), None) is not None:
        return None
    is_endless = False
    for inputs in _few(function):
        status = _status(function, symbols, inputs)
        is_endless = status == "too-long" and _may_turn_forever(function)
        if status != "undefined" and not is_endless:
            return None
    certain = _is_endless if is_endless else _is_undefined
    if not certain(function, symbols, options) or any(
        _status(function, symbols, i) == "ran" for i in _more()
    ):
        return None
    return NoRun(op_location(function), is_endless)


def _few(function: Operation) -> Iterator[Inputs]:
    """Inputs for first runs, to be made in no time: plenty of what is open, then little."""
    arguments = function.regions[0].blocks[0].args
    sizes: dict[tuple[int, int], int] = {}
    for position, argument in enumerate(arguments):
        kind = argument.type
        shape = kind.get_shape() if isinstance(kind, builtin.MemRefType) else ()
        unknown = [d for d, size in enumerate(shape) if size < 0]
        sizes |= {(position, d): _PLENTY.get(len(unknown), 8) for d in unknown}
    yield Inputs(sizes=sizes, drawn=DRAWN)
    yield Inputs(seed=1, drawn=DRAWN)
    for number in (0, 1):
        yield Inputs(scalars=dict.fromkeys(range(len(arguments)), number), sizes=sizes, drawn=DRAWN)


def _more() -> Iterator[Inputs]:
    """Inputs for runs that should not come to their end either."""
    return (Inputs(seed=seed, scale=1 + seed % 3, drawn=DRAWN) for seed in range(1, MORE_RUNS))


def _status(function: Operation, symbols: Mapping[str, Operation], inputs: Inputs) -> str:
    return run_schedule(
        function, dict(symbols), inputs, Scheduler(), MOST_STEPS, max_accesses=MOST_ACCESSES
    ).status


def _is_undefined(
    function: Operation, symbols: Mapping[str, Operation], options: CheckOptions
) -> bool:
    """Whether every run becomes undefined."""
    solver = Solver(options.solver_timeout_s)
    for kind in (_CertainMachine, _CertainSteps):
        machine = kind(symbols, Interner(), may_alias=options.may_alias)
        demands = machine.certain_demands(function)
        if demands and follow(demands, _NEVER, solver):
            return True
    return False


def _may_turn_forever(function: Operation) -> bool:
    """Whether anything but loops of known count is there."""
    return any(
        op_name(op) == "scf.while" or any(len(region.blocks) > 1 for region in op.regions)
        for op in function.walk()
    )


def _is_endless(
    function: Operation, symbols: Mapping[str, Operation], options: CheckOptions
) -> bool:
    """Whether every run goes on forever, or becomes undefined, and nothing can see it run."""
    machine = _CertainMachine(symbols, Interner(), may_alias=options.may_alias)
    demands = machine.certain_demands(function)
    if not machine.is_complete or machine.has_called:
        return False
    reachable = shape_of(function.regions[0].blocks[0]).order
    if all(targets(block) for block in reachable):
        return True
    solver = Solver(options.solver_timeout_s)
    return bool(machine.endless) and follow([*demands, *machine.endless], _NEVER, solver)


class _CertainMachine(NormalMachine):
    """Keeps the demands that are sure to be made where their conditions hold.

    `endless` are the conditions under which a loop is reached that is never left.
    """

    def __init__(
        self, symbols: Mapping[str, Operation], interner: Interner, *, may_alias: bool
    ) -> None:
        super().__init__(symbols, interner, may_alias=may_alias)
        self.certain: list[Demand] = []
        self.endless: list[Demand] = []
        self.has_called = self.is_complete = False
        self._doubts = 0
        self._counted: set[Path] = set()

    def certain_demands(self, function: Operation) -> Sequence[Demand]:
        """Run the function; `is_complete` then says whether all of it is known."""
        try:
            made = set(self.summary(function).demands)
        except (UnsupportedError, UndefinedBehaviourError, RecursionError):
            return self._broken_off()
        self.is_complete = True
        # A body of a loop is run until it settles, and what was demanded on the way is taken back.
        return [demand for demand in self.certain if demand in made]

    def _broken_off(self) -> Sequence[Demand]:
        """The demands before something that is not known; which of them stay is not known."""
        return ()

    def demand(self, conditions: Sequence[Condition]) -> None:
        """What must hold here, or the run is undefined."""
        wanted = tuple(c for c in conditions if c is not True)
        if wanted and not self._doubts and self._is_reached(self.here.path):
            self.certain.append((tuple(self.conditions), wanted))
        super().demand(conditions)

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
        self._see(event)

    def note(self, key: Any) -> None:
        """The same for a loop without effects, which is only noted."""
        super().note(key)
        self._see(key[-1])

    def _see(self, event: Any) -> None:
        is_forever = isinstance(event, While) and event.condition is True
        if is_forever and not self._doubts and self._is_reached(self.here.path):
            self.endless.append((tuple(self.conditions), (False,)))
        self.has_called |= isinstance(event, Opaque)
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


class _CertainSteps(_CertainMachine, UnrolledMachine):
    """The same step by step where control is known; nothing that was demanded is taken back."""

    def _broken_off(self) -> Sequence[Demand]:
        return self.certain

    def _is_reached(self, path: Path) -> bool:
        return True
