"""A task gets results for the tokens that it hands on, but its terminator does not yield them.

Results and terminator are changed in two places, and one is forgotten.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.passes import gpu_async_execute as execute


def apply(patch: Patch) -> None:
    """Add results alone."""

    def yield_also(task: Any, values: Any, lists: Any) -> Any:
        types = [execute.token_value_type() for _ in values]
        new = execute.replace_with_more_results(task, types)
        lists.note_clone(new)
        return new

    patch.set(execute, "_yield_also", yield_also)
