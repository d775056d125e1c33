// Shows: two modules in one file. The first is right, the second is not.
// Idea: files as test suites write them; places count from the top of the file.
// RUN: verify-ir check %s --split-input-file --verify-diagnostics
func.func @first(%data: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %data[%c1] : memref<4xf32>
    memref.store %x, %data[%c0] : memref<4xf32>
  } {enzyme.enable_checkpointing = true}
  return
}

// -----

func.func @second(%data: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %same = memref.reinterpret_cast %data to offset: [0], sizes: [2, 2], strides: [2, 1] : memref<4xf32> to memref<2x2xf32>
  scf.for %i = %c0 to %n step %c1 {
    // expected-error@+1 {{[E0101]}}
    %x = memref.load %data[%c1] : memref<4xf32>
    %y = arith.addf %x, %x : f32
    memref.store %y, %same[%c0, %c1] : memref<2x2xf32>
  } {enzyme.enable_checkpointing = true}
  return
}
