// verdict: refuted E0101
func.func @f(%m: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = arith.constant 1.0 : f32
  %b0 = arith.constant 4294967296 : i64
  %lo = memref.subview %m[0] [8] [1] : memref<?xf32> to memref<8xf32, strided<[1]>>
  // first iteration: k = %b0; later: k = ext(trunc(%b0)); closed form keeps %b0
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%k = %b0) -> (i64) {
    %ki = arith.index_cast %k : i64 to index
    %big = arith.constant 4294967296 : i64
    %is = arith.cmpi eq, %k, %big : i64
    scf.if %is { } else {
      memref.store %f, %lo[%c0] : memref<8xf32, strided<[1]>>
      %x = memref.load %m[%c0] : memref<?xf32>
      memref.store %x, %m[%c1] : memref<?xf32>
    }
    %t = arith.trunci %k : i64 to i32
    %e = arith.extsi %t : i32 to i64
    scf.yield %e : i64
  } {enzyme.enable_checkpointing = true}
  return
}
