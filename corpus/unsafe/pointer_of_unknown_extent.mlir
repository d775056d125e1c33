// Shows: a captured pointer argument. Its type does not say how many bytes it spans, so nobody can
// have copied what the loop reads back.
// Idea: an opaque pointer carries no size.
// RUN: verify-ir check %s --verify-diagnostics
func.func @accumulate(%cell: !llvm.ptr, %n: index, %step: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    // expected-error@+1 {{[E0105]}}
    %x = llvm.load %cell : !llvm.ptr -> f32
    %y = arith.addf %x, %step : f32
    llvm.store %y, %cell : f32, !llvm.ptr
  } {enzyme.enable_checkpointing = true}
  return
}
