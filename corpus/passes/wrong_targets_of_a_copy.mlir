// Shows: wrong targets of a copy of a buffer, each with one thing changed, and each refuted by a run.
// Idea: what a faulty pass could make of it.
// RUN: verify-ir tv %s --verify-diagnostics
func.func @f(%m: memref<?xf32>, %w: memref<8xf32>, %n: index, %k: index, %p: i1, %x: f32,
             %y: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %b = memref.alloc() : memref<8xf32>
  memref.copy %w, %b : memref<8xf32> to memref<8xf32>
  memref.store %x, %w[%c0] : memref<8xf32>
  %r = memref.load %b[%c0] : memref<8xf32>
  return %r : f32
}

// -----

// Changed: a copy after the store.
// expected-error@+1 {{after:target [E0302]}}
func.func @f(%m: memref<?xf32>, %w: memref<8xf32>, %n: index, %k: index, %p: i1, %x: f32,
             %y: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %b = memref.alloc() : memref<8xf32>
  memref.store %x, %w[%c0] : memref<8xf32>
  memref.copy %w, %b : memref<8xf32> to memref<8xf32>
  %r = memref.load %b[%c0] : memref<8xf32>
  return %r : f32
}

// -----

// Changed: a buffer instead of its copy.
// expected-error@+1 {{after:target [E0302]}}
func.func @f(%m: memref<?xf32>, %w: memref<8xf32>, %n: index, %k: index, %p: i1, %x: f32,
             %y: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %b = memref.alloc() : memref<8xf32>
  memref.copy %w, %b : memref<8xf32> to memref<8xf32>
  memref.store %x, %w[%c0] : memref<8xf32>
  %r = memref.load %w[%c0] : memref<8xf32>
  return %r : f32
}

// -----

// Changed: another value over the copied one.
// expected-error@+1 {{after:target [E0302]}}
func.func @f(%m: memref<?xf32>, %w: memref<8xf32>, %n: index, %k: index, %p: i1, %x: f32,
             %y: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %b = memref.alloc() : memref<8xf32>
  memref.copy %w, %b : memref<8xf32> to memref<8xf32>
  memref.store %y, %w[%c0] : memref<8xf32>
  %r = memref.load %b[%c0] : memref<8xf32>
  return %r : f32
}
