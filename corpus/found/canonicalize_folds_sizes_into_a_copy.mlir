// Shows: the real pass works out the sizes on both sides of a copy and writes them into the types. Here they differ,
// so that the copy must not be reached; what comes out is not valid, whether it is reached or not.
// Idea: found by a campaign, in a loop that may have no iteration.
// Seen with: MLIR 22.1.8, pipeline `canonicalize`.
// RUN: verify-ir passes %s -p mlir:canonicalize --verify-diagnostics
func.func @never(%is_reached: i1) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.if %is_reached {
    %two = memref.alloc(%c2) : memref<?xi8>
    %one = memref.subview %two[0] [%c1] [2] : memref<?xi8> to memref<?xi8, strided<[2]>>
    // expected-error@+1 {{after:mlir:canonicalize [E0305]}}
    memref.copy %two, %one : memref<?xi8> to memref<?xi8, strided<[2]>>
    memref.dealloc %two : memref<?xi8>
  }
  return
}
