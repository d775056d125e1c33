"""The view outside is erased once it is sunk.

It is taken for dead, though code behind the loop may use it.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.passes import sink_checkpoint_views as sink


def apply(patch: Patch) -> None:
    """Erase what was cloned."""

    def into(region: Any, value: Any) -> Any:
        found = right(region, value)
        if found:
            value.owner.detach()
            value.owner.erase()
        return found

    right = patch.set(sink, "_sink_into", into)
