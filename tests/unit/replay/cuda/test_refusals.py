"""What has no form in CUDA C++ is refused with a reason, and never printed as something else."""

from __future__ import annotations

import pytest

from tests.cuda.differential import program_of

WORKGROUP = "memref<4xi32, #gpu.address_space<workgroup>>"
REFUSED = {
    "a lane": ("%r = gpu.lane_id", "`gpu.lane_id` in a kernel"),
    "a vector": ("%r = arith.constant dense<1> : vector<4xi32>", "`arith.constant` in a kernel"),
    "a wide integer": (
        "%n = memref.alloca() : memref<1xi128>\n%r = affine.load %n[0] : memref<1xi128>",
        "an integer of 128 bits in a kernel",
    ),
    "memory of unknown size": (
        "%r = memref.alloca(%i) : memref<?xi32>",
        "an allocation of unknown size in a kernel",
    ),
    "too much memory": (
        "%r = memref.alloca() : memref<100000xi32>",
        "more local memory than a kernel has",
    ),
    "workgroup memory of a thread": (
        f"%r = memref.alloca() : {WORKGROUP}",
        "`memref.alloca` of workgroup memory in a kernel",
    ),
    "memory out of a loop": (
        """%r = scf.for %k = %i to %i step %i iter_args(%o = %m) -> (memref<4xi32>) {
             %n = memref.alloca() : memref<4xi32>
             scf.yield %n : memref<4xi32>
           }""",
        "a loop in a kernel hands on memory that it allocates",
    ),
    "a function without a body": (
        "func.call @outside(%x) : (i32) -> ()",
        "`func.call` of something without a body in a kernel",
    ),
    "a recursive function": (
        "func.call @again(%x) : (i32) -> ()",
        "the call of `@again` is recursive or too deep",
    ),
    "an exchange": (
        "%r = llvm.cmpxchg %p, %x, %x acq_rel monotonic : !llvm.ptr, i32",
        "`llvm.cmpxchg` in a kernel",
    ),
    "an address": ("%r = llvm.load %p : !llvm.ptr -> !llvm.ptr", "in the memory of a kernel"),
    "an op without a rule": ('gpu.printf "x"', "`gpu.printf` in a kernel"),
    "freed memory of another": ("memref.dealloc %m : memref<4xi32>", "`memref.dealloc`"),
    "an update of another kind": (
        "%r = llvm.atomicrmw usub_sat %p, %x monotonic : !llvm.ptr, i32",
        "`llvm.atomicrmw` in a kernel",
    ),
    "an asynchronous op": ("gpu.wait", "`gpu.wait` in a kernel"),
}


def reasons(body: str) -> list[str]:
    return program_of(f"""
gpu.module @kernels {{
  func.func private @outside(%x: i32)
  func.func @again(%x: i32) {{
    func.call @again(%x) : (i32) -> ()
    return
  }}
  gpu.func @kernel(%m: memref<4xi32>, %p: !llvm.ptr, %i: index, %x: i32) kernel {{
    {body}
    gpu.return
  }}
}}
""").refused


@pytest.mark.parametrize("name", REFUSED)
def test_it_is_refused(name: str) -> None:
    body, reason = REFUSED[name]

    (found,) = reasons(body)

    assert reason in found


def test_a_plain_kernel_is_not_refused() -> None:
    assert [] == reasons("memref.store %x, %m[%i] : memref<4xi32>")
