// Shows: the read of the buffer happens in the last iteration only, behind an `affine.if`.
// Idea: integer sets as path conditions; the one path that reads is enough.
// RUN: verify-ir check %s --verify-diagnostics
#last = affine_set<(d0) : (d0 - 9 == 0)>
func.func @at_the_end(%log: memref<10xf64>, %value: f64) {
  %first = memref.subview %log[0] [1] [1] : memref<10xf64> to memref<1xf64>
  affine.for %i = 0 to 10 {
    affine.if #last(%i) {
      // expected-error@+1 {{[E0101]}}
      %x = affine.load %log[%i - 9] : memref<10xf64>
      %y = arith.addf %x, %value : f64
      affine.store %y, %first[0] : memref<1xf64>
    } else {
      affine.store %value, %first[0] : memref<1xf64>
    }
  } {enzyme.enable_checkpointing = true}
  return
}
