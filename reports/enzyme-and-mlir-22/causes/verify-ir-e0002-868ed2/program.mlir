"builtin.module"() ({
^bb0:
 "func.func"() ({
 ^bb1(%0: index, %1: index, %2: f32, %3: f64, %4: i1, %5: !llvm.ptr, %6: memref<4x4xf32>):
  %7 = "memref.transpose"(%6) {permutation = affine_map<(d0, d1) -> (d0, d1)>} : (memref<4x4xf32>) -> (memref<4x4xf32, strided<[4, 1]>>)
  %8 = "memref.expand_shape"(%7) {reassociation = [[0 : i64, 1 : i64], [2 : i64]], static_output_shape = array<i64: 2, 2, 4>} : (memref<4x4xf32, strided<[4, 1]>>) -> (memref<2x2x4xf32>)
  %9 = "memref.subview"(%8) {static_offsets = array<i64: 1, 1, 1>, static_sizes = array<i64: 1, 1, 3>, static_strides = array<i64: 1, 2, 1>, operandSegmentSizes = array<i32: 1, 0, 0, 0>} : (memref<2x2x4xf32>) -> (memref<1x1x3xf32, strided<[8, 8, 1], offset: 13>>)
  %10 = "memref.cast"(%7) : (memref<4x4xf32, strided<[4, 1]>>) -> (memref<?x?xf32, strided<[?, ?], offset: ?>>)
  %11 = "memref.cast"(%6) : (memref<4x4xf32>) -> (memref<?x?xf32, strided<[?, ?], offset: ?>>)
  "cf.cond_br"(%4)[^bb2, ^bb3] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
 ^bb2:
  %12 = "arith.constant"() {value = 1 : index} : () -> (index)
  %13 = "arith.constant"() {value = 4 : index} : () -> (index)
  %14 = "arith.cmpi"(%12, %13) {predicate = 6 : i64} : (index, index) -> (i1)
  "cf.assert"(%14) {msg = "small"} : (i1) -> ()
  %15 = "arith.constant"() {value = 3 : index} : () -> (index)
  %16 = "arith.constant"() {value = 2 : index} : () -> (index)
  %17 = "arith.subf"(%2, %2) {fastmath = #arith.fastmath<none>} : (f32, f32) -> (f32)
  %18 = "arith.mulf"(%17, %2) {fastmath = #arith.fastmath<none>} : (f32, f32) -> (f32)
  "memref.store"(%18, %6, %15, %16) : (f32, memref<4x4xf32>, index, index) -> ()
  %19 = "arith.constant"() {value = 0 : index} : () -> (index)
  %20 = "arith.constant"() {value = 0 : index} : () -> (index)
  %21 = "arith.constant"() {value = 0 : index} : () -> (index)
  %22 = "memref.load"(%9, %19, %20, %21) : (memref<1x1x3xf32, strided<[8, 8, 1], offset: 13>>, index, index, index) -> (f32)
  "cf.br"(%10)[^bb4] : (memref<?x?xf32, strided<[?, ?], offset: ?>>) -> ()
 ^bb3:
  "cf.br"(%11)[^bb4] : (memref<?x?xf32, strided<[?, ?], offset: ?>>) -> ()
 ^bb4(%23: memref<?x?xf32, strided<[?, ?], offset: ?>>):
  "linalg.fill"(%2, %8) ({
  ^bb5(%24: f32, %25: f32):
   "linalg.yield"(%24) : (f32) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1>} : (f32, memref<2x2x4xf32>) -> ()
  "func.return"() : () -> ()
 }) {sym_name = "f", function_type = (index, index, f32, f64, i1, !llvm.ptr, memref<4x4xf32>) -> ()} : () -> ()
}) : () -> ()
