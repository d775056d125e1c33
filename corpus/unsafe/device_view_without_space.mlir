// Shows: device memory reaches the loop as a memref whose type does not say so. Its snapshot is a
// host allocation, filled by a host copy of device memory.
// Idea: the louder half of the double-snapshot bug; on a GPU it crashes.
// RUN: verify-ir check %s --verify-diagnostics
func.func @on_device(%n: index, %zero: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %device = gpu.alloc () : memref<64xf32, 1>
  %plain = memref.memory_space_cast %device : memref<64xf32, 1> to memref<64xf32>
  // expected-error@+1 {{[E0104]}}
  scf.for %i = %c0 to %n step %c1 {
    gpu.memset %plain, %zero : memref<64xf32>, f32
  } {enzyme.enable_checkpointing = true}
  gpu.dealloc %device : memref<64xf32, 1>
  return
}
