"""Interned symbols: the same computation in two programs is the same symbol."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from xdsl.ir import Attribute

from verify.refine.events import Place
from verify.semantics.algebra import SymbolicAlgebra, bit_range
from verify.semantics.arith import scalar_bits
from verify.semantics.term import BoolVar, Cond, Lin, Truth, Var, variables
from verify.semantics.types import is_token
from verify.semantics.values import OPAQUE, View, Views


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
    _expressions: dict[int, Expr] = field(default_factory=dict)

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
        expression = Expr(key, len(self._known))
        self._expressions[expression.number] = expression
        return expression

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

    def mentions(self, value: Any, path: tuple[Any, ...]) -> bool:
        """Whether a value was made from something at `path`, a loop say; when in doubt it was."""
        return _Search(self._expressions, path).finds(value)


class _Search:
    """One search through what values were made from."""

    def __init__(self, expressions: dict[int, Expr], path: tuple[Any, ...]) -> None:
        self.expressions, self.path = expressions, path
        self.seen: set[int] = set()

    def finds(self, value: Any) -> bool:
        """Whether the path occurs."""
        if value is None or isinstance(value, int | float | str | bytes):
            return False
        if isinstance(value, tuple):
            return self._in_tuple(value)
        if isinstance(value, Lin | Cond):
            return any(self._in_variable(v) for v in variables(value))
        match value:
            case Expr():
                return self._once(value) and self.finds(value.key)
            case Place():
                return self.finds((value.memory, value.address))
            case View():
                return self.finds((value.memory, value.offset, value.sizes, value.strides))
            case _:
                return True

    def _in_tuple(self, value: tuple[Any, ...]) -> bool:
        if value[: len(self.path)] == self.path:
            return True
        if len(value) == 2 and value[0] == "expr" and value[1] in self.expressions:
            return self.finds(self.expressions[value[1]])
        return any(self.finds(part) for part in value)

    def _in_variable(self, var: Var | BoolVar) -> bool:
        if not self._once(var):
            return False
        facts = var.facts if isinstance(var, Var) else []
        is_free = var.origin is None and not facts
        return is_free or self.finds(var.origin) or any(self.finds(fact) for fact in facts)

    def _once(self, value: object) -> bool:
        is_new = id(value) not in self.seen
        self.seen.add(id(value))
        return is_new


def known(value: Any) -> Any:
    """A value as part of a key."""
    return ("expr", value.number) if isinstance(value, Expr) else value


def shape_key(view: View) -> tuple[Any, ...]:
    """What an access to a whole view depends on."""
    return view.memory, view.offset, view.sizes, view.strides, view.element


def plain(value: Any) -> Any:
    """A value of any kind as part of a key."""
    if isinstance(value, Views):
        return tuple((c, shape_key(v)) for c, v in value.choices)
    return known(value)


def handed(value: Any) -> Any:
    """A value that a loop hands on; of a view also what its use takes for granted."""
    if isinstance(value, Views):
        return tuple((c, shape_key(v), v.assumed) for c, v in value.choices)
    return known(value)
