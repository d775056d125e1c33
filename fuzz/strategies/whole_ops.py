"""Ops as the family `whole` makes them, from names, values and texts of types and attributes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import DenseArrayBase, IntegerType, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from verify.ir.attributes import parse_attribute, parse_type
from verify.ir.build import property_names
from verify.ir.context import shared_context

Attributes = Mapping[str, Attribute | str]


def make_op(
    name: str,
    operands: Sequence[SSAValue],
    results: Sequence[Attribute | str],
    attributes: Attributes,
    regions: Sequence[Region] = (),
    successors: Sequence[Block] = (),
) -> Operation:
    """An op as the reader makes it: of xDSL's class where there is one, else unregistered."""
    cls = shared_context().get_op(name)
    inherent = property_names(cls)
    given = {n: parse_attribute(a) if isinstance(a, str) else a for n, a in attributes.items()}
    return cls.create(
        operands=operands,
        result_types=[type_of(kind) for kind in results],
        properties={n: a for n, a in given.items() if n in inherent},
        attributes={n: a for n, a in given.items() if n not in inherent},
        regions=regions,
        successors=successors,
    )


def segments(*sizes: int) -> Attribute:
    """How operands or results fall into groups."""
    return DenseArrayBase.from_list(IntegerType(32), list(sizes))


def numbers(values: Sequence[int]) -> Attribute:
    """A dense array of numbers."""
    return DenseArrayBase.from_list(i64, list(values))


def type_of(kind: Attribute | str) -> Attribute:
    """A type, given as such or as text."""
    return parse_type(kind) if isinstance(kind, str) else kind
