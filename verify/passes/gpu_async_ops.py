"""Small edits of asynchronous GPU ops: tokens, waits, dependencies.

Source: the documentation of MLIR's `gpu` and `async` dialects. `ASYNC_OPS` are the ops of
`AsyncOpInterface` in MLIR 22: each takes a token and returns one when the real
`gpu-async-region` runs on a function that holds it alone.
"""

from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import DenseArrayBase, i32
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from verify.ir.attributes import parse_type
from verify.ir.context import shared_context
from verify.ir.names import int_array, op_name, set_attr

WAIT, LAUNCH, EXECUTE, AWAIT = "gpu.wait", "gpu.launch", "async.execute", "async.await"

ASYNC_OPS = frozenset(
    f"gpu.{name}"
    for name in (
        *("wait", "alloc", "dealloc", "memcpy", "memset", "launch", "launch_func"),
        *("create_dn_tensor", "destroy_dn_tensor", "create_coo", "create_coo_aos", "create_csr"),
        *("create_csc", "create_bsr", "create_2to4_spmat", "destroy_sp_mat", "spmv_buffer_size"),
        *("spmv", "spmm_buffer_size", "spmm", "sddmm_buffer_size", "sddmm", "spgemm_create_descr"),
        *("spgemm_destroy_descr", "spgemm_work_estimation_or_compute", "spgemm_copy"),
        *("spmat_get_size", "set_csr_pointers"),
    )
)


def token_type() -> Attribute:
    """`!gpu.async.token`."""
    return parse_type("!gpu.async.token")


def token_value_type() -> Attribute:
    """What `async.execute` makes of a token that its region yields."""
    return parse_type("!async.value<!gpu.async.token>")


def is_token(value: SSAValue) -> bool:
    """Whether the value is a `!gpu.async.token`."""
    return value.type == token_type()


def is_async_op(op: Operation) -> bool:
    """Whether the op can run asynchronously (`AsyncOpInterface`)."""
    return op_name(op) in ASYNC_OPS


def token_of(op: Operation) -> SSAValue | None:
    """The token that an asynchronous op returns, its last result; nothing for a synchronous one."""
    return op.results[-1] if op.results and is_token(op.results[-1]) else None


def dependencies_of(op: Operation) -> list[SSAValue]:
    """The tokens that an op of `ASYNC_OPS` starts after: its first operands."""
    sizes = int_array(op, "operandSegmentSizes")
    if sizes is not None:
        return list(op.operands[: sizes[0]])
    count = next((i for i, v in enumerate(op.operands) if not is_token(v)), len(op.operands))
    return list(op.operands[:count])


def add_dependency(op: Operation, token: SSAValue) -> None:
    """Make the op start after `token` too; a token that it waits for already is not repeated."""
    if token in dependencies_of(op):
        return
    op.operands = [token, *op.operands]
    grow_segment(op, 0, 1)


def grow_segment(op: Operation, index: int, count: int) -> None:
    """Count `count` more operands in a group of `operandSegmentSizes`, where the op has that."""
    sizes = int_array(op, "operandSegmentSizes")
    if sizes is not None:
        changed = [*sizes[:index], sizes[index] + count, *sizes[index + 1 :]]
        _set_sizes(op, "operandSegmentSizes", changed)


def _set_sizes(op: Operation, name: str, sizes: Sequence[int]) -> None:
    set_attr(op, name, DenseArrayBase.from_list(i32, sizes))


def insert_wait(
    point: InsertPoint, like: Operation, tokens: Sequence[SSAValue], *, is_async: bool = False
) -> Operation:
    """A new `gpu.wait` at `point` with the place in the source of the op `like`."""
    results = [token_type()] if is_async else []
    wait = make_op(WAIT, tokens, results, like)
    Rewriter.insert_op(wait, point)
    return wait


def make_op(
    name: str, operands: Sequence[SSAValue], results: Sequence[Attribute], like: Operation
) -> Operation:
    """An op without attributes, regions or a block yet, placed in the source where `like` is."""
    op_class = shared_context().get_op(name)
    return op_class.create(operands=operands, result_types=results, location=like.location)


def replace_with_more_results(op: Operation, types: Sequence[Attribute]) -> Operation:
    """Put an op in the place of `op` that has further results at its end; regions move over."""
    new = type(op).create(
        operands=list(op.operands),
        result_types=[*op.result_types, *types],
        properties=dict(op.properties),
        attributes=dict(op.attributes),
        successors=list(op.successors),
        regions=[op.detach_region(region) for region in list(op.regions)],
        location=op.location,
    )
    Rewriter.insert_op(new, InsertPoint.before(op))
    for old, result in zip(list(op.results), new.results, strict=False):
        old.replace_all_uses_with(result)
    op.detach()
    op.erase()
    return new


def make_async(op: Operation) -> Operation:
    """The op with a token as one more result; an op that has one stays as it is."""
    if token_of(op) is not None:
        return op
    new = replace_with_more_results(op, [token_type()])
    sizes = int_array(new, "resultSegmentSizes")
    if sizes is not None:
        _set_sizes(new, "resultSegmentSizes", [*sizes[:-1], 1])
    return new


def add_block_arguments(block: Block, types: Sequence[Attribute]) -> list[BlockArgument]:
    """New arguments at the end of the block's list."""
    return [block.insert_arg(kind, len(block.args)) for kind in types]


def functions_with_body(module: Operation) -> Iterator[Operation]:
    """The `func.func` directly in the module that are not mere declarations."""
    for op in module.regions[0].block.ops:
        if op_name(op) == "func.func" and op.regions[0].blocks:
            yield op


def blocks_inner_first(root: Operation) -> Iterator[Block]:
    """Every block inside `root`, each after the blocks nested in its ops, in order of the text.

    The ops of a block may be replaced once the block has been handed out.
    """
    pending: list[tuple[Block | None, Iterator[Block]]] = [(None, _nested(root))]
    while pending:
        block, inner = pending[-1]
        found = next(inner, None)
        if found is not None:
            pending.append((found, (b for op in list(found.ops) for b in _nested(op))))
            continue
        pending.pop()
        if block is not None:
            yield block


def _nested(op: Operation) -> Iterator[Block]:
    for region in op.regions:
        yield from region.blocks
