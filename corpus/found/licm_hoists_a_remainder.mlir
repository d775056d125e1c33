// Shows: the real pass moves a remainder out of a loop that may have no iteration. By zero it is undefined, and now
// it is always run. Of `arith.divui` and `arith.divsi` the pass knows that; of `arith.remui`, `arith.remsi` and
// `arith.floordivsi` it does not.
// Idea: found by a campaign; a place in a memref is drawn as the remainder by its size, which may be 0.
// Seen with: MLIR 22.1.8, pipeline `loop-invariant-code-motion`; that of enzyme-ad 0.0.16 moves the last of the three.
// RUN: verify-ir passes %s -p mlir:loop-invariant-code-motion --verify-diagnostics
// expected-error@+1 {{after:mlir:loop-invariant-code-motion [E0302]}}
func.func @remainder(%data: memref<?xf32>, %at: index, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = memref.dim %data, %c0 : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %place = arith.remui %at, %size : index
    memref.store %x, %data[%place] : memref<?xf32>
  }
  return
}

// expected-error@+1 {{after:mlir:loop-invariant-code-motion [E0302]}}
func.func @quotient(%data: memref<8xf32>, %at: index, %by: index, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %place = arith.floordivsi %at, %by : index
    memref.store %x, %data[%place] : memref<8xf32>
  }
  return
}
