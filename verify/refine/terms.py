"""Interned symbols: the same computation in two programs is the same symbol."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from xdsl.ir import Attribute

from verify.semantics.algebra import SymbolicAlgebra, bit_range
from verify.semantics.arith import scalar_bits
from verify.semantics.term import BoolVar, Truth, Var
from verify.semantics.types import is_token
from verify.semantics.values import OPAQUE


@dataclass(eq=False, slots=True)
class Expr:
    """A value that is not an integer: an operation on values, known by its key."""

    key: Any
    number: int

    def __repr__(self) -> str:
        return f"e{self.number}"


@dataclass(slots=True)
class Interner:
    """Shared by the two programs of one question."""

    algebra: SymbolicAlgebra = field(default_factory=SymbolicAlgebra)
    _known: dict[Any, Any] = field(default_factory=dict)

    def symbol(self, key: Any, kind: Attribute) -> Any:
        """The value of type `kind` that `key` stands for."""
        full = (key, str(kind))
        if full not in self._known:
            self._known[full] = self._make(full, kind)
        return self._known[full]

    def _make(self, key: Any, kind: Attribute) -> Any:
        bits = scalar_bits(kind)
        if bits == 1:
            return Truth(BoolVar("truth", (), key))
        if bits is not None:
            return Var("symbol", *bit_range(bits), (), key).term()
        if is_token(kind):
            return OPAQUE
        return Expr(key, len(self._known))

    def truth(self, key: Any) -> Any:
        """A truth value."""
        full = (key, "truth")
        if full not in self._known:
            self._known[full] = Truth(BoolVar("truth", (), key))
        return self._known[full]

    def number(self, key: Any, low: int | None, high: int | None) -> Any:
        """An integer symbol with bounds."""
        full = (key, low, high)
        if full not in self._known:
            self._known[full] = Var("number", low, high, (), key).term()
        return self._known[full]


def known(value: Any) -> Any:
    """A value as part of a key."""
    return ("expr", value.number) if isinstance(value, Expr) else value
