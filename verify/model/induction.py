"""Integers that a loop carries, in closed form.

A closed form is an induction hypothesis: it is kept only when the body, run under it, hands on
the next value; one that fails is given up for good. A while loop went through its condition in
every earlier iteration, which bounds what it counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from xdsl.ir import SSAValue

from verify.model.memory import LoopInfo
from verify.semantics import term as t
from verify.semantics.algebra import SymbolicAlgebra, bit_range
from verify.semantics.arith import scalar_bits
from verify.semantics.term import Condition, Number, Scope
from verify.semantics.values import Views


class Progress:
    """What a while loop may take for granted in iteration `counter`: it went on before."""

    def __init__(self, info: LoopInfo, counter: t.Lin) -> None:
        self.info = info
        (self.counter,) = counter.coefficients
        self.assumed: list[Condition] = []
        self.going: Condition = True
        self._next: list[Condition] = []

    def goes_on(self, condition: Condition) -> None:
        """The condition on which the current iteration runs its body."""
        self.going = condition
        first = t.at_most(self.counter.term(), 0)
        self._next = [
            t.any_of([first, earlier])
            for part in parts_of(condition)
            if (earlier := self._earlier(part)) is not None
        ]

    def _earlier(self, part: Condition) -> Condition | None:
        """A condition one iteration earlier, when only the counter changes in it."""
        match part:
            case t.AtMostZero(term):
                shifted = self._shifted(term)
                return None if shifted is None else t.at_most(shifted, 0)
            case t.IsZero(term):
                shifted = self._shifted(term)
                return None if shifted is None else t.equal(shifted, 0)
            case _:
                return None

    def _shifted(self, term: t.Lin) -> Number | None:
        inside = [v for v in term.coefficients if self.info.id in v.scope]
        if inside != [self.counter]:
            return None
        return term - term.coefficients[self.counter]

    def is_settled(self) -> bool:
        """Whether the round took for granted what it showed."""
        settled = self.assumed == self._next
        self.assumed = self._next
        return settled


def parts_of(condition: Condition) -> Iterator[Condition]:
    """The conjuncts of a condition."""
    if isinstance(condition, t.And):
        for part in condition.parts:
            yield from parts_of(part)
    else:
        yield condition


class Steps:
    """Closed forms for the carried integers of one loop."""

    def __init__(
        self,
        algebra: SymbolicAlgebra,
        info: LoopInfo,
        parameters: Sequence[SSAValue],
        scope: Scope,
        progress: Progress | None,
    ) -> None:
        self.algebra, self.info, self.scope, self.progress = algebra, info, scope, progress
        self.widths = [scalar_bits(p.type) for p in parameters]
        self.steps: list[int | None] = [None] * len(self.widths)
        self.exact = [progress is not None] * len(self.widths)
        self.has_tried = False

    def better(
        self, arguments: Sequence[Any], initial: Sequence[Any], yields: Sequence[Any]
    ) -> list[Any]:
        """The arguments with closed forms found or given up."""
        result = list(arguments)
        for i, bits in enumerate(self.widths):
            if bits is None or bits == 1 or isinstance(arguments[i], Views):
                continue
            step = constant_step(arguments[i], yields[i], bits)
            if not self.has_tried:
                if step is not None and self.info.counter is not None:
                    self.steps[i] = step
                    result[i] = self._form(i, initial[i], bits)
            elif self.steps[i] is not None:
                result[i] = self._confirmed(i, arguments[i], initial[i], yields[i], step, bits)
        self.has_tried = True
        return result

    def _form(self, i: int, start: Number, bits: int) -> Number:
        step, counter = self.steps[i], self.info.counter
        assert step is not None
        assert counter is not None
        total = start + self.algebra.multiply(counter, step)
        return total if self.exact[i] else self.algebra.wrap(total, bits)

    def _confirmed(
        self, i: int, argument: Number, start: Number, handed: Any, step: int | None, bits: int
    ) -> Number:
        if step != self.steps[i]:
            self.steps[i] = None
            return self.algebra.fresh("carried", bits, self.scope)
        if self.exact[i] and not self._stays_in_range(argument, handed, step or 0, bits):
            self.exact[i] = False
            return self._form(i, start, bits)
        return argument

    def _stays_in_range(self, argument: Number, handed: Any, step: int, bits: int) -> bool:
        """Whether an iteration that runs cannot wrap: its condition bounds what it adds to."""
        if step == 0 or (isinstance(handed, int | t.Lin) and handed - argument == step):
            return True
        low, high = bit_range(bits)
        for part in parts_of(self.progress.going if self.progress is not None else True):
            if not isinstance(part, t.AtMostZero):
                continue
            # part: term <= 0, so argument <= argument - term, or -argument <= -argument - term
            upper = t.interval(argument - part.term)[1]
            lower = t.interval(argument + part.term)[0]
            if step > 0 and upper is not None and upper + step <= high:
                return True
            if step < 0 and lower is not None and lower + step >= low:
                return True
        return False


def constant_step(argument: Number, handed_on: Any, bits: int) -> int | None:
    """By how much an iteration changes a carried integer, modulo its width, if by a constant."""
    if not isinstance(handed_on, int | t.Lin):
        return None
    difference = handed_on - argument
    if isinstance(difference, int):
        return difference
    if isinstance(handed_on, t.Lin) and len(handed_on.coefficients) == 1:
        (var,) = handed_on.coefficients
        if handed_on == var.term():
            match var.origin:
                case ("wrap", inner, width) if width == bits:
                    change = inner - argument
                    return change if isinstance(change, int) else None
                case _:
                    return None
    return None
