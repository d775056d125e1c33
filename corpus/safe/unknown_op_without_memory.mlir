// Shows: an op of a dialect that nobody knows, which is given numbers only, inside a loop that is
// not checkpointed and has no views.
// Idea: the quiet form of U0002; what an op cannot reach does not matter to any check.
// RUN: verify-ir check %s --verify-diagnostics
func.func @numbers(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = scf.for %i = %c0 to %n step %c1 iter_args(%x = %c1) -> (index) {
    %y = "vendor.twiddle"(%x) : (index) -> index
    scf.yield %y : index
  }
  return %end : index
}
