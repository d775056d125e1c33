// Shows: the real pass dies where a window drops one of two unit dimensions and a constant step,
// which stands in a value, leaves open which of them it is.
// Idea: found by generated programs of the family `whole`; as in
// `strided_metadata_dies_on_unit_dimensions.mlir`, but in a pass that every pipeline has.
// Seen with: MLIR 22.1.8 (SIGABRT: "unable to find unused dims of subview"), pipeline `canonicalize`.
// RUN: verify-ir passes %s -p mlir:canonicalize --verify-diagnostics
// expected-error@-6 {{after:mlir:canonicalize [E0304]}}
func.func @one(%data: memref<1x4xf32>) -> memref<1xf32, strided<[?]>> {
  %c2 = arith.constant 2 : index
  %one = memref.subview %data[0, 0] [1, 1] [1, %c2] : memref<1x4xf32> to memref<1xf32, strided<[?]>>
  return %one : memref<1xf32, strided<[?]>>
}
