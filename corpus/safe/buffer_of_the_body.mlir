// Shows: the body allocates its scratch memory itself and views it twice.
// Idea: what an iteration allocates is made anew by the replay and is no state of the loop.
// RUN: verify-ir check %s --verify-diagnostics
func.func @scratch(%input: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %scratch = memref.alloca() : memref<4xf32>
    %tail = memref.subview %scratch[1] [3] [1] : memref<4xf32> to memref<3xf32, strided<[1], offset: 1>>
    %x = memref.load %input[%c0] : memref<4xf32>
    memref.store %x, %tail[%c0] : memref<3xf32, strided<[1], offset: 1>>
    %y = memref.load %scratch[%c1] : memref<4xf32>
    memref.store %y, %input[%c1] : memref<4xf32>
  } {enzyme.enable_checkpointing = true}
  return
}
