"""Which runs that became undefined speak of a pair of accesses."""

from xdsl.dialects import test

from verify.replay.schedule import Pair, Touch, Trace

USE, ALLOC, FREE = test.TestOp(), test.TestOp(), test.TestOp()


def trace(*done: test.TestOp) -> Trace:
    """A run that became undefined at the use, after these ops."""
    touches = [Touch(op, None, 0, "buffer", 0, 4, is_write=True) for op in done]
    return Trace(status="undefined", faults={USE}, touches=touches)


def test_a_use_after_the_end_is_explained_by_it() -> None:
    pair = Pair(USE, USE, FREE, None, ends=frozenset({FREE}))

    assert pair.explains(trace(ALLOC, FREE))
    assert not pair.explains(trace())


def test_a_use_before_the_beginning_is_explained_by_it() -> None:
    pair = Pair(ALLOC, ALLOC, USE, None, begins=frozenset({ALLOC}))

    assert pair.explains(trace())
    assert not pair.explains(trace(ALLOC))


def test_a_fault_elsewhere_explains_nothing() -> None:
    assert not Pair(ALLOC, None, FREE, None).explains(trace(ALLOC, FREE))
