// Shows: the write happens in a function that is called with the view.
// Idea: a callee with a body is followed into it.
// RUN: verify-ir check %s --verify-diagnostics
func.func private @bump(%cell: memref<1xf32, strided<[1], offset: 1>>) {
  %c0 = arith.constant 0 : index
  %x = memref.load %cell[%c0] : memref<1xf32, strided<[1], offset: 1>>
  %y = arith.addf %x, %x : f32
  memref.store %y, %cell[%c0] : memref<1xf32, strided<[1], offset: 1>>
  return
}
func.func @count_up(%counters: memref<3xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %second = memref.subview %counters[1] [1] [1] : memref<3xf32> to memref<1xf32, strided<[1], offset: 1>>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) {
    func.call @bump(%second) : (memref<1xf32, strided<[1], offset: 1>>) -> ()
    // expected-error@+1 {{[E0101]}}
    %x = memref.load %counters[%c1] : memref<3xf32>
    %next = arith.addf %acc, %x : f32
    scf.yield %next : f32
  } {enzyme.enable_checkpointing = true}
  return
}
