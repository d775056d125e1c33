// Shows: wrong targets of a store to one of two buffers, each with one thing changed, and each refuted by a run.
// Idea: what a faulty pass could make of it.
// RUN: verify-ir tv %s --verify-diagnostics
func.func @f(%m: memref<?xf32>, %w: memref<8xf32>, %n: index, %k: index, %p: i1, %x: f32,
             %y: f32) -> f32 {
  %c2 = arith.constant 2 : index
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%y : f32) outs(%b : memref<8xf32>)
  %v = arith.select %p, %w, %b : memref<8xf32>
  memref.store %x, %v[%c2] : memref<8xf32>
  %r = memref.load %w[%c2] : memref<8xf32>
  return %r : f32
}

// -----

// Changed: the other buffer.
// expected-error@+1 {{after:target [E0302]}}
func.func @f(%m: memref<?xf32>, %w: memref<8xf32>, %n: index, %k: index, %p: i1, %x: f32,
             %y: f32) -> f32 {
  %c2 = arith.constant 2 : index
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%y : f32) outs(%b : memref<8xf32>)
  %v = arith.select %p, %b, %w : memref<8xf32>
  memref.store %x, %v[%c2] : memref<8xf32>
  %r = memref.load %w[%c2] : memref<8xf32>
  return %r : f32
}

// -----

// Changed: another element of the choice.
// expected-error@+1 {{after:target [E0302]}}
func.func @f(%m: memref<?xf32>, %w: memref<8xf32>, %n: index, %k: index, %p: i1, %x: f32,
             %y: f32) -> f32 {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%y : f32) outs(%b : memref<8xf32>)
  %v = arith.select %p, %w, %b : memref<8xf32>
  memref.store %x, %v[%c1] : memref<8xf32>
  %r = memref.load %w[%c2] : memref<8xf32>
  return %r : f32
}
