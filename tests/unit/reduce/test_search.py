from collections.abc import Callable

import pytest

from verify.ir.frontend import read_text
from verify.ir.module import ParsedModule
from verify.ir.names import op_name
from verify.ir.printing import to_pretty_text
from verify.reduce.search import Budget, NotInterestingError, Reduced, reduce_module

SUM = """
func.func private @twice(%x: i32) -> i32 {
  %y = arith.addi %x, %x : i32
  return %y : i32
}
func.func @main(%a: i32, %unused: memref<4xf32>, %c: i1) -> (i32, i32) {
  %n = arith.constant 40 : index
  %z = arith.constant 0 : index
  %s = arith.constant 4 : index
  %t = func.call @twice(%a) : (i32) -> i32
  %r = scf.for %i = %z to %n step %s iter_args(%p = %t) -> (i32) {
    %q = scf.if %c -> (i32) {
      %d = arith.divsi %p, %a {note = "x"} : i32
      scf.yield %d : i32
    } else {
      scf.yield %p : i32
    }
    scf.yield %q : i32
  }
  return %r, %t : i32, i32
}
"""


def has(name: str) -> Callable[[ParsedModule], bool]:
    return lambda parsed: (
        parsed.module is not None and any(op_name(op) == name for op in parsed.module.walk())
    )


def pretty(reduced: Reduced) -> str:
    module = read_text(reduced.text).module
    assert module is not None
    return to_pretty_text(module)


def test_everything_around_an_op_goes_away() -> None:
    reduced = reduce_module(SUM, has("arith.divsi"))

    assert "complete" == reduced.end
    assert 4 == reduced.ops, pretty(reduced)
    for word in ("scf", "call", "memref", "note", "twice", "i1"):
        assert word not in pretty(reduced)


def test_the_search_is_deterministic() -> None:
    first, second = (reduce_module(SUM, has("scf.if")) for _ in range(2))

    assert (first.text, first.tests) == (second.text, second.tests)


def test_blocks_are_joined_and_branches_chosen() -> None:
    text = """
    func.func @f(%c: i1, %x: f32) -> f32 {
      cf.cond_br %c, ^a(%x : f32), ^b(%x : f32)
    ^a(%y: f32):
      %s = math.sqrt %y : f32
      cf.br ^b(%s : f32)
    ^b(%z: f32):
      return %z : f32
    }
    """

    reduced = reduce_module(text, has("math.sqrt"))

    assert "cf." not in reduced.text
    assert "i1" not in reduced.text


def test_sizes_that_belong_together_shrink_together() -> None:
    text = """
    func.func @f(%m: memref<24x16xf32>) -> memref<24xf32, strided<[16]>> {
      %v = memref.subview %m[0, 0] [24, 1] [1, 1]
          : memref<24x16xf32> to memref<24xf32, strided<[16]>>
      return %v : memref<24xf32, strided<[16]>>
    }
    """

    reduced = reduce_module(text, has("memref.subview"))

    assert "24" not in reduced.text
    assert "16" not in reduced.text


def test_a_step_never_becomes_zero() -> None:
    reduced = reduce_module(SUM, has("scf.for"))

    assert "scf.for" in pretty(reduced)
    assert "step %c0" not in pretty(reduced)


@pytest.mark.parametrize("text", ["func.func @f(", "func.func @f() { return }"])
def test_nothing_to_keep_is_an_error(text: str) -> None:
    with pytest.raises(NotInterestingError):
        reduce_module(text, has("scf.for"))


def test_a_budget_ends_the_search_with_what_there_is() -> None:
    reduced = reduce_module(SUM, has("arith.divsi"), Budget(tests=3))

    assert "tests" == reduced.end
    assert 3 == reduced.tests
    assert has("arith.divsi")(read_text(reduced.text))


def test_an_interrupt_ends_the_search_with_what_there_is() -> None:
    seen: list[ParsedModule] = []

    def judged(parsed: ParsedModule) -> bool:
        seen.append(parsed)
        if len(seen) > 6:
            raise KeyboardInterrupt
        return has("arith.divsi")(parsed)

    reduced = reduce_module(SUM, judged)

    assert "interrupted" == reduced.end
    assert reduced.ops < reduced.ops_before
    assert has("arith.divsi")(read_text(reduced.text))


def test_a_fault_in_the_judge_is_a_no() -> None:
    def judged(parsed: ParsedModule) -> bool:
        if not has("scf.if")(parsed):
            raise RuntimeError("made to fail")
        return True

    assert "scf.if" in reduce_module(SUM, judged).text


def test_an_argument_of_a_block_that_is_used_at_once_does_not_stand_in_for_itself() -> None:
    text = """
    func.func @f(%m: memref<4xi32>, %n: index) {
      %z = arith.constant 0 : index
      cf.br ^again(%z : index)
    ^again(%i: index):
      %x = memref.load %m[%i] : memref<4xi32>
      cf.br ^again(%i : index)
    }
    """
    reduced = reduce_module(text, has("memref.load"))

    assert "complete" == reduced.end
    assert "%i" not in pretty(reduced), pretty(reduced)
    assert reduced.ops < 6
