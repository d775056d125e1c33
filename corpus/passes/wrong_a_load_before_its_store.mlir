// Shows: a load before its store: a wrong target that a run refutes.
// Idea: what a faulty pass could make of it.
// RUN: verify-ir tv %s --verify-diagnostics
func.func @f(%m: memref<?xf32>, %w: memref<8xf32>, %n: index, %k: index, %p: i1, %x: f32,
             %y: f32) -> f32 {
  %c0 = arith.constant 0 : index
  memref.store %x, %w[%c0] : memref<8xf32>
  %r = memref.load %w[%c0] : memref<8xf32>
  return %r : f32
}

// -----

// Changed: a load before its store.
// expected-error@+1 {{after:target [E0302]}}
func.func @f(%m: memref<?xf32>, %w: memref<8xf32>, %n: index, %k: index, %p: i1, %x: f32,
             %y: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %r = memref.load %w[%c0] : memref<8xf32>
  memref.store %x, %w[%c0] : memref<8xf32>
  return %r : f32
}
