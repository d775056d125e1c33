"""Control flow and memory versions of the normal form."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from xdsl.ir import Attribute, Block, Operation, Region

from verify.ir.names import op_name
from verify.refine.events import Branch, Graph, Loop, Path, While
from verify.refine.history import Effect, History
from verify.refine.terms import Expr, known
from verify.semantics import term as t
from verify.semantics.arith import scalar_bits
from verify.semantics.machine import parameters
from verify.semantics.term import Condition, Number
from verify.semantics.types import UnsupportedError, is_memref, is_token
from verify.semantics.values import OPAQUE, Views

if TYPE_CHECKING:
    from verify.refine.normal import NormalMachine, Scope

BARRIERS = frozenset({"gpu.barrier", "enzymexla.barrier", "nvvm.barrier0", "nvvm.barrier"})


def merge(m: NormalMachine, condition: Condition, a: Any, b: Any, kind: Attribute) -> Any:
    """`a` if `condition` else `b`."""
    if condition is True or a is b or known(a) == known(b):
        return a
    if condition is False:
        return b
    if isinstance(a, bool | t.Cond) and isinstance(b, bool | t.Cond):
        return t.any_of([t.all_of([condition, a]), t.all_of([t.negation(condition), b])])
    if isinstance(a, int | t.Lin) and isinstance(b, int | t.Lin):
        return m.algebra.choose(condition, a, b)
    if isinstance(a, Views) and isinstance(b, Views):
        first = [(t.all_of([condition, c]), v) for c, v in a.choices]
        second = [(t.all_of([t.negation(condition), c]), v) for c, v in b.choices]
        return Views(tuple((c, v) for c, v in [*first, *second] if c is not False))
    if isinstance(a, Expr) and isinstance(b, Expr):
        if isinstance(condition, t.Not):
            condition, a, b = condition.part, b, a
        return m.interner.symbol(("select", condition, known(a), known(b)), kind)
    return OPAQUE


def _inside(m: NormalMachine, path: Path, head: Sequence[Effect]) -> Scope:
    from verify.refine.normal import Scope

    scope = Scope(path)
    scope.history = History(head)
    m.scopes.append(scope)
    return scope


def _written(scope: Scope, skip: int) -> set[Any] | None:
    """The memories that a scope wrote, without the first `skip` entries; `None` for any."""
    found: set[Any] = set()
    for effect in scope.history.effects[skip:]:
        if effect.place is not None:
            found.add(effect.place.memory)
        elif effect.memories is None:
            return None
        else:
            found |= effect.memories
    return found


def branch(
    m: NormalMachine,
    cases: list[tuple[Condition, Callable[[], Sequence[Any]]]],
    kinds: Sequence[Attribute],
) -> Sequence[Any]:
    """Cases in order; the first whose condition holds."""
    condition, run = cases[0]
    if condition is True or len(cases) == 1:
        return run()
    if condition is False:
        return branch(m, cases[1:], kinds)
    swapped = isinstance(condition, t.Not)
    path = (*m.here.path, len(m.here.events))
    saved = m.conditions
    m.conditions = [*saved, condition]
    first, values = _arm(m, (*path, not swapped), run)
    m.conditions = [*saved, t.negation(condition)]
    second, others = _arm(m, (*path, swapped), lambda: branch(m, cases[1:], kinds))
    m.conditions = saved
    if first.events or second.events:
        arms = (tuple(first.events), tuple(second.events))
        positive = condition.part if isinstance(condition, t.Not) else condition
        m.emit(Branch(positive, *(reversed(arms) if swapped else arms)))
        touched = _union(_written(first, 0), _written(second, 0))
        m.here.history.append(Effect(path, None, None, None, touched))
    return [merge(m, condition, a, b, k) for a, b, k in zip(values, others, kinds, strict=True)]


def _arm(
    m: NormalMachine, path: Path, run: Callable[[], Sequence[Any]]
) -> tuple[Scope, Sequence[Any]]:
    scope = _inside(m, path, [])
    try:
        return scope, run()
    finally:
        m.scopes.pop()


def _union(a: set[Any] | None, b: set[Any] | None) -> set[Any] | None:
    return None if a is None or b is None else a | b


def run_blocks(m: NormalMachine, region: Region, arguments: Sequence[Any]) -> Sequence[Any]:
    """A region of several blocks: nested branches, or where there is a cycle a graph."""
    order = _in_reverse_postorder(region.blocks[0])
    place = {block: i for i, block in enumerate(order)}
    if any(place[target] <= place[block] for block in order for target in _targets(block)):
        return _Graph(m, region, order).run(arguments)
    return _run_from(m, region.blocks[0], arguments, 0)


def _targets(block: Block) -> Sequence[Block]:
    return block.last_op.successors if block.last_op is not None else ()


def _in_reverse_postorder(entry: Block) -> list[Block]:
    """The blocks that can be reached, each after all that dominate it."""
    done: list[Block] = []
    seen = {entry}
    stack = [(entry, iter(_targets(entry)))]
    while stack:
        block, left = stack[-1]
        target = next(left, None)
        if target is None:
            done.append(block)
            stack.pop()
        elif target not in seen:
            seen.add(target)
            stack.append((target, iter(_targets(target))))
    return done[::-1]


class _Graph:
    """A region with a cycle, block by block; nothing is known of memory where a block begins."""

    def __init__(self, m: NormalMachine, region: Region, order: list[Block]) -> None:
        self.m, self.region, self.order = m, region, order
        self.path = (*m.here.path, len(m.here.events))

    def run(self, arguments: Sequence[Any]) -> Sequence[Any]:
        """Emit the graph; the values with which control leaves it."""
        blocks = [self._block(i, block, arguments) for i, block in enumerate(self.order)]
        self.m.emit(Graph(tuple(blocks)))
        self.m.here.history.append(Effect(self.path, None, None, None))
        kinds = _result_types(self.region.blocks[0])
        return [self._symbol(("left with", self.path, i), k) for i, k in enumerate(kinds)]

    def _symbol(self, key: Any, kind: Attribute) -> Any:
        if is_memref(kind):
            raise UnsupportedError("a memref that blocks of a cycle hand on")
        return OPAQUE if is_token(kind) else self.m.interner.symbol(key, kind)

    def _block(self, number: int, block: Block, arguments: Sequence[Any]) -> Any:
        m, path = self.m, (*self.path, number)
        given = (
            arguments
            if number == 0
            else [
                self._symbol(("block argument", path, i), a.type) for i, a in enumerate(block.args)
            ]
        )
        for parameter, argument in parameters(block, given):
            m.env[parameter] = argument
        scope = _inside(m, path, [Effect((*path, "head"), None, None, None)])
        saved = m.conditions
        m.conditions = [*saved, m.interner.truth(("reached", path))]
        try:
            for op in block.ops:
                m.execute(op)
            last = block.last_op
            if last is None:
                raise UnsupportedError("an empty block")
            return tuple(scope.events), self._edges(last)
        finally:
            m.scopes.pop()
            m.conditions = saved

    def _edges(self, last: Operation) -> Any:
        place = {block: i for i, block in enumerate(self.order)}
        onward = self.m.edges(last)
        if onward is None:
            return tuple(known(self.m.env[v]) for v in last.operands)
        return tuple((c, place[b], tuple(known(v) for v in values)) for c, b, values in onward)


def _run_from(
    m: NormalMachine, block: Block, arguments: Sequence[Any], depth: int
) -> Sequence[Any]:
    if depth > 40:
        raise UnsupportedError("control flow with too many branches")
    for parameter, argument in parameters(block, arguments):
        m.env[parameter] = argument
    last = None
    for op in block.ops:
        last = op
        m.execute(op)
    if last is None:
        raise UnsupportedError("an empty block")
    onward = m.edges(last)
    if onward is None:
        return [m.env[v] for v in last.operands]
    kinds: list[Attribute] = _result_types(block)
    cases = [(c, lambda b=b, v=v: _run_from(m, b, v, depth + 1)) for c, b, v in onward]
    cases[-1] = (True, cases[-1][1])
    return branch(m, cases, kinds)


def _result_types(block: Block) -> list[Attribute]:
    region = block.parent_region()
    if region is None:
        raise UnsupportedError("a block without a region")
    for other in region.blocks:
        last = other.last_op
        if last is not None and not last.successors:
            return [v.type for v in last.operands]
    return []


def for_loop(
    m: NormalMachine,
    op: Operation,
    bounds: tuple[Number, Number, Number],
    initial: Sequence[Any],
    region: Region,
) -> Sequence[Any]:
    """A counted loop; the number of its iterations and its counter are normal, not its bounds."""
    lower, _, step = bounds
    count = trip_count(m, bounds)
    if isinstance(count, int) and count <= 0:
        return list(initial)
    if isinstance(count, int) and count == 1:
        return m.run_region(region, [lower, *initial])
    block = region.blocks[0]
    dead = [
        not list(r.uses) and not list(p.uses)
        for r, p in zip(op.results, block.args[1:], strict=True)
    ]

    def run(counter: Number, values: list[Any]) -> Sequence[Any]:
        induction = lower + m.algebra.multiply(counter, step)
        return m.run_region(region, [induction, *values])

    return _Carried(m, op, count, initial, dead, run).results()


def trip_count(m: NormalMachine, bounds: tuple[Number, Number, Number]) -> Number:
    """How often a loop runs, or a number below one when it does not."""
    lower, upper, step = bounds
    if not isinstance(step, int) or step <= 0:
        if isinstance(step, int):
            raise UnsupportedError("a loop whose step is not positive")
        return m.interner.number(("trips", lower, upper, step), None, None)
    return -m.algebra.divide(lower - upper, step)


class _Carried:
    """A loop with carried values: those that only grow by a constant, or never change, go away."""

    def __init__(
        self,
        m: NormalMachine,
        op: Operation,
        count: Number,
        initial: Sequence[Any],
        dead: Sequence[bool],
        run: Callable[[Number, list[Any]], Sequence[Any]],
    ) -> None:
        self.m, self.op, self.count, self.run = m, op, count, run
        self.initial, self.dead = list(initial), dead
        self.path = (*m.here.path, len(m.here.events))
        _, high = t.interval(count)
        self.counter = m.interner.number(
            ("counter", self.path), 0, None if high is None else max(high - 1, 0)
        )
        self.kinds = [r.type for r in op.results]
        self.fixed: dict[int, Any] = {}

    def _symbols(self) -> list[Any]:
        place = 0
        values: list[Any] = []
        for i, kind in enumerate(self.kinds):
            if i in self.fixed:
                values.append(self.fixed[i])
                continue
            if self.dead[i] or is_token(kind):
                values.append(self.initial[i])
                continue
            if is_memref(kind):
                values.append(self.initial[i])
            else:
                values.append(self.m.interner.symbol(("carried", self.path, place), kind))
            place += 1
        return values

    def results(self) -> Sequence[Any]:
        """Run the body until its normal form is found; emit the loop when it has effects."""
        head: list[Effect] = [Effect((*self.path, "head"), None, None, None)]
        for _ in range(6):
            partial, demands = set(self.m.partial), list(self.m.demands)
            scope = _inside(self.m, (*self.path, "body"), head)
            before = self.m.conditions
            self.m.conditions = [*before, t.less(self.counter, self.count)]
            try:
                symbols = self._symbols()
                yields = list(self.run(self.counter, symbols))
            finally:
                self.m.scopes.pop()
                self.m.conditions = before
            written = _written(scope, len(head))
            better = (
                [Effect((*self.path, "head"), None, None, None, written)]
                if written != set()
                else []
            )
            changed = self._learn(symbols, yields)
            if not changed and better == head:
                return self._emit(scope, symbols, yields, written)
            head = better
            self.m.partial, self.m.demands = partial, demands
        raise UnsupportedError("a loop whose normal form is not found")

    def _learn(self, symbols: list[Any], yields: list[Any]) -> bool:
        changed = False
        for i, (symbol, handed) in enumerate(zip(symbols, yields, strict=True)):
            if self.dead[i] or i in self.fixed:
                self._confirm(i, handed)
                continue
            if isinstance(symbol, Views):
                if symbol != handed:
                    raise UnsupportedError("a memref that changes from iteration to iteration")
                self.fixed[i] = symbol
                changed = True
            elif known(symbol) == known(handed) and not is_token(self.kinds[i]):
                self.fixed[i] = self.initial[i]
                changed = True
        return changed

    def _confirm(self, i: int, handed: Any) -> None:
        if i in self.fixed and known(self.fixed[i]) != known(handed):
            raise UnsupportedError("a carried value whose form does not settle")

    def _emit(
        self, scope: Scope, symbols: list[Any], yields: list[Any], written: set[Any] | None
    ) -> Sequence[Any]:
        live = [
            i
            for i in range(len(symbols))
            if i not in self.fixed and not self.dead[i] and not is_token(self.kinds[i])
        ]
        initial = tuple(known(self.initial[i]) for i in live)
        handed = tuple(known(yields[i]) for i in live)
        event = Loop(
            is_parallel=False,
            count=(self.count,),
            initial=initial,
            body=tuple(scope.events),
            handed_on=handed,
        )
        m = self.m
        name: Any = self.path
        if scope.events:
            m.emit(event)
            m.here.history.append(Effect(self.path, None, None, None, written))
        else:
            name = ("pure loop", event, self.path)
        results: list[Any] = []
        for i, kind in enumerate(self.kinds):
            if i in self.fixed or self.dead[i] or is_token(kind):
                results.append(self.fixed.get(i, self.initial[i]))
            else:
                results.append(m.interner.symbol(("loop result", name, live.index(i)), kind))
        return results


def while_loop(m: NormalMachine, op: Operation, initial: Sequence[Any]) -> Sequence[Any]:
    """`scf.while`."""
    before, after = op.regions
    path = (*m.here.path, len(m.here.events))
    kinds = [a.type for a in before.blocks[0].args]
    values = [_carried_symbol(m, path, i, k) for i, k in enumerate(kinds)]
    head = [Effect((*path, "head"), None, None, None)]
    first = _inside(m, (*path, "before"), head)
    try:
        condition, *passed = m.run_region(before, values)
    finally:
        m.scopes.pop()
    second = _inside(m, (*path, "after"), [*head, *first.history.effects[1:]])
    try:
        handed = m.run_region(after, passed)
    finally:
        m.scopes.pop()
    plain = tuple(known(v) for v in initial)
    m.emit(
        While(
            plain,
            tuple(first.events),
            condition,
            tuple(known(v) for v in passed),
            tuple(second.events),
            tuple(known(v) for v in handed),
        )
    )
    m.here.history.append(Effect(path, None, None, None))
    return [_while_result(m, path, i, r.type) for i, r in enumerate(op.results)]


def _carried_symbol(m: NormalMachine, path: Path, index: int, kind: Attribute) -> Any:
    if is_memref(kind):
        raise UnsupportedError("a while loop that carries a memref")
    return OPAQUE if is_token(kind) else m.interner.symbol(("carried", path, index), kind)


def _while_result(m: NormalMachine, path: Path, index: int, kind: Attribute) -> Any:
    if is_memref(kind):
        raise UnsupportedError("a while loop that gives a memref")
    return OPAQUE if is_token(kind) else m.interner.symbol(("loop result", path, index), kind)


def grid_loop(
    m: NormalMachine,
    op: Operation,
    bounds: Sequence[tuple[Number, Number, Number]],
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
    scope = _inside(m, (*path, "body"), [Effect((*path, "head"), None, None, None)])
    try:
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
        m.here.history.append(Effect(path, None, None, None, _written(scope, 1)))
    return [
        m.interner.symbol(("loop result", path, i), r.type)
        for i, r in enumerate(op.results[: len(initial)])
    ]


def _coordinate(
    m: NormalMachine, path: Path, d: int, bounds: tuple[Number, Number, Number], count: Number
) -> Number:
    if isinstance(count, int) and count == 1:
        return bounds[0]
    _, high = t.interval(count)
    top = None if high is None else max(high - 1, 0)
    counter = m.interner.number(("counter", path, d), 0, top)
    return bounds[0] + m.algebra.multiply(counter, bounds[2])


def is_integer(kind: Attribute) -> bool:
    """Whether values of this type are numbers."""
    return scalar_bits(kind) is not None
