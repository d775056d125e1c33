// Shows: a fixed period between snapshots. The stale read is two iterations after its write.
// Idea: a period of one would hide the fault, and a period is only a hint.
// RUN: verify-ir check %s --verify-diagnostics
func.func @periodic(%delay: memref<10xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %later = memref.subview %delay[2] [8] [1] : memref<10xf32> to memref<8xf32, strided<[1], offset: 2>>
  scf.for %i = %c0 to %c8 step %c1 {
    // expected-error@+1 {{[E0101]}}
    %x = memref.load %delay[%i] : memref<10xf32>
    %y = arith.subf %x, %x : f32
    memref.store %y, %later[%i] : memref<8xf32, strided<[1], offset: 2>>
  } {enzyme.checkpoint_period = 3 : i64, enzyme.enable_checkpointing = true}
  return
}
