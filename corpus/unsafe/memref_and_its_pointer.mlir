// Shows: a memref and a second memref made from its pointer.
// Idea: Enzyme's own view ops between memrefs and pointers keep the memory.
// RUN: verify-ir check %s --verify-diagnostics
func.func @round_trip(%data: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %pointer = "enzymexla.memref2pointer"(%data) : (memref<8xf32>) -> !llvm.ptr
  %again = "enzymexla.pointer2memref"(%pointer) : (!llvm.ptr) -> memref<8xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    // expected-error@+1 {{[E0101]}}
    %x = memref.load %data[%c1] : memref<8xf32>
    %y = arith.addf %x, %x : f32
    memref.store %y, %again[%c1] : memref<8xf32>
  } {enzyme.enable_checkpointing = true}
  return
}
