// Shows: an `scf.while` whose tokens run through its condition and its body.
// Idea: the token that the condition forwards is the newest one, also when the body never runs.
// RUN: verify-ir check %s --verify-diagnostics
func.func @until(%host: memref<8xf32>, %device: memref<8xf32, 1>, %n: index) -> f32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %ready = gpu.wait async
  %i, %end = scf.while (%k = %zero, %token = %ready) : (index, !gpu.async.token) -> (index, !gpu.async.token) {
    %more = arith.cmpi ult, %k, %n : index
    scf.condition(%more) %k, %token : index, !gpu.async.token
  } do {
  ^bb0(%k: index, %token: !gpu.async.token):
    %t = gpu.memcpy async [%token] %host, %device : memref<8xf32>, memref<8xf32, 1>
    %next = arith.addi %k, %one : index
    scf.yield %next, %t : index, !gpu.async.token
  }
  gpu.wait [%end]
  %x = memref.load %host[%zero] : memref<8xf32>
  return %x : f32
}
