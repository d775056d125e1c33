// Shows: a signed division: a wrong target that a run refutes.
// Idea: what a faulty pass could make of it.
// RUN: verify-ir tv %s --verify-diagnostics
func.func @f(%m: memref<?xf32>, %w: memref<8xf32>, %n: index, %k: index, %p: i1, %x: f32,
             %y: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c7 = arith.constant 7 : index
  %d = arith.subi %c0, %c7 : index
  %q = arith.divsi %d, %c2 : index
  %o = arith.addi %q, %c4 : index
  %r = memref.load %w[%o] : memref<8xf32>
  return %r : f32
}

// -----

// Changed: a signed division.
// expected-error@+1 {{after:target [E0302]}}
func.func @f(%m: memref<?xf32>, %w: memref<8xf32>, %n: index, %k: index, %p: i1, %x: f32,
             %y: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c7 = arith.constant 7 : index
  %d = arith.subi %c0, %c7 : index
  %q = arith.floordivsi %d, %c2 : index
  %o = arith.addi %q, %c4 : index
  %r = memref.load %w[%o] : memref<8xf32>
  return %r : f32
}
