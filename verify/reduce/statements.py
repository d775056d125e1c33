"""Edits that take single ops out: symbols of modules, and ops whose results something replaces."""

from collections.abc import Callable, Sequence

from xdsl.dialects.builtin import FunctionType, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from verify.ir.names import op_name
from verify.reduce.edit import Edit
from verify.reduce.values import (
    constant_before,
    erase,
    is_gone,
    is_symbol,
    is_terminator,
    replace,
    stand_in,
)

_Finder = Callable[[SSAValue, Operation], SSAValue | None]


def _symbols(module: ModuleOp) -> list[Operation]:
    return [op for op in module.walk() if is_symbol(op)][::-1]


def _erase_symbols(symbols: Sequence[Operation]) -> bool:
    for op in symbols:
        if not is_gone(op):
            erase(op)
    return bool(symbols)


def _statements(module: ModuleOp) -> list[Operation]:
    """Ops inside of functions, the last first, so that users go before what they use."""
    return [
        op for op in module.walk() if op is not module and not (is_symbol(op) or is_terminator(op))
    ][::-1]


def _unused(module: ModuleOp) -> list[Operation]:
    return [
        op
        for op in _statements(module)
        if op.results and not op.regions and not any(result.uses for result in op.results)
    ]


def _needed(module: ModuleOp) -> list[Operation]:
    return [op for op in _statements(module) if any(result.uses for result in op.results)]


def _erase_with(finder: _Finder) -> Callable[[Sequence[Operation]], bool]:
    def change(ops: Sequence[Operation]) -> bool:
        return True in [_erase_one(op, finder) for op in ops]

    return change


def _erase_one(op: Operation, finder: _Finder) -> bool:
    """Erase an op for whose results others are found; else leave it."""
    if is_gone(op):
        return False
    others: list[tuple[SSAValue, SSAValue]] = []
    for result in op.results:
        if result.uses:
            other = finder(result, op)
            if other is None:
                return False
            others.append((result, other))
    for result, other in others:
        replace(result, other)
    erase(op)
    return True


def _erase_with_users(ops: Sequence[Operation]) -> bool:
    done = False
    for op in ops:
        if not is_gone(op):
            done |= _erase_tree(op)
    return done


def _erase_tree(op: Operation) -> bool:
    """Erase an op and all that uses its results; nothing when a terminator does."""
    pending, doomed = [op], dict[Operation, None]()
    while pending:
        current = pending.pop()
        if is_terminator(current) or is_symbol(current):
            return False
        doomed[current] = None
        inside = [result for each in current.walk() for result in each.results]
        users = [use.operation for result in inside for use in result.uses]
        pending += [user for user in users if user not in doomed]
    for each in doomed:
        if not is_gone(each):
            erase(each)
    return True


def _constant(number: int) -> _Finder:
    def finder(value: SSAValue, op: Operation) -> SSAValue | None:
        if op_name(op) == "arith.constant":
            return None
        return constant_before(value.type, op, number)

    return finder


def _argument(value: SSAValue, op: Operation) -> SSAValue | None:
    """A new argument of the function around the op."""
    if op_name(op) == "arith.constant":
        return None
    around: Operation | None = op.parent_op()
    while around is not None and not isinstance(around, FuncOp):
        around = around.parent_op()
    if around is None or around.arg_attrs is not None:
        return None
    entry = around.body.blocks.first
    assert entry is not None
    new = entry.insert_arg(value.type, len(entry.args))
    kind = around.function_type
    around.properties["function_type"] = FunctionType.from_lists(
        [*kind.inputs.data, value.type], kind.outputs.data
    )
    return new


SYMBOLS = Edit("symbols", _symbols, _erase_symbols)
UNUSED = Edit("unused ops", _unused, _erase_with(stand_in))
OPS = Edit("ops", _statements, _erase_with(stand_in))
TREES = Edit("ops with their users", _statements, _erase_with_users, is_joint=False)
ZEROS = Edit("ops, by 0", _needed, _erase_with(_constant(0)))
ONES = Edit("ops, by 1", _needed, _erase_with(_constant(1)), is_joint=False)
ARGUMENTS = Edit("ops, by arguments", _needed, _erase_with(_argument), is_joint=False)
