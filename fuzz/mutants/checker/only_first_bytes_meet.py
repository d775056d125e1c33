"""Two accesses meet where they begin at the same byte, says the query.

With one element type nothing else happens.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.smt import overlap

FAMILIES = ("checkpointed",)


def apply(patch: Patch) -> None:
    """Require equal addresses."""

    def common(encoder: Any, first: Any, second: Any, order: Any, kind: str) -> None:
        if kind == "unknown":
            return
        a = overlap.placed(encoder, first, order.tags_first, kind)
        b = overlap.placed(encoder, second, order.tags_second, kind)
        encoder.constraints.append(a == b)

    patch.set(overlap, "_require_common_byte", common)
