// Shows: wrong targets of a loop on a condition, each with one thing changed, and each refuted by a run.
// Idea: what a faulty pass could make of it.
// RUN: verify-ir tv %s --verify-diagnostics
func.func @f(%m: memref<?xf32>, %w: memref<8xf32>, %n: index, %k: index, %p: i1, %x: f32,
             %y: f32) -> f32 {
  %r = scf.while (%a = %x) : (f32) -> f32 {
    %go = arith.cmpf olt, %a, %y : f32
    scf.condition(%go) %a : f32
  } do {
  ^bb0(%a: f32):
    %b = arith.addf %a, %a : f32
    scf.yield %b : f32
  }
  return %r : f32
}

// -----

// Changed: a condition turned round.
// expected-error@+1 {{after:target [E0302]}}
func.func @f(%m: memref<?xf32>, %w: memref<8xf32>, %n: index, %k: index, %p: i1, %x: f32,
             %y: f32) -> f32 {
  %r = scf.while (%a = %x) : (f32) -> f32 {
    %go = arith.cmpf olt, %y, %a : f32
    scf.condition(%go) %a : f32
  } do {
  ^bb0(%a: f32):
    %b = arith.addf %a, %y : f32
    scf.yield %b : f32
  }
  return %r : f32
}

// -----

// Changed: another step of a condition.
// expected-error@+1 {{after:target [E0302]}}
func.func @f(%m: memref<?xf32>, %w: memref<8xf32>, %n: index, %k: index, %p: i1, %x: f32,
             %y: f32) -> f32 {
  %r = scf.while (%a = %x) : (f32) -> f32 {
    %go = arith.cmpf olt, %a, %y : f32
    scf.condition(%go) %a : f32
  } do {
  ^bb0(%a: f32):
    %b = arith.addf %a, %y : f32
    scf.yield %b : f32
  }
  return %r : f32
}
