// Shows: the same fault with LLVM pointers. Two addresses are the same cell of an array on the
// stack, one counted in floats and the other in bytes.
// Idea: `llvm.getelementptr` is the view op of pointer code, and its unit is its element type.
// RUN: verify-ir check %s --verify-diagnostics
func.func @pointers(%n: index, %seed: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = arith.constant 4 : i64
  %array = llvm.alloca %size x f32 : (i64) -> !llvm.ptr
  %by_float = llvm.getelementptr %array[2] : (!llvm.ptr) -> !llvm.ptr, f32
  %by_byte = llvm.getelementptr %array[8] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %seed, %by_float : f32, !llvm.ptr
  scf.for %i = %c0 to %n step %c1 {
    // expected-error@+1 {{[E0101]}}
    %x = llvm.load %by_float : !llvm.ptr -> f32
    %y = arith.addf %x, %seed : f32
    llvm.store %y, %by_byte : f32, !llvm.ptr
  } {enzyme.enable_checkpointing = true}
  return
}
