"""The condition of a branch still holds behind it.

The list of conditions is not cut back when a branch ends.
"""

from contextlib import contextmanager
from typing import Any

from fuzz.mutants import Patch
from verify.model.symbolic import SymbolicMachine


def apply(patch: Patch) -> None:
    """Keep what was pushed."""

    @contextmanager
    def under(self: Any, condition: Any) -> Any:
        self.conditions.append(condition)
        yield

    patch.set(SymbolicMachine, "under", under)
