"""Strategies for integer operands, with a taste for the edges."""

from __future__ import annotations

from hypothesis import strategies as st

WIDTHS = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "index": 64}


def integers(bits: int) -> st.SearchStrategy[int]:
    """Signed integers of a width: small ones, powers of two and their neighbours, both ends."""
    if bits == 1:
        return st.sampled_from([0, -1])
    low, high = -(1 << (bits - 1)), (1 << (bits - 1)) - 1
    powers = [s * (1 << k) + d for k in range(bits) for s in (1, -1) for d in (-1, 0, 1)]
    edges = [low, low + 1, high, high - 1, 0, 1, -1]
    near = [v for v in (*edges, *powers) if low <= v <= high]
    small = st.integers(max(low, -9), min(high, 9))
    return st.one_of(small, st.sampled_from(near), st.integers(low, high))
