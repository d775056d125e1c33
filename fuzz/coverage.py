"""What is in a program, as features, and how often each pair of features was seen.

A feature is `dimension:value`; a pair is of two dimensions. Pairs that were seen seldom lead a
campaign to the programs that show them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import TypeAlias

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Attribute, Operation

from verify.ir.names import all_attrs, has_attr, op_name, operand_segments
from verify.semantics.views_by_name import LOOP_OPS, VIEW_OPS, is_checkpointed, type_name

Pair: TypeAlias = tuple[str, str]
VERDICT, AFTER = "verdict", "after"
_SCHEDULES = ("checkpoint_period", "binomial_checkpointing", "checkpoint")
_HANDLES = (
    "arith.select", "scf.if", "scf.index_switch", "scf.execute_region", "affine.if", "func.call",
    "memref.get_global", "memref.load",
)  # fmt: skip
_POINTERS = ("llvm.load", "llvm.store", "llvm.alloca")
_EDGES = {
    (False, False): "none", (True, False): "token", (False, True): "value", (True, True): "both",
}  # fmt: skip
_ACCESSES = (
    "memref.atomic_rmw", "memref.generic_atomic_rmw", "memref.copy", "memref.alloca_scope",
    "gpu.barrier", "cf.assert", "gpu.host_register",
)  # fmt: skip


def pairs_of(features: Iterable[str]) -> Iterator[Pair]:
    """Every two features of different dimensions, in a fixed order."""
    for a, b in combinations(sorted(set(features)), 2):
        if a.partition(":")[0] != b.partition(":")[0]:
            yield a, b


def features_of(module: Operation) -> set[str]:
    """What can be seen in the text of a program, whatever its verdict."""
    found: set[str] = set()
    for op in module.walk():
        name = op_name(op)
        found |= _kind(op, name)
        if name in _HANDLES and any(isinstance(r.type, MemRefType) for r in op.results):
            found.add(f"handle:{name}")
        if name in _ACCESSES:
            found.add(f"access:{name}")
        for value in (*op.results, *(a for r in op.regions for b in r.blocks for a in b.args)):
            found |= _memory(value.type)
    return found


def _kind(op: Operation, name: str) -> set[str]:
    """What belongs to an op of one kind."""
    dialect = name.partition(".")[0]
    if name in VIEW_OPS:
        return _view(op, name)
    if name in LOOP_OPS:
        return _loop(op, name)
    if dialect in ("gpu", "async"):
        return _token(op, name)
    if dialect == "cf":
        return _flow(op, name)
    if name in _POINTERS or dialect == "enzymexla":
        return {f"pointer:{name}"}
    if name == "memref.global":
        return {f"global:{'constant' if has_attr(op, 'constant') else 'mutable'}"}
    return set()


def _flow(op: Operation, name: str) -> set[str]:
    """A branch, and whether it hands memrefs on."""
    handed = any(isinstance(v.type, MemRefType) for v in op.operands)
    return {f"flow:{name}"} | ({"handle:block"} if handed else set())


def _memory(kind: Attribute) -> set[str]:
    """The space, the rank, the elements and the layout of a memref type."""
    if type_name(kind) == "unranked_memref":
        return {"rank:none"}
    if not isinstance(kind, MemRefType):
        return set()
    found = {f"space:{str(kind.memory_space)[:24]}", f"rank:{min(kind.get_num_dims(), 5)}"}
    element = str(kind.element_type).partition("<")[0]
    if element in ("memref", "vector"):
        found.add(f"element:{element}")
    if 0 in kind.get_shape():
        found.add("size:zero")
    strides = _strides(kind) or []
    if any(s is not None and s < 0 for s in strides):
        found.add("step:negative")
    return found | ({"step:zero"} if 0 in strides and "size:zero" not in found else set())


def _view(op: Operation, name: str) -> set[str]:
    source = op.operands[0].owner if op.operands else None
    is_chain = isinstance(source, Operation) and op_name(source) in VIEW_OPS
    place = f"d{min(_depth(op), 2)}"
    return {f"view:{name}/{place}", f"chain:{is_chain}", f"stride:{_stride_relation(op)}"}


def _stride_relation(op: Operation) -> str:
    """How the strides of a result relate to those of its source."""
    types = [v.type for v in (*op.operands[:1], *op.results[:1])]
    if len(types) < 2 or not all(isinstance(t, MemRefType) for t in types):
        return "none"
    source, target = (_strides(t) for t in types)
    if source is None or target is None:
        return "unknown"
    if len(source) != len(target):
        return "rank"
    if None in target:
        return "dynamic"
    if source == target:
        return "same"
    if any(s is not None and s <= 0 for s in target):
        return "odd"
    return "wider" if max(map(_or_zero, target)) > max(map(_or_zero, source)) else "narrower"


def _or_zero(stride: int | None) -> int:
    return stride or 0


def _strides(kind: object) -> list[int | None] | None:
    assert isinstance(kind, MemRefType)
    try:
        found = kind.get_strides()
    except (ValueError, NotImplementedError):
        return None
    return None if found is None else [s if isinstance(s, int) else None for s in found]


def _loop(op: Operation, name: str) -> set[str]:
    kind = "c" if is_checkpointed(op) else "p"
    found = {f"loop:{name}/{kind}/d{min(_depth(op), 2)}"}
    names = [n for n, _ in all_attrs(op)]
    found |= {f"schedule:{s}" for s in _SCHEDULES if any(s in n for n in names)}
    for argument in op.regions[0].blocks[0].args if op.regions[0].blocks else ():
        kind = str(argument.type).partition("<")[0]
        found.add(f"carried:{'memref' if kind == 'memref' else kind[:18]}")
    return found


def _token(op: Operation, name: str) -> set[str]:
    is_async = any("token" in str(r.type) for r in op.results)
    tokens = sum("token" in str(o.type) for o in op.operands)
    how = f"{'async' if is_async else 'sync'}/{min(tokens, 2)}"
    found = {f"token:{name}/{how}"}
    if name == "gpu.launch_func" and len(groups := operand_segments(op)) > 9 and groups[-1]:
        found.add("launch:stream")
    if name == "gpu.alloc" and has_attr(op, "hostShared"):
        found.add("alloc:shared")
    if name == "async.execute":
        found.add(f"task:d{min(_depth(op), 3)}/r{min(len(op.results) - 1, 2)}")
        tokens_in, values_in = (bool(group) for group in operand_segments(op)[:2])
        found.add(f"edge:{_EDGES[tokens_in, values_in]}")
    return found


def _depth(op: Operation) -> int:
    """How many ops with regions are around it, inside its function."""
    depth, parent = -2, op.parent_op()
    while parent is not None:
        depth, parent = depth + 1, parent.parent_op()
    return max(depth, 0)


class Coverage:
    """How often each pair of features was seen."""

    def __init__(self) -> None:
        """Nothing was seen yet."""
        self.counts: Counter[Pair] = Counter()

    def add(self, features: Iterable[str]) -> int:
        """Count the pairs of one program; gives how many of them are new."""
        pairs = list(pairs_of(features))
        new = sum(pair not in self.counts for pair in pairs)
        self.counts.update(pairs)
        return new

    def rarest(self, features: Iterable[str]) -> int:
        """How often the rarest pair of some features was seen."""
        return min((self.counts[pair] for pair in pairs_of(features)), default=0)
