// Shows: the loop calls a function that is only declared, with a buffer it captures.
// Idea: what a callee does to what it is given is unknown unless something says so.
// RUN: verify-ir check %s --verify-diagnostics
func.func private @external(memref<6xf32>)
func.func @calls(%data: memref<6xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    // expected-remark@+1 {{[U0002]}}
    func.call @external(%data) : (memref<6xf32>) -> ()
  } {enzyme.enable_checkpointing = true}
  return
}
