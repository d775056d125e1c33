"""The three answers a check can give, and how answers combine."""

from collections.abc import Iterable
from enum import StrEnum


class Verdict(StrEnum):
    """`proven` holds for every input; `refuted` has a confirmed counterexample."""

    PROVEN = "proven"
    REFUTED = "refuted"
    UNDECIDED = "undecided"


_RANK = {Verdict.PROVEN: 0, Verdict.UNDECIDED: 1, Verdict.REFUTED: 2}


def combine(verdicts: Iterable[Verdict]) -> Verdict:
    """The verdict of a whole from its parts: one refutation refutes, else one doubt stays."""
    return max(verdicts, key=_RANK.__getitem__, default=Verdict.PROVEN)
