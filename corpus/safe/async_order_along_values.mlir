// Shows: two tasks of which the second takes the value of the first.
// Idea: order runs along values as it runs along tokens.
// RUN: verify-ir check %s --verify-diagnostics
func.func @values(%cell: memref<1xf32>, %v: f32) -> f32 {
  %zero = arith.constant 0 : index
  %first, %sum = async.execute -> !async.value<f32> {
    %old = memref.load %cell[%zero] : memref<1xf32>
    %new = arith.addf %old, %v : f32
    memref.store %new, %cell[%zero] : memref<1xf32>
    async.yield %new : f32
  }
  %second, %result = async.execute (%sum as %s: !async.value<f32>) -> !async.value<f32> {
    %now = memref.load %cell[%zero] : memref<1xf32>
    %twice = arith.addf %now, %s : f32
    memref.store %twice, %cell[%zero] : memref<1xf32>
    async.yield %twice : f32
  }
  %x = async.await %result : !async.value<f32>
  return %x : f32
}
