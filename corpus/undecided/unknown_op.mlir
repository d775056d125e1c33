// Shows: an op of a dialect that nobody knows is given the captured buffer.
// Idea: its effects could be anything, and a guess would be a wrong proof or a false alarm.
// RUN: verify-ir check %s --verify-diagnostics
func.func @vendor(%data: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %head = memref.subview %data[0] [4] [1] : memref<8xf32> to memref<4xf32>
  scf.for %i = %c0 to %n step %c1 {
    // expected-remark@+1 {{[U0002]}}
    "vendor.mix"(%data, %head) : (memref<8xf32>, memref<4xf32>) -> ()
  } {enzyme.enable_checkpointing = true}
  return
}
