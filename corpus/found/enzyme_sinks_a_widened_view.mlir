// Shows: the loop captures all eight elements, as a view made from the base of the buffer: what
// MLIR's `expand-strided-metadata` leaves of a subview. Enzyme's pass sinks the view, so that the
// loop captures the base alone. Its type spans one element, and so does its snapshot.
// Idea: found by asking what the source of each view op spans.
// Seen with: enzyme-ad 0.0.16, pipeline `sink-checkpoint-views`.
// RUN: verify-ir passes %s -p enzyme:sink-checkpoint-views --verify-diagnostics
func.func @narrowed(%n: index, %start: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %all = memref.alloc() : memref<8xf32>
  memref.store %start, %all[%c5] : memref<8xf32>
  %base, %offset, %size, %stride = memref.extract_strided_metadata %all : memref<8xf32> -> memref<f32>, index, index, index
  %eight = memref.reinterpret_cast %base to offset: [0], sizes: [8], strides: [1] : memref<f32> to memref<8xf32>
  scf.for %i = %c0 to %n step %c1 {
    // expected-error@+2 {{after:enzyme:sink-checkpoint-views [E0105]}}
    // expected-error@+1 {{after:enzyme:sink-checkpoint-views [E0303]}}
    %x = memref.load %eight[%c5] : memref<8xf32>
    %y = arith.addf %x, %start : f32
    memref.store %y, %eight[%c5] : memref<8xf32>
  } {enzyme.enable_checkpointing = true}
  memref.dealloc %all : memref<8xf32>
  return
}
