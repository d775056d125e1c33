// Shows: a captured pointer to a cell on the stack. The checker knows how large the allocation is;
// the pointer's type does not say it, and a snapshot goes by the type.
// Idea: an opaque pointer carries no size, whatever it points to.
// RUN: verify-ir check %s --verify-diagnostics
func.func @one_cell(%n: index, %seed: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = arith.constant 1 : i64
  %cell = llvm.alloca %size x f32 : (i64) -> !llvm.ptr
  llvm.store %seed, %cell : f32, !llvm.ptr
  scf.for %i = %c0 to %n step %c1 {
    %x = llvm.load %cell : !llvm.ptr -> f32
    %y = arith.addf %x, %seed : f32
    llvm.store %y, %cell : f32, !llvm.ptr
  } {enzyme.enable_checkpointing = true}
  return
}
