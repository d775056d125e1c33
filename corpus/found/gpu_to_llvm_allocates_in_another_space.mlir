// Shows: device memory in a numbered space is allocated as a pointer of space 0 and put into a descriptor of
// space 1 as it is: the output is not valid. The page of `gpu.alloc` has such a memref as its example. Freeing
// it fails alike, in `gpu_to_llvm_frees_in_another_space.mlir`; fills and copies cast the pointer.
// Idea: what `gpu-async-region` makes of drawn programs, given to the pass that comes next.
// Seen with: MLIR 22.1.8, pipeline `gpu-to-llvm`.
// RUN: verify-ir passes %s -p mlir:gpu-to-llvm --verify-diagnostics
func.func @allocated() {
  %start = gpu.wait async
  // expected-error@+1 {{after:mlir:gpu-to-llvm [E0305]}}
  %field, %made = gpu.alloc async [%start] () : memref<8xf32, 1>
  gpu.wait [%made]
  return
}
