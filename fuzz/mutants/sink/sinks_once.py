"""A clone's own source is not looked at again.

One sweep over the captures looks sufficient; a view of a view stays captured.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.passes import sink_checkpoint_views as sink


def apply(patch: Patch) -> None:
    """Report no new captures."""

    def into(region: Any, value: Any) -> Any:
        right(region, value)
        return ()

    right = patch.set(sink, "_sink_into", into)
