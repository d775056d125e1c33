// Shows: three views that share no element; the loop reads one, adds the second, writes the third.
// Idea: one buffer does not mean one memory. A rule that compares roots reports this.
// The quiet form of W0102.
// RUN: verify-ir check %s --verify-diagnostics
func.func @thirds(%pool: memref<24xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %a = memref.subview %pool[0] [8] [1] : memref<24xf32> to memref<8xf32>
  %b = memref.subview %pool[8] [8] [1] : memref<24xf32> to memref<8xf32, strided<[1], offset: 8>>
  %sum = memref.subview %pool[16] [8] [1] : memref<24xf32> to memref<8xf32, strided<[1], offset: 16>>
  scf.for %i = %c0 to %n step %c1 {
    %k = arith.remui %i, %c8 : index
    %x = memref.load %a[%k] : memref<8xf32>
    %y = memref.load %b[%k] : memref<8xf32, strided<[1], offset: 8>>
    %z = memref.load %sum[%k] : memref<8xf32, strided<[1], offset: 16>>
    %xy = arith.addf %x, %y : f32
    %xyz = arith.addf %xy, %z : f32
    memref.store %xyz, %sum[%k] : memref<8xf32, strided<[1], offset: 16>>
  } {enzyme.enable_checkpointing = true}
  return
}
