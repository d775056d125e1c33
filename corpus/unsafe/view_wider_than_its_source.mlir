// Shows: the loop captures four elements and derives a view of eight from them. The snapshot
// holds four; the loop's state in the other four is lost.
// Idea: a snapshot holds what the captured value spans, and `memref.reinterpret_cast` can look past it.
// RUN: verify-ir check %s --verify-diagnostics
func.func @past_the_end(%n: index, %start: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %all = memref.alloc() : memref<8xf32>
  memref.store %start, %all[%c6] : memref<8xf32>
  %head = memref.subview %all[0] [4] [1] : memref<8xf32> to memref<4xf32>
  scf.for %i = %c0 to %n step %c1 {
    %wide = memref.reinterpret_cast %head to offset: [0], sizes: [8], strides: [1] : memref<4xf32> to memref<8xf32>
    // expected-error@+1 {{[E0105]}}
    %x = memref.load %wide[%c6] : memref<8xf32>
    %y = arith.addf %x, %start : f32
    memref.store %y, %wide[%c6] : memref<8xf32>
  } {enzyme.enable_checkpointing = true}
  memref.dealloc %all : memref<8xf32>
  return
}
