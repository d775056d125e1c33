"""Edits of what is handed over: arguments and results of functions, of blocks and of regions."""

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, FunctionType, ModuleOp, SymbolRefAttr
from xdsl.ir import Block, Operation
from xdsl.irdl import IRDLOperation

from verify.ir.names import all_attrs, attr, int_array, op_name, symbol_name
from verify.reduce.edit import Edit
from verify.reduce.values import (
    drop_operands,
    drop_result,
    erase,
    is_function,
    is_module,
    is_terminator,
    replace,
    stand_in,
)

_Site = tuple[Operation, int]
_KERNEL_OPERANDS = 7
_LOOP_INPUTS = {"scf.for": 3}


def _arguments(module: ModuleOp) -> list[_Site]:
    """Arguments of functions that have a body, the last first."""
    return [
        (op, index)
        for op in module.walk()
        if is_function(op) and op.regions[0].blocks
        for index in reversed(range(len(op.regions[0].blocks[0].args)))
    ]


def _drop_arguments(sites: Sequence[_Site]) -> bool:
    return True in [_drop_argument(op, index) for op, index in sites]


def _drop_argument(function: Operation, index: int) -> bool:
    """Take an argument off a function and off all calls to it."""
    entry = function.regions[0].blocks[0]
    kind = attr(function, "function_type")
    if not isinstance(kind, FunctionType) or entry.args[index].uses:
        return False
    if index >= len(kind.inputs.data):
        return False
    entry.erase_arg(entry.args[index])
    inputs = [each for k, each in enumerate(kind.inputs.data) if k != index]
    function.properties["function_type"] = FunctionType.from_lists(inputs, kind.outputs.data)
    _drop_item(function, "arg_attrs", index)
    for user in _users(function):
        first = _first_argument(user)
        if first is not None:
            drop_operands(user, [first + index])
    return True


def _drop_item(op: Operation, name: str, index: int) -> None:
    items = op.properties.get(name)
    if isinstance(items, ArrayAttr):
        kept = [each for k, each in enumerate(items.data) if k != index]
        op.properties[name] = ArrayAttr(kept)


def _first_argument(user: Operation) -> int | None:
    """At which operand the arguments of a call or a launch begin."""
    if op_name(user) == "func.call":
        return 0
    groups = int_array(user, "operandSegmentSizes")
    if op_name(user) == "gpu.launch_func" and groups:
        return sum(groups[: len(groups) - 2]) if len(groups) > _KERNEL_OPERANDS else None
    return None


def _users(function: Operation) -> list[Operation]:
    """The ops that name the function."""
    top: Operation = function
    while (above := top.parent_op()) is not None:
        top = above
    name = symbol_name(function)
    return [
        op
        for op in list(top.walk())
        if any(_last_part(each) == name for key, each in all_attrs(op) if key in _CALLEES)
    ]


_CALLEES = frozenset({"callee", "kernel"})


def _last_part(attribute: object) -> str | None:
    if not isinstance(attribute, SymbolRefAttr):
        return None
    parts = (attribute.root_reference, *attribute.nested_references.data)
    return parts[-1].data


def _results(module: ModuleOp) -> list[_Site]:
    return [
        (op, index)
        for op in module.walk()
        if op_name(op) == "func.func"
        for index in reversed(range(_count_of_results(op)))
    ]


def _count_of_results(op: Operation) -> int:
    kind = attr(op, "function_type")
    return len(kind.outputs.data) if isinstance(kind, FunctionType) else 0


def _drop_results(sites: Sequence[_Site]) -> bool:
    """Take results off functions and off all calls to them."""
    for function, index in sites:
        kind = attr(function, "function_type")
        assert isinstance(kind, FunctionType)
        outputs = [each for k, each in enumerate(kind.outputs.data) if k != index]
        function.properties["function_type"] = FunctionType.from_lists(kind.inputs.data, outputs)
        _drop_item(function, "res_attrs", index)
        for block in function.regions[0].blocks:
            if block.last_op is not None and op_name(block.last_op) == "func.return":
                drop_operands(block.last_op, [index])
        for user in _users(function):
            if op_name(user) == "func.call" and drop_result(user, index) is None:
                return False
    return bool(sites)


def _yields(module: ModuleOp) -> list[_Site]:
    """Results of ops that are yielded by each of their regions, the last first."""
    return [
        (op, index)
        for op in module.walk()
        if op.results and op.regions and not is_function(op) and not is_module(op)
        for index in reversed(range(len(op.results)))
    ]


def _drop_yields(sites: Sequence[_Site]) -> bool:
    op, index = sites[0]
    if op_name(op) in _LOOP_INPUTS:
        _drop_carried(op, index)
    last = [b.last_op for r in op.regions for b in r.blocks if b.last_op is not None]
    extra = len(op.results) - len(last[0].operands) if last else 0
    if index < extra and not isinstance(op, IRDLOperation):
        return False
    for each in last:
        if is_terminator(each) and 0 <= index - extra < len(each.operands):
            drop_operands(each, [index - extra])
    return drop_result(op, index) is not None


def _drop_carried(loop: Operation, index: int) -> None:
    """Take a value out of what a loop carries: inside, its first value stands for it."""
    first = _LOOP_INPUTS[op_name(loop)]
    body = loop.regions[0].blocks[0]
    argument = body.args[index + 1]
    replace(argument, loop.operands[first + index])
    body.erase_arg(argument)
    replace(loop.results[index], loop.operands[first + index])
    drop_operands(loop, [first + index])


def _block_arguments(module: ModuleOp) -> list[tuple[Block, int]]:
    return [
        (block, index)
        for op in module.walk()
        for region in op.regions
        for block in list(region.blocks)[1:]
        for index in reversed(range(len(block.args)))
    ]


def _drop_block_arguments(sites: Sequence[tuple[Block, int]]) -> bool:
    """Take an argument off a block and off all branches to it."""
    block, index = sites[0]
    argument, first = block.args[index], block.first_op
    if argument.uses:
        other = stand_in(argument, first) if first is not None else None
        if other is None:
            return False
        replace(argument, other)
    region = block.parent_region()
    for each in region.blocks if region is not None else ():
        if each.last_op is not None and block in each.last_op.successors:
            drop_operands(each.last_op, list(_handed_over(each.last_op, block, index)))
    block.erase_arg(argument)
    return True


def _handed_over(branch: Operation, block: Block, index: int) -> list[int]:
    groups = int_array(branch, "operandSegmentSizes")
    if groups is None:
        return [index]
    starts = [sum(groups[: k + 1]) for k in range(len(groups))]
    return [starts[k] + index for k, each in enumerate(branch.successors) if each is block]


def _asynchronous(module: ModuleOp) -> list[Operation]:
    """Operands that are no data: tokens that an op waits for."""
    return [op for op in module.walk() if any(_is_token(value.type) for value in op.operands)]


def _is_token(kind: object) -> bool:
    return str(kind) in ("!gpu.async.token", "!async.token")


def _drop_tokens(sites: Sequence[Operation]) -> bool:
    op = sites[0]
    if is_terminator(op):
        return False
    drop_operands(op, [k for k, value in enumerate(op.operands) if _is_token(value.type)][-1:])
    if not op.operands and not op.results and not op.regions:
        erase(op)
    return True


PARAMETERS = Edit("arguments", _arguments, _drop_arguments)
RESULTS = Edit("results", _results, _drop_results)
YIELDS = Edit("yields", _yields, _drop_yields, is_joint=False)
BLOCK_ARGUMENTS = Edit("block arguments", _block_arguments, _drop_block_arguments, is_joint=False)
TOKENS = Edit("tokens", _asynchronous, _drop_tokens, is_joint=False)
