// Shows: the body asserts that the captured buffer is aligned to 64 bytes. Its copy need not be.
// Idea: a snapshot keeps elements, and not the address they were at.
// RUN: verify-ir check %s --verify-diagnostics
func.func @aligned_sum(%data: memref<32xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    // expected-error@+1 {{[E0106]}}
    %aligned = memref.assume_alignment %data, 64 : memref<32xf32>
    %x = memref.load %aligned[%c1] : memref<32xf32>
    %y = arith.addf %x, %x : f32
    memref.store %y, %aligned[%c1] : memref<32xf32>
  } {enzyme.enable_checkpointing = true}
  return
}
