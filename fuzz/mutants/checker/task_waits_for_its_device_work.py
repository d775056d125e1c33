"""The token of a task covers the device work that the task started.

A task seems to be over when its work is.
"""

from dataclasses import replace
from typing import Any

from fuzz.mutants import Patch
from verify.model import tasks

FAMILIES = ("tokens",)


def apply(patch: Patch) -> None:
    """Add what was issued to what a task's token tells."""

    def task(m: Any, op: Any, dependencies: Any, body: Any) -> Any:
        token, values = right(m, op, dependencies, body)
        whole = replace(token, done=token.done.with_all(m.order.touched))
        return whole, [replace(value, token=whole) for value in values]

    right = patch.set(tasks, "task", task)
