// Shows: a raised GPU kernel in the body writes through one memref of a device pointer and reads
// through another one.
// Idea: how Enzyme's front end gives kernels: parallel loops inside `enzymexla.gpu_wrapper`.
// RUN: verify-ir check %s --verify-diagnostics
func.func @kernel(%device: memref<64xf32, 1>, %n: index, %value: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %other = memref.cast %device : memref<64xf32, 1> to memref<?xf32, 1>
  scf.for %i = %c0 to %n step %c1 {
    %token = "enzymexla.gpu_wrapper"(%c1, %c1, %c1, %c64, %c1, %c1) ({
      affine.parallel (%t) = (0) to (64) {
        affine.store %value, %other[%t] : memref<?xf32, 1>
        // expected-error@+1 {{[E0101]}}
        %x = affine.load %device[%t] : memref<64xf32, 1>
        %y = arith.addf %x, %value : f32
        affine.store %y, %other[%t] : memref<?xf32, 1>
      }
      "enzymexla.polygeist_yield"() : () -> ()
    }) : (index, index, index, index, index, index) -> index
  } {enzyme.enable_checkpointing = true}
  return
}
