"""What it takes to run a counterexample again, as plain data.

Ops are named by their *number*: their place in a walk over the whole module, the module itself
being 0. Printing and reading a module keeps it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

KINDS = ("checkpoint", "schedule", "space", "difference")


@dataclass(frozen=True, slots=True)
class Contents:
    """What a buffer holds at first: bytes, and the element type that they are made of."""

    element: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Recipe:
    """One run and what it must show.

    `kind` is `checkpoint` (a replay from snapshots reads something else), `schedule` (another
    order of asynchronous work does), `space` (a snapshot is copied as if it lay elsewhere) or
    `difference` (the target of a pass does something else). `function` is an op number. `inputs`
    are the numbers that the run starts from and `contents` what its buffers hold, by name.
    `settings` choose the run among those of its kind, `evidence` is what was seen; both hold
    JSON's own types only.
    """

    kind: str
    function: int
    inputs: Mapping[str, Any]
    contents: Mapping[str, Contents] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    evidence: Mapping[str, Any] = field(default_factory=dict)
