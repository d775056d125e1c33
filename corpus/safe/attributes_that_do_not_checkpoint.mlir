// Shows: four attributes that look like checkpointing and are not: a unit, an i32, a string, `false`.
// Idea: only the boolean `true` counts; a test for the mere presence of the attribute is wrong.
// RUN: verify-ir check %s --verify-diagnostics
func.func @four_loops(%data: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %head = memref.subview %data[0] [2] [1] : memref<8xf32> to memref<2xf32>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %data[%c0] : memref<8xf32>
    %y = arith.addf %x, %x : f32
    memref.store %y, %head[%c0] : memref<2xf32>
  } {enzyme.enable_checkpointing}
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %data[%c1] : memref<8xf32>
    %y = arith.addf %x, %x : f32
    memref.store %y, %head[%c1] : memref<2xf32>
  } {enzyme.enable_checkpointing = 1 : i32}
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %data[%c0] : memref<8xf32>
    %y = arith.mulf %x, %x : f32
    memref.store %y, %head[%c0] : memref<2xf32>
  } {enzyme.enable_checkpointing = "true"}
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %data[%c1] : memref<8xf32>
    %y = arith.mulf %x, %x : f32
    memref.store %y, %head[%c1] : memref<2xf32>
  } {enzyme.enable_checkpointing = false}
  return
}
