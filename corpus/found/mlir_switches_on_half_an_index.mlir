// Shows: a switch on an index becomes one on its low 32 bits, so that 3 + 2^32 takes the way of 3. The case
// values may be small; large ones become each other too.
// Idea: an index has 64 bits. Reported upstream for large case values as llvm-project issue 111589.
// Seen with: MLIR 22.1.8 (bindings and mlir-opt), pass `convert-scf-to-cf`.
// RUN: verify-ir passes %s -p mlir:convert-scf-to-cf --verify-diagnostics
// expected-error@+1 {{after:mlir:convert-scf-to-cf [E0302]}}
func.func @choose(%which: index, %answer: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  scf.index_switch %which
  case 3 {
    memref.store %one, %answer[%c0] : memref<1xi32>
    scf.yield
  }
  default {
    memref.store %two, %answer[%c0] : memref<1xi32>
    scf.yield
  }
  return
}
