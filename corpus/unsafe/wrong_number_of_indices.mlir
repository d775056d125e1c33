// Shows: a file that parses and is not valid IR: a two-dimensional buffer with one index.
// Idea: MLIR's own verifier has the word; its complaint keeps its place.
// RUN: verify-ir check %s --verify-diagnostics
func.func @rank(%data: memref<8x8xf32>, %i: index) {
  // expected-error@+1 {{[E0002]}}
  %x = "memref.load"(%data, %i) : (memref<8x8xf32>, index) -> f32
  return
}
