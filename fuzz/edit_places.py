"""Where an edit may put an op: what dominates it, what is isolated, and which ops stay."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from fuzz.strategies.whole_ops import Attributes, make_op
from verify.ir.names import op_name, symbol_name

_ISOLATED = ("builtin.module", "func.func", "gpu.module", "gpu.func", "llvm.func")
# Ops whose bodies are formulas rather than statements.
_FORMULAS = ("scf.reduce", "memref.generic_atomic_rmw")
_INDEX = "index"


def is_statement(op: Operation) -> bool:
    """Whether an op stands among others, ends no block and defines no symbol."""
    parent = op.parent_op()
    if parent is None or ends_block(op) or symbol_name(op) is not None:
        return False
    name = op_name(parent)
    is_formula = name in _FORMULAS or name.startswith("linalg.")
    return not (is_formula or name.endswith(".module"))


def ends_block(op: Operation) -> bool:
    """Whether nothing comes after it in its block."""
    return op.parent is not None and op.parent.last_op is op


def values_before(op: Operation) -> list[SSAValue]:
    """The values that an op may use: those that dominate it, up to what is isolated."""
    found: list[SSAValue] = []
    current = op
    while current.parent is not None:
        block = current.parent
        for other in _above(block):
            found += other.args
            for each in other.ops:
                found += each.results
        found += block.args
        for each in block.ops:
            if each is current:
                break
            found += each.results
        parent = block.parent_op()
        if parent is None or op_name(parent) in _ISOLATED:
            break
        current = parent
    return found


def _above(block: Block) -> list[Block]:
    """The other blocks of the region that every way to a block leads through."""
    region = block.parent
    if region is None or len(region.blocks) < 2:
        return []
    return [b for b in region.blocks if b is not block and not _is_reached(region, block, b)]


def _is_reached(region: Region, block: Block, without: Block) -> bool:
    """Whether a block can be come to without another one."""
    pending = [b for b in (region.blocks[0],) if b is not without]
    seen = {id(b) for b in pending}
    while pending:
        current = pending.pop()
        if current is block:
            return True
        last = current.last_op
        for following in last.successors if last is not None else ():
            if following is not without and id(following) not in seen:
                seen.add(id(following))
                pending.append(following)
    return False


def uses_results_of(op: Operation, other: Operation) -> bool:
    """Whether an op, or one inside it, takes what another one defines."""
    return any(v in other.results for inner in op.walk() for v in inner.operands)


def run_of(first: Operation, length: int) -> list[Operation]:
    """Ops from one on whose results nothing else uses; empty where there are none."""
    run: list[Operation] = []
    current: Operation | None = first
    while current is not None and len(run) < length and is_statement(current):
        run.append(current)
        current = current.next_op
    while run and not _is_closed(run):
        run.pop()
    return run


def _is_closed(run: Sequence[Operation]) -> bool:
    inside = {id(op) for each in run for op in each.walk()}
    uses = (use.operation for op in run for result in op.results for use in result.uses)
    feeds = (
        use.operation for op in run for r in op.results if str(r.type) == _INDEX for use in r.uses
    )
    is_apart = all(id(user) in inside for user in uses)
    return is_apart and not any(op_name(user).startswith("affine.") for user in feeds)


def put_before(
    op: Operation,
    name: str,
    operands: Sequence[SSAValue],
    results: Sequence[Attribute | str],
    attributes: Attributes | None = None,
    regions: Sequence[Region] = (),
) -> Operation:
    """A new op right before another one."""
    made = make_op(name, operands, results, attributes or {}, regions)
    assert op.parent is not None
    op.parent.insert_ops_before([made], op)
    return made


def memrefs_of(op: Operation) -> list[int]:
    """The places of the operands that are ranked memrefs and may be exchanged for views."""
    if op_name(op).endswith((".dealloc", "memref.realloc")):
        return []
    return [i for i, v in enumerate(op.operands) if isinstance(v.type, MemRefType)]
