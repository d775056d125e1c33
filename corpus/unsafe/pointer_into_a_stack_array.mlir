// Shows: an array on the stack, behind LLVM pointers. The loop captures the array as a memref of
// four floats, and its third float, found eight bytes further on, as a memref of one.
// Idea: `llvm.getelementptr` is the view op of pointer code, and its unit is its element type.
// RUN: verify-ir check %s --verify-diagnostics
func.func @pointers(%n: index, %seed: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %size = arith.constant 4 : i64
  %array = llvm.alloca %size x f32 : (i64) -> !llvm.ptr
  %inside = llvm.getelementptr %array[8] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %seed, %inside : f32, !llvm.ptr
  %all = "enzymexla.pointer2memref"(%array) : (!llvm.ptr) -> memref<4xf32>
  %third = "enzymexla.pointer2memref"(%inside) : (!llvm.ptr) -> memref<1xf32>
  scf.for %i = %c0 to %n step %c1 {
    // expected-error@+1 {{[E0101]}}
    %x = memref.load %all[%c2] : memref<4xf32>
    %y = arith.addf %x, %seed : f32
    memref.store %y, %third[%c0] : memref<1xf32>
  } {enzyme.enable_checkpointing = true}
  return
}
