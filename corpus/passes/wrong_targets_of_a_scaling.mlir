// Shows: wrong targets of a loop that reads and writes one buffer, each with one thing changed, and each refuted by a run.
// Idea: what a faulty pass could make of it.
// RUN: verify-ir tv %s --verify-diagnostics
func.func @f(%m: memref<?xf32>, %w: memref<8xf32>, %n: index, %k: index, %p: i1, %x: f32,
             %y: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %j = arith.addi %i, %i : index
    %e = memref.load %w[%j] : memref<8xf32>
    %g = arith.mulf %e, %x : f32
    memref.store %g, %w[%i] : memref<8xf32>
  }
  %r = memref.load %w[%c0] : memref<8xf32>
  return %r : f32
}

// -----

// Changed: another index.
// expected-error@+1 {{after:target [E0302]}}
func.func @f(%m: memref<?xf32>, %w: memref<8xf32>, %n: index, %k: index, %p: i1, %x: f32,
             %y: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %j = arith.addi %i, %c1 : index
    %e = memref.load %w[%j] : memref<8xf32>
    %g = arith.mulf %e, %x : f32
    memref.store %g, %w[%i] : memref<8xf32>
  }
  %r = memref.load %w[%c0] : memref<8xf32>
  return %r : f32
}

// -----

// Changed: iterations in the other order.
// expected-error@+1 {{after:target [E0302]}}
func.func @f(%m: memref<?xf32>, %w: memref<8xf32>, %n: index, %k: index, %p: i1, %x: f32,
             %y: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %c3 = arith.constant 3 : index
    %o = arith.subi %c3, %i : index
    %j = arith.addi %o, %o : index
    %e = memref.load %w[%j] : memref<8xf32>
    %g = arith.mulf %e, %x : f32
    memref.store %g, %w[%o] : memref<8xf32>
  }
  %r = memref.load %w[%c0] : memref<8xf32>
  return %r : f32
}

// -----

// Changed: a scaling of fewer elements.
// expected-error@+1 {{after:target [E0302]}}
func.func @f(%m: memref<?xf32>, %w: memref<8xf32>, %n: index, %k: index, %p: i1, %x: f32,
             %y: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %c2 step %c1 {
    %j = arith.addi %i, %i : index
    %e = memref.load %w[%j] : memref<8xf32>
    %g = arith.mulf %e, %x : f32
    memref.store %g, %w[%i] : memref<8xf32>
  }
  %r = memref.load %w[%c0] : memref<8xf32>
  return %r : f32
}

// -----

// Changed: a sum for a product.
// expected-error@+1 {{after:target [E0302]}}
func.func @f(%m: memref<?xf32>, %w: memref<8xf32>, %n: index, %k: index, %p: i1, %x: f32,
             %y: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %j = arith.addi %i, %i : index
    %e = memref.load %w[%j] : memref<8xf32>
    %g = arith.addf %e, %x : f32
    memref.store %g, %w[%i] : memref<8xf32>
  }
  %r = memref.load %w[%c0] : memref<8xf32>
  return %r : f32
}
