"""What several passes over one module have in common, made once.

Compilers often agree, and a module costs more to print and to build than to transform.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from verify.ir.module import ParsedModule

if TYPE_CHECKING:
    from xdsl.ir import Operation

_current: list[Shared] = []


@dataclass(slots=True)
class Shared:
    """Texts with locations by module, and modules by what a worker sent; none may be changed."""

    texts: dict[Operation, str] = field(default_factory=dict)
    modules: dict[tuple[tuple[str, ...], bytes, str], ParsedModule] = field(default_factory=dict)


@contextmanager
def sharing(known: Shared) -> Generator[None]:
    """Use and extend `known`, which is for one source, while this lasts."""
    _current.append(known)
    try:
        yield
    finally:
        _current.pop()


def current() -> Shared | None:
    """What is shared now."""
    return _current[-1] if _current else None
