"""Edits of ops with regions and of blocks: hoist a body, choose a branch, join blocks, inline."""

from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.cf import BranchOp
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Block, Operation, SSAValue

from verify.ir.names import int_array, op_name
from verify.reduce.edit import Edit
from verify.reduce.values import (
    constant_before,
    erase,
    is_function,
    is_module,
    is_symbol,
    is_terminator,
    replace,
    stand_in,
)

_Region = tuple[Operation, int]


def _bodies(module: ModuleOp) -> list[_Region]:
    """Regions of one block that could stand in place of their op, the outermost first."""
    return [
        (op, index)
        for op in module.walk()
        if op is not module and not is_function(op) and (not is_symbol(op) or is_module(op))
        for index, region in enumerate(op.regions)
        if len(region.blocks) == 1
    ]


def _hoist(sites: Sequence[_Region]) -> bool:
    return True in [_hoist_one(op, index) for op, index in sites]


def _hoist_one(op: Operation, index: int) -> bool:
    """Put the ops of a region in place of the op; what it was given stands for its arguments."""
    body = op.regions[index].blocks.first
    assert body is not None
    results = _taken_yield(body)
    for argument in list(body.args):
        other = _given(argument, op)
        if argument.uses and other is None:
            return False
        if other is not None:
            replace(argument, other)
    _move_before(body, op)
    for result in op.results:
        fitting = [value for value in results if value.type == result.type]
        other = fitting[0] if fitting else stand_in(result, op)
        if result.uses and other is None:
            return False
        if other is not None:
            replace(result, other)
            results = [value for value in results if value is not other]
    erase(op)
    return True


def _taken_yield(body: Block) -> list[SSAValue]:
    """What the block hands over at its end; its terminator goes."""
    last = body.last_op
    if last is None or not is_terminator(last):
        return []
    results = list(last.operands)
    erase(last)
    return results


def _given(argument: SSAValue, op: Operation) -> SSAValue | None:
    fitting = [value for value in op.operands if value.type == argument.type]
    index = getattr(argument, "index", 0)
    if fitting:
        return fitting[max(0, index - 1)] if len(fitting) == len(op.operands) - 3 else fitting[0]
    return stand_in(argument, op) or constant_before(argument.type, op, 0)


def _move_before(body: Block, op: Operation) -> None:
    block = op.parent_block()
    assert block is not None
    for inner in list(body.ops):
        inner.detach()
        block.insert_op_before(inner, op)


def _choices(module: ModuleOp) -> list[tuple[Operation, int]]:
    return [
        (op, index)
        for op in module.walk()
        if len(op.successors) > 1
        for index in range(len(op.successors))
    ]


def _choose(sites: Sequence[tuple[Operation, int]]) -> bool:
    """Always take one of the successors, with what it is given."""
    op, index = sites[0]
    groups = int_array(op, "operandSegmentSizes") or ()
    if op_name(op) != "cf.cond_br" or len(groups) != 3:
        return False
    begin = sum(groups[: index + 1])
    given = list(op.operands)[begin : begin + groups[index + 1]]
    block, region = op.parent_block(), op.parent_region()
    assert block is not None
    assert region is not None
    block.insert_op_before(BranchOp.create(operands=given, successors=[op.successors[index]]), op)
    erase(op)
    _drop_unreachable(region.blocks)
    return True


def _drop_unreachable(blocks: Sequence[Block]) -> None:
    """Erase the blocks to which no way leads from the first."""
    pending, reached = [blocks[0]], {blocks[0]}
    while pending:
        last = pending.pop().last_op
        for successor in last.successors if last is not None else ():
            if successor not in reached:
                reached.add(successor)
                pending.append(successor)
    lost = [block for block in list(blocks) if block not in reached]
    for block in lost:
        for op in list(block.ops)[::-1]:
            erase(op)
    for block in lost:
        region = block.parent_region()
        assert region is not None
        region.detach_block(block)


def _joints(module: ModuleOp) -> list[Operation]:
    return [op for op in module.walk() if isinstance(op, BranchOp)]


def _join(sites: Sequence[Operation]) -> bool:
    """Put a block behind the only one that goes to it."""
    branch = sites[0]
    target, block = branch.successors[0], branch.parent_block()
    region = target.parent_region()
    if block is None or region is None or target is region.blocks.first or target is block:
        return False
    ways = [b for b in region.blocks for op in b.ops for s in op.successors if s is target]
    if len(ways) != 1:
        return False
    for argument, value in zip(list(target.args), list(branch.operands), strict=True):
        replace(argument, value)
    _move_before(target, branch)
    erase(branch)
    region.detach_block(target)
    return True


def _calls(module: ModuleOp) -> list[Operation]:
    return [op for op in module.walk() if isinstance(op, CallOp)]


def _inline(sites: Sequence[Operation]) -> bool:
    """Put the body of a function of one block in place of a call to it."""
    call = sites[0]
    assert isinstance(call, CallOp)
    name = call.callee.string_value()
    found = [op for op in _all(call) if isinstance(op, FuncOp) and op.sym_name.data == name]
    if len(found) != 1 or len(found[0].body.blocks) != 1:
        return False
    body = found[0].body.clone().blocks[0]
    last = body.last_op
    if not isinstance(last, ReturnOp):
        return False
    for argument, value in zip(list(body.args), list(call.operands), strict=True):
        replace(argument, value)
    results = list(last.operands)
    erase(last)
    _move_before(body, call)
    for result, value in zip(call.results, results, strict=True):
        replace(result, value)
    erase(call)
    users = (op for op in _all(found[0]) if isinstance(op, CallOp))
    if all(op.callee.string_value() != name for op in users):
        erase(found[0])
    return True


def _all(op: Operation) -> list[Operation]:
    """All ops of the module around `op`."""
    top = op.parent_op()
    while top is not None and not is_module(top):
        top = top.parent_op()
    return list(top.walk()) if top is not None else []


BODIES = Edit("bodies", _bodies, _hoist, is_joint=False)
CHOICES = Edit("branches", _choices, _choose, is_joint=False)
JOINTS = Edit("blocks", _joints, _join, is_joint=False)
CALLS = Edit("calls", _calls, _inline, is_joint=False)
