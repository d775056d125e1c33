// Shows: device memory whose type names its space, captured as it is.
// Idea: the quiet form of E0104; such a snapshot is a device copy.
// RUN: verify-ir check %s --verify-diagnostics
func.func @on_device(%n: index, %zero: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %device = gpu.alloc () : memref<64xf32, 1>
  scf.for %i = %c0 to %n step %c1 {
    gpu.memset %device, %zero : memref<64xf32, 1>, f32
  } {enzyme.enable_checkpointing = true}
  gpu.dealloc %device : memref<64xf32, 1>
  return
}
