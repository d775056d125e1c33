// Shows: the body jumps between blocks. One path writes the view, and both end at the read.
// Idea: control flow without structure inside a checkpointed loop.
// RUN: verify-ir check %s --verify-diagnostics
func.func @jump(%four: memref<4xf32>, %n: index, %flag: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %second = memref.subview %four[1] [1] [1] : memref<4xf32> to memref<1xf32, strided<[1], offset: 1>>
  scf.for %i = %c0 to %n step %c1 {
    scf.execute_region {
      cf.cond_br %flag, ^write, ^read
    ^write:
      %old = memref.load %second[%c0] : memref<1xf32, strided<[1], offset: 1>>
      %new = arith.addf %old, %one : f32
      memref.store %new, %second[%c0] : memref<1xf32, strided<[1], offset: 1>>
      cf.br ^read
    ^read:
      // expected-error@+1 {{[E0101]}}
      %x = memref.load %four[%c1] : memref<4xf32>
      scf.yield
    }
  } {enzyme.enable_checkpointing = true}
  return
}
