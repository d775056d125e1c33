// Shows: a load that moves out of the part of a loop that may never run: a wrong target that a run refutes.
// Idea: a load is undefined outside its buffer, and the loop may have had no iteration.
// RUN: verify-ir tv %s --verify-diagnostics
func.func @w(%A: memref<?xf32>, %n: index, %m: index, %B: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = arith.constant 1.0 : f32
  %r = scf.while (%i = %c0) : (index) -> index {
    %c = arith.cmpi slt, %i, %m : index
    scf.condition(%c) %i : index
  } do {
  ^bb0(%i: index):
    %v = memref.load %A[%n] : memref<?xf32>
    memref.store %f, %B[%i] : memref<?xf32>
    %j = arith.addi %i, %c1 : index
    scf.yield %j : index
  }
  return
}
func.func @p(%A: memref<?xf32>, %n: index, %m: index, %B: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = arith.constant 1.0 : f32
  scf.parallel (%i) = (%c0) to (%m) step (%c1) {
    %v = memref.load %A[%n] : memref<?xf32>
    memref.store %f, %B[%i] : memref<?xf32>
  }
  return
}

// -----

// Changed: the load runs before the loop.
// expected-error@+1 {{after:target [E0302]}}
func.func @w(%A: memref<?xf32>, %n: index, %m: index, %B: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = arith.constant 1.0 : f32
  %v = memref.load %A[%n] : memref<?xf32>
  %r = scf.while (%i = %c0) : (index) -> index {
    %c = arith.cmpi slt, %i, %m : index
    scf.condition(%c) %i : index
  } do {
  ^bb0(%i: index):
    memref.store %f, %B[%i] : memref<?xf32>
    %j = arith.addi %i, %c1 : index
    scf.yield %j : index
  }
  return
}
// expected-error@+1 {{after:target [E0302]}}
func.func @p(%A: memref<?xf32>, %n: index, %m: index, %B: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = arith.constant 1.0 : f32
  %v = memref.load %A[%n] : memref<?xf32>
  scf.parallel (%i) = (%c0) to (%m) step (%c1) {
    memref.store %f, %B[%i] : memref<?xf32>
  }
  return
}
