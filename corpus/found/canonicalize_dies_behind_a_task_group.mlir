// Shows: the real pass dies on a task with blocks in it that a group waits for. Without the group, or
// without what the branches hand on, all is well.
// Idea: found by generated programs of the family `whole`, and reduced as far as it still dies.
// Seen with: MLIR 22.1.8 (SIGABRT: an assertion in `RewriterBase::eraseOp`), pipeline `canonicalize`.
// RUN: verify-ir passes %s -p mlir:canonicalize --verify-diagnostics
// expected-error@-5 {{after:mlir:canonicalize [E0304]}}
func.func @f(%x: f32, %flag: i1, %data: memref<1x2xf32>) {
  %subview = memref.subview %data[0, 1] [1, 1] [1, 2] : memref<1x2xf32> to memref<1x1xf32, strided<[2, 2], offset: 1>>
  %c1 = arith.constant 1 : index
  %0 = async.create_group %c1 : !async.group
  %token, %bodyResults = async.execute -> !async.value<f32> {
    %2 = scf.execute_region -> f32 {
      %cast = memref.cast %subview : memref<1x1xf32, strided<[2, 2], offset: 1>> to memref<?x?xf32, strided<[?, ?], offset: ?>>
      %cast_0 = memref.cast %data : memref<1x2xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
      cf.cond_br %flag, ^bb1, ^bb2
    ^bb1:
      cf.br ^bb3(%cast : memref<?x?xf32, strided<[?, ?], offset: ?>>)
    ^bb2:
      cf.br ^bb3(%cast_0 : memref<?x?xf32, strided<[?, ?], offset: ?>>)
    ^bb3(%3: memref<?x?xf32, strided<[?, ?], offset: ?>>):
      scf.yield %x : f32
    }
    async.yield %2 : f32
  }
  %1 = async.add_to_group %token, %0 : !async.token
  async.await_all %0
  return
}
