"builtin.module"() ({
^bb0:
 "func.func"() ({
 ^bb1(%0: memref<?xf32, strided<[?], offset: ?>>, %1: f32):
  %2 = "arith.constant"() {value = 6 : index} : () -> (index)
  %3 = "memref.alloc"(%2) {operandSegmentSizes = array<i32: 1, 0>} : (index) -> (memref<?xi32>)
  %4 = "arith.constant"() {value = 3 : i32} : () -> (i32)
  "linalg.fill"(%4, %3) ({
  ^bb2(%5: i32, %6: i32):
   "linalg.yield"(%5) : (i32) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1>} : (i32, memref<?xi32>) -> ()
  %7 = "arith.constant"() {value = 1 : index} : () -> (index)
  %8 = "arith.constant"() {value = 1 : index} : () -> (index)
  %9 = "arith.cmpi"(%7, %8) {predicate = 0 : i64} : (index, index) -> (i1)
  %10 = "scf.if"(%9) ({
  ^bb3:
   "scf.yield"(%3) : (memref<?xi32>) -> ()
  }, {
  ^bb4:
   "scf.yield"(%3) : (memref<?xi32>) -> ()
  }) : (i1) -> (memref<?xi32>)
  "memref.dealloc"(%3) : (memref<?xi32>) -> ()
  "func.return"() : () -> ()
 }) {sym_name = "h0", sym_visibility = "private", function_type = (memref<?xf32, strided<[?], offset: ?>>, f32) -> ()} : () -> ()
 "func.func"() ({
 ^bb5(%11: index, %12: index, %13: f32, %14: f64, %15: i1, %16: !llvm.ptr, %17: memref<4xf32>):
  %18 = "memref.cast"(%17) : (memref<4xf32>) -> (memref<4xf32>)
  %19 = "arith.constant"() {value = 3 : index} : () -> (index)
  %20 = "arith.constant"() {value = 0 : index} : () -> (index)
  %21 = "arith.constant"() {value = 2 : index} : () -> (index)
  "scf.for"(%20, %19, %21) ({
  ^bb6(%22: index):
   %23 = "arith.constant"() {value = 0 : index} : () -> (index)
   %24 = "affine.load"(%17, %23) {map = affine_map<(d0) -> (d0)>} : (memref<4xf32>, index) -> (f32)
   %25 = "memref.subview"(%17) {static_offsets = array<i64: 0>, static_sizes = array<i64: 3>, static_strides = array<i64: 1>, operandSegmentSizes = array<i32: 1, 0, 0, 0>} : (memref<4xf32>) -> (memref<3xf32, strided<[1]>>)
   "memref.store"(%13, %17, %22) : (f32, memref<4xf32>, index) -> ()
   "scf.yield"() : () -> ()
  }) {enzyme.enable_checkpointing = true} : (index, index, index) -> ()
  %26 = "memref.cast"(%17) : (memref<4xf32>) -> (memref<?xf32, strided<[?], offset: ?>>)
  "func.call"(%26, %13) {callee = @h0} : (memref<?xf32, strided<[?], offset: ?>>, f32) -> ()
  %27 = "memref.cast"(%17) : (memref<4xf32>) -> (memref<?xf32, strided<[?], offset: ?>>)
  "func.call"(%27, %13) {callee = @h0} : (memref<?xf32, strided<[?], offset: ?>>, f32) -> ()
  %28 = "memref.cast"(%17) : (memref<4xf32>) -> (memref<?xf32, strided<[?], offset: ?>>)
  %29 = "memref.cast"(%27) : (memref<?xf32, strided<[?], offset: ?>>) -> (memref<?xf32, strided<[?], offset: ?>>)
  %30 = "arith.constant"() {value = 0 : index} : () -> (index)
  %31 = "arith.cmpi"(%11, %30) {predicate = 0 : i64} : (index, index) -> (i1)
  %32 = "scf.if"(%31) ({
  ^bb7:
   "scf.yield"(%28) : (memref<?xf32, strided<[?], offset: ?>>) -> ()
  }, {
  ^bb8:
   "scf.yield"(%29) : (memref<?xf32, strided<[?], offset: ?>>) -> ()
  }) : (i1) -> (memref<?xf32, strided<[?], offset: ?>>)
  "func.return"() : () -> ()
 }) {sym_name = "f", function_type = (index, index, f32, f64, i1, !llvm.ptr, memref<4xf32>) -> ()} : () -> ()
}) : () -> ()
