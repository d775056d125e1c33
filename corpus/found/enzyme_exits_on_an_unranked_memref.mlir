// Shows: Enzyme ends its whole process, with exit code 1, on an unranked memref that is active. A tool that
// has it loaded ends with it.
// Idea: a value that no snapshot can hold.
// Seen with: enzyme-ad 0.0.16 ("type does not have autodifftypeinterface"), pipeline `enzyme-wrap`.
// RUN: verify-ir passes %s -p "enzyme:enzyme-wrap{infn=first outfn= argTys=enzyme_dup retTys=enzyme_active mode=ReverseModeCombined}" --verify-diagnostics
// expected-error@-5 {{after:enzyme:enzyme-wrap{infn=first outfn= argTys=enzyme_dup retTys=enzyme_active mode=ReverseModeCombined} [E0304]}}
func.func @first(%any: memref<*xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %data = memref.cast %any : memref<*xf64> to memref<4xf64>
  %x = memref.load %data[%c0] : memref<4xf64>
  return %x : f64
}
