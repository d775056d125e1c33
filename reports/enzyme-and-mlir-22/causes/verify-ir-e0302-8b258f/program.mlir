func.func @f(%n: index, %m: index, %s: index, %p: i1, %xf32: f32, %xf64: f64, %b1: memref<?x?xi32>) {
  %c_0 = arith.constant 1 : index
  %t_1 = memref.dim %b1, %c_0 : memref<?x?xi32>
  %c_2 = arith.constant 2 : index
  %t_3 = arith.divui %t_1, %c_2 : index
  %c_4 = arith.constant 0 : index
  %t_5 = memref.dim %b1, %c_4 : memref<?x?xi32>
  %c_6 = arith.constant 2 : index
  %t_7 = arith.divui %t_5, %c_6 : index
  %c_8 = arith.constant 1 : index
  %t_9 = memref.dim %b1, %c_8 : memref<?x?xi32>
  %c_10 = arith.constant 2 : index
  %t_11 = arith.divui %t_9, %c_10 : index
  %v2 = memref.subview %b1 [0, %t_3] [%t_7, %t_11] [1, 1] : memref<?x?xi32> to memref<?x?xi32, strided<[?, 1], offset: ?>>
  %c_12 = arith.constant 0 : index
  %t_13 = memref.dim %v2, %c_12 : memref<?x?xi32, strided<[?, 1], offset: ?>>
  %c_14 = arith.constant 2 : index
  %t_15 = arith.divui %t_13, %c_14 : index
  %c_16 = arith.constant 1 : index
  %t_17 = memref.dim %v2, %c_16 : memref<?x?xi32, strided<[?, 1], offset: ?>>
  %c_18 = arith.constant 2 : index
  %t_19 = arith.divui %t_17, %c_18 : index
  %v3 = memref.subview %v2 [0, 0] [%t_15, %t_19] [1, 2] : memref<?x?xi32, strided<[?, 1], offset: ?>> to memref<?x?xi32, strided<[?, 2], offset: ?>>
  %c_20 = arith.constant 0 : index
  %c_21 = arith.constant 1 : index
  %v6, %v8 = scf.for %i4 = %c_20 to %n step %c_21 iter_args(%v5 = %b1, %v7 = %b1) -> (memref<?x?xi32>, memref<?x?xi32>) {
    %k_22 = arith.constant 2 : i32
    %c_23 = arith.constant 2 : index
    %t_24 = arith.muli %i4, %c_23 : index
    memref.store %k_22, %b1[%i4, %t_24] : memref<?x?xi32>
    %k_25 = arith.constant 4 : i32
    %c_26 = arith.constant 0 : index
    memref.store %k_25, %b1[%i4, %c_26] : memref<?x?xi32>
    %c_27 = arith.constant 0 : index
    %t_28 = memref.load %b1[%c_27, %i4] : memref<?x?xi32>
    %t_29 = arith.index_cast %t_28 : i32 to index
    %c_30 = arith.constant 3 : index
    %k9 = arith.remui %t_29, %c_30 : index
    scf.if %p {
      %c_31 = arith.constant 1 : index
      %t_32 = arith.addi %i4, %c_31 : index
      %t_33 = memref.load %b1[%i4, %t_32] : memref<?x?xi32>
      %t_34 = arith.index_cast %t_33 : i32 to index
      %c_35 = arith.constant 2 : index
      %k10 = arith.remui %t_34, %c_35 : index
    } else {
      %k_36 = arith.constant 4 : i32
      linalg.fill ins(%k_36 : i32) outs(%v5 : memref<?x?xi32>)
    }
    %k_37 = arith.constant 1 : i32
    %c_38 = arith.constant 0 : index
    %c_39 = arith.constant 2 : index
    %t_40 = arith.remui %i4, %c_39 : index
    memref.store %k_37, %b1[%c_38, %t_40] : memref<?x?xi32>
    %c_41 = arith.constant 0 : index
    %c_42 = arith.constant 2 : index
    %t_43 = arith.remui %i4, %c_42 : index
    %t_44 = memref.load %v3[%c_41, %t_43] : memref<?x?xi32, strided<[?, 2], offset: ?>>
    %t_45 = arith.index_cast %t_44 : i32 to index
    %c_46 = arith.constant 4 : index
    %k11 = arith.remui %t_45, %c_46 : index
    %k_47 = arith.constant 1 : i32
    %c_48 = arith.constant 1 : index
    memref.store %k_47, %v5[%k11, %c_48] : memref<?x?xi32>
    scf.yield %v7, %v5 : memref<?x?xi32>, memref<?x?xi32>
  } {enzyme.enable_checkpointing = true}
  return
}
