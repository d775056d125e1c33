"""Windows of accesses, and pairs of spans that may meet."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.model.modelling import model_of
from verify.model.windows import Span, may_meet, meeting, span_of, window_of
from verify.semantics.term import Lin

OPEN = "memref<?xf32, strided<[1], offset: ?>>"


def test_a_window_is_the_elements_of_the_view_whatever_the_index() -> None:
    (access,) = model_of("memref.store %f, %m[%n] : memref<8xf32>").accesses

    assert window_of(access) == (0, 32)


def test_a_view_with_a_negative_stride_reaches_down() -> None:
    (access,) = model_of(
        "memref.store %f, %m[%n] : memref<8xf32, strided<[-1], offset: 7>>",
        "%m: memref<8xf32, strided<[-1], offset: 7>>, %n: index",
    ).accesses

    assert window_of(access) == (0, 32)


def test_an_offset_that_must_not_be_negative_has_not_wrapped_around() -> None:
    (access,) = model_of(
        "%o = arith.addi %n, %c1 : index\n"
        f"%v = memref.subview %m[%o] [4] [1] : {OPEN} to memref<4xf32, strided<[1], offset: ?>>\n"
        "memref.store %f, %v[%n] : memref<4xf32, strided<[1], offset: ?>>",
        f"%m: {OPEN}, %n: index",
    ).accesses
    window = window_of(access)

    assert window is not None
    assert window[1] - window[0] == 16
    assert isinstance(window[0], Lin)
    assert [v.name for v in window[0].coefficients if v.name.startswith("wrap")] == []


def test_an_access_through_a_pointer_has_only_its_own_bytes() -> None:
    (access,) = model_of("llvm.store %f, %p : f32, !llvm.ptr", "%p: !llvm.ptr").accesses

    assert window_of(access) == (access.address, access.address + 4)


def test_windows_that_move_with_the_loop_are_not_compared_by_their_start() -> None:
    model = model_of(
        "scf.for %i = %c0 to %n step %c1 {\n"
        f"%v = memref.subview %m[%i] [4] [1] : {OPEN} to memref<4xf32, strided<[1], offset: ?>>\n"
        "memref.store %f, %v[%c0] : memref<4xf32, strided<[1], offset: ?>>\n}",
        f"%m: {OPEN}, %n: index",
    )

    assert span_of(model.accesses[0], ()).key is None


def spans() -> st.SearchStrategy[list[Span]]:
    """Spans that count from two bases, or from none."""

    def make(key: str | None, start: int, size: int, slack: int) -> Span:
        return Span(key, start, start + size, start - slack, start + size + slack)

    number = st.integers(0, 20)
    span = st.builds(make, st.sampled_from(["p", "q", None]), number, st.integers(1, 9), number)
    return st.lists(span, max_size=8)


@settings(max_examples=200, derandomize=True, database=None, deadline=None)
@given(spans(), spans())
def test_sorting_finds_the_pairs_that_trying_all_finds(
    first: list[Span], second: list[Span]
) -> None:
    expected = [(i, j) for i, a in enumerate(first) for j, b in enumerate(second) if may_meet(a, b)]

    assert sorted(meeting(first, second)) == expected
