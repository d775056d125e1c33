// Shows: wrong targets of an index that is a quotient, each with one thing changed, and each refuted by a run.
// Idea: what a faulty pass could make of it.
// RUN: verify-ir tv %s --verify-diagnostics
func.func @f(%m: memref<?xf32>, %w: memref<8xf32>, %n: index, %k: index, %p: i1, %x: f32,
             %y: f32) -> f32 {
  %c2 = arith.constant 2 : index
  %q = arith.divui %k, %c2 : index
  %r = memref.load %m[%q] : memref<?xf32>
  return %r : f32
}

// -----

// Changed: another quotient.
// expected-error@+1 {{after:target [E0302]}}
func.func @f(%m: memref<?xf32>, %w: memref<8xf32>, %n: index, %k: index, %p: i1, %x: f32,
             %y: f32) -> f32 {
  %c4 = arith.constant 4 : index
  %q = arith.divui %k, %c4 : index
  %r = memref.load %m[%q] : memref<?xf32>
  return %r : f32
}

// -----

// Changed: a remainder for a quotient.
// expected-error@+1 {{after:target [E0302]}}
func.func @f(%m: memref<?xf32>, %w: memref<8xf32>, %n: index, %k: index, %p: i1, %x: f32,
             %y: f32) -> f32 {
  %c2 = arith.constant 2 : index
  %q = arith.remui %k, %c2 : index
  %r = memref.load %m[%q] : memref<?xf32>
  return %r : f32
}
