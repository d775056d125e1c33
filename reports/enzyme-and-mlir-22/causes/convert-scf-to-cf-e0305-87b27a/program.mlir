"builtin.module"() ({
^bb0:
 "func.func"() ({
 ^bb1(%0: f64, %1: index):
  "affine.for"(%0) ({
  ^bb2(%2: index, %3: f64):
   "scf.for"(%1, %1, %1) ({
   ^bb3(%4: index):
    "scf.yield"() : () -> ()
   }) : (index, index, index) -> ()
   "affine.yield"() : () -> ()
  }) {lowerBoundMap = affine_map<() -> (0)>, operandSegmentSizes = array<i32: 0, 0, 1>, step = 1 : index, upperBoundMap = affine_map<() -> (1)>} : (f64) -> ()
  "func.return"() : () -> ()
 }) {function_type = (f64, index) -> (), sym_name = "f"} : () -> ()
}) : () -> ()
