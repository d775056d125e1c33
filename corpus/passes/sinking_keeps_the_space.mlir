// Shows: E0104 before the pass and nothing after it: the loop then captures the device buffer,
// whose type names its space.
// Idea: the second reason for the pass.
// RUN: verify-ir passes %s -p sink-checkpoint-views --verify-diagnostics
func.func @on_device(%n: index, %zero: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %device = gpu.alloc () : memref<128xf32, 1>
  %plain = memref.memory_space_cast %device : memref<128xf32, 1> to memref<128xf32>
  // expected-error@+1 {{[E0104]}}
  scf.for %i = %c0 to %n step %c1 {
    gpu.memset %plain, %zero : memref<128xf32>, f32
  } {enzyme.enable_checkpointing = true}
  gpu.dealloc %device : memref<128xf32, 1>
  return
}
