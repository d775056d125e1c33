// Shows: Enzyme's `canonicalize` puts a constant step into a window that drops one of its unit
// dimensions, and gives a window whose type fits no more. MLIR 22.1.8 dies on it instead, as in
// `canonicalize_dies_on_unit_dimensions.mlir`.
// Idea: found by generated programs of the family `whole`.
// Seen with: enzyme-ad 0.0.16 ("mismatch of result layout"), pipeline `canonicalize`.
// RUN: verify-ir passes %s -p enzyme:canonicalize --verify-diagnostics
func.func @dropped(%data: memref<1x1x1x1xf32>) -> memref<1x1x1xf32, strided<[1, ?, 1]>> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  // expected-error@+1 {{after:enzyme:canonicalize [E0305]}}
  %window = memref.subview %data[0, 0, 0, 0] [1, 1, 1, 1] [1, %c2, %c1, 1]
    : memref<1x1x1x1xf32> to memref<1x1x1xf32, strided<[1, ?, 1]>>
  return %window : memref<1x1x1xf32, strided<[1, ?, 1]>>
}
