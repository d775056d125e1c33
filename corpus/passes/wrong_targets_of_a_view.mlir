// Shows: wrong targets of a store through a view, each with one thing changed, and each refuted by a run.
// Idea: what a faulty pass could make of it.
// RUN: verify-ir tv %s --verify-diagnostics
func.func @f(%m: memref<?xf32>, %w: memref<8xf32>, %n: index, %k: index, %p: i1, %x: f32,
             %y: f32) -> f32 {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %v = memref.subview %w[2] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 2>>
  memref.store %x, %v[%c1] : memref<4xf32, strided<[1], offset: 2>>
  %r = memref.load %w[%c4] : memref<8xf32>
  return %r : f32
}

// -----

// Changed: a view at another place.
// expected-error@+1 {{after:target [E0302]}}
func.func @f(%m: memref<?xf32>, %w: memref<8xf32>, %n: index, %k: index, %p: i1, %x: f32,
             %y: f32) -> f32 {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %v = memref.subview %w[3] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 3>>
  memref.store %x, %v[%c1] : memref<4xf32, strided<[1], offset: 3>>
  %r = memref.load %w[%c4] : memref<8xf32>
  return %r : f32
}

// -----

// Changed: a view with another stride.
// expected-error@+1 {{after:target [E0302]}}
func.func @f(%m: memref<?xf32>, %w: memref<8xf32>, %n: index, %k: index, %p: i1, %x: f32,
             %y: f32) -> f32 {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %v = memref.subview %w[2] [3] [2] : memref<8xf32> to memref<3xf32, strided<[2], offset: 2>>
  memref.store %x, %v[%c1] : memref<3xf32, strided<[2], offset: 2>>
  %r = memref.load %w[%c4] : memref<8xf32>
  return %r : f32
}

// -----

// Changed: a load beside the view.
// expected-error@+1 {{after:target [E0302]}}
func.func @f(%m: memref<?xf32>, %w: memref<8xf32>, %n: index, %k: index, %p: i1, %x: f32,
             %y: f32) -> f32 {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %v = memref.subview %w[2] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 2>>
  memref.store %x, %v[%c1] : memref<4xf32, strided<[1], offset: 2>>
  %r = memref.load %w[%c2] : memref<8xf32>
  return %r : f32
}

// -----

// Changed: another value through the view.
// expected-error@+1 {{after:target [E0302]}}
func.func @f(%m: memref<?xf32>, %w: memref<8xf32>, %n: index, %k: index, %p: i1, %x: f32,
             %y: f32) -> f32 {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %v = memref.subview %w[2] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 2>>
  memref.store %y, %v[%c1] : memref<4xf32, strided<[1], offset: 2>>
  %r = memref.load %w[%c4] : memref<8xf32>
  return %r : f32
}
