// Shows: wrong targets of a fill, each with one thing changed, and each refuted by a run.
// Idea: what a faulty pass could make of it.
// RUN: verify-ir tv %s --verify-diagnostics
func.func @f(%m: memref<?xf32>, %w: memref<8xf32>, %n: index, %k: index, %p: i1, %x: f32,
             %y: f32) -> f32 {
  %c4 = arith.constant 4 : index
  linalg.fill ins(%x : f32) outs(%w : memref<8xf32>)
  %r = memref.load %w[%c4] : memref<8xf32>
  return %r : f32
}

// -----

// Changed: a fill with another value.
// expected-error@+1 {{after:target [E0302]}}
func.func @f(%m: memref<?xf32>, %w: memref<8xf32>, %n: index, %k: index, %p: i1, %x: f32,
             %y: f32) -> f32 {
  %c4 = arith.constant 4 : index
  linalg.fill ins(%y : f32) outs(%w : memref<8xf32>)
  %r = memref.load %w[%c4] : memref<8xf32>
  return %r : f32
}

// -----

// Changed: a fill of a part.
// expected-error@+1 {{after:target [E0302]}}
func.func @f(%m: memref<?xf32>, %w: memref<8xf32>, %n: index, %k: index, %p: i1, %x: f32,
             %y: f32) -> f32 {
  %c4 = arith.constant 4 : index
  %v = memref.subview %w[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  linalg.fill ins(%x : f32) outs(%v : memref<4xf32, strided<[1]>>)
  %r = memref.load %w[%c4] : memref<8xf32>
  return %r : f32
}

// -----

// Changed: a store more after a fill.
// expected-error@+1 {{after:target [E0302]}}
func.func @f(%m: memref<?xf32>, %w: memref<8xf32>, %n: index, %k: index, %p: i1, %x: f32,
             %y: f32) -> f32 {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  linalg.fill ins(%x : f32) outs(%w : memref<8xf32>)
  memref.store %y, %w[%c1] : memref<8xf32>
  %r = memref.load %w[%c4] : memref<8xf32>
  return %r : f32
}

// -----

// Changed: a load before its fill.
// expected-error@+1 {{after:target [E0302]}}
func.func @f(%m: memref<?xf32>, %w: memref<8xf32>, %n: index, %k: index, %p: i1, %x: f32,
             %y: f32) -> f32 {
  %c4 = arith.constant 4 : index
  %r = memref.load %w[%c4] : memref<8xf32>
  linalg.fill ins(%x : f32) outs(%w : memref<8xf32>)
  return %r : f32
}
