"""A wait on one token makes the host know that all work is complete.

That is what synchronising a device does.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.model import tasks

FAMILIES = ("tokens",)


def apply(patch: Patch) -> None:
    """Let the host know all."""

    def wait(m: Any, op: Any, tokens: Any) -> Any:
        found = right(m, op, tokens)
        if not op.results and tokens:
            m.order.host = m.order.host.with_all(m.order.issued)
        return found

    right = patch.set(tasks, "wait", wait)
