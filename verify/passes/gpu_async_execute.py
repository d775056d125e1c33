"""Waits at the end of `async.execute`, handed to those who await it; one token a user.

Written after what MLIR 22's `gpu-async-region` does, as seen from its results. The order in which
it visits the users of a token, and so the order of operands and results that it adds, is the order
of MLIR's use lists right after parsing. `OperandLists` keeps xDSL's use lists in that order.
"""

from collections.abc import Iterable, Mapping, Sequence

from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from verify.ir.names import op_name
from verify.passes.gpu_async_effects import has_effects, is_terminator, stops_the_host
from verify.passes.gpu_async_ops import (
    AWAIT,
    EXECUTE,
    WAIT,
    add_block_arguments,
    add_dependency,
    dependencies_of,
    grow_segment,
    insert_wait,
    is_async_op,
    make_op,
    replace_with_more_results,
    token_of,
    token_type,
    token_value_type,
)
from verify.semantics.views_by_name import inner_first


class OperandLists:
    """Appends operands as MLIR does, which puts all uses of an op that grows in front again."""

    def __init__(self, root: Operation) -> None:
        self._capacity: dict[Operation, int] = {}
        position = {op: index for index, op in enumerate(inner_first(root))}
        for op in position:
            if op_name(op) == EXECUTE:
                _order_as_parsed(op, position)

    def append(self, op: Operation, values: Sequence[SSAValue]) -> None:
        """Add operands at the end of the op's list."""
        size = len(op.operands) + len(values)
        capacity = self._capacity.get(op, len(op.operands))
        uses = {} if size > capacity else {v: _uses(v) for v in op.operands}
        op.operands = [*op.operands, *values]
        for value, before in uses.items():
            _push(value, reversed(before))
        for index, value in enumerate(values, size - len(values)):
            op.operands[index] = value
        if size > capacity:
            self._capacity[op] = max(_next_power_of_two(capacity + 2), size)

    def note_clone(self, op: Operation) -> None:
        """The ops in the op's regions are now clones: their uses are the latest ones."""
        for inner in op.walk():
            if inner is op:
                continue
            if op_name(inner) in {EXECUTE, "async.yield"}:
                self._capacity[inner] = max(4, len(inner.operands))
            for index, value in enumerate(inner.operands):
                inner.operands[index] = value


def _order_as_parsed(execute: Operation, position: Mapping[Operation, int]) -> None:
    """Order the uses of the op's results as MLIR's parser makes them: inner ops before outer.

    `position` numbers all ops in that order.
    """
    for result in execute.results:
        if result.has_more_than_one_use():
            uses = sorted(_uses(result), key=lambda use: (position[use[0]], use[1]))
            # A use in an earlier block of the text waits for the definition, then comes in reverse.
            early = [use for use in uses if position[use[0]] < position[execute]]
            _push(result, [*reversed(early), *uses[len(early) :]])


def _uses(value: SSAValue) -> list[tuple[Operation, int]]:
    return [(use.operation, use.index) for use in value.uses]


def _push(value: SSAValue, uses: Iterable[tuple[Operation, int]]) -> None:
    for op, index in uses:
        op.operands[index] = value


def _next_power_of_two(number: int) -> int:
    return 1 << number.bit_length()


def defer_waits(root: Operation, lists: OperandLists) -> None:
    """Move each wait that ends an `async.execute` to the users of that op's token.

    The region yields the tokens that it waited for instead; a user that waits at the end of its
    own region in turn is treated the same.
    """
    pending = [wait for op in inner_first(root) for wait in _last_wait(op)]
    for wait in pending:
        execute = _enclosing_execute(wait)
        if execute is None:
            continue
        tokens = dependencies_of(wait)
        wait.detach()
        wait.erase()
        execute = _yield_also(execute, tokens, lists)
        values = list(execute.results)[len(execute.results) - len(tokens) :]
        for user, _ in _uses(execute.results[0]):
            # The list grows while it is worked off.
            pending.extend(_depend_after(user, values, lists))


def _last_wait(op: Operation) -> list[Operation]:
    """The host's wait that is the last thing to act in the region of an `async.execute`."""
    if op_name(op) != EXECUTE or not _is_only_awaited(op):
        return []
    for inner in reversed(list(op.regions[0].blocks[0].ops)):
        if op_name(inner) == WAIT:
            return [] if token_of(inner) is not None else [inner]
        if has_effects(inner):
            return []
    return []


def _is_only_awaited(execute: Operation) -> bool:
    """Whether the op's token has users, and all of them are `async.execute` or `async.await`.

    Another user, such as a terminator, may pass the token on to where nothing can be added.
    """
    users = [op_name(user) for user, _ in _uses(execute.results[0])]
    return bool(users) and all(name in {EXECUTE, AWAIT} for name in users)


def _enclosing_execute(op: Operation) -> Operation | None:
    parent = op.parent_op()
    while parent is not None and op_name(parent) != EXECUTE:
        parent = parent.parent_op()
    return parent


def _yield_also(execute: Operation, values: Sequence[SSAValue], lists: OperandLists) -> Operation:
    """Yield more tokens from an `async.execute`; its replacement has one more result for each."""
    terminator = execute.regions[0].blocks[0].last_op
    assert terminator is not None
    lists.append(terminator, values)
    types: list[Attribute] = [token_value_type() for _ in values]
    new = replace_with_more_results(execute, types)
    lists.note_clone(new)
    return new


def _depend_after(
    user: Operation, values: Sequence[SSAValue], lists: OperandLists
) -> list[Operation]:
    """Make the first op that acts after `user` wait for the tokens in `values`.

    Returns a wait that this leaves at the end of another `async.execute` to be moved on.
    """
    if op_name(user) == AWAIT:
        first, tokens = _await_each(user, values)
    else:
        first, tokens = _pass_into(user, values, lists)
    while first is not None and not stops_the_host(first):
        first = first.next_op
    if first is not None and is_async_op(first):
        for token in tokens:
            add_dependency(first, token)
        return []
    point = InsertPoint.before(first) if first is not None else InsertPoint.at_end(_block(user))
    wait = insert_wait(point, user, tokens)
    parent = wait.parent_op()
    is_last = first is not None and is_terminator(first)
    if parent is None or op_name(parent) != EXECUTE or not is_last or not _is_only_awaited(parent):
        return []
    return [wait]


def _block(op: Operation) -> Block:
    block = op.parent
    assert block is not None
    return block


def _await_each(
    user: Operation, values: Sequence[SSAValue]
) -> tuple[Operation | None, list[SSAValue]]:
    """Await the tokens right after an `async.await`: what comes next, and the tokens."""
    after = user.next_op
    tokens: list[SSAValue] = []
    for value in values:
        wait = make_op(AWAIT, [value], [token_type()], user)
        point = InsertPoint.before(after) if after is not None else InsertPoint.at_end(_block(user))
        Rewriter.insert_op(wait, point)
        tokens.append(wait.results[0])
    return after, tokens


def _pass_into(
    user: Operation, values: Sequence[SSAValue], lists: OperandLists
) -> tuple[Operation | None, list[SSAValue]]:
    """Give the tokens to the region of an `async.execute`: its first op, and the tokens there."""
    block = user.regions[0].blocks[0]
    lists.append(user, values)
    grow_segment(user, 1, len(values))
    arguments = add_block_arguments(block, [token_type() for _ in values])
    return block.first_op, [*arguments]


def split_tokens(root: Operation, lists: OperandLists) -> None:
    """Yield a token once for each use that an `async.execute` result of it has.

    As in MLIR 22, only the second use gets the copy that was made for it: with three uses and
    more the first copy is the only one that is used.
    """
    for op in list(inner_first(root)):
        if op_name(op) == EXECUTE:
            _split_results(op, lists)


def _split_results(execute: Operation, lists: OperandLists) -> None:
    shared = [
        result.index
        for result in execute.results
        if result.type == token_value_type() and result.has_more_than_one_use()
    ]
    for index in shared:
        terminator = execute.regions[0].blocks[0].last_op
        assert terminator is not None
        count = len(_uses(execute.results[index])) - 1
        copies = [terminator.operands[index - 1]] * count
        size = len(execute.results)
        execute = _yield_also(execute, copies, lists)
        user, operand = _uses(execute.results[index])[1]
        user.operands[operand] = execute.results[size]
