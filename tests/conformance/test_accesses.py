"""Every access of a run is one that the symbolic machine recorded, in the same iterations."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, note
from hypothesis import strategies as st

from tests.conformance.carriers import examples, programs, scalars
from tests.conformance.programs import functions
from tests.conformance.tracing import trace, uncovered
from verify.replay.inputs import Inputs


def inputs() -> st.SearchStrategy[Inputs]:
    """Buffers of a few elements, small bounds, now and then a huge one."""

    def make(n: int, k: int, w: int, flag: int, sizes: tuple[int, int], seed: int) -> Inputs:
        shape = {(0, 0): sizes[0], (1, 0): sizes[1]}
        steps = {(0, 0): 1 + seed % 2, (1, 0): 1}
        plain = scalars(0, 0, n, k, w, flag)
        return replace(plain, sizes=shape, strides=steps, offsets={0: 0, 1: seed % 3}, seed=seed)

    bound = st.one_of(st.integers(0, 5), st.sampled_from([-1, -(1 << 63), (1 << 63) - 1, 255]))
    return st.builds(
        make,
        st.integers(0, 5),
        bound,
        st.integers(-4, 300),
        st.integers(0, 1),
        st.tuples(st.integers(6, 12), st.integers(6, 12)),
        st.integers(0, 5),
    )


@examples(100)
@given(functions(), st.lists(inputs(), min_size=2, max_size=3))
def test_every_access_of_a_run_is_covered(text: str, runs: list[Inputs]) -> None:
    note(text)
    program = programs(text)["f"]
    if program.machine.unsupported:
        return
    for drawn in runs:
        arguments, events, ending = trace(program, drawn)
        note(f"{drawn} {ending} {len(events)}")

        assert uncovered(program, arguments, events[:60]) == []
