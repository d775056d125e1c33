"""Tasks of the host for the family `whole`: `async.execute`, values between tasks, groups."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.ir import Attribute, SSAValue

from fuzz.strategies.whole_ops import segments
from fuzz.strategies.whole_types import Ref, Work
from fuzz.strategies.whole_updates import close
from fuzz.strategies.whole_writer import Touched, Writer


def execute(w: Writer) -> None:
    """A task, which comes after those in its way or is awaited at once."""
    _execute(w)


def _execute(w: Writer) -> SSAValue:
    """A task; what it does is written first, since that says what is in its way."""
    taken = [x for x in w.scope.pending if x.result is not None and x.kind == "task"]
    taken = taken[-1:] if w.flip(60) else []
    gives = w.weighted({"": 5, "f32": 3, "memref": 2})
    ref = w.pick(lambda r: r.is_static_line) if gives == "memref" else None
    result_kind = ref.kind.text() if ref is not None else "f32" if gives else ""
    block, place = w.block, w.place
    with w.recorded() as touched:
        kinds = [_inner(x) for x in taken]
        region = w.region(kinds, lambda args: _body(w, taken, args, gives, ref))
    w.block, w.place = block, place
    tokens = _in_the_way(w, touched, [x.token for x in taken])
    values = [x.result for x in taken if x.result is not None]
    results = ["!async.token", *([f"!async.value<{result_kind}>"] if gives else [])]
    attributes = {"operandSegmentSizes": segments(len(tokens), len(values))}
    made = w.op("async.execute", [*tokens, *values], results, attributes, [region]).results
    reads, writes = [*touched.reads], [*touched.writes]
    for work in [x for x in w.scope.pending if x.token in tokens or x in taken]:
        if work not in w.scope.inherited:
            w.scope.pending.remove(work)
            reads, writes = [*reads, *work.reads], [*writes, *work.writes]
    result = made[1] if gives else None
    w.scope.pending.append(Work(made[0], "task", tuple(reads), tuple(writes), result, ref))
    return made[0]


def _inner(work: Work) -> Attribute | str:
    assert work.result is not None
    return str(work.result.type).removeprefix("!async.value<").removesuffix(">")


def _body(
    w: Writer, taken: Sequence[Work], arguments: Sequence[SSAValue], gives: str, ref: Ref | None
) -> None:
    """Some statements; the task does not wait for what others wait for."""
    w.place = "task"
    w.scope.pending, w.scope.inherited = [], ()
    for work, value in zip(taken, arguments, strict=True):
        w.receive(work, value)
    w.statements(w.draw.randint(1, 3))
    close(w)
    given = ref.value if ref is not None else w.scalar("f32") if gives else None
    w.op("async.yield", [] if given is None else [given])


def _in_the_way(w: Writer, touched: Touched, known: Sequence[SSAValue]) -> list[SSAValue]:
    """The tokens of tasks that a new one must come after; GPU work is awaited."""
    tokens: list[SSAValue] = []
    for work in [*w.scope.pending]:
        is_met = work.meets([*touched.reads], is_write=False) or w.flip(15)
        is_met = is_met or work.meets([*touched.writes], is_write=True)
        if work.token in known or not is_met or w.flip(w.carelessness):
            continue
        if work.kind == "task":
            tokens.append(work.token)
        else:
            w.await_(work)
    return tokens


def group(w: Writer) -> None:
    """A group of tasks that are awaited together."""
    number = w.draw.randint(1, 2)
    made = w.op("async.create_group", [w.constant(number)], ["!async.group"]).results[0]
    tokens: list[SSAValue] = []
    for _ in range(number):
        tokens.append(_execute(w))
        operands = [tokens[-1], made]
        w.op("async.add_to_group", operands, ["index"])
    w.op("async.await_all", [made])
    w.scope.pending = [x for x in w.scope.pending if x.token not in tokens]


def relay(w: Writer) -> None:
    """Two tasks in a row, the second of which may take what the first gives."""
    _execute(w)
    _execute(w)


def await_one(w: Writer) -> None:
    """Wait for one task."""
    fits = [work for work in w.scope.pending if work.kind == "task"]
    if fits:
        w.await_(w.draw.choice(fits))


TASKS: dict[Callable[[Writer], None], int] = {execute: 6, group: 1, await_one: 1, relay: 3}
"""The productions, each with a weight."""
