// Shows: the loop writes one of two allocations and reads a third.
// Idea: a value with several possible buffers is no danger to a buffer that is not among them.
// RUN: verify-ir check %s --verify-diagnostics
func.func @choose(%flag: i1, %n: index, %value: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %left = memref.alloc() : memref<4xf32>
  %right = memref.alloc() : memref<4xf32>
  %other = memref.alloc() : memref<4xf32>
  memref.store %value, %other[%c1] : memref<4xf32>
  %out = arith.select %flag, %left, %right : memref<4xf32>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %other[%c1] : memref<4xf32>
    memref.store %x, %out[%c1] : memref<4xf32>
  } {enzyme.enable_checkpointing = true}
  memref.dealloc %left : memref<4xf32>
  memref.dealloc %right : memref<4xf32>
  memref.dealloc %other : memref<4xf32>
  return
}
