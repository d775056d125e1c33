// Shows: one buffer of bytes holds four floats and, after them, eight integers.
// Idea: memory pools with typed parts; the parts are apart in bytes.
// RUN: verify-ir check %s --verify-diagnostics
func.func @pool(%pool: memref<48xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %floats = memref.view %pool[%c0][] : memref<48xi8> to memref<4xf32>
  %ints = memref.view %pool[%c16][] : memref<48xi8> to memref<8xi32>
  scf.for %i = %c0 to %c4 step %c1 {
    %x = memref.load %floats[%i] : memref<4xf32>
    %n = memref.load %ints[%c0] : memref<8xi32>
    %y = arith.fptosi %x : f32 to i32
    %m = arith.addi %n, %y : i32
    memref.store %m, %ints[%i] : memref<8xi32>
    memref.store %x, %floats[%c0] : memref<4xf32>
  } {enzyme.enable_checkpointing = true}
  return
}
