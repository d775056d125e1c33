// Shows: the real pass dies where a window steps by zero over a memref that a cast made. Without the
// cast, which the pass folds into the window, all is well.
// Idea: found by generated programs of the family `whole`; Enzyme's `canonicalize` does it as well.
// Seen with: MLIR 22.1.8 and enzyme-ad 0.0.16 (SIGSEGV in `SubViewOpMemRefCastFolder`), pipeline
// `canonicalize`.
// RUN: verify-ir passes %s -p mlir:canonicalize --verify-diagnostics
// expected-error@-6 {{after:mlir:canonicalize [E0304]}}
func.func @repeated(%data: memref<4xf32>) -> memref<2xf32, strided<[0], offset: ?>> {
  %open = memref.cast %data : memref<4xf32> to memref<4xf32, strided<[1], offset: ?>>
  %same = memref.subview %open[1] [2] [0]
    : memref<4xf32, strided<[1], offset: ?>> to memref<2xf32, strided<[0], offset: ?>>
  return %same : memref<2xf32, strided<[0], offset: ?>>
}
