// Shows: three targets that are undefined where the source is not, in places without any effect.
// Idea: a branch or a loop without effects still says when what is in it runs.
// RUN: verify-ir tv %s --verify-diagnostics
func.func @branch(%first: i1, %second: i1, %x: i32, %y: i32) {
  scf.if %first {
    %quotient = arith.divsi %x, %y : i32
  }
  return
}
func.func @steps(%n: index, %cells: memref<10xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%at = %c0) -> index {
    %cell = memref.load %cells[%at] : memref<10xi32>
    %next = arith.addi %at, %c1 : index
    scf.yield %next : index
  }
  return
}
func.func @ends(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = scf.while (%i = %c0) : (index) -> index {
    %more = arith.cmpi slt, %i, %c1 : index
    scf.condition(%more) %i : index
  } do {
  ^bb0(%i: index):
    %next = arith.addi %i, %c1 : index
    scf.yield %next : index
  }
  return
}

// -----

// Changed: the division runs on the other condition.
// expected-error@+1 {{after:target [E0302]}}
func.func @branch(%first: i1, %second: i1, %x: i32, %y: i32) {
  scf.if %second {
    %quotient = arith.divsi %x, %y : i32
  }
  return
}
// Changed: the index grows by five.
// expected-error@+1 {{after:target [E0302]}}
func.func @steps(%n: index, %cells: memref<10xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%at = %c0) -> index {
    %cell = memref.load %cells[%at] : memref<10xi32>
    %next = arith.addi %at, %c5 : index
    scf.yield %next : index
  }
  return
}
// Changed: the loop need not end, which no run can show.
// expected-remark@+1 {{after:target [U0003]}}
func.func @ends(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = scf.while (%i = %n) : (index) -> index {
    %more = arith.cmpi ne, %i, %c1 : index
    scf.condition(%more) %i : index
  } do {
  ^bb0(%i: index):
    scf.yield %i : index
  }
  return
}
