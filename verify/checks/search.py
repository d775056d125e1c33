"""Looking for a concrete run that confirms a suspicion, and making it small."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product
from typing import Generic, TypeVar

from xdsl.dialects import builtin
from xdsl.ir import Operation

from verify.checks.options import Effort
from verify.model.memory import FunctionModel, Memory
from verify.replay.inputs import Inputs
from verify.replay.run import Outcome, run_function
from verify.semantics.arith import scalar_bits
from verify.semantics.term import whole
from verify.semantics.types import is_memref, layout_of
from verify.semantics.values import View
from verify.smt.solver import Solution

T = TypeVar("T")

FAR = 4096
FIRST_LOOK, FIRST_STEPS = 12, 2000
"""Runs, and ops in each, for a suspicion that is asked about more thoroughly when they fail."""
MOST_KEPT = 100
MOST_SIZES = 6


@dataclass(frozen=True, slots=True)
class Confirmed(Generic[T]):
    """What a run showed, on which inputs, and how the run was made."""

    inputs: Inputs
    outcome: Outcome
    evidence: T
    shifted: bool = False
    layout_ops: frozenset[Operation] = frozenset()


class Search:
    """Concrete runs of one function; outcomes are shared by all suspicions about it."""

    def __init__(
        self,
        model: FunctionModel,
        symbols: dict[str, Operation],
        *,
        may_alias: bool,
        effort: Effort,
    ) -> None:
        self.model = model
        self.symbols = symbols
        self.may_alias = may_alias
        self.effort = effort
        self._left = effort.all_runs
        self.blocked = ""
        self._known: dict[tuple[bool, frozenset[Operation]], list[tuple[Inputs, Outcome]]] = {}

    def confirm(
        self,
        find: Callable[[Outcome], T | None],
        solution: Solution | None,
        *,
        shifted: bool = False,
        layout_ops: frozenset[Operation] = frozenset(),
        is_last: bool = True,
        only_known: bool = False,
    ) -> Confirmed[T] | None:
        """The smallest run found for which `find` gives evidence; `only_known` makes no new ones.

        Where this is not the `is_last` look at a suspicion, few runs are made: what can be
        confirmed nearly always is by the first ones.
        """
        known = self._known.setdefault((shifted, layout_ops), [])
        for inputs, outcome in known:
            if (evidence := find(outcome)) is not None:
                return Confirmed(inputs, outcome, evidence, shifted, layout_ops)
        few = 0 if only_known else None if is_last else FIRST_LOOK
        for inputs in islice(self.candidates(solution), few):
            self._left -= 1
            if self._left < 0:
                return None
            steps = self.effort.steps if is_last else FIRST_STEPS
            outcome = self._run(inputs, steps, shifted=shifted, layout_ops=layout_ops)
            if outcome.status != "ran":
                self.blocked = outcome.reason if outcome.status == "unsupported" else self.blocked
                if outcome.status == "unsupported" and inputs.seed > 4:
                    return None
                continue
            if len(known) < MOST_KEPT:
                known.append((inputs, outcome))
            if (evidence := find(outcome)) is None:
                continue
            found = Confirmed(inputs, outcome, evidence, shifted, layout_ops)
            found = self._smaller(found, find)
            known.append((found.inputs, found.outcome))
            return found
        return None

    def reductions(
        self, inputs: Inputs, arguments: Sequence[object], tried: set[tuple[object, int]]
    ) -> Iterator[Inputs]:
        """The same inputs with one number smaller; what was `tried` in vain is not tried again."""
        full = concrete_inputs(inputs, self.model, arguments)
        for position, value in full.scalars.items():
            for smaller in _below(value):
                if (position, smaller) not in tried:
                    tried.add((position, smaller))
                    yield replace(full, scalars={**full.scalars, position: smaller})
        for key, value in full.sizes.items():
            for smaller in _below(value):
                if (key, smaller) not in tried:
                    tried.add((key, smaller))
                    yield replace(full, sizes={**full.sizes, key: smaller})

    def _run(
        self, inputs: Inputs, steps: int, *, shifted: bool, layout_ops: frozenset[Operation]
    ) -> Outcome:
        return run_function(
            self.model.op,
            self.symbols,
            inputs,
            shifted=shifted,
            layout_ops=layout_ops,
            max_steps=steps,
        )

    def candidates(self, solution: Solution | None) -> Iterator[Inputs]:
        """Inputs to try, with the arguments that are fixed in this case of the function."""
        fixed = {position: int(value) for position, value in self.model.fixed.items()}
        for inputs in self._candidates(solution):
            yield replace(inputs, scalars={**inputs.scalars, **fixed}) if fixed else inputs

    def uniform(self) -> Iterator[Inputs]:
        """Inputs in which all integers are one small number and all truth values the same."""
        arguments = self.model.op.regions[0].blocks[0].args
        bits = [scalar_bits(a.type) for a in arguments]
        for number, truth in product((0, 1, 2), (0, 1)):
            scalars = {i: truth if n == 1 else number for i, n in enumerate(bits) if n is not None}
            fixed = {position: int(value) for position, value in self.model.fixed.items()}
            yield replace(self._defaults(), scalars={**scalars, **fixed})

    def tight(self, count: int) -> Iterator[Inputs]:
        """Inputs with small buffers, and integers that may go beyond them."""
        arguments = self.model.op.regions[0].blocks[0].args
        for seed in range(count):
            draw = random.Random(seed)
            scalars: dict[int, int] = {}
            sizes: dict[tuple[int, int], int] = {}
            for i, argument in enumerate(arguments):
                if (bits := scalar_bits(argument.type)) is not None:
                    scalars[i] = draw.randint(0, 1 if bits == 1 else 5)
                elif isinstance(argument.type, builtin.MemRefType):
                    shape = enumerate(layout_of(argument.type).shape)
                    sizes |= {(i, d): draw.randint(1, 4) for d, size in shape if size is None}
            yield replace(self._defaults(), seed=seed, scalars=scalars, sizes=sizes)

    def _candidates(self, solution: Solution | None) -> Iterator[Inputs]:
        """Inputs to try: what a solution asks for, also with all buffers or all but one
        larger, then others.
        """
        asked = self._from_solution(solution)
        if solution is not None:
            for seed in range(1, 4):
                yield replace(asked, seed=seed)
            for more in (1, 2, 4, 8, 16):
                sizes = {key: size + more for key, size in asked.sizes.items()}
                if sizes:
                    yield replace(asked, seed=more, sizes=sizes)
            if 2 <= len(asked.sizes) <= MOST_SIZES:
                for key, size in asked.sizes.items():
                    others = {k: n + 8 for k, n in asked.sizes.items()}
                    yield replace(asked, seed=len(others), sizes={**others, key: size})
        for seed in range(4, 4 + self.effort.runs):
            base = asked if seed % 2 and solution is not None else self._defaults()
            kept = list(base.scalars.items())[: seed % 3] if seed % 4 == 0 else base.scalars.items()
            sizes = {} if seed % 4 == 1 else base.sizes
            yield replace(base, seed=seed, scalars=dict(kept), sizes=sizes, scale=1 + seed % 3)

    def _defaults(self) -> Inputs:
        return Inputs(addresses=self._places({}), is_overlapping=self.may_alias)

    def _places(self, asked: dict[object, int]) -> dict[object, int]:
        """A place for every argument: where asked, else far from all others."""
        if not self.may_alias:
            return {}
        low = min((v for k, v in asked.items() if isinstance(k, int)), default=0)
        places: dict[object, int] = {k: v - low for k, v in asked.items() if isinstance(k, int)}
        top = max(places.values(), default=0)
        for i, argument in enumerate(self.model.op.regions[0].blocks[0].args):
            if is_memref(argument.type) and i not in places:
                top += FAR
                places[i] = top
        return places

    def _from_solution(self, solution: Solution | None) -> Inputs:
        inputs = Inputs(is_overlapping=self.may_alias)
        if solution is None:
            return self._defaults()
        addresses: dict[object, int] = {}
        for var, values in solution.numbers.items():
            _note(inputs, addresses, var.origin, values[0])
        for truth, value in solution.truths.items():
            if isinstance(truth.origin, tuple) and truth.origin[0] == "argument":
                inputs.scalars[truth.origin[1]] = int(value)
        inputs.addresses = self._places(addresses)
        return inputs

    def _smaller(
        self,
        found: Confirmed[T],
        find: Callable[[Outcome], T | None],
    ) -> Confirmed[T]:
        """Greedy: smaller integers and sizes while the evidence stays."""
        budget = self.effort.smaller
        tried: set[tuple[object, int]] = set()
        changed = True
        while changed and budget > 0:
            changed = False
            for inputs in self.reductions(found.inputs, found.outcome.arguments, tried):
                budget -= 1
                outcome = self._run(
                    inputs, self.effort.steps, shifted=found.shifted, layout_ops=found.layout_ops
                )
                evidence = find(outcome) if outcome.status == "ran" else None
                if evidence is not None:
                    found = replace(found, inputs=inputs, outcome=outcome, evidence=evidence)
                    changed = True
                    break
                if budget <= 0:
                    break
        return found


def _note(inputs: Inputs, addresses: dict[object, int], origin: object, value: int) -> None:
    match origin:
        case ("argument", int() as position):
            inputs.scalars[position] = value
        case ("address", key):
            addresses[key] = value
        case ("load", Operation() as op):
            inputs.loads[op] = value
        case (Memory(kind="argument") as memory, int() as dimension):
            inputs.sizes[memory.origin, dimension] = value
        case (Memory(kind="argument") as memory, "offset"):
            inputs.offsets[memory.origin] = value
        case (Memory(kind="argument") as memory, "stride", int() as dimension):
            inputs.strides[memory.origin, dimension] = value
        case _:
            return


def _below(value: int) -> Iterator[int]:
    if value in (0, 1):
        return
    for candidate in dict.fromkeys((1, 0, 2, 3, value // 2, value - 1)):
        if 0 <= candidate < abs(value):
            yield candidate


def concrete_inputs(inputs: Inputs, model: FunctionModel, given: Sequence[object]) -> Inputs:
    """The same inputs with everything that was drawn written down."""
    full = Inputs(
        inputs.seed,
        dict(inputs.scalars),
        dict(inputs.sizes),
        inputs.strides,
        inputs.offsets,
        inputs.addresses,
        inputs.loads,
        inputs.is_overlapping,
        inputs.scale,
    )
    arguments = model.op.regions[0].blocks[0].args
    for position, (argument, value) in enumerate(zip(arguments, given, strict=False)):
        if isinstance(value, int):
            full.scalars[position] = int(value)
        elif isinstance(value, View) and value.sizes is not None:
            for d, static in enumerate(layout_of(argument.type).shape):
                if static is None:
                    full.sizes[position, d] = whole(value.sizes[d])
    return full
