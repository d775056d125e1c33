"""Can two accesses touch a common byte, one before the other, with nothing written in between?

Deciders, cheapest first: different memories; bounds and residues of the difference of the two
addresses; Z3 over linear integers. One query fixes which loop of the two accesses differs first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import z3

from verify.model.memory import Access, Capture, LoopInfo
from verify.model.windows import window_of
from verify.semantics import term as t
from verify.semantics.term import Condition, Number, Var
from verify.semantics.values import View
from verify.smt.encode import Encoder, Expr
from verify.smt.extent import extent_of_capture
from verify.smt.instances import Runs, near, require_defined
from verify.smt.solver import Answer, Solution, Solver


@dataclass(frozen=True, slots=True)
class Decision:
    """`answer` to whether it can happen, who decided it, and what was assumed to say no."""

    answer: Answer
    decider: str
    solution: Solution | None = None
    assumed_no_alias: bool = False


@dataclass(frozen=True, slots=True)
class Order:
    """One way in which `first` comes before `second`.

    Loops before `depth` are in the same iteration; loop `depth`, if there is one in common, is
    in an earlier iteration for `first`. Tags `a` and `b` tell the two apart from there on.
    """

    depth: int
    is_strict: bool
    tags_first: dict[int, str]
    tags_second: dict[int, str]


def relation(one: View, other: View) -> str:
    """`same`, `distinct`, `assumed` (distinct by assumption on arguments), `placed`, `unknown`."""
    if _are_marked(one, other):
        return "distinct"
    first, second = one.memory, other.memory
    if (first.family or first) is (second.family or second):
        return "unknown" if first.kind == "unknown" and first.name == "any memory" else "same"
    kinds = {first.kind, second.kind}
    if "unknown" in kinds:
        return "unknown"
    if "alloc" in kinds or kinds == {"global"}:
        return "distinct"
    if first.address is None or second.address is None:
        return "assumed"
    return "placed"


def _are_two_allocations(first: Access, second: Access, loop: LoopInfo) -> bool:
    """Whether a memory is allocated anew between the two, in each iteration of `loop`."""
    memory = first.view.memory
    return memory is second.view.memory and loop.id in memory.scope


def _are_marked(one: View, other: View) -> bool:
    """Whether `memref.distinct_objects` tells two views apart."""
    marks = dict(one.objects)
    return any(marks.get(group, number) != number for group, number in other.objects)


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

    def __init__(self, solver: Solver, defined: Sequence[Runs] = ()) -> None:
        self.solver = solver
        self.defined = list(defined)

    def decide(
        self,
        first: Access,
        second: Access,
        outer: int,
        writes: Sequence[Access] = (),
        exposed: Sequence[Access] = (),
        *,
        only_strict: bool = False,
    ) -> Decision:
        """Whether `first` can come before `second` on a common byte that none of `writes` kills.

        `outer` is the depth of the loop that both are in; iterations outside it are the same.
        With `only_strict` the two are in different iterations of a loop that they share.
        `exposed` are writes that, done before `first` in its iteration, settle what it reads.
        """
        kind = relation(first.view, second.view)
        if kind in ("distinct", "assumed"):
            return Decision(Answer.NONE, "memories", assumed_no_alias=kind == "assumed")
        found: list[str] = ["order"]
        for order in orders(first, second, outer):
            if only_strict and not order.is_strict:
                continue
            decision = self._one(first, second, order, kind, writes, outer, exposed)
            if decision.answer is not Answer.NONE:
                return decision
            found.append(decision.decider)
        return Decision(Answer.NONE, found[-1])

    def _one(
        self,
        first: Access,
        second: Access,
        order: Order,
        kind: str,
        writes: Sequence[Access],
        outer: int,
        exposed: Sequence[Access],
    ) -> Decision:
        shared = {info.id for info in first.loops[: order.depth]}
        if order.is_strict and _are_two_allocations(first, second, first.loops[order.depth]):
            return Decision(Answer.NONE, "memories")
        if kind == "same" and (decider := cannot_meet(first, second, shared)) is not None:
            return Decision(Answer.NONE, decider)
        encoder = Encoder()
        _require_run(encoder, first, order.tags_first)
        _require_run(encoder, second, order.tags_second)
        if order.is_strict:
            earlier(encoder, first.loops[order.depth], order)
        _require_common_byte(encoder, first, second, order, kind)
        for write in writes:
            _require_not_killed(encoder, write, first, second, order)
        for write in exposed:
            _require_exposed(encoder, write, first, order, outer)
        return self._ask(encoder, "overlap", first.loops, order.tags_first, second, order)

    def _ask(
        self,
        encoder: Encoder,
        name: str,
        loops: Sequence[LoopInfo],
        tags: dict[int, str],
        second: Access | None = None,
        order: Order | None = None,
    ) -> Decision:
        """Ask; what is found must also leave everything else in these iterations defined."""
        places = near(self.defined, loops)
        answer, solution = self.solver.ask(encoder, name, is_last=not places)
        if answer is not Answer.FOUND or not places:
            return Decision(answer, "z3", solution)
        require_defined(encoder, places, loops, tags)
        if second is not None and order is not None:
            require_defined(encoder, places, second.loops, order.tags_second)
        stronger, better = self.solver.ask(encoder, name)
        if stronger is not Answer.UNKNOWN:
            answer, solution = stronger, better
        return Decision(answer, "z3", solution)

    def can_run(self, conditions: Sequence[Condition], loops: Sequence[LoopInfo]) -> Decision:
        """Whether a place with these path conditions can be reached."""
        encoder = Encoder()
        for condition in conditions:
            encoder.require(condition, {})
        return self._ask(encoder, "reached", loops, {})

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
        return self._ask(encoder, "captures", first.loops, order.tags_first, second, order)

    def leaves(self, access: Access, capture: Capture) -> Decision:
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
        return self._ask(encoder, "extent", access.loops, {})


def _require_exposed(
    encoder: Encoder, write: Access, read: Access, order: Order, outer: int
) -> None:
    """No instance of `write` in the iteration of `read` comes before it and covers it."""
    loops, span = _extent_of(write)
    n = len(loops)
    if not write.is_modelled or write.view.memory is not read.view.memory or n <= outer:
        return
    if loops != read.loops[:n] or not _is_one_memory(write, read.loops[: order.depth]):
        return
    if any(i.is_unordered for i in loops) or write.path[n] >= read.path[n]:
        return
    _forbid_cover(encoder, write, span, order.tags_first, read, order.tags_first)


def _extent_of(write: Access) -> tuple[tuple[LoopInfo, ...], tuple[Number, Number] | None]:
    """The loops of a write and its bytes; one of every element counts as one write of all."""
    if write.span is not None and write.loops[-1:] and write.loops[-1].kind == "elements":
        return write.loops[:-1], write.span
    return write.loops, (write.address, write.address + write.size)


def _forbid_cover(
    encoder: Encoder,
    write: Access,
    span: tuple[Number, Number] | None,
    tags: dict[int, str],
    target: Access,
    target_tags: dict[int, str],
) -> None:
    """The instance of `write` in these iterations does not run, or leaves bytes of `target`."""
    if span is None:
        return
    elements = write.loops[-1].id if write.loops and write.loops[-1].kind == "elements" else None
    inside = [c for c in write.conditions if elements is None or not _mentions(c, elements)]
    runs = [encoder.condition(c, tags) for c in inside]
    start, end = (encoder.number(n, tags) for n in span)
    address = encoder.number(target.address, target_tags)
    covers = [start <= address, address + target.size <= end]
    encoder.constraints.append(z3.Not(z3.And([*runs, *covers])))


def _mentions(condition: Condition, loop: int) -> bool:
    return any(loop in var.scope for var in t.variables(condition))


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


def _require_not_killed(
    encoder: Encoder, write: Access, first: Access, second: Access, order: Order
) -> None:
    """No instance of `write` between the two covers what `second` touches."""
    if write is first or not write.is_modelled or write.view.memory is not second.view.memory:
        return
    if not _is_one_memory(write, first.loops[: order.depth]):
        return
    _, span = _extent_of(write)
    for access, tags in ((second, order.tags_second), (first, order.tags_first)):
        if _lies_between(write, first, second, order, access):
            _forbid_cover(encoder, write, span, tags, second, order.tags_second)


def _is_one_memory(write: Access, shared: Sequence[LoopInfo]) -> bool:
    """Whether the memory of `write` is one allocation wherever the loops in `shared` are fixed."""
    memory = write.view.memory
    known = {info.id for info in shared}
    return memory.kind != "unknown" and all(loop in known for loop in memory.scope)


def _lies_between(
    write: Access, first: Access, second: Access, order: Order, beside: Access
) -> bool:
    """Whether the instance of `write` in the iterations of `beside` comes between the two."""
    loops, _ = _extent_of(write)
    n = len(loops)
    if loops != beside.loops[:n] or any(i.is_unordered for i in loops):
        return False
    position = write.path[n]
    if beside is second:
        if position >= second.path[n]:
            return False
        return order.depth < n or (len(first.path) > n and first.path[n] < position)
    if position <= first.path[n]:
        return False
    return order.depth < n or (len(second.path) > n and position < second.path[n])
