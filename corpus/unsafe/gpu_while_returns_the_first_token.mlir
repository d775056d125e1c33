// Shows: an `scf.while` whose condition hands out the token from before the loop.
// Idea: the token that leaves a loop is the one that its condition forwards.
// RUN: verify-ir check %s --verify-diagnostics
func.func @until(%host: memref<8xf32>, %device: memref<8xf32, 1>, %n: index) -> f32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %ready = gpu.wait async
  %i, %end = scf.while (%k = %zero, %token = %ready) : (index, !gpu.async.token) -> (index, !gpu.async.token) {
    %more = arith.cmpi ult, %k, %n : index
    scf.condition(%more) %k, %ready : index, !gpu.async.token
  } do {
  ^bb0(%k: index, %token: !gpu.async.token):
    // expected-error@+2 {{[E0201]}}
    // expected-error@+1 {{[E0203]}}
    %t = gpu.memcpy async [%token] %host, %device : memref<8xf32>, memref<8xf32, 1>
    %next = arith.addi %k, %one : index
    scf.yield %next, %t : index, !gpu.async.token
  }
  // expected-warning@+1 {{[W0205]}}
  gpu.wait [%end]
  // expected-error@+1 {{[E0202]}}
  %x = memref.load %host[%zero] : memref<8xf32>
  return %x : f32
}
