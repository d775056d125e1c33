"""What an edit is: where in a module it can be made, and what it does there."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from xdsl.dialects.builtin import ModuleOp


@dataclass(frozen=True, slots=True)
class Edit:
    """`find` gives the sites in a fixed order; `change` edits at some and tells if it did any.

    A joint edit is tried at many sites together first. The result may be invalid.
    """

    name: str
    find: Callable[[ModuleOp], Sequence[Any]]
    change: Callable[[Sequence[Any]], bool]
    is_joint: bool = True
