"""Edits of what runs when: ops put in branches and loops, bounds, schedules, tokens."""

from __future__ import annotations

import random

from xdsl.dialects.builtin import BoolAttr
from xdsl.ir import Block, Operation, Region

from fuzz.edit_places import is_statement, put_before, run_of
from fuzz.strategies.whole_ops import make_op, segments
from verify.ir.attributes import parse_attribute
from verify.ir.names import op_name, operand_segments, set_attr
from verify.semantics.views_by_name import CHECKPOINT_ATTRIBUTE, is_checkpointed, is_loop

_SCHEDULES = (
    ("enzyme.checkpoint_period", "2 : i64"),
    ("enzyme.binomial_checkpointing", "2 : i64"),
    ("enzyme.binomial_checkpointing", "true"),
)
_TOKENS = ("!gpu.async.token", "!async.token")


def in_a_branch(draw: random.Random, ops: list[Operation]) -> None:
    """Some ops of a block in an `scf.if` that is always taken."""
    run = _some_run(draw, ops)
    if not run:
        return
    flag = put_before(run[0], "arith.constant", (), ["i1"], {"value": "true"})
    body = Block()
    put_before(run[0], "scf.if", flag.results, (), {}, [Region(body), Region()])
    _move(run, body)


def in_a_loop(draw: random.Random, ops: list[Operation]) -> None:
    """Some ops of a block in a loop of one iteration, which may be checkpointed."""
    run = _some_run(draw, ops)
    if not run:
        return
    bounds = [
        put_before(run[0], "arith.constant", (), ["index"], {"value": f"{n} : index"}).results[0]
        for n in (0, 1, 1)
    ]
    attributes = {CHECKPOINT_ATTRIBUTE: "true"} if draw.random() < 0.6 else {}
    body = Block(arg_types=[bounds[0].type])
    put_before(run[0], "scf.for", bounds, (), attributes, [Region(body)])
    _move(run, body)


def _some_run(draw: random.Random, ops: list[Operation]) -> list[Operation]:
    fits = [op for op in ops if is_statement(op)]
    return run_of(draw.choice(fits), draw.randint(1, 4)) if fits else []


def _move(run: list[Operation], body: Block) -> None:
    for op in run:
        op.detach()
        body.add_op(op)
    body.add_op(make_op("scf.yield", (), (), {}))


def swapped_bounds(draw: random.Random, ops: list[Operation]) -> None:
    """A loop from its upper bound to its lower one."""
    loops = [op for op in ops if op_name(op) == "scf.for"]
    if loops:
        loop = draw.choice(loops)
        loop.operands[0], loop.operands[1] = loop.operands[1], loop.operands[0]


def checkpointing(draw: random.Random, ops: list[Operation]) -> None:
    """A loop that was not checkpointed is, or the other way round."""
    loops = [op for op in ops if is_loop(op)]
    if loops:
        loop = draw.choice(loops)
        value = BoolAttr.from_bool(not is_checkpointed(loop))
        loop.attributes[CHECKPOINT_ATTRIBUTE] = value


def scheduled(draw: random.Random, ops: list[Operation]) -> None:
    """A loop that is checkpointed after a schedule."""
    loops = [op for op in ops if is_loop(op)]
    if loops:
        loop = draw.choice(loops)
        name, value = draw.choice(_SCHEDULES)
        loop.attributes[CHECKPOINT_ATTRIBUTE] = parse_attribute("true")
        loop.attributes[name] = parse_attribute(value)


def without_token(draw: random.Random, ops: list[Operation]) -> None:
    """An asynchronous op that waits for one thing less."""
    fits = [op for op in ops if _dependencies(op) and len(op.operands) > 1]
    if not fits:
        return
    op = draw.choice(fits)
    groups = operand_segments(op)
    place = draw.randrange(_dependencies(op))
    op.operands = [v for i, v in enumerate(op.operands) if i != place]
    if len(groups) > 1:
        sizes = [len(groups[0]) - 1, *map(len, groups[1:])]
        set_attr(op, "operandSegmentSizes", segments(*sizes))


def _dependencies(op: Operation) -> int:
    """How many tokens an op has in front of its other operands."""
    if not op_name(op).startswith(("gpu.", "async.execute")):
        return 0
    first = operand_segments(op)[0]
    count = 0
    while count < len(first) and str(first[count].type) in _TOKENS:
        count += 1
    return count
