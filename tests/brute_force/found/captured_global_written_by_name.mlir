// Expected: refuted (E0105). Actual: proven.
// The loop writes the global by name, which no snapshot covers, and reads it through a capture. A
// replay writes the global itself and reads its copy: the read gives the old value.
memref.global "private" @state : memref<4xf32> = uninitialized
func.func @f(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %captured = memref.get_global @state : memref<4xf32>
  scf.for %i = %c0 to %n step %c1 {
    %named = memref.get_global @state : memref<4xf32>
    memref.store %x, %named[%c0] : memref<4xf32>
    %y = memref.load %captured[%c0] : memref<4xf32>
  } {enzyme.enable_checkpointing = true}
  return
}
