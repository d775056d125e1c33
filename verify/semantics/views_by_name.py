"""Which ops are views, which loops are checkpointed, and what a loop captures.

Ops and types are recognised by name, so a registered op, one of this project's own definitions
and an unregistered op in generic form are all treated alike. The pass, its contract and the
capture checks share these rules.

A *capture* is a value that is used in a loop's regions and defined above them. It is *clonable*
when a checkpointed loop snapshots it. A *sinkable* view can be computed again wherever its
operands are available.
"""

from collections.abc import Iterator

from xdsl.dialects.builtin import UnregisteredAttr
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from verify.ir.names import bool_attr, op_name
from verify.ir.opaque import opaque_text

CHECKPOINT_ATTRIBUTE = "enzyme.enable_checkpointing"

LOOP_OPS = frozenset(
    {
        "affine.for",
        "affine.parallel",
        "scf.for",
        "scf.forall",
        "scf.parallel",
        "scf.while",
    }
)
"""Ops that implement MLIR's `LoopLikeOpInterface`."""

SINKABLE_VIEW_OPS = frozenset(
    {
        "enzymexla.memref2pointer",
        "enzymexla.pointer2memref",
        "enzymexla.subindex",
        "llvm.addrspacecast",
        "llvm.bitcast",
        "llvm.getelementptr",
        "memref.assume_alignment",
        "memref.cast",
        "memref.collapse_shape",
        "memref.expand_shape",
        "memref.memory_space_cast",
        "memref.reinterpret_cast",
        "memref.subview",
        "memref.transpose",
        "memref.view",
        "vector.type_cast",
    }
)
"""View ops that may be sunk. What Enzyme's own pass does not sink is left out."""

VIEW_OPS = SINKABLE_VIEW_OPS | {
    "memref.distinct_objects",
    "memref.extract_strided_metadata",
}
"""Every op whose results lie in the memory of an operand by construction."""

CLONABLE_TYPES = frozenset({"memref", "llvm.ptr"})


def type_name(kind: Attribute) -> str:
    """The name of a type, `memref`, `unranked_memref` or `llvm.ptr` say, without its parameters."""
    if isinstance(kind, UnregisteredAttr):
        return kind.attr_name.data
    text = opaque_text(kind)
    if text is None:
        return kind.name
    name = text.removeprefix("!").partition("<")[0]
    return "unranked_memref" if text.startswith("memref<*") else name


def is_clonable(kind: Attribute) -> bool:
    """Whether values of this type are snapshotted: ranked memrefs and LLVM pointers."""
    return type_name(kind) in CLONABLE_TYPES


def is_loop(op: Operation) -> bool:
    """Whether `op` is one of `LOOP_OPS`."""
    return op_name(op) in LOOP_OPS


def is_checkpointed(op: Operation) -> bool:
    """Whether `op` is a loop whose checkpointing attribute is the boolean `true`.

    A unit attribute, an `i32` one and the text `"true"` do not count.
    """
    return is_loop(op) and bool_attr(op, CHECKPOINT_ATTRIBUTE)


def is_sinkable_view(op: object) -> bool:
    """Whether `op` is a view op that can be repeated anywhere its operands are available."""
    return (
        isinstance(op, Operation)
        and len(op.results) == 1
        and not op.regions
        and op_name(op) in SINKABLE_VIEW_OPS
    )


def inner_first(op: Operation) -> Iterator[Operation]:
    """The ops inside `op` in order, each after the ops in its own regions; `op` comes last."""
    pending = [(op, iter(_children(op)))]
    while pending:
        current, children = pending[-1]
        child = next(children, None)
        if child is None:
            pending.pop()
            yield current
        else:
            pending.append((child, iter(_children(child))))


def region_captures(region: Region) -> list[SSAValue]:
    """The values used in `region` and defined above it, in the order of first use.

    The ops inside an op count as used before that op's own operands.
    """
    inside = [op for block in region.blocks for child in block.ops for op in inner_first(child)]
    own_blocks = set(region.blocks)
    for op in inside:
        own_blocks.update(block for inner in op.regions for block in inner.blocks)
    values = dict.fromkeys(operand for op in inside for operand in op.operands)
    return [value for value in values if _block_of(value) not in own_blocks]


def captures(op: Operation) -> list[SSAValue]:
    """The captures of all regions of `op`, region by region, each value once."""
    return list(dict.fromkeys(value for region in op.regions for value in region_captures(region)))


def is_sinkable_capture(value: SSAValue) -> bool:
    """Whether a captured `value` is snapshotted and could be derived inside the loop instead."""
    return is_clonable(value.type) and is_sinkable_view(value.owner)


def sinkable_captures(loop: Operation) -> list[SSAValue]:
    """The clonable captures of `loop` that sinkable views define, in the order of first use."""
    return [value for value in captures(loop) if is_sinkable_capture(value)]


def checkpointed_loops(op: Operation) -> list[Operation]:
    """The checkpointed loops in `op`, innermost first."""
    return [loop for loop in inner_first(op) if is_checkpointed(loop)]


def _children(op: Operation) -> Iterator[Operation]:
    return (child for region in op.regions for block in region.blocks for child in block.ops)


def _block_of(value: SSAValue) -> Block | None:
    owner = value.owner
    return owner if isinstance(owner, Block) else owner.parent
