// Shows: two arguments, taken to be different buffers as MLIR programs usually mean them.
// Idea: the proof rests on an assumption, and a note says so. `unsafe/arguments_that_may_alias.mlir`
// is the same loop without it.
// RUN: verify-ir check %s --verify-diagnostics
func.func @axpy(%x: memref<16xf32>, %y: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c15 = arith.constant 15 : index
  scf.for %i = %c0 to %c15 step %c1 {
    %a = memref.load %x[%i] : memref<16xf32>
    %j = arith.addi %i, %c1 : index
    memref.store %a, %y[%j] : memref<16xf32>
  } {enzyme.enable_checkpointing = true}
  return
}
