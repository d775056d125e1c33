// Shows: the first loop writes the view, the second reads the buffer. Each captures one of the two.
// Idea: captures belong to a loop; what another loop did is in memory before the snapshot is taken.
// RUN: verify-ir check %s --verify-diagnostics
func.func @first_then_second(%data: memref<10xf32>, %value: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c10 = arith.constant 10 : index
  %zero = arith.constant 0.0 : f32
  %upper = memref.subview %data[5] [5] [1] : memref<10xf32> to memref<5xf32, strided<[1], offset: 5>>
  scf.for %i = %c0 to %c5 step %c1 {
    memref.store %value, %upper[%i] : memref<5xf32, strided<[1], offset: 5>>
  } {enzyme.enable_checkpointing = true}
  %sum = scf.for %i = %c0 to %c10 step %c1 iter_args(%acc = %zero) -> (f32) {
    %x = memref.load %data[%i] : memref<10xf32>
    %next = arith.addf %acc, %x : f32
    scf.yield %next : f32
  } {enzyme.enable_checkpointing = true}
  return %sum : f32
}
