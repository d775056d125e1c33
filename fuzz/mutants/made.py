"""What mutants share: the result of a right view rule for one source view."""

from collections.abc import Sequence
from typing import Any

from xdsl.ir import Operation

from verify.semantics.machine import Machine, Rule
from verify.semantics.values import View


class _Only:
    """A machine whose views are changed one at a time."""

    def __init__(self, m: Machine, view: View) -> None:
        self._m, self._view = m, view
        self.made: View | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._m, name)

    def map_view(self, value: Any, change: Any) -> Any:
        """Change the one view."""
        del value
        self.made = change(self._view)
        return self.made


def view_after(m: Machine, op: Operation, right: Rule, view: View) -> View:
    """What the right rule of a view op makes of one source view."""
    only: Any = _Only(m, view)
    results: Sequence[Any] = right(only, op)
    assert len(results) == 1
    assert only.made is not None
    return only.made
