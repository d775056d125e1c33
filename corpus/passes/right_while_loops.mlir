// Shows: a loop on a condition with a counter and a sum; what MLIR's passes make of it does the same.
// Idea: what passes legally do must be proven.
// RUN: verify-ir passes %s -p mlir:canonicalize --verify-diagnostics
// RUN: verify-ir passes %s -p mlir:cse --verify-diagnostics
// RUN: verify-ir passes %s -p mlir:loop-invariant-code-motion --verify-diagnostics
// RUN: verify-ir passes %s -p mlir:fold-memref-alias-ops --verify-diagnostics
// RUN: verify-ir passes %s -p mlir:expand-strided-metadata --verify-diagnostics
// RUN: verify-ir passes %s -p mlir:lower-affine --verify-diagnostics
// RUN: verify-ir passes %s -p mlir:convert-scf-to-cf --verify-diagnostics
func.func @until(%cells: memref<?xf32>, %limit: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %i, %sum = scf.while (%i = %c0, %s = %zero) : (index, f32) -> (index, f32) {
    %below = arith.cmpf olt, %s, %limit : f32
    %inside = arith.cmpi ult, %i, %n : index
    %go = arith.andi %below, %inside : i1
    scf.condition(%go) %i, %s : index, f32
  } do {
  ^bb0(%i: index, %s: f32):
    %x = memref.load %cells[%i] : memref<?xf32>
    %t = arith.addf %s, %x : f32
    %j = arith.addi %i, %c1 : index
    scf.yield %j, %t : index, f32
  }
  return %sum : f32
}
