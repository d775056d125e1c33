// Shows: the cell that the loop updates is found through a pointer which the loop loads.
// Idea: a snapshot of the pointer is not a snapshot of what it points to.
// RUN: verify-ir check %s --verify-diagnostics
func.func @indirect(%cell: !llvm.ptr, %n: index, %step: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = arith.constant 1 : i64
  %box = llvm.alloca %size x !llvm.ptr : (i64) -> !llvm.ptr
  llvm.store %cell, %box : !llvm.ptr, !llvm.ptr
  scf.for %i = %c0 to %n step %c1 {
    %target = llvm.load %box : !llvm.ptr -> !llvm.ptr
    // expected-error@+1 {{[E0105]}}
    %x = llvm.load %target : !llvm.ptr -> f32
    %y = arith.addf %x, %step : f32
    llvm.store %y, %target : f32, !llvm.ptr
  } {enzyme.enable_checkpointing = true}
  return
}
