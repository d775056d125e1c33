// Shows: the real pass takes the bound `i mod 3` of the inner loop for 2 because `i` starts at 2.
// For `i` = 3 the inner loop runs twice instead of not at all: a wrong result without any warning.
// Idea: found by running generated programs on the interpreter and natively; any pass that applies
// the patterns of `affine.for` on its way does it, `convert-linalg-to-loops` too.
// Seen with: MLIR 22.1.8, pipelines `canonicalize`, `fold-memref-alias-ops`, `expand-strided-metadata`.
// RUN: verify-ir passes %s -p mlir:canonicalize --verify-diagnostics
// expected-error@+1 {{after:mlir:canonicalize [E0302]}}
func.func @shifted(%data: memref<8xf32>, %x: f32) {
  affine.for %i = 2 to 4 {
    affine.for %j = 0 to affine_map<(d0) -> (d0 mod 3)>(%i) {
      affine.store %x, %data[%i + %j] : memref<8xf32>
    }
  }
  return
}
