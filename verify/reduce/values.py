"""What can stand in place of a value, and ops made anew with fewer operands and results."""

from collections.abc import Iterator, Sequence

from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import AnyFloat, FloatAttr, IndexType, IntegerAttr, IntegerType
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.traits import IsTerminator

from verify.ir.names import all_attrs, attr, op_name

_FUNCTIONS = frozenset({"func.func", "gpu.func", "llvm.func"})


def is_function(op: Operation) -> bool:
    """Whether the op is a function."""
    return op_name(op) in _FUNCTIONS


def is_module(op: Operation | None) -> bool:
    """Whether the op holds symbols: `builtin.module`, `gpu.module`."""
    return op is not None and op_name(op).endswith(".module")


def is_symbol(op: Operation) -> bool:
    """Whether the op stands directly in a module."""
    return is_module(op.parent_op())


def is_terminator(op: Operation) -> bool:
    """Whether the op ends its block, or may do so: nothing is known of unregistered ops."""
    if op.has_trait(IsTerminator, value_if_unregistered=False):
        return True
    return op.next_op is None and bool(op.successors) | op_name(op).endswith((".yield", ".return"))


def is_gone(op: Operation) -> bool:
    """Whether the op, or one around it, is no longer part of a module."""
    current: Operation | None = op
    while current is not None and op_name(current) != "builtin.module":
        current = current.parent_op()
    return current is None


def visible_before(op: Operation) -> Iterator[SSAValue]:
    """Values that can be used at `op`, nearest first, up to the function around it."""
    current: Operation | None = op
    while current is not None and not is_module(current):
        block = current.parent_block()
        if block is None:
            return
        earlier = current.prev_op
        while earlier is not None:
            yield from earlier.results
            earlier = earlier.prev_op
        yield from block.args
        yield from _of_entry(block)
        current = block.parent_op()
        if current is not None and is_function(current):
            return


def _of_entry(block: Block) -> Iterator[SSAValue]:
    """Values of the first block of the region, which comes before every other."""
    region = block.parent_region()
    entry = region.blocks.first if region is not None else None
    if entry is None or entry is block:
        return
    yield from entry.args
    for op in entry.ops:
        yield from op.results


def stand_in(value: SSAValue, op: Operation) -> SSAValue | None:
    """Another value of the same type that can be used where `op` is; the most alike one."""
    fitting = [v for v in visible_before(op) if v.type == value.type and v is not value]
    equal = (v for v in fitting if isinstance(v.owner, Operation) and _is_equal(v.owner, op))
    operands = (v for v in op.operands if v.type == value.type and v is not value)
    return next(equal, None) or next(operands, None) or next(iter(fitting), None)


def _is_equal(first: Operation, second: Operation) -> bool:
    return (
        op_name(first) == op_name(second)
        and list(first.operands) == list(second.operands)
        and dict(all_attrs(first)) == dict(all_attrs(second))
        and not first.regions
    )


def constant_before(kind: Attribute, op: Operation, number: int) -> SSAValue | None:
    """A new constant of a number type in front of `op`; nothing for other types."""
    if isinstance(kind, IntegerType | IndexType):
        value: Attribute = IntegerAttr(number, kind)
    elif isinstance(kind, AnyFloat):
        value = FloatAttr(float(number), kind)
    else:
        return None
    constant = ConstantOp.create(result_types=[kind], properties={"value": value})
    block = op.parent_block()
    assert block is not None
    block.insert_op_before(constant, op)
    return constant.results[0]


def replace(value: SSAValue, other: SSAValue) -> None:
    """Use `other` wherever `value` is used."""
    value.replace_all_uses_with(other)


def remade(op: Operation, operands: Sequence[SSAValue], kinds: Sequence[Attribute]) -> Operation:
    """A copy of `op` in front of it, with the regions moved, other operands and result types."""
    regions: list[Region] = [op.detach_region(region) for region in list(op.regions)]
    new = type(op).create(
        operands=operands,
        result_types=kinds,
        properties=dict(op.properties),
        attributes=dict(op.attributes),
        successors=list(op.successors),
        regions=regions,
        location=op.location,
    )
    block = op.parent_block()
    assert block is not None
    block.insert_op_before(new, op)
    return new


def drop_result(op: Operation, index: int) -> Operation | None:
    """The op without one result; nothing when that is still used and nothing can stand in."""
    if op.results[index].uses:
        other = stand_in(op.results[index], op)
        if other is None:
            return None
        replace(op.results[index], other)
    kinds = [result.type for k, result in enumerate(op.results) if k != index]
    kept = [result for k, result in enumerate(op.results) if k != index]
    new = remade(op, list(op.operands), kinds)
    for old, result in zip(kept, new.results, strict=True):
        replace(old, result)
    erase(op)
    return new


def drop_operands(op: Operation, indices: Sequence[int]) -> None:
    """Take operands away; those in groups are counted down in `operandSegmentSizes`."""
    op.operands = [value for k, value in enumerate(op.operands) if k not in set(indices)]
    shrink_segments(op, "operandSegmentSizes", indices)


def shrink_segments(op: Operation, name: str, indices: Sequence[int]) -> None:
    """Count one down in the group that each of `indices` falls into, if there are groups."""
    from xdsl.dialects.builtin import DenseArrayBase, i32

    sizes = attr(op, name)
    if not isinstance(sizes, DenseArrayBase):
        return
    counts = [int(number) for number in sizes.get_values()]
    ends = [sum(counts[: k + 1]) for k in range(len(counts))]
    for index in indices:
        counts[next(k for k, end in enumerate(ends) if index < end)] -= 1
    place = op.properties if name in op.properties else op.attributes
    place[name] = DenseArrayBase.from_list(i32, counts)


def erase(op: Operation) -> None:
    """Take the op out, whatever still uses its results."""
    op.detach()
    op.erase(safe_erase=False)
