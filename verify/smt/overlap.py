"""Can two accesses touch a common byte, one before the other, with nothing written in between?

Deciders, cheapest first: different memories; bounds and residues of the difference of the two
addresses; Z3 over linear integers. One query fixes which loop of the two accesses differs first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import z3
from xdsl.ir import Operation

from verify.model.memory import Access, Capture, LoopInfo, extent_of
from verify.model.windows import window_of
from verify.semantics.term import Condition, Number, Var
from verify.smt.cover import (
    Order,
    forbid_cover,
    is_one_memory,
    neighbour_tags,
    require_neighbours,
    require_not_killed,
)
from verify.smt.encode import Encoder, Expr
from verify.smt.extent import extent_of_capture
from verify.smt.idle import is_copy_onto_itself, may_change, sources_of
from verify.smt.instances import Iteration, Runs, near, require_defined
from verify.smt.memories import relation
from verify.smt.solver import Answer, Solution, Solver


@dataclass(frozen=True, slots=True)
class Decision:
    """`answer` to whether it can happen, who decided it, and what was assumed to say no."""

    answer: Answer
    decider: str
    solution: Solution | None = None
    assumed_no_alias: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """Whether `first` can come before `second` on a common byte that none of `writes` kills.

    `outer` is the depth of the loop that both are in; iterations outside it are the same. With
    `only_strict` the two are in different iterations of a loop that they share. `exposed` are
    writes that, done before `first` in its iteration, settle what it reads. What is seen
    `in_replays` does not depend on idle writes. A `thorough` question looks at more iterations of
    everything else.
    """

    first: Access
    second: Access
    outer: int = 0
    writes: Sequence[Access] = ()
    exposed: Sequence[Access] = ()
    only_strict: bool = False
    in_replays: bool = False
    thorough: bool = False

    @property
    def loop(self) -> int:
        """The loop that both are in."""
        return self.second.loops[self.outer].id

    def is_foreign(self, write: Access) -> bool:
        """Whether a replay would keep what `write` writes from `second`."""
        here = self.second.view.capture_in(self.loop)
        return self.in_replays and write.view.capture_in(self.loop) is not here


def _are_two_allocations(first: Access, second: Access, loop: LoopInfo) -> bool:
    """Whether a memory is allocated anew between the two, in each iteration of `loop`."""
    memory = first.view.memory
    return memory is second.view.memory and loop.id in memory.scope


def _is_made_in_between(first: Access, second: Access, depth: int) -> bool:
    """Whether control that comes from `first` back to `second` makes the memory anew first.

    It does where the allocation stands in front of `second` in its block, and `first` does not.
    """
    memory = second.view.memory
    if first.view.memory is not memory or memory.kind != "alloc" or second.calls or first.calls:
        return False
    if first.path[depth] < second.path[depth] or not isinstance(memory.origin, Operation):
        return False
    used = second.site or second.op
    block = memory.origin.parent
    is_inside = depth > 0 and first.loops[depth - 1].id in memory.scope
    return is_inside and block is not None and block is used.parent


def difference(a: Number, b: Number, shared: set[int]) -> tuple[int, list[tuple[int, Var]]]:
    """`a - b` as a constant and terms; variables outside `shared` loops differ between the two."""
    terms: dict[tuple[Var, int], int] = {}
    constant = 0
    for side, (number, sign) in enumerate(((a, 1), (b, -1))):
        if isinstance(number, int):
            constant += sign * number
            continue
        constant += sign * number.constant
        for var, c in number.coefficients.items():
            is_shared = all(loop in shared for loop in var.scope)
            key = (var, -1 if is_shared else side)
            terms[key] = terms.get(key, 0) + sign * c
    return constant, [(c, var) for (var, _), c in terms.items() if c]


def cannot_meet(first: Access, second: Access, shared: set[int]) -> str | None:
    """The name of the cheap test that keeps two accesses to one memory apart, or `None`."""
    constant, terms = difference(first.address, second.address, shared)
    low: int | None = constant
    high: int | None = constant
    step = 0
    for c, var in terms:
        small, large = (var.low, var.high) if c > 0 else (var.high, var.low)
        low = None if low is None or small is None else low + c * small
        high = None if high is None or large is None else high + c * large
        step = _gcd(step, abs(c))
    if (low is not None and low >= second.size) or (high is not None and high <= -first.size):
        return "interval"
    if step and not _hits_window(constant, step, 1 - first.size, second.size - 1):
        return "gcd"
    if not step and not -first.size < constant < second.size:
        return "constant"
    return "window" if _are_apart(first, second, shared) else None


def _are_apart(first: Access, second: Access, shared: set[int]) -> bool:
    """Whether two accesses that stay inside their views lie in windows without a common byte."""
    one, other = window_of(first), window_of(second)
    if one is None or other is None:
        return False
    gaps = (difference(other[0], one[1], shared), difference(one[0], other[1], shared))
    return any(_is_positive(constant, terms) for constant, terms in gaps)


def _is_positive(constant: int, terms: Sequence[tuple[int, Var]]) -> bool:
    """Whether a combination of variables is at least zero by their bounds."""
    low = constant
    for c, var in terms:
        bound = var.low if c > 0 else var.high
        if bound is None:
            return False
        low += c * bound
    return low >= 0


def _gcd(a: int, b: int) -> int:
    while b:
        a, b = b, a % b
    return a


def _hits_window(constant: int, step: int, low: int, high: int) -> bool:
    """Whether `constant` plus a multiple of `step` can lie in `[low, high]`."""
    return (constant - low) % step <= high - low


def orders(first: Access, second: Access, outer: int) -> Iterator[Order]:
    """Every way in which `first` can come before `second` within one run of loop `outer`."""
    common = 0
    while (
        common < min(len(first.loops), len(second.loops))
        and first.loops[common] is second.loops[common]
    ):
        common += 1
    for depth in range(outer, common):
        yield _order(first, second, depth, is_strict=True)
    last_unordered = common > outer and first.loops[common - 1].is_unordered
    if first.path[common] < second.path[common] or last_unordered:
        yield _order(first, second, common, is_strict=False)


def _order(first: Access, second: Access, depth: int, *, is_strict: bool) -> Order:
    return Order(
        depth,
        is_strict,
        {info.id: "a" for info in first.loops[depth:]},
        {info.id: "b" for info in second.loops[depth:]},
    )


def earlier(encoder: Encoder, info: LoopInfo, order: Order) -> None:
    """Require that the first access is in an earlier iteration of `info` than the second."""
    if info.is_unordered or not info.order:
        return
    cases = []
    equal: list[object] = []
    for number in info.order:
        a = encoder.number(number, order.tags_first)
        b = encoder.number(number, order.tags_second)
        cases.append(z3.And([*equal, a < b]))
        equal.append(a == b)
    encoder.constraints.append(z3.Or(cases) if len(cases) > 1 else cases[0])


class OverlapQueries:
    """Decides pairs of accesses of one function."""

    def __init__(
        self, solver: Solver, defined: Sequence[Runs] = (), known: Sequence[Access] = ()
    ) -> None:
        """`known` are all accesses of the function, if nothing else can touch memory."""
        self.solver = solver
        self.defined = list(defined)
        self.known = known

    def decide(self, question: Question) -> Decision:
        """Answer a question."""
        first, second = question.first, question.second
        kind = relation(first.view, second.view)
        if kind in ("distinct", "assumed"):
            return Decision(Answer.NONE, "memories", assumed_no_alias=kind == "assumed")
        found: list[str] = ["order"]
        for order in orders(first, second, question.outer):
            if question.only_strict and not order.is_strict:
                continue
            decision = self._one(question, order, kind)
            if decision.answer is not Answer.NONE:
                return decision
            found.append(decision.decider)
        return Decision(Answer.NONE, found[-1])

    def _one(self, question: Question, order: Order, kind: str) -> Decision:
        first, second = question.first, question.second
        shared = {info.id for info in first.loops[: order.depth]}
        if order.is_strict and _are_two_allocations(first, second, first.loops[order.depth]):
            return Decision(Answer.NONE, "memories")
        if not order.is_strict and _is_made_in_between(first, second, order.depth):
            return Decision(Answer.NONE, "memories")
        if kind == "same" and (decider := cannot_meet(first, second, shared)) is not None:
            return Decision(Answer.NONE, decider)
        encoder = Encoder()
        _require_run(encoder, first, order.tags_first)
        _require_run(encoder, second, order.tags_second)
        if order.is_strict:
            earlier(encoder, first.loops[order.depth], order)
        _require_common_byte(encoder, first, second, order, kind)
        neighbours = self._neighbours(encoder, question, order)
        if question.in_replays:
            self._require_not_idle(encoder, question, order)
        for write in question.writes:
            self._require_not_killed(encoder, write, question, order, beside=bool(neighbours))
        for write in question.exposed:
            _require_exposed(encoder, write, first, order, question.outer)
        sides = [(first.loops, order.tags_first), (second.loops, order.tags_second)]
        return self._ask(
            encoder, "overlap", sides, neighbours=neighbours, thorough=question.thorough
        )

    def _require_not_idle(self, encoder: Encoder, question: Question, order: Order) -> None:
        """The one of the two that writes changes something."""
        sides = ((question.first, order.tags_first), (question.second, order.tags_second))
        for write, tags in sides:
            if not write.is_write:
                continue
            if (idle := is_copy_onto_itself(encoder, write, tags)) is not None:
                encoder.constraints.append(z3.Not(idle))
            for source in sources_of(write, self.known) if question.thorough else ():
                encoder.constraints.append(may_change(encoder, write, tags, source, self.known))

    def _require_not_killed(
        self,
        encoder: Encoder,
        write: Access,
        question: Question,
        order: Order,
        *,
        beside: bool,
    ) -> None:
        """`write` does not settle what `second` finds; an idle one through another copy cannot."""
        if question.is_foreign(write):
            if write.idle is not False:
                return
            if question.thorough and sources_of(write, self.known):
                return
        require_not_killed(encoder, write, question.first, question.second, order, thorough=beside)

    def _neighbours(self, encoder: Encoder, question: Question, order: Order) -> list[Iteration]:
        if not question.thorough:
            return []
        loops = question.first.loops
        tags = require_neighbours(encoder, loops, order)
        return [
            Iteration(order.depth, neighbour_tags(order, loops[order.depth], tag)) for tag in tags
        ]

    def _ask(
        self,
        encoder: Encoder,
        name: str,
        sides: Sequence[tuple[Sequence[LoopInfo], Mapping[int, str]]],
        *,
        neighbours: Sequence[Iteration] = (),
        thorough: bool = False,
    ) -> Decision:
        """Ask; what is found must also leave everything else in these iterations defined."""
        places = near(self.defined, sides[0][0], thorough=thorough)
        answer, solution = self.solver.ask(encoder, name, is_last=not places)
        if answer is not Answer.FOUND or not places:
            return Decision(answer, "z3", solution)
        for loops, tags in sides:
            require_defined(encoder, places, loops, tags, neighbours=neighbours, thorough=thorough)
        stronger, better = self.solver.ask(encoder, name)
        if stronger is not Answer.UNKNOWN:
            answer, solution = stronger, better
        return Decision(answer, "z3", solution)

    def can_run(
        self, conditions: Sequence[Condition], loops: Sequence[LoopInfo], *, thorough: bool = False
    ) -> Decision:
        """Whether a place with these path conditions can be reached."""
        encoder = Encoder()
        for condition in conditions:
            encoder.require(condition, {})
        return self._ask(encoder, "reached", [(loops, {})], thorough=thorough)

    def overlap_at_entry(self, first: Access, second: Access, outer: int) -> Decision:
        """Whether an element of one capture can lie on an element of another."""
        kind = relation(first.view, second.view)
        if kind in ("distinct", "assumed"):
            return Decision(Answer.NONE, "memories")
        shared = {info.id for info in first.loops[: outer + 1]}
        if kind == "same" and (decider := cannot_meet(first, second, shared)) is not None:
            return Decision(Answer.NONE, decider)
        order = Order(
            outer + 1,
            is_strict=False,
            tags_first={info.id: "a" for info in first.loops[outer + 1 :]},
            tags_second={info.id: "b" for info in second.loops[outer + 1 :]},
        )
        encoder = Encoder()
        _require_run(encoder, first, order.tags_first)
        _require_run(encoder, second, order.tags_second)
        _require_common_byte(encoder, first, second, order, kind)
        sides = [(first.loops, order.tags_first), (second.loops, order.tags_second)]
        return self._ask(encoder, "captures", sides)

    def leaves(self, access: Access, capture: Capture, *, thorough: bool = False) -> Decision:
        """Whether an access can leave the bytes that a capture spans."""
        views = [v for _, v in capture.view.choices if v.memory is access.view.memory]
        if len(views) != 1:
            return Decision(Answer.FOUND, "extent unknown")
        extent = extent_of_capture(views[0], capture)
        if extent is None:
            return Decision(Answer.FOUND, "extent unknown")
        if extent.surely_holds(access):
            return Decision(Answer.NONE, "interval")
        encoder = Encoder()
        _require_run(encoder, access, {})
        encoder.constraints.append(extent.misses(encoder, access))
        return self._ask(encoder, "extent", [(access.loops, {})], thorough=thorough)


def _require_exposed(
    encoder: Encoder, write: Access, read: Access, order: Order, outer: int
) -> None:
    """No instance of `write` in the iteration of `read` comes before it and covers it."""
    loops, _ = extent_of(write)
    n = len(loops)
    if not write.is_modelled or write.view.memory is not read.view.memory or n <= outer:
        return
    if loops != read.loops[:n] or not is_one_memory(write, read.loops[: order.depth]):
        return
    if any(i.is_unordered for i in loops) or write.path[n] >= read.path[n]:
        return
    forbid_cover(encoder, write, order.tags_first, read, order.tags_first)


def _require_run(encoder: Encoder, access: Access, tags: dict[int, str]) -> None:
    for condition in (*access.conditions, *access.assumed):
        encoder.require(condition, tags)


def placed(encoder: Encoder, access: Access, tags: dict[int, str], kind: str) -> Expr:
    """The address of an access, in one address space where memories may overlap."""
    address = encoder.number(access.address, tags)
    if kind == "placed" and access.view.memory.address is not None:
        return encoder.variable(access.view.memory.address, {}) + address
    return address


def _require_common_byte(
    encoder: Encoder, first: Access, second: Access, order: Order, kind: str
) -> None:
    if kind == "unknown":
        return
    a = placed(encoder, first, order.tags_first, kind)
    b = placed(encoder, second, order.tags_second, kind)
    encoder.constraints += [a < b + second.size, b < a + first.size]
