"""Loops in the normal form: counted ones, those that decide as they go, and grids."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from xdsl.ir import Attribute, Operation, Region

from verify.ir.names import op_name
from verify.refine.events import Loop, Path, While
from verify.refine.flow import inside, written
from verify.refine.history import Effect
from verify.refine.terms import handed as given
from verify.refine.terms import known
from verify.semantics import term as t
from verify.semantics.algebra import bit_range
from verify.semantics.arith import scalar_bits
from verify.semantics.term import Condition, Number
from verify.semantics.types import UnsupportedError, is_memref, is_token
from verify.semantics.values import Views

if TYPE_CHECKING:
    from verify.refine.normal import NormalMachine, Scope

BARRIERS = frozenset({"gpu.barrier", "enzymexla.barrier", "nvvm.barrier0", "nvvm.barrier"})
TRIES = 6

Bounds = tuple[Number, Number, Number]


def for_loop(
    m: NormalMachine, op: Operation, bounds: Bounds, initial: Sequence[Any], region: Region
) -> Sequence[Any]:
    """A counted loop; the number of its iterations and its counter are normal, not its bounds."""
    block = region.blocks[0]
    carried = [
        Carried(r.type, m.liveness.is_dead(r, p))
        for r, p in zip(op.results, block.args[1:], strict=True)
    ]
    return counted(m, bounds, carried, initial, lambda i, v: m.run_region(region, [i, *v]))


@dataclass(frozen=True, slots=True)
class Carried:
    """What a loop hands from iteration to iteration: its type, and whether nobody looks at it."""

    kind: Attribute
    is_dead: bool

    @property
    def is_silent(self) -> bool:
        """Whether it has no place in the normal form."""
        return self.is_dead or is_token(self.kind)


def counted(
    m: NormalMachine,
    bounds: Bounds,
    carried: Sequence[Carried],
    initial: Sequence[Any],
    run: Callable[[Number, list[Any]], Sequence[Any]],
) -> Sequence[Any]:
    """A loop of known count; `run` is its body, on the induction variable and what is carried."""
    lower, _, step = bounds
    count = trip_count(m, bounds)
    if isinstance(count, int) and count <= 0:
        return list(initial)
    if isinstance(count, int) and count == 1:
        return run(lower, list(initial))

    def body(counter: Number, values: list[Any]) -> Sequence[Any]:
        return run(lower + m.algebra.multiply(counter, step), values)

    return _Counted(m, carried, count, initial, body).results()


def trip_count(m: NormalMachine, bounds: Bounds) -> Number:
    """How often a loop runs, or a number below one when it does not."""
    lower, upper, step = bounds
    if not isinstance(step, int) or step <= 0:
        if isinstance(step, int):
            raise UnsupportedError("a loop whose step is not positive")
        return m.interner.number(("trips", lower, upper, step), None, None)
    return -m.algebra.divide(lower - upper, step)


class _Settling:
    """Carried values of a loop; those that never change go away, once that is known.

    Memrefs are taken not to change until they do: if no iteration changes them they never do.
    """

    def __init__(
        self, m: NormalMachine, carried: Sequence[Carried], initial: Sequence[Any]
    ) -> None:
        self.m, self.carried, self.initial = m, carried, list(initial)
        self.path: Path = (*m.here.path, len(m.here.events))
        self.fixed: dict[int, Any] = {}
        self.moving: set[int] = set()
        self.saved = (set(m.partial), list(m.demands))

    def forget(self) -> None:
        """Take back what an iteration noted and demanded."""
        self.m.partial, self.m.demands = set(self.saved[0]), list(self.saved[1])

    def symbols(self) -> list[Any]:
        """What an iteration begins with."""
        place = 0
        values: list[Any] = []
        for i, each in enumerate(self.carried):
            if i in self.fixed or each.is_silent:
                values.append(self.fixed[i] if i in self.fixed else self._unnamed(i))
                continue
            is_held = is_memref(each.kind) and i not in self.moving
            key = ("carried", self.path, place)
            values.append(self.initial[i] if is_held else self.m.symbol(key, each.kind))
            place += 1
        return values

    def _unnamed(self, i: int) -> Any:
        """A value without a place, of which nothing is known; no other program has the same."""
        kind = self.carried[i].kind
        return self.initial[i] if is_token(kind) else self.m.symbol(("unnamed", object()), kind)

    def learn(self, symbols: Sequence[Any], handed: Sequence[Any]) -> bool:
        """Whether an iteration that hands these on shows that more never change, or do."""
        if self._moves(symbols, handed):
            return True
        changed = False
        for i, (symbol, value) in enumerate(zip(symbols, handed, strict=True)):
            if self.carried[i].is_dead or i in self.fixed:
                self._confirm(i, value)
            elif given(symbol) == given(value) and not is_token(self.carried[i].kind):
                self.fixed[i] = self.initial[i]
                changed = True
        return changed

    def _moves(self, symbols: Sequence[Any], handed: Sequence[Any]) -> bool:
        """Whether memrefs change that were taken not to."""
        found = {
            i
            for i, (symbol, value) in enumerate(zip(symbols, handed, strict=True))
            if isinstance(symbol, Views) and not self.carried[i].is_dead and symbol != value
        }
        new = found - self.moving
        self.moving |= new
        self.fixed = {i: v for i, v in self.fixed.items() if i not in new}
        return bool(new)

    def _confirm(self, i: int, value: Any) -> None:
        if i in self.fixed and given(self.fixed[i]) != given(value):
            raise UnsupportedError("a carried value whose form does not settle")

    def live(self) -> list[int]:
        """Which carried values have a place in the normal form."""
        return [i for i, c in enumerate(self.carried) if i not in self.fixed and not c.is_silent]


@dataclass(frozen=True, slots=True)
class _Body:
    """One iteration: what it does, hands on and writes (`None` for any memory)."""

    scope: Scope
    handed: list[Any]
    touched: set[Any] | None


def _head(path: Path, touched: set[Any] | None) -> list[Effect]:
    """What has happened where an iteration begins."""
    return [Effect((*path, "head"), None, None, None, touched)] if touched != set() else []


class _Counted(_Settling):
    """A loop whose number of iterations is known before it starts."""

    def __init__(
        self,
        m: NormalMachine,
        carried: Sequence[Carried],
        count: Number,
        initial: Sequence[Any],
        body: Callable[[Number, list[Any]], Sequence[Any]],
    ) -> None:
        super().__init__(m, carried, initial)
        self.count, self.body = count, body
        self.counter = m.interner.number(("counter", self.path), 0, _top(count))

    def results(self) -> Sequence[Any]:
        """Run the body until its normal form is found; emit the loop when it has effects."""
        m, path = self.m, self.path
        done = self._settled()
        event = self._event(done)
        name: Any = path
        if done.scope.events:
            m.emit(event)
            m.here.history.append(Effect(path, None, None, None, done.touched))
        elif self.live():
            name = ("pure loop", event, path)
            self.path = (*path, ("pure", event))
            self._settled()
        return self._results(name)

    def _settled(self) -> _Body:
        """An iteration whose carried values are the ones that change."""
        m = self.m
        head: list[Effect] = [Effect((*self.path, "head"), None, None, None)]
        for _ in range(TRIES):
            self.forget()
            scope = inside(m, (*self.path, "body"), head)
            try:
                symbols = self.symbols()
                with m.under([t.less(self.counter, self.count)]):
                    handed = list(self.body(self.counter, symbols))
            finally:
                m.scopes.pop()
            touched = written(scope, len(head))
            before, head = head, _head(self.path, touched)
            if not self.learn(symbols, handed) and before == head:
                return _Body(scope, handed, touched)
        raise UnsupportedError("a loop whose normal form is not found")

    def _event(self, done: _Body) -> Loop:
        live = self.live()
        return Loop(
            is_parallel=False,
            count=(self.count,),
            initial=tuple(given(self.initial[i]) for i in live),
            body=tuple(done.scope.events),
            handed_on=tuple(given(done.handed[i]) for i in live),
        )

    def _results(self, name: Any) -> Sequence[Any]:
        live = self.live()
        results: list[Any] = []
        for i, each in enumerate(self.carried):
            if i in live:
                key = ("loop result", name, live.index(i))
                results.append(self.m.symbol(key, each.kind))
            else:
                results.append(self.fixed[i] if i in self.fixed else self._unnamed(i))
        return results


@dataclass(frozen=True, slots=True)
class Deciding:
    """A loop that decides in the middle of each iteration whether to go on.

    `before` runs the first part, on the values with which an iteration begins, and gives the
    condition to go on; `after` runs the rest and gives the values for the next iteration. What
    the first part computes can be seen behind the loop.
    """

    carried: Sequence[Carried]
    before: Callable[[Sequence[Any]], Condition]
    after: Callable[[], Sequence[Any]]


@dataclass(slots=True)
class _Try:
    """One iteration from symbols: what it does before and after the decision."""

    symbols: list[Any]
    first: Scope
    condition: Condition
    second: Scope
    handed: list[Any]
    is_plain: bool


def deciding(m: NormalMachine, shape: Deciding, initial: Sequence[Any]) -> None:
    """Run such a loop; one that counts up to a bound is the counted loop that it could be."""
    loop = _Decided(m, shape, initial)
    settled = loop.settled()
    bounds = loop.bounds(settled)
    if bounds is None:
        loop.emit(settled)
    else:
        loop.count(*bounds)


class _Decided(_Settling):
    """See `Deciding`."""

    def __init__(self, m: NormalMachine, shape: Deciding, initial: Sequence[Any]) -> None:
        super().__init__(m, shape.carried, initial)
        self.shape = shape
        self.head = [Effect((*self.path, "head"), None, None, None)]

    def settled(self) -> _Try:
        """An iteration whose carried values are the ones that change."""
        for _ in range(TRIES):
            self.forget()
            found = self._iteration()
            if not self.learn(found.symbols, found.handed):
                return found
        raise UnsupportedError("a loop whose normal form is not found")

    def _iteration(self) -> _Try:
        m, head = self.m, self.head
        symbols = self.symbols()
        first = inside(m, (*self.path, "before"), head)
        before = (len(m.partial), len(m.demands))
        try:
            condition = self.shape.before(symbols)
        finally:
            m.scopes.pop()
        is_plain = not first.events and before == (len(m.partial), len(m.demands))
        second = inside(m, (*self.path, "after"), [*head, *first.history.effects[len(head) :]])
        goes_on = m.interner.truth(("goes on", self.path))
        try:
            with m.under([goes_on, condition]):
                handed = list(self.shape.after())
        finally:
            m.scopes.pop()
        return _Try(symbols, first, condition, second, handed, is_plain)

    def emit(self, found: _Try) -> None:
        """Add the loop to the events, or to what may not end where it has no effect."""
        event = self._event(found)
        if event.before or event.after:
            self.m.emit(event)
            self.m.here.history.append(Effect(self.path, None, None, None))
            return
        self.path = (*self.path, ("idle", event))
        self.head = []
        self.settled()
        self.m.note(("a loop that may not end", event))

    def _event(self, found: _Try) -> While:
        live = self.live()
        return While(
            tuple(given(self.initial[i]) for i in live),
            tuple(found.first.events),
            found.condition,
            tuple(found.second.events),
            tuple(given(found.handed[i]) for i in live),
        )

    def bounds(self, found: _Try) -> tuple[int, Bounds] | None:
        """Which carried value counts from where to where, if one does and nothing else is done."""
        if not found.is_plain or not isinstance(found.condition, t.AtMostZero):
            return None
        for i in self.live():
            step = _step_up(found.symbols[i], found.handed[i], found.condition)
            if step is None or not isinstance(self.initial[i], int | t.Lin):
                continue
            upper = found.symbols[i] + 1 - found.condition.term
            bits = scalar_bits(self.carried[i].kind)
            is_outer = not self.m.interner.mentions(upper, self.path)
            if bits is not None and is_outer and _never_wraps(upper, step, bits):
                return i, (self.initial[i], upper, step)
        return None

    def count(self, counter: int, bounds: Bounds) -> None:
        """Run as a counted loop, and the first part once more with the values at its end."""
        self.forget()
        others = [c for i, c in enumerate(self.carried) if i != counter]
        initial = [v for i, v in enumerate(self.initial) if i != counter]

        def run(induction: Number, values: Sequence[Any]) -> Sequence[Any]:
            self.shape.before(_with(values, counter, induction))
            return [v for i, v in enumerate(self.shape.after()) if i != counter]

        results = counted(self.m, bounds, others, initial, run)
        lower, _, step = bounds
        trips = trip_count(self.m, bounds)
        end = lower + self.m.algebra.multiply(trips, step)
        last = self.m.algebra.choose(t.at_most(1, trips), end, lower)
        self.shape.before(_with(results, counter, last))


def _with(values: Sequence[Any], place: int, value: Any) -> list[Any]:
    return [*values[:place], value, *values[place:]]


def _step_up(symbol: Any, handed: Any, condition: t.AtMostZero) -> int | None:
    """By how much a symbol grows in an iteration, where the condition bounds it from above.

    Whether the sum wraps is another question.
    """
    if not isinstance(symbol, t.Lin) or not isinstance(handed, t.Lin):
        return None
    (var,) = symbol.coefficients
    if condition.term.coefficients.get(var) != 1:
        return None
    step = _unwrapped(handed) - symbol
    return step if isinstance(step, int) and step > 0 else None


def _unwrapped(number: t.Lin) -> Number:
    """The number that one which may have wrapped was before."""
    if len(number.coefficients) == 1 and not number.constant:
        ((var, factor),) = number.coefficients.items()
        if factor == 1 and isinstance(var.origin, tuple) and var.origin[0] == "wrap":
            return var.origin[1]
    return number


def _never_wraps(upper: Number, step: int, bits: int) -> bool:
    """Whether a number below `upper` plus `step` is a number of so many bits."""
    _, high = t.interval(upper)
    return high is not None and high - 1 + step <= bit_range(bits)[1]


def while_loop(m: NormalMachine, op: Operation, initial: Sequence[Any]) -> Sequence[Any]:
    """`scf.while`."""
    before, after = op.regions
    carried = [Carried(a.type, m.liveness.is_dead(a)) for a in before.blocks[0].args]
    passed: list[Any] = []

    def decide(values: Sequence[Any]) -> Condition:
        condition, *passed[:] = m.run_region(before, values)
        return condition

    deciding(m, Deciding(carried, decide, lambda: m.run_region(after, passed)), initial)
    return list(passed)


def grid_loop(
    m: NormalMachine,
    op: Operation,
    bounds: Sequence[Bounds],
    initial: Sequence[Any],
    body: Callable[[Sequence[Number], Sequence[Any]], Sequence[Any]],
) -> Sequence[Any]:
    """Parallel loops and kernels, as loops over points in row-major order."""
    if any(op_name(inner) in BARRIERS for inner in op.walk()):
        raise UnsupportedError("a barrier between the threads of a loop")
    counts = tuple(trip_count(m, b) for b in bounds)
    if any(isinstance(c, int) and c <= 0 for c in counts):
        return list(initial)
    path = (*m.here.path, len(m.here.events))
    point = [
        _coordinate(m, path, d, b, c) for d, (b, c) in enumerate(zip(bounds, counts, strict=True))
    ]
    carried = [
        m.interner.symbol(("carried", path, i), r.type)
        for i, r in enumerate(op.results[: len(initial)])
    ]
    runs = [
        t.less(m.interner.number(_counter(path, d), 0, _top(c)), c) for d, c in enumerate(counts)
    ]
    scope = inside(m, (*path, "body"), [Effect((*path, "head"), None, None, None)])
    try:
        with m.under(runs):
            yields = body(point, carried)
    finally:
        m.scopes.pop()
    event = Loop(
        True,  # noqa: FBT003 - is_parallel
        counts,
        tuple(known(v) for v in initial),
        tuple(scope.events),
        tuple(known(v) for v in yields),
    )
    if scope.events or initial:
        m.emit(event)
        m.here.history.append(Effect(path, None, None, None, written(scope, 1)))
    return [
        m.interner.symbol(("loop result", path, i), r.type)
        for i, r in enumerate(op.results[: len(initial)])
    ]


def _coordinate(m: NormalMachine, path: Path, d: int, bounds: Bounds, count: Number) -> Number:
    if isinstance(count, int) and count == 1:
        return bounds[0]
    counter = m.interner.number(_counter(path, d), 0, _top(count))
    return bounds[0] + m.algebra.multiply(counter, bounds[2])


def _counter(path: Path, d: int) -> Any:
    return "counter", path, d


def _top(count: Number) -> int | None:
    """The largest number of an iteration, counted from 0."""
    _, high = t.interval(count)
    return None if high is None else max(high - 1, 0)
