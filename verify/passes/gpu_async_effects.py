"""Which ops are free of memory effects, and which end a block, as `gpu-async-region` sees them.

Source: MLIR 22.1.8, asked op by op. Each op was put behind a synchronous `gpu.memset`, alone and
inside `scf.execute_region`, with no operands, with memrefs and with tensors, around a body with and
without effects; the real pass puts a host wait in front of an op that has effects or ends a block.
The dialects `acc`, `irdl`, `nvvm`, `pdl`, `rocdl`, `shard`, `smt`, `spirv` and `transform` do not
stand in host functions and were left out, as were those that the Python bindings do not list, such
as `ptr` and `quant`; ops of `enzymexla` were asked of Enzyme's version of the pass. An op that is
not listed has effects: a wait too many is safe.
"""

from collections.abc import Iterator

from xdsl.ir import Operation

from verify.ir.names import op_name
from verify.semantics.types import is_memref

# Dialects whose ops are free of effects but for the ones named here.
_FREE_BUT_FOR = {
    "arith": "",
    "complex": "",
    "index": "",
    "math": "",
    "cf": "assert",
    "amdgpu": "lds_barrier memory_counter_wait sched_barrier tensor_load_to_lds "
    "tensor_store_from_lds transpose_load",
    "memref": "alloc alloca alloca_scope atomic_rmw copy dealloc dma_start dma_wait "
    "generic_atomic_rmw global load prefetch realloc reshape store",
    "tensor": "generate parallel_insert_slice",
    "tosa": "cond_if custom variable variable_read variable_write while_loop",
    "vector": "compressstore expandload gather load mask maskedload maskedstore print scatter "
    "store transfer_read transfer_write",
    "shape": "assuming cstr_broadcastable cstr_eq cstr_require debug_print func function_library "
    "is_broadcastable meet reduce",
    "sparse_tensor": "coiterate compress expand foreach has_runtime_library iterate load out "
    "print push_back sort",
    "llvm": "alloca atomicrmw blocktag call call_intrinsic cmpxchg comdat comdat_selector fence "
    "func invoke landingpad linker_options load mlir.alias mlir.global mlir.global_ctors "
    "mlir.global_dtors mlir.ifunc module_flags resume store unreachable va_arg "
    "intr.annotation intr.assume intr.coro.align intr.coro.begin intr.coro.end intr.coro.free "
    "intr.coro.id intr.coro.promise intr.coro.resume intr.coro.save intr.coro.size "
    "intr.coro.suspend intr.dbg.declare intr.dbg.label intr.dbg.value intr.debugtrap "
    "intr.eh.typeid.for intr.experimental.noalias.scope.decl intr.experimental.vp.strided.load "
    "intr.experimental.vp.strided.store intr.invariant.end intr.invariant.start "
    "intr.launder.invariant.group intr.lifetime.end intr.lifetime.start "
    "intr.masked.compressstore intr.masked.expandload intr.masked.gather intr.masked.load "
    "intr.masked.scatter intr.masked.store intr.matrix.column.major.load "
    "intr.matrix.column.major.store intr.matrix.multiply intr.matrix.transpose intr.memcpy "
    "intr.memcpy.inline intr.memmove intr.memset intr.memset.inline intr.prefetch "
    "intr.ptr.annotation intr.stackrestore intr.stacksave intr.strip.invariant.group intr.trap "
    "intr.ubsantrap intr.vacopy intr.vaend intr.var.annotation intr.vastart intr.vp.load "
    "intr.vp.store intr.vscale",
}

# The ops that are free of effects in dialects where most are not.
_FREE = {
    "affine": "apply delinearize_index linearize_index max min yield",
    "async": "create_group return yield",
    "bufferization": "to_buffer",
    "builtin": "unrealized_conversion_cast",
    "emitc": "get_field get_global literal return yield",
    "enzymexla": "memref2pointer pointer2memref subindex",
    "func": "constant return",
    "gpu": "block_dim block_id cluster_block_id cluster_dim cluster_dim_blocks cluster_id "
    "dynamic_shared_memory global_id grid_dim lane_id num_subgroups return rotate shuffle "
    "subgroup_broadcast subgroup_id subgroup_mma_compute subgroup_mma_constant_matrix "
    "subgroup_mma_elementwise subgroup_mma_extract_thread_local "
    "subgroup_mma_insert_thread_local subgroup_size terminator thread_id yield",
    "linalg": "index pack unpack yield",
    "ml_program": "global_load_const output return token",
    "nvgpu": "device_async_copy mma.sp.sync mma.sync rcp tma.async.load tma.async.store",
    "omp": "map.bounds terminator yield",
    "scf": "condition forall.in_parallel reduce reduce.return yield",
    "ub": "poison",
}

# Ops that have the effects of the ops in their regions and no others.
_RECURSIVE = {
    "affine": "for if parallel",
    "async": "execute",
    "emitc": "do for if switch",
    "gpu": "warp_execute_on_lane_0",
    "memref": "alloca_scope",
    "omp": "atomic.capture distribute loop_nest parallel simd taskloop teams workshare "
    "workshare.loop_wrapper wsloop",
    "scf": "execute_region for forall if index_switch parallel while",
    "shape": "assuming",
    "sparse_tensor": "coiterate iterate",
    "tensor": "generate",
    "tosa": "cond_if while_loop",
    "vector": "mask",
}

# Ops that touch only the memrefs among their operands, besides what their regions do.
_FREE_ON_TENSORS = {
    "bufferization": "materialize_in_destination",
    "vector": "transfer_read transfer_write",
}
_LINALG_WITH_EFFECTS = frozenset(
    f"linalg.winograd_{part}_transform" for part in ("filter", "input", "output")
)

# Ops that end a block and are free of effects; those that have effects need no entry.
_TERMINATORS = {
    "affine": "yield",
    "async": "return yield",
    "cf": "br cond_br switch",
    "emitc": "return yield",
    "func": "return",
    "gpu": "return terminator yield",
    "linalg": "yield",
    "llvm": "br cond_br indirectbr return switch",
    "memref": "alloca_scope.return atomic_yield",
    "ml_program": "output return",
    "omp": "terminator yield",
    "scf": "condition forall.in_parallel reduce reduce.return yield",
    "shape": "assuming_yield return yield",
    "sparse_tensor": "yield",
    "tensor": "yield",
    "tosa": "yield",
    "vector": "yield",
}


def _names(table: dict[str, str]) -> frozenset[str]:
    return frozenset(f"{dialect}.{name}" for dialect, row in table.items() for name in row.split())


_HAS_EFFECTS, _IS_FREE, _IS_RECURSIVE = _names(_FREE_BUT_FOR), _names(_FREE), _names(_RECURSIVE)
_ON_TENSORS, _ENDS_BLOCK = _names(_FREE_ON_TENSORS), _names(_TERMINATORS)


def is_terminator(op: Operation) -> bool:
    """Whether the op ends a block and is free of effects."""
    return op_name(op) in _ENDS_BLOCK


def is_recursive(op: Operation) -> bool:
    """Whether the op has no effects but those of the ops in its regions."""
    return op_name(op) in _IS_RECURSIVE


def has_effects(op: Operation) -> bool:
    """Whether the op, or an op in its regions where these count, has or may have effects."""
    pending: list[Operation] = [op]
    while pending:
        current = pending.pop()
        if is_recursive(current):
            pending.extend(_inside(current))
        elif _acts_by_operands(op_name(current)):
            if any(is_memref(value.type) for value in current.operands):
                return True
            pending.extend(_inside(current))
        elif not _is_free(op_name(current)):
            return True
    return False


def stops_the_host(op: Operation) -> bool:
    """Whether the host has to wait for the device before the op: it ends a block or has effects."""
    return is_terminator(op) or has_effects(op)


def _is_free(name: str) -> bool:
    return name in _IS_FREE or (
        name.partition(".")[0] in _FREE_BUT_FOR and name not in _HAS_EFFECTS
    )


def _acts_by_operands(name: str) -> bool:
    if name.startswith("linalg."):
        return name not in _LINALG_WITH_EFFECTS and name not in _IS_FREE
    return name in _ON_TENSORS


def _inside(op: Operation) -> Iterator[Operation]:
    return (inner for region in op.regions for block in region.blocks for inner in block.ops)
