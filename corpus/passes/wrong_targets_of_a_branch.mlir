// Shows: wrong targets of a branch with a store on one side, each with one thing changed, and each refuted by a run.
// Idea: what a faulty pass could make of it.
// RUN: verify-ir tv %s --verify-diagnostics
func.func @f(%m: memref<?xf32>, %w: memref<8xf32>, %n: index, %k: index, %p: i1, %x: f32,
             %y: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %r = scf.if %p -> (f32) {
    memref.store %x, %w[%c0] : memref<8xf32>
    scf.yield %x : f32
  } else {
    scf.yield %y : f32
  }
  return %r : f32
}

// -----

// Changed: arms swapped.
// expected-error@+1 {{after:target [E0302]}}
func.func @f(%m: memref<?xf32>, %w: memref<8xf32>, %n: index, %k: index, %p: i1, %x: f32,
             %y: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %r = scf.if %p -> (f32) {
    memref.store %x, %w[%c0] : memref<8xf32>
    scf.yield %y : f32
  } else {
    scf.yield %x : f32
  }
  return %r : f32
}

// -----

// Changed: a store on both paths.
// expected-error@+1 {{after:target [E0302]}}
func.func @f(%m: memref<?xf32>, %w: memref<8xf32>, %n: index, %k: index, %p: i1, %x: f32,
             %y: f32) -> f32 {
  %c0 = arith.constant 0 : index
  memref.store %x, %w[%c0] : memref<8xf32>
  %r = arith.select %p, %x, %y : f32
  return %r : f32
}

// -----

// Changed: a store to another element on one side.
// expected-error@+1 {{after:target [E0302]}}
func.func @f(%m: memref<?xf32>, %w: memref<8xf32>, %n: index, %k: index, %p: i1, %x: f32,
             %y: f32) -> f32 {
  %c1 = arith.constant 1 : index
  %r = scf.if %p -> (f32) {
    memref.store %x, %w[%c1] : memref<8xf32>
    scf.yield %x : f32
  } else {
    scf.yield %y : f32
  }
  return %r : f32
}
