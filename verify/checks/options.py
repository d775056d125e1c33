"""What a check may be told."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """`arguments` is `no-alias` or `may-alias`; times are seconds.

    `runs` bounds the concrete runs that try to confirm one suspicion. With `recipes`, findings
    bring what it takes to run them again.
    """

    arguments: str = "no-alias"
    solver_timeout_s: float = 5.0
    emit_smt2: Path | None = None
    explain_proof: bool = False
    runs: int = 40
    recipes: bool = False

    @property
    def may_alias(self) -> bool:
        """Whether two function arguments may overlap."""
        return self.arguments == "may-alias"
