"""Ops and their attributes by MLIR name, alike for registered and unregistered ops."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    UnregisteredOp,
)
from xdsl.ir import Attribute, Operation, SSAValue

_UNREGISTERED_NAME = "op_name__"


def op_name(op: Operation) -> str:
    """The op's MLIR name, such as `memref.load`."""
    # Comparing names is cheaper than asking for the class: ops have a metaclass.
    if op.name != UnregisteredOp.name:
        return op.name
    assert isinstance(op, UnregisteredOp)
    return op.op_name.data


def dialect_name(op: Operation) -> str:
    """The part of the op's name before its first dot."""
    return op_name(op).partition(".")[0]


def attr(op: Operation, name: str) -> Attribute | None:
    """The property or attribute called `name`."""
    found = op.properties.get(name)
    return found if found is not None else op.attributes.get(name)


def all_attrs(op: Operation) -> Iterator[tuple[str, Attribute]]:
    """Every property and attribute with its name, but not xDSL's own bookkeeping."""
    yield from op.properties.items()
    for name, attribute in op.attributes.items():
        if name != _UNREGISTERED_NAME:
            yield name, attribute


def set_attr(op: Operation, name: str, value: Attribute) -> None:
    """Set a property or attribute, wherever the op's class keeps that name."""
    from verify.ir.build import property_names

    target = op.properties if name in property_names(type(op)) else op.attributes
    target[name] = value


def bool_attr(op: Operation, name: str) -> bool:
    """Whether the attribute is the boolean `true`; a unit attribute is not."""
    return attr_is_true(attr(op, name))


def attr_is_true(attribute: Attribute | None) -> bool:
    """Whether `attribute` is the boolean `true`."""
    return (
        isinstance(attribute, IntegerAttr)
        and str(attribute.type) == "i1"
        and attribute.value.data != 0
    )


def has_attr(op: Operation, name: str) -> bool:
    """Whether the op carries the attribute, whatever its value."""
    return name in op.properties or name in op.attributes


def int_attr(op: Operation, name: str) -> int | None:
    """The value of an integer or index attribute."""
    found = attr(op, name)
    return found.value.data if isinstance(found, IntegerAttr) else None


def string_attr(op: Operation, name: str) -> str | None:
    """The value of a string attribute."""
    found = attr(op, name)
    return found.data if isinstance(found, StringAttr) else None


def int_array(op: Operation, name: str) -> tuple[int, ...] | None:
    """The numbers of a dense array or of an array of integers; nothing for any other."""
    found = attr(op, name)
    return None if found is None else _ints(found)


@lru_cache(maxsize=4096)
def _ints(found: Attribute) -> tuple[int, ...] | None:
    # Attributes are immutable, and the same array is read each time that its op is run.
    if isinstance(found, DenseArrayBase):
        items = tuple(found.iter_attrs())
        return tuple(item.value.data for item in items if isinstance(item, IntegerAttr))
    if isinstance(found, ArrayAttr):
        items = found.data
        if all(isinstance(item, IntegerAttr) for item in items):
            return tuple(item.value.data for item in items if isinstance(item, IntegerAttr))
    return None


def operand_segments(op: Operation) -> list[list[SSAValue]]:
    """The operands in the groups of `operandSegmentSizes`; all in one group without it."""
    return _segments(op.operands, int_array(op, "operandSegmentSizes"))


def result_segments(op: Operation) -> list[list[SSAValue]]:
    """The results in the groups of `resultSegmentSizes`; all in one group without it."""
    return _segments(op.results, int_array(op, "resultSegmentSizes"))


def symbol_name(op: Operation) -> str | None:
    """The symbol that the op defines."""
    return string_attr(op, "sym_name")


def symbol_ref(op: Operation, name: str) -> str | None:
    """The symbol that an attribute refers to, nested ones joined by `::`."""
    found = attr(op, name)
    if not isinstance(found, SymbolRefAttr):
        return None
    parts = (found.root_reference, *found.nested_references.data)
    return "::".join(part.data for part in parts)


def nearest_symbol(symbols: Mapping[str, Operation], op: Operation, name: str) -> str:
    """The key of what `name` means where `op` stands: nested modules come first."""
    outer: list[str] = []
    parent = op.parent_op()
    while parent is not None:
        if op_name(parent).endswith(".module") and (own := symbol_name(parent)) is not None:
            outer.insert(0, own)
        parent = parent.parent_op()
    for depth in range(len(outer), 0, -1):
        key = "::".join([*outer[:depth], name])
        if key in symbols:
            return key
    return name


def _segments(values: Sequence[SSAValue], sizes: tuple[int, ...] | None) -> list[list[SSAValue]]:
    if sizes is None:
        return [list(values)]
    groups: list[list[SSAValue]] = []
    begin = 0
    for size in sizes:
        groups.append(list(values[begin : begin + size]))
        begin += size
    return groups
