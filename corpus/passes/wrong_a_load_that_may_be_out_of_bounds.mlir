// Shows: a load that may be out of bounds: a wrong target that a run refutes.
// Idea: what a faulty pass could make of it.
// RUN: verify-ir tv %s --verify-diagnostics
func.func @f(%m: memref<?xf32>, %w: memref<8xf32>, %n: index, %k: index, %p: i1, %x: f32,
             %y: f32) -> f32 {
  %zero = arith.constant 0.0 : f32
  %r = scf.if %p -> (f32) {
    %e = memref.load %m[%k] : memref<?xf32>
    scf.yield %e : f32
  } else {
    scf.yield %zero : f32
  }
  return %r : f32
}

// -----

// Changed: a load that may be out of bounds.
// expected-error@+1 {{after:target [E0302]}}
func.func @f(%m: memref<?xf32>, %w: memref<8xf32>, %n: index, %k: index, %p: i1, %x: f32,
             %y: f32) -> f32 {
  %zero = arith.constant 0.0 : f32
  %e = memref.load %m[%k] : memref<?xf32>
  %r = arith.select %p, %e, %zero : f32
  return %r : f32
}
