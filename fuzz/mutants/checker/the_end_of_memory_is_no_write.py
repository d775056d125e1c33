"""The end of a memory's life is recorded as a read.

`gpu.dealloc` stores nothing.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.model.symbolic import SymbolicMachine

FAMILIES = ("tokens",)


def apply(patch: Patch) -> None:
    """Read what is freed."""

    def free(self: Any, op: Any, view: Any) -> None:
        self.touch(op, view, is_write=False, lifetime="free")

    patch.set(SymbolicMachine, "free", free)
