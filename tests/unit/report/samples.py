"""Results that the tests of all renderers share; the columns in them fit the texts in `TEXTS`."""

from dataclasses import replace
from typing import Any

from verify.checklist import CONTRACT, EQUIVALENCE, OF_LOOPS, SNAPSHOTS
from verify.diagnostic import Counterexample, Diagnostic, Location, Related, Replay
from verify.report.context import RenderContext
from verify.report.sources import Sources
from verify.result import FileResult, FunctionResult, ProofRecord, RunResult, StageResult
from verify.verdict import Verdict

PATH = "samples/sum.mlir"
TEXTS = {
    PATH: """\
func.func @sum(%buf: memref<4xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %view = memref.subview %buf[0] [1] [1] : memref<4xf64> to memref<1xf64>

  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %buf[%c0] : memref<4xf64>
    %y = arith.mulf %x, %x : f64
    memref.store %y, %view[%c0] : memref<1xf64>
  } {enzyme.enable_checkpointing = true}
  return
}
""",
    "samples/wide.mlir": '\t"測試"(%a, %b) : (i1) -> ()\r\n',
}


def at(line: int, column: int, end_column: int | None = None, file: str = PATH) -> Location:
    return Location(file, line, column, end_column)


STALE = Diagnostic(
    code="E0101",
    message="a replay reads through `%buf` what was written through `%view`",
    function="sum",
    location=at(7, 10, 21),
    label="reads the copy of `%buf`",
    related=(
        Related("`%view` is snapshotted on its own", at(4, 3, 8), is_primary=True),
        Related("writes the copy of `%view`", at(9, 5, 17)),
        Related("the loop is checkpointed", at(6, 3, 10)),
    ),
    notes=("both captures hold bytes 0 to 7 of `%buf`",),
    help="sink the view into the loop with `sink-checkpoint-views`",
    counterexample=Counterexample(
        inputs={"%n": 2},
        iterations={"write": 0, "read": 1},
        accesses=(
            {
                "op": "memref.store",
                "capture": "%view",
                "kind": "write",
                "iteration": 0,
                "bytes": [0, 8],
                "line": 9,
            },
            {
                "op": "memref.load",
                "capture": "%buf",
                "kind": "read",
                "iteration": 1,
                "bytes": [0, 8],
                "line": 7,
            },
        ),
    ),
    replay=Replay("cpu", "confirmed", 1.0, 0.0),
    decided_by="z3",
)
TWICE = Diagnostic("W0102", "`%buf` and `%view` are saved twice", "sum", location=at(6, 3, 10))
OPEN = Diagnostic(
    "U0002", "`test.touch` has effects that are not known", "other", location=at(8, 10)
)
ASSUMED = Diagnostic("N0002", "accesses stay inside their views", "sum")
SYNTAX = Diagnostic("E0001", "expected `}`", location=at(2, 9, file="samples/broken.mlir"))


def stage(
    verdict: Verdict,
    *diagnostics: Diagnostic,
    name: str = "input",
    asked: tuple[str, ...] = (),
) -> StageResult:
    return StageResult(name, verdict, diagnostics, asked=asked)


CHECKED = RunResult(
    files=(
        FileResult(
            PATH,
            (
                FunctionResult("sum", (stage(Verdict.REFUTED, STALE, ASSUMED, asked=OF_LOOPS),)),
                FunctionResult("other", (stage(Verdict.UNDECIDED, OPEN, asked=OF_LOOPS),)),
                FunctionResult(
                    "fine",
                    (
                        StageResult(
                            "input",
                            Verdict.PROVEN,
                            (ASSUMED,),
                            (ProofRecord("stale-snapshot", "intervals", 3),),
                            OF_LOOPS,
                        ),
                    ),
                ),
            ),
        ),
        FileResult("samples/broken.mlir", errors=(SYNTAX,)),
    ),
    toolchains={"xdsl": "1.2.3"},
    seconds=0.25,
)
SUNK = "after:sink-checkpoint-views"
HOISTED = "after:mlir:loop-invariant-code-motion"
BROKEN = Diagnostic(
    "E0303",
    "`mlir:loop-invariant-code-motion` breaks `@sum`: E0101 (stale-snapshot) held before",
    "sum",
    HOISTED,
    at(7, 10, 21),
    checks=(SNAPSHOTS,),
)
AFTER = (*OF_LOOPS, EQUIVALENCE)
PIPELINE = RunResult(
    files=(
        FileResult(
            PATH,
            (
                FunctionResult(
                    "sum",
                    (
                        stage(Verdict.REFUTED, STALE, asked=OF_LOOPS),
                        stage(Verdict.PROVEN, ASSUMED, name=SUNK, asked=(*AFTER, CONTRACT)),
                        stage(Verdict.REFUTED, BROKEN, STALE, name=HOISTED, asked=AFTER),
                    ),
                ),
            ),
        ),
    ),
    toolchains={"mlir": "22.1.8"},
    seconds=0.5,
)


def context(**changes: Any) -> RenderContext:
    return replace(RenderContext(Sources(TEXTS), version="9.9"), **changes)
