"""An asynchronous op is complete for the host as soon as it is issued.

The op is run where it stands and its token is only carried along.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.model import tasks

FAMILIES = ("tokens",)


def apply(patch: Patch) -> None:
    """Let the host know what it has issued."""

    def device_op(m: Any, op: Any, dependencies: Any, body: Any) -> Any:
        token = right(m, op, dependencies, body)
        if token is not None:
            m.order.host = m.order.host | m.order.now(token)
        return token

    right = patch.set(tasks, "device_op", device_op)
