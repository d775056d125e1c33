// Shows: the body asks for the offset of the captured view within its buffer and stores it.
// Idea: a copy is an allocation of its own, so the same question has another answer in the replay.
// RUN: verify-ir check %s --verify-diagnostics
func.func @where_am_i(%view: memref<4xindex, strided<[1], offset: ?>>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    // expected-error@+1 {{[E0106]}}
    %base, %offset, %size, %stride = memref.extract_strided_metadata %view : memref<4xindex, strided<[1], offset: ?>> -> memref<index>, index, index, index
    memref.store %offset, %view[%c0] : memref<4xindex, strided<[1], offset: ?>>
  } {enzyme.enable_checkpointing = true}
  return
}
