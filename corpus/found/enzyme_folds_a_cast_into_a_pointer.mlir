// Shows: Enzyme's `canonicalize` folds a cast to an open layout into the op that makes a memref of a
// pointer, whose own verifier then refuses the result.
// Idea: found by generated programs of the family `whole`.
// Seen with: enzyme-ad 0.0.16 ("requires a result layout with zero offset"), pipeline `canonicalize`.
// RUN: verify-ir passes %s -p enzyme:canonicalize --verify-diagnostics
func.func @open(%pointer: !llvm.ptr) -> memref<?xf32, strided<[?], offset: ?>> {
  %line = "enzymexla.pointer2memref"(%pointer) : (!llvm.ptr) -> memref<?xf32>
  // expected-error@+1 {{after:enzyme:canonicalize [E0305]}}
  %open = memref.cast %line : memref<?xf32> to memref<?xf32, strided<[?], offset: ?>>
  return %open : memref<?xf32, strided<[?], offset: ?>>
}
