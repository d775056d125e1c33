"""An op that depends on something already gets no further dependency.

One token an op is the rule of the chain; the tokens of tasks come on top of it.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.passes import gpu_async_execute as execute


def apply(patch: Patch) -> None:
    """Add a dependency only where there is none."""

    def add(op: Any, token: Any) -> None:
        if not execute.dependencies_of(op):
            right(op, token)

    right = patch.set(execute, "add_dependency", add)
