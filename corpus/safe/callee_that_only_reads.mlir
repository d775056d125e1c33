// Shows: a declared function whose attributes say that it reads its arguments and nothing else.
// Idea: the pair of `undecided/callee_without_body.mlir`; a note says that the attributes are believed.
// RUN: verify-ir check %s --verify-diagnostics
#pure_but_for_arguments = #llvm.memory_effects<other = none, argMem = read, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>
func.func private @norm(memref<6xf32> {llvm.readonly}) -> f32 attributes {llvm.memory_effects = #pure_but_for_arguments}
func.func @calls(%data: memref<6xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %norm = func.call @norm(%data) : (memref<6xf32>) -> f32
    memref.store %norm, %data[%c0] : memref<6xf32>
  } {enzyme.enable_checkpointing = true}
  return
}
