"""Arithmetic whose results are C expressions with bounds."""

from __future__ import annotations

from collections.abc import Callable

from verify.replay.cuda.expressions import Node
from verify.semantics import term as t
from verify.semantics.algebra import ConcreteAlgebra, bit_range, known_power
from verify.semantics.term import Condition, Number, Var
from verify.semantics.types import UnsupportedError

HEAVY = 12
"""An expression of more parts becomes a statement of its own."""


def weight_of(*parts: Number) -> int:
    """How many parts the expressions of some numbers have."""
    return sum(
        var.origin.weight if isinstance(var.origin, Node) else 1
        for part in parts
        if not isinstance(part, int)
        for var in part.coefficients
    )


def bounds_of(a: Number) -> tuple[int, int]:
    """The bounds of a number, which every number in a kernel has."""
    low, high = t.interval(a)
    if low is None or high is None:
        raise UnsupportedError("a number without bounds")
    return low, high


class CudaAlgebra:
    """See the module. `name` puts the value of a variable into one that has a name."""

    def __init__(self, name: Callable[[Var], Number]) -> None:
        self._name = name
        self._plain = ConcreteAlgebra()

    def node(self, node: Node, low: int, high: int) -> Number:
        """An expression with its bounds."""
        var = Var(node.kind, low, high, origin=node)
        return self._name(var) if node.weight > HEAVY else var.term()

    def _make(self, kind: str, low: int, high: int, *operands: Number) -> Number:
        return self.node(Node(kind, operands, 1 + weight_of(*operands)), low, high)

    def multiply(self, a: Number, b: Number) -> Number:
        if isinstance(a, int):
            return t.times(b, a)
        if isinstance(b, int):
            return t.times(a, b)
        corners = [x * y for x in bounds_of(a) for y in bounds_of(b)]
        if max(abs(c) for c in corners) >> 127 and weight_of(a, b) >= HEAVY:
            # Such a product has no variable; its low bits are what counts.
            a, b = self._put_down(a), self._put_down(b)
        return self._make("product", min(corners), max(corners), a, b)

    def _put_down(self, a: Number) -> Number:
        """A number in a variable of its own."""
        if isinstance(a, int) or weight_of(a) <= 1:
            return a
        return self._name(Var("part", *bounds_of(a), origin=Node("number", (a,))))

    def divide(self, a: Number, b: Number) -> Number:
        if isinstance(a, int) and isinstance(b, int) and b:
            return a // b
        low, high = bounds_of(a)
        limit = max(1, bounds_of(b)[0])
        return self._make("quotient", min(low // limit, 0), max(high // limit, 0), a, b)

    def wrap(self, a: Number, bits: int) -> Number:
        low, high = bit_range(bits)
        smallest, largest = bounds_of(a)
        if low <= smallest and largest <= high:
            return a
        if isinstance(a, int):
            return self._plain.wrap(a, bits)
        if bits > 64:
            raise UnsupportedError(f"an integer of {bits} bits")
        return self.node(Node("wrap", (a, bits), 1 + weight_of(a)), low, high)

    def choose(self, c: Condition, a: Number, b: Number) -> Number:
        if isinstance(c, bool) or a == b:
            return a if c else b
        ends = (*bounds_of(a), *bounds_of(b))
        weight = 1 + weight_of(a, b) + _weight(c)
        return self.node(Node("choice", (c, a, b), weight), min(ends), max(ends))

    def bitwise(self, name: str, a: Number, b: Number, bits: int) -> Number:
        if isinstance(a, int) and isinstance(b, int):
            return self._plain.bitwise(name, a, b, bits)
        if bits > 64:
            raise UnsupportedError(f"an integer of {bits} bits")
        (a_low, a_high), (b_low, b_high) = bounds_of(a), bounds_of(b)
        low, high = bit_range(bits)
        if a_low >= 0 and b_low >= 0:
            low, high = 0, (1 << max(a_high, b_high).bit_length()) - 1
        sign = {"and": "&", "or": "|", "xor": "^"}[name]
        return self.node(Node("bits", (sign, a, b), 1 + weight_of(a, b)), low, high)

    def power(self, amount: Number, bits: int) -> Number:
        if isinstance(amount, int):
            return known_power(amount, bits)
        return self._make("power", 1, 1 << (bits - 1), amount)


def _weight(c: Condition) -> int:
    match c:
        case t.AtMostZero(term) | t.IsZero(term):
            return weight_of(term)
        case t.Not(part):
            return _weight(part)
        case t.And(parts) | t.Or(parts):
            return sum(_weight(p) for p in parts)
        case _:
            return 1
