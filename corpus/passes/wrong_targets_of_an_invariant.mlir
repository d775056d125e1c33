// Shows: wrong targets of a loop with an invariant computation, each with one thing changed, and each refuted by a run.
// Idea: what a faulty pass could make of it.
// RUN: verify-ir tv %s --verify-diagnostics
func.func @f(%m: memref<?xf32>, %w: memref<8xf32>, %n: index, %k: index, %p: i1, %x: f32,
             %y: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    %s = arith.mulf %x, %y : f32
    memref.store %s, %m[%i] : memref<?xf32>
  }
  %r = arith.addf %x, %zero : f32
  return %r : f32
}

// -----

// Changed: a store hoisted out of a loop that may not run.
// expected-error@+1 {{after:target [E0302]}}
func.func @f(%m: memref<?xf32>, %w: memref<8xf32>, %n: index, %k: index, %p: i1, %x: f32,
             %y: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %s = arith.mulf %x, %y : f32
  memref.store %s, %w[%c0] : memref<8xf32>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %s, %m[%i] : memref<?xf32>
  }
  %r = arith.addf %x, %zero : f32
  return %r : f32
}

// -----

// Changed: another invariant.
// expected-error@+1 {{after:target [E0302]}}
func.func @f(%m: memref<?xf32>, %w: memref<8xf32>, %n: index, %k: index, %p: i1, %x: f32,
             %y: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    %s = arith.addf %x, %y : f32
    memref.store %s, %m[%i] : memref<?xf32>
  }
  %r = arith.addf %x, %zero : f32
  return %r : f32
}

// -----

// Changed: the same element every time.
// expected-error@+1 {{after:target [E0302]}}
func.func @f(%m: memref<?xf32>, %w: memref<8xf32>, %n: index, %k: index, %p: i1, %x: f32,
             %y: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    %s = arith.mulf %x, %y : f32
    memref.store %s, %m[%c0] : memref<?xf32>
  }
  %r = arith.addf %x, %zero : f32
  return %r : f32
}

// -----

// Changed: a result of something else.
// expected-error@+1 {{after:target [E0302]}}
func.func @f(%m: memref<?xf32>, %w: memref<8xf32>, %n: index, %k: index, %p: i1, %x: f32,
             %y: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    %s = arith.mulf %x, %y : f32
    memref.store %s, %m[%i] : memref<?xf32>
  }
  %r = arith.addf %y, %zero : f32
  return %r : f32
}
