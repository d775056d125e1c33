"""How the symbolic machine runs loops and branching regions.

A loop body runs once for an arbitrary iteration; the checks tell two iterations apart when they
encode it. Integers carried from one iteration to the next are followed where each iteration adds
a constant; everything else that is carried is unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from xdsl.ir import Operation, Region, SSAValue

from verify.ir.names import op_name
from verify.model import joins
from verify.model.done import ALL, Done
from verify.model.induction import Progress, Steps
from verify.model.memory import Capture, Checkpoint, LoopInfo
from verify.model.order import (
    AsyncValue,
    Frozen,
    Order,
    Path,
    Token,
    entered,
    joined_path,
    joined_token,
    left,
    spread,
)
from verify.model.snapshots import capture_views, seen_through
from verify.semantics import term as t
from verify.semantics.arith import scalar_bits
from verify.semantics.term import Condition, Number, Var
from verify.semantics.types import UnsupportedError, is_memref
from verify.semantics.values import Opaque, View, Views
from verify.semantics.views_by_name import captures, is_checkpointed, is_clonable

if TYPE_CHECKING:
    from verify.model.symbolic import SymbolicMachine

BARRIERS = frozenset({"gpu.barrier", "enzymexla.barrier", "nvvm.barrier0", "nvvm.barrier"})


@contextmanager
def inside(m: SymbolicMachine, info: LoopInfo) -> Generator[None]:
    """Run the body of a loop."""
    depth = len(m.conditions)
    m.loops.append(info)
    m.positions.append(0)
    try:
        yield
    finally:
        m.loops.pop()
        m.positions.pop()
        del m.conditions[depth:]


@contextmanager
def checkpointed(m: SymbolicMachine, op: Operation, info: LoopInfo) -> Generator[Checkpoint | None]:
    """Run a checkpointed loop: its body sees its captures through snapshots."""
    if not is_checkpointed(op):
        yield None
        return
    values = [v for v in captures(op) if is_clonable(v.type)]
    saved = {v: m.value(v) for v in values}
    point = Checkpoint(info, [], tuple(m.conditions), tuple(m.loops), calls=tuple(m.calls))
    info.checkpoint = point
    with inside(m, info):
        point.captures = capture_views(m, info, values)
    start = len(m.accesses)
    m.active.append(point)
    try:
        yield point
    finally:
        m.active.pop()
        m.env.update(saved)
    point.accesses = [a for a in m.accesses[start:] if not a.lifetime]
    m.checkpoints.append(point)


class Mark:
    """What a trial run of a body may have recorded, to be forgotten again."""

    def __init__(self, m: SymbolicMachine) -> None:
        self.sizes = (len(m.accesses), len(m.checkpoints), len(m.unsupported), m.positions[-1])
        self.order = (len(m.order.log), len(m.waits), len(m.defined))
        self.points = [(p, len(p.layout_uses), len(p.unsupported)) for p in m.active]

    def rewind(self, m: SymbolicMachine) -> None:
        del m.accesses[self.sizes[0] :]
        del m.checkpoints[self.sizes[1] :]
        del m.unsupported[self.sizes[2] :]
        m.positions[-1] = self.sizes[3]
        del m.order.log[self.order[0] :]
        del m.waits[self.order[1] :]
        del m.defined[self.order[2] :]
        for point, uses, unsupported in self.points:
            del point.layout_uses[uses:]
            del point.unsupported[unsupported:]


def carried(
    m: SymbolicMachine,
    info: LoopInfo,
    point: Checkpoint | None,
    parameters: Sequence[SSAValue],
    initial: Sequence[Any],
    run: Callable[[list[Any]], Sequence[Any]],
    progress: Progress | None = None,
) -> tuple[list[Any], Sequence[Any]]:
    """Values of the loop-carried arguments in an arbitrary iteration, and what it hands on.

    `run` runs the body on arguments. Bodies are run again until the views that come round are
    covered; the last run is the one that counts.
    """
    arguments = [_start(m, info, point, p, v) for p, v in zip(parameters, initial, strict=True)]
    steps = Steps(m.algebra, info, parameters, m.scope, progress)
    rounds = _Rounds(m.order, initial)
    try:
        for _ in range(16):
            mark = Mark(m)
            yields = run(rounds.begin(arguments))
            better = [
                _next_views(m, info, point, p, a, y) if isinstance(a, Views) else a
                for p, a, y in zip(parameters, arguments, yields, strict=True)
            ]
            if _all_same(arguments, better):
                better = steps.better(arguments, initial, yields)
            settled = rounds.is_settled(yields)
            if progress is not None:
                settled &= progress.is_settled()
            if settled and _all_same(arguments, better):
                return rounds.end(arguments), yields
            mark.rewind(m)
            arguments = better
    except UnsupportedError:
        rounds.abandon()
        raise
    rounds.abandon()
    raise UnsupportedError("what a loop carries takes too many forms")


class _Rounds:
    """The greatest fixpoint of what is complete at the head of a loop.

    The first round takes what holds before the loop; each further one only what also holds when
    an iteration ends.
    """

    def __init__(self, order: Order, initial: Sequence[Any]) -> None:
        self.order = order
        self.initial = [entered(order.freeze(v)) for v in initial]
        order.enter()
        self.entry = order.path()
        self.head = self.entry
        self.tokens = [v if isinstance(v, Frozen | AsyncValue) else None for v in self.initial]
        self.body = 0
        self.seen = 0

    def begin(self, arguments: Sequence[Any]) -> list[Any]:
        """The arguments of the next round, at the head of the loop.

        Earlier iterations may have issued what the body issues, any number of times, since a
        token from outside the loop was made.
        """
        self.order.resume(self.head)
        if self.body:
            self.order.log += [(self.body, 0), (self.body, 0)]
        self.seen, self.order.touched = self.order.touched, 0
        return self._with_tokens(arguments)

    def _with_tokens(self, arguments: Sequence[Any]) -> list[Any]:
        pairs = zip(self.tokens, arguments, strict=True)
        return [a if token is None else self.order.thaw(token) for token, a in pairs]

    def is_settled(self, yields: Sequence[Any]) -> bool:
        """Whether the end of an iteration confirms what the round took for granted."""
        end = self.order.path()
        head = joined_path([self.entry, end])
        tokens = [
            None if token is None else self._joined(start, last, end, head)
            for token, start, last in zip(self.tokens, self.initial, yields, strict=True)
        ]
        inside = self.order.touched
        self.order.touched = self.seen | inside
        settled = (head, tokens, inside) == (self.head, self.tokens, self.body)
        self.head, self.tokens, self.body = head, tokens, inside
        return settled

    def _joined(self, start: Any, last: Any, end: Path, head: Path) -> Any:
        first = spread(start, self.entry, head.issued)
        again = spread(self.order.freeze(last), end, head.issued)
        found = joined_token(first, again)
        return Frozen(Done()) if found is None else found

    def end(self, arguments: Sequence[Any]) -> list[Any]:
        """The arguments at the head of the loop, where it ends."""
        self.order.resume(self.head)
        self.order.leave(self.body)
        self.tokens = [left(token, self.body) for token in self.tokens]
        return self._with_tokens(arguments)

    def abandon(self) -> None:
        """The loop cannot be followed."""
        self.order.leave(ALL)


def _all_same(first: Sequence[Any], second: Sequence[Any]) -> bool:
    return all(a is b for a, b in zip(first, second, strict=True))


def _start(
    m: SymbolicMachine, info: LoopInfo, point: Checkpoint | None, parameter: SSAValue, value: Any
) -> Any:
    if isinstance(value, Views):
        return _captured(m, info, point, parameter, value)
    kind = parameter.type
    bits = scalar_bits(kind)
    if bits == 1:
        return m.algebra.fresh_truth("carried", m.scope)
    if bits is not None:
        return m.algebra.fresh("carried", bits, m.scope)
    return m.unknown(info.op, kind) if is_memref(kind) or isinstance(value, Opaque) else value


def _captured(
    m: SymbolicMachine, info: LoopInfo, point: Checkpoint | None, parameter: SSAValue, value: Views
) -> Views:
    if point is None or not is_clonable(parameter.type):
        return value
    for known in point.captures:
        if known.value is parameter:
            return seen_through(m, info, known, value)
    capture = Capture(parameter, value, len(point.captures), is_argument=True)
    point.captures.append(capture)
    return seen_through(m, info, capture, value)


def _next_views(
    m: SymbolicMachine,
    info: LoopInfo,
    point: Checkpoint | None,
    parameter: SSAValue,
    argument: Views,
    handed_on: Views,
) -> Views:
    """Cover what comes round: as it is, and, where a segment starts there, through a snapshot."""
    known = joins.all_choices([argument])
    outer = m.scope[:-1] if m.scope[-1:] == (info.id,) else m.scope
    general = [v for v in known if joins.is_general(v, info.id)]
    fresh: list[View] = []
    for view in joins.all_choices([handed_on]):
        for form in _forms(m, info, point, parameter, view):
            plain = replace(form, assumed=())
            if (
                plain in known
                or plain in fresh
                or any(joins.covers(g, form, info.id) for g in general)
            ):
                continue
            fresh.append(form)
    if not fresh and _is_unconditional(argument, handed_on, info):
        return argument
    scope = (*outer, info.id)
    by_key: dict[object, list[View]] = {}
    for view in [*known, *fresh]:
        by_key.setdefault(joins.shape_key(view), []).append(view)
    result = [
        vs[0]
        if len(vs) == 1 and joins.is_stable(vs[0], outer)
        else joins.generalised(vs, scope, outer)
        for vs in by_key.values()
    ]
    return joins.any_of_views([replace(v, assumed=()) for v in result], scope)


def _is_unconditional(argument: Views, handed_on: Views, info: LoopInfo) -> bool:
    """Whether the choices of `argument` hold in every iteration, whatever comes round.

    They do when they are always open, or when the very same choice comes round again.
    """
    if argument is handed_on or argument.choices == handed_on.choices:
        return True
    variables = [v for c, _ in argument.choices for v in t.variables(c)]
    return all(isinstance(v, t.BoolVar) and v.scope[-1:] == (info.id,) for v in variables)


def _forms(
    m: SymbolicMachine, info: LoopInfo, point: Checkpoint | None, parameter: SSAValue, view: View
) -> list[View]:
    if point is None or not is_clonable(parameter.type):
        return [joins.left_behind(view, info.id)]
    view = joins.left_behind(view, info.id)
    via = tuple(pair for pair in view.via if pair[0] != info.id)
    bare = replace(view, via=via)
    snapshot = _captured(m, info, point, parameter, Views(((True, bare),)))
    return [view, *(v for _, v in snapshot.choices)]


def results(
    m: SymbolicMachine,
    op: Operation,
    initial: Sequence[Any],
    yields: Sequence[Any],
    head: Sequence[Any],
) -> list[Any]:
    """The results of a loop: the initial values or what the last iteration handed on.

    Tokens are those at the head of the loop, where it ends.
    """
    found: list[Any] = []
    for result, start, last, kept in zip(op.results, initial, yields, head, strict=True):
        if isinstance(kept, Token | AsyncValue):
            found.append(kept)
        elif isinstance(start, Views) and isinstance(last, Views):
            found.append(joins.joined_views([start, _without_loop(last, m)], m.scope))
        else:
            found.append(m.unknown(op, result.type))
    return found


def _without_loop(views: Views, m: SymbolicMachine) -> Views:
    """Outside a checkpointed loop nothing is reached through its snapshots."""
    active = {info.id for info in m.loops}
    return views.map(lambda v: replace(v, via=tuple(p for p in v.via if p[0] in active)))


def for_loop(
    m: SymbolicMachine,
    op: Operation,
    bounds: tuple[Number, Number, Number],
    initial: Sequence[Any],
    region: Region,
) -> Sequence[Any]:
    """`scf.for` and `affine.for`."""
    info = LoopInfo(op, "for")
    induction, limits = _induction(m, info, bounds)
    if False in limits:
        return list(initial)
    with checkpointed(m, op, info) as point, inside(m, info):
        m.conditions.extend(limits)
        arguments, yields = carried(
            m,
            info,
            point,
            region.blocks[0].args[1:],
            initial,
            lambda values: m.run_region(region, [induction, *values]),
        )
    m.step()
    return results(m, op, initial, yields, arguments)


def _induction(
    m: SymbolicMachine, info: LoopInfo, bounds: tuple[Number, Number, Number]
) -> tuple[Number, list[Condition]]:
    """The induction variable of an arbitrary iteration and what bounds it."""
    lower, upper, step = bounds
    scope = (*m.scope, info.id)
    low, _ = t.interval(lower)
    _, high = t.interval(upper)
    if isinstance(step, int) and step > 0:
        last = None if low is None or high is None else (high - 1 - low) // step
        if last is not None and last < 0:
            return 0, [False]
        counter = Var("iteration", 0, last, scope, ("iteration", info.op)).term()
        induction = lower + t.times(counter, step)
        info.order, info.counter = (counter,), counter
        limit = t.less(induction, upper)
        info.counted = (*info.counted, (counter, limit))
        info.starts = (*info.starts, t.equal(counter, 0))
        return induction, [limit]
    m.require(t.at_most(1, step))
    top = None if high is None else high - 1
    induction = Var("induction", low, top, scope, ("induction", info.op)).term()
    info.order = (induction,)
    limits = [t.at_most(lower, induction), t.less(induction, upper), t.at_most(1, step)]
    start = t.any_of([t.at_most(upper, lower), t.equal(induction, lower)])
    info.starts = (*info.starts, start)
    return induction, limits


def while_loop(m: SymbolicMachine, op: Operation, initial: Sequence[Any]) -> Sequence[Any]:
    """`scf.while`: the first region decides, the second is the body."""
    info = LoopInfo(op, "while")
    before, after = op.regions
    counter = Var("iteration", 0, None, (*m.scope, info.id), ("iteration", op)).term()
    info.order, info.counter, info.starts = (counter,), counter, (t.equal(counter, 0),)
    passed: list[Any] = []
    leaving: list[Path] = []
    progress = Progress(info, counter)

    def run(values: list[Any]) -> Sequence[Any]:
        depth = len(m.conditions)
        m.conditions.extend(progress.assumed)
        condition, *handed = m.run_region(before, values)
        passed[:] = [m.order.freeze(v) for v in handed]
        leaving[:] = [m.order.path()]
        going = condition if isinstance(condition, bool | t.Cond) else True
        progress.goes_on(going)
        with m.under(going):
            results = m.run_region(after, handed)
        del m.conditions[depth:]
        return results

    with checkpointed(m, op, info) as point, inside(m, info):
        carried(m, info, point, before.blocks[0].args, initial, run, progress)
    m.step()
    m.order.resume(leaving[0].left(m.order.batch))
    handed = [m.order.thaw(left(v, m.order.batch)) for v in passed]
    return results(m, op, handed, handed, handed) if op.results else []


def grid_loop(
    m: SymbolicMachine,
    op: Operation,
    bounds: Sequence[tuple[Number, Number, Number]],
    initial: Sequence[Any],
    body: Callable[[Sequence[Number], Sequence[Any]], Sequence[Any]],
) -> Sequence[Any]:
    """Parallel loops and kernels, in row-major order; with a barrier inside, in no order."""
    info = LoopInfo(op, "grid")
    pairs = [_induction(m, info, b) for b in bounds]
    point_values = [induction for induction, _ in pairs]
    limits = [c for _, cs in pairs for c in cs]
    info.order = tuple(point_values)
    info.counter = None
    info.is_unordered = any(op_name(inner) in BARRIERS for inner in op.walk())
    if False in limits:
        return list(initial)

    def run(_: list[Any]) -> Sequence[Any]:
        body(point_values, [m.unknown(op, r.type) for r in op.results][: len(initial)])
        return []

    with checkpointed(m, op, info) as point, inside(m, info):
        m.conditions.extend(limits)
        carried(m, info, point, [], [], run)
    m.step()
    return [m.unknown(op, r.type) for r in list(op.results)[: len(initial)]]
