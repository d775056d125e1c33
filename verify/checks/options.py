"""What a check may be told."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Effort:
    """How long concrete runs look for what a suspicion says.

    `runs` are for one suspicion, `all_runs` for a function, `steps` are ops of a run, and
    `smaller` are the runs that make the inputs small on which something was found.
    """

    runs: int = 40
    all_runs: int = 2000
    steps: int = 20_000
    smaller: int = 40

    @property
    def is_brief(self) -> bool:
        """Whether one finding of a kind is enough."""
        return not self.smaller


LITTLE = Effort(runs=8, all_runs=64, steps=2000, smaller=0)
"""For campaigns: of what can be confirmed nearly all is so by the first few runs."""


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """`arguments` is `no-alias` or `may-alias`; times are seconds.

    With `recipes`, findings bring what it takes to run them again.
    """

    arguments: str = "no-alias"
    solver_timeout_s: float = 5.0
    emit_smt2: Path | None = None
    explain_proof: bool = False
    effort: Effort = Effort()
    recipes: bool = False

    @property
    def may_alias(self) -> bool:
        """Whether two function arguments may overlap."""
        return self.arguments == "may-alias"
