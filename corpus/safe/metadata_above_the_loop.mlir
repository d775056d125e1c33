// Shows: alignment and strides are asked for above the loop; only numbers enter it.
// Idea: the quiet form of E0106; numbers are not cloned, so the replay sees the same ones.
// RUN: verify-ir check %s --verify-diagnostics
func.func @strides(%view: memref<?xf32, strided<[?], offset: ?>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %aligned = memref.assume_alignment %view, 16 : memref<?xf32, strided<[?], offset: ?>>
  %base, %offset, %size, %stride = memref.extract_strided_metadata %aligned : memref<?xf32, strided<[?], offset: ?>> -> memref<f32>, index, index, index
  scf.for %i = %c0 to %size step %c1 {
    %x = memref.load %aligned[%i] : memref<?xf32, strided<[?], offset: ?>>
    %y = arith.addf %x, %x : f32
    memref.store %y, %aligned[%i] : memref<?xf32, strided<[?], offset: ?>>
  } {enzyme.enable_checkpointing = true}
  return
}
