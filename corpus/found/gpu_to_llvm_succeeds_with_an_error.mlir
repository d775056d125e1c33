// Shows: the real pass prints an error about a named memory space, and ends as if all were well. Whoever asked for
// the errors of a pass that failed is left with one of a pass that did not: MLIR's Python bindings stop the process.
// Idea: found by a campaign; `finalize-memref-to-llvm` does the same with `memref.alloc`.
// Seen with: MLIR 22.1.8 (SIGABRT: `unhandled captured errors`), pipeline `gpu-to-llvm`.
// RUN: verify-ir passes %s -p mlir:gpu-to-llvm --verify-diagnostics
// expected-error@-5 {{after:mlir:gpu-to-llvm [E0304]}}
func.func @named() {
  %start = gpu.wait async
  %data, %made = gpu.alloc async [%start] () : memref<4xf32, #gpu.address_space<global>>
  gpu.wait [%made]
  return
}
