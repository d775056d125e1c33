// Shows: Enzyme dies on an unranked memref inside of a function that it differentiates: it asks for an interface
// that the type does not have. As an argument, such a memref ends the whole process.
// Idea: found by differentiating what the corpus has for another pass.
// Seen with: enzyme-ad 0.0.16 (SIGSEGV in `AutoDiffTypeInterface::isMutable`), pipeline `enzyme-wrap`.
// RUN: verify-ir passes %s -p "enzyme:enzyme-wrap{infn=square outfn= argTys=enzyme_dup retTys= mode=ReverseModeCombined}" --verify-diagnostics
// expected-error@-5 {{after:enzyme:enzyme-wrap{infn=square outfn= argTys=enzyme_dup retTys= mode=ReverseModeCombined} [E0304]}}
func.func @square(%buffer: memref<4xf64>) {
  %c0 = arith.constant 0 : index
  %handle = memref.cast %buffer : memref<4xf64> to memref<*xf64>
  %ranked = memref.cast %handle : memref<*xf64> to memref<4xf64>
  %x = memref.load %ranked[%c0] : memref<4xf64>
  %y = arith.mulf %x, %x : f64
  memref.store %y, %ranked[%c0] : memref<4xf64>
  return
}
