// Shows: wrong targets of two stores and a load, each with one thing changed, and each refuted by a run.
// Idea: what a faulty pass could make of it.
// RUN: verify-ir tv %s --verify-diagnostics
func.func @f(%m: memref<?xf32>, %w: memref<8xf32>, %n: index, %k: index, %p: i1, %x: f32,
             %y: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  memref.store %x, %w[%c0] : memref<8xf32>
  memref.store %y, %w[%c1] : memref<8xf32>
  %r = memref.load %w[%c0] : memref<8xf32>
  return %r : f32
}

// -----

// Changed: a store left out.
// expected-error@+1 {{after:target [E0302]}}
func.func @f(%m: memref<?xf32>, %w: memref<8xf32>, %n: index, %k: index, %p: i1, %x: f32,
             %y: f32) -> f32 {
  %c0 = arith.constant 0 : index
  memref.store %x, %w[%c0] : memref<8xf32>
  %r = memref.load %w[%c0] : memref<8xf32>
  return %r : f32
}

// -----

// Changed: stores of each other's value.
// expected-error@+1 {{after:target [E0302]}}
func.func @f(%m: memref<?xf32>, %w: memref<8xf32>, %n: index, %k: index, %p: i1, %x: f32,
             %y: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  memref.store %y, %w[%c0] : memref<8xf32>
  memref.store %y, %w[%c1] : memref<8xf32>
  %r = memref.load %w[%c0] : memref<8xf32>
  return %r : f32
}

// -----

// Changed: a store to another element.
// expected-error@+1 {{after:target [E0302]}}
func.func @f(%m: memref<?xf32>, %w: memref<8xf32>, %n: index, %k: index, %p: i1, %x: f32,
             %y: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  memref.store %x, %w[%c0] : memref<8xf32>
  memref.store %y, %w[%c2] : memref<8xf32>
  %r = memref.load %w[%c0] : memref<8xf32>
  return %r : f32
}

// -----

// Changed: a load of the other element.
// expected-error@+1 {{after:target [E0302]}}
func.func @f(%m: memref<?xf32>, %w: memref<8xf32>, %n: index, %k: index, %p: i1, %x: f32,
             %y: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  memref.store %x, %w[%c0] : memref<8xf32>
  memref.store %y, %w[%c1] : memref<8xf32>
  %r = memref.load %w[%c1] : memref<8xf32>
  return %r : f32
}
