"""What drawn programs must show, as features of `fuzz.coverage`."""

from __future__ import annotations

from verify.semantics.views_by_name import LOOP_OPS, VIEW_OPS

_HANDLES = (
    "arith.select", "scf.if", "scf.index_switch", "scf.execute_region", "affine.if", "func.call",
    "memref.get_global", "memref.load", "block",
)  # fmt: skip
_POINTERS = (
    "llvm.load", "llvm.store", "llvm.alloca", "enzymexla.gpu_wrapper", "enzymexla.memcpy",
)  # fmt: skip
_ACCESSES = (
    "memref.atomic_rmw", "memref.generic_atomic_rmw", "memref.copy", "memref.alloca_scope",
    "gpu.barrier", "cf.assert", "gpu.host_register",
)  # fmt: skip
_TOKENS = (
    "gpu.alloc/sync/0", "gpu.alloc/async/0", "gpu.alloc/async/1", "gpu.dealloc/sync/0",
    "gpu.dealloc/async/1", "gpu.launch_func/sync/0", "gpu.launch_func/async/0",
    "gpu.launch_func/async/1", "gpu.launch/sync/0", "gpu.launch/async/1", "gpu.memset/sync/0",
    "gpu.memset/async/1", "gpu.memcpy/sync/0", "gpu.memcpy/async/1", "gpu.wait/sync/1",
    "gpu.wait/async/0", "gpu.wait/sync/2", "async.execute/async/0", "async.execute/async/1",
    "async.create_group/sync/0", "async.add_to_group/sync/1", "async.await_all/sync/0",
)  # fmt: skip
_OTHERS = {
    "chain": ("True", "False"),
    "stride": ("same", "wider", "narrower", "dynamic", "rank", "odd"),
    "step": ("negative", "zero"),
    "rank": ("0", "1", "2", "3", "4", "none"),
    "size": ("zero",),
    "element": ("memref", "vector"),
    "space": ("none", "1 : i64", "#gpu.address_space<globa", "#gpu.address_space<workg"),
    "global": ("constant", "mutable"),
    "carried": ("memref", "f32", "!gpu.async.token"),
    "schedule": ("checkpoint", "checkpoint_period", "binomial_checkpointing"),
    "flow": ("cf.br", "cf.cond_br", "cf.switch"),
    "edge": ("none", "token", "value"),
    "task": ("d0/r0", "d0/r1", "d1/r0"),
    "launch": ("stream",),
    "alloc": ("shared",),
}

BREADTH: dict[str, tuple[str, ...]] = {
    "handle": _HANDLES,
    "pointer": _POINTERS,
    "access": _ACCESSES,
    "token": _TOKENS,
    **_OTHERS,
}
"""Values of each dimension."""


def missing(seen: set[str]) -> list[str]:
    """What of it all no program showed: values, view ops, and loops with what they can be."""
    wanted = [f"{dimension}:{value}" for dimension, values in BREADTH.items() for value in values]
    kept = [feature for feature in wanted if feature not in seen]
    views = {f.removeprefix("view:").partition("/")[0] for f in seen if f.startswith("view:")}
    loops = {f.rpartition("/")[0] for f in seen if f.startswith("loop:")}
    kept += [f"view:{name}" for name in sorted(VIEW_OPS - views)]
    wanted_loops = {f"loop:{name}/{kind}" for name in LOOP_OPS for kind in "cp"}
    nested = {f"loop:scf.for/{kind}/d{depth}" for kind in "cp" for depth in (0, 1, 2)}
    return kept + sorted(wanted_loops - loops) + sorted(nested - seen)
