// Shows: equivalence with sources that no input lets run to their end; the target is right, and the proof says nothing.
// Idea: demands that contradict one another, and loops that are never left. Where some input has a run, a wrong target
// is refuted as ever.
// RUN: verify-ir tv %s --verify-diagnostics
func.func @contradiction(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %low = arith.cmpi slt, %n, %c0 : index
  %high = arith.cmpi sgt, %n, %c5 : index
  cf.assert %low, "low"
  cf.assert %high, "high"
  return %n : index
}
func.func @assumption(%n: i64) -> i64 {
  %false = arith.constant false
  llvm.intr.assume %false : i1
  return %n : i64
}
func.func @by_zero(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %q = arith.divui %n, %c0 : index
  return %q : index
}
func.func @forever(%n: index) -> index {
  cf.br ^again
^again:
  cf.br ^again
}
func.func @on_some_inputs(%n: index) -> index {
  %c3 = arith.constant 3 : index
  %low = arith.cmpi ult, %n, %c3 : index
  cf.assert %low, "low"
  return %n : index
}

// -----

// expected-note@+1 {{after:target [N0004]}}
func.func @contradiction(%n: index) -> index {
  %c7 = arith.constant 7 : index
  return %c7 : index
}
// expected-note@+1 {{after:target [N0004]}}
func.func @assumption(%n: i64) -> i64 {
  %c7 = arith.constant 7 : i64
  return %c7 : i64
}
// expected-note@+1 {{after:target [N0004]}}
func.func @by_zero(%n: index) -> index {
  %c7 = arith.constant 7 : index
  return %c7 : index
}
// expected-note@+1 {{after:target [N0004] no input lets `@forever` run to its end: it goes on forever}}
func.func @forever(%n: index) -> index {
  cf.br ^again
^again:
  cf.br ^again
}
// expected-error@+1 {{after:target [E0302]}}
func.func @on_some_inputs(%n: index) -> index {
  %c7 = arith.constant 7 : index
  return %c7 : index
}
