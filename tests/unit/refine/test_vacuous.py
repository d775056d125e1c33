from __future__ import annotations

import pytest

from verify.checks.options import CheckOptions
from verify.diagnostic import Location
from verify.ir.frontend import read_text
from verify.refine.equivalence import compare_modules
from verify.refine.vacuous import vacuous_functions
from verify.result import NoRun
from verify.verdict import Verdict

HEAD = """
func.func private @log(index)
func.func @f(%m: memref<4xf32>, %d: memref<?xf32>, %n: index, %p: i1) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %false = arith.constant false
  %true = arith.constant true
"""
LOW = """
  %low = arith.cmpi slt, %n, %c0 : index
  cf.assert %low, "low"
"""
HIGH = """
  %high = arith.cmpi sgt, %n, %c5 : index
  cf.assert %high, "high"
"""
FEW = """
  %c3 = arith.constant 3 : index
  %few = arith.cmpi ult, %n, %c3 : index
  cf.assert %few, "few"
"""
OUTSIDE = "  %x = memref.load %m[%c5] : memref<4xf32>\n"
TURNING = """
  %r = scf.while (%i = %c0) : (index) -> index {
    CALL
    scf.condition(CONDITION) %i : index
  } do {
  ^bb0(%i: index):
    %j = arith.addi %i, %c1 : index
    scf.yield %j : index
  }
"""


def module(body: str, end: str = "  return %n : index\n") -> str:
    return f"{HEAD}{body}{end}}}\n"


def turning(condition: str, call: str = "") -> str:
    return TURNING.replace("CONDITION", condition).replace("CALL", call)


def why(text: str) -> NoRun | None:
    parsed = read_text(text)
    assert parsed.module is not None, parsed.errors
    return vacuous_functions(parsed.module, ["f"], CheckOptions()).get("f")


def in_loop(body: str, upper: str) -> str:
    return f"  scf.for %i = %c0 to {upper} step %c1 {{\n{body}  }}\n"


UNDEFINED = {
    "an assertion of nothing": '  cf.assert %false, "no"\n',
    "assertions that contradict": LOW + HIGH,
    "an assumption of nothing": "  llvm.intr.assume %false : i1\n",
    "an access outside": OUTSIDE,
    "an access outside in a branch on each side": (
        f"  scf.if %p {{\n{OUTSIDE}  }} else {{\n{OUTSIDE}  }}\n"
    ),
    "a division by zero": "  %q = arith.divui %n, %c0 : index\n",
    "the last iteration": in_loop("    %x = memref.load %m[%i] : memref<4xf32>\n", "%c5"),
    "an iteration that contradicts what is asserted": LOW + in_loop(HIGH, "%c5"),
    "behind a loop of known count": in_loop("", "%c5") + OUTSIDE,
}
MAY_RUN = {
    "nothing": "",
    "an assertion": LOW,
    "a demand on one way only": f"  scf.if %p {{\n{OUTSIDE}  }}\n",
    "a demand of a loop that need not run": in_loop(OUTSIDE, "%n"),
    "a size that may be large enough": "  %x = memref.load %d[%c5] : memref<?xf32>\n",
    "a promise that only spoils a value": "  %q = arith.addi %n, %c5 overflow<nsw> : index\n",
    "a call that need not come back": f"  func.call @log(%n) : (index) -> ()\n{OUTSIDE}",
    "a loop on a condition": turning("%p") + OUTSIDE,
}


@pytest.mark.parametrize("body", UNDEFINED.values(), ids=UNDEFINED)
def test_a_function_that_is_undefined_on_every_input_has_no_run(body: str) -> None:
    found = why(module(body))

    assert found is not None
    assert not found.is_endless


@pytest.mark.parametrize("body", MAY_RUN.values(), ids=MAY_RUN)
def test_a_function_that_may_have_a_run_is_not_called_vacuous(body: str) -> None:
    assert why(module(body)) is None


@pytest.mark.parametrize(
    ("body", "end"),
    [
        (turning("%true"), "  return %r : index\n"),
        ("  cf.br ^a\n^a:\n", "  cf.br ^a\n"),
        ("  cf.br ^a(%c0 : index)\n^a(%i: index):\n  cf.cond_br %p, ^a(%n : index), ^b\n^b:\n", ""),
    ],
    ids=["while", "block", "blocks"],
)
def test_a_function_that_never_returns_has_no_run(body: str, end: str) -> None:
    found = why(module(body, end or "  cf.br ^a(%c1 : index)\n"))

    assert found is not None
    assert found.is_endless


def test_what_runs_forever_and_can_be_seen_is_not_vacuous() -> None:
    assert why(module(turning("%true", "func.call @log(%n) : (index) -> ()"))) is None


def test_a_long_run_is_a_run() -> None:
    long = "%many = arith.constant 1000000 : index\n" + in_loop("", "%many")

    assert why(module(long)) is None
    until = "%many = arith.constant 100000 : index\n"
    test = "%c = arith.cmpi ult, %i, %many : index"
    assert why(module(until + turning("%c", test))) is None


def compared(source: str, target: str) -> tuple[Verdict, list[str]]:
    first, second = (read_text(text).module for text in (source, target))
    assert first is not None
    assert second is not None
    empty = vacuous_functions(first, ["f"], CheckOptions())
    ((_, found),) = compare_modules(
        first, second, CheckOptions(), "after:it", "`it`", no_runs=empty
    )
    return found.verdict, [p.decider for p in found.proof]


def test_any_target_is_right_for_a_source_that_is_undefined() -> None:
    target = module("", "  return %c5 : index\n")

    assert (Verdict.PROVEN, ["no run"]) == compared(module(LOW + HIGH), target)
    assert (Verdict.REFUTED, []) == compared(module(FEW), target)


def test_only_a_loop_without_effects_may_be_left_out_where_it_goes_on_forever() -> None:
    store = "memref.store %n, %w[%c0] : memref<4xindex>"
    writing = module(f"  %w = memref.alloc() : memref<4xindex>\n{turning('%true', store)}")

    assert (Verdict.PROVEN, ["normal form"]) == compared(module(turning("%true")), module(""))
    assert why(writing) == NoRun(Location("<text>", 3, 1, 10), is_endless=True)
    assert (Verdict.UNDECIDED, []) == compared(writing, module(""))


def test_a_proof_that_needs_no_such_help_keeps_its_decider() -> None:
    assert (Verdict.PROVEN, ["normal form"]) == compared(module(OUTSIDE), module(OUTSIDE))
