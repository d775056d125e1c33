// Shows: loops of known count; what MLIR's loop passes make of them (unrolled, tiled, fused, promoted
// to registers) does the same on all data.
// Idea: where control depends on no input, one run on data that is not known stands for all.
// RUN: verify-ir passes %s -p "mlir:builtin.module(func.func(affine-loop-unroll{unroll-factor=3}))" --verify-diagnostics
// RUN: verify-ir passes %s -p "mlir:builtin.module(func.func(affine-loop-unroll-jam))" --verify-diagnostics
// RUN: verify-ir passes %s -p "mlir:builtin.module(func.func(affine-loop-tile{tile-size=4}))" --verify-diagnostics
// RUN: verify-ir passes %s -p "mlir:builtin.module(func.func(affine-loop-fusion))" --verify-diagnostics
// RUN: verify-ir passes %s -p "mlir:builtin.module(func.func(affine-scalrep))" --verify-diagnostics
// RUN: verify-ir passes %s -p "mlir:builtin.module(func.func(affine-parallelize))" --verify-diagnostics
func.func @unroll(%A: memref<8xf32>, %B: memref<8xf32>, %s: f32) {
  affine.for %i = 0 to 8 {
    %x = affine.load %A[%i] : memref<8xf32>
    %y = arith.mulf %x, %s : f32
    affine.store %y, %B[7 - %i] : memref<8xf32>
  }
  return
}
func.func @tile(%A: memref<6x6xf32>, %B: memref<6x6xf32>) {
  affine.for %i = 0 to 6 {
    affine.for %j = 0 to 6 {
      %x = affine.load %A[%i, %j] : memref<6x6xf32>
      %o = affine.load %B[%j, %i] : memref<6x6xf32>
      %y = arith.addf %x, %o : f32
      affine.store %y, %B[%j, %i] : memref<6x6xf32>
    }
  }
  return
}
func.func @fuse(%A: memref<10xf32>, %B: memref<10xf32>) {
  %t = memref.alloc() : memref<10xf32>
  affine.for %i = 0 to 10 {
    %x = affine.load %A[%i] : memref<10xf32>
    %y = arith.addf %x, %x : f32
    affine.store %y, %t[%i] : memref<10xf32>
  }
  affine.for %i = 0 to 10 {
    %x = affine.load %t[%i] : memref<10xf32>
    %y = arith.mulf %x, %x : f32
    affine.store %y, %B[%i] : memref<10xf32>
  }
  memref.dealloc %t : memref<10xf32>
  return
}
func.func @data(%A: memref<4xi32>, %B: memref<4xi32>) {
  %z = arith.constant 0 : i32
  affine.for %i = 0 to 4 {
    %x = affine.load %A[%i] : memref<4xi32>
    %c = arith.cmpi sgt, %x, %z : i32
    scf.if %c {
      affine.store %x, %B[%i] : memref<4xi32>
    } else {
      affine.store %z, %B[%i] : memref<4xi32>
    }
  }
  return
}
