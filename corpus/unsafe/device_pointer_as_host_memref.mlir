// Shows: the space is lost on the way through a pointer: device memref, pointer, memref of bytes.
// Idea: how raised GPU code looks; every step is a plain view.
// RUN: verify-ir check %s --verify-diagnostics
func.func @through_pointer(%n: index, %zero: i8) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %device = gpu.alloc () : memref<256xi8, 1>
  %pointer = "enzymexla.memref2pointer"(%device) : (memref<256xi8, 1>) -> !llvm.ptr<1>
  %flat = llvm.addrspacecast %pointer : !llvm.ptr<1> to !llvm.ptr
  %bytes = "enzymexla.pointer2memref"(%flat) : (!llvm.ptr) -> memref<256xi8>
  // expected-error@+1 {{[E0104]}}
  scf.for %i = %c0 to %n step %c1 {
    gpu.memset %bytes, %zero : memref<256xi8>, i8
  } {enzyme.enable_checkpointing = true}
  gpu.dealloc %device : memref<256xi8, 1>
  return
}
