// Shows: the real pass lowers a function that returns the token of a host task, and leaves the token as it is in
// an `llvm.return`, which takes types of that dialect alone. Its own tokens and values it converts.
// Idea: what `gpu-async-region` makes of drawn programs, given to the pass that comes next.
// Seen with: MLIR 22.1.8, pipeline `gpu-to-llvm`.
// RUN: verify-ir passes %s -p mlir:gpu-to-llvm --verify-diagnostics
func.func @begun() -> !async.token {
  %task = async.execute {
    async.yield
  }
  // expected-error@+1 {{after:mlir:gpu-to-llvm [E0305]}}
  return %task : !async.token
}
