// Shows: a whole-view write by `memref.copy`, and a read of one of its cells through the buffer.
// Idea: ops that touch a whole view are accesses like loads and stores.
// RUN: verify-ir check %s --verify-diagnostics
func.func @double_up(%both: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %source = memref.subview %both[0] [4] [1] : memref<8xf32> to memref<4xf32>
  %target = memref.subview %both[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  scf.for %i = %c0 to %n step %c1 {
    // expected-error@+1 {{[E0101]}}
    %x = memref.load %both[%c7] : memref<8xf32>
    memref.store %x, %source[%c0] : memref<4xf32>
    memref.copy %source, %target : memref<4xf32> to memref<4xf32, strided<[1], offset: 4>>
  } {enzyme.enable_checkpointing = true}
  return
}
