"""xDSL types and attributes from MLIR's text for them, each distinct text parsed once."""

import re
from collections.abc import Callable

from xdsl.dialects.builtin import (
    AnyFloat,
    BytesAttr,
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
)
from xdsl.ir import Attribute
from xdsl.parser import Parser

from verify.ir.context import shared_context
from verify.ir.opaque import OpaqueAttr, OpaqueType
from verify.ir.parser import TextParser

_INTEGER = re.compile(r"(-?\d+) : (index|i32|i64)")
_STRING = re.compile(r'"([^"\\]*)"')
_SYMBOL = re.compile(r"@([A-Za-z_][\w$.]*)")
_BITS = re.compile(r"0x[0-9A-Fa-f]+")
_ELEMENT = re.compile(r"[^\s,\[\]]+")
_INTEGER_TYPES = {"index": IndexType(), "i32": IntegerType(32), "i64": IntegerType(64)}
_WORDS: dict[str, Attribute] = {
    "unit": UnitAttr(),
    "true": IntegerAttr(1, IntegerType(1)),
    "false": IntegerAttr(0, IntegerType(1)),
}
# Long constants take xDSL seconds to parse and no check looks into them.
_MAX_PARSED_CHARACTERS = 20_000
_MAX_REMEMBERED = 50_000
_types: dict[str, Attribute] = {}
_attributes: dict[str, Attribute] = {}


def parse_type(text: str) -> Attribute:
    """The type that `text` names; an `OpaqueType` when xDSL cannot parse it."""
    known = _types.get(text)
    if known is None:
        known = _parse(text, Parser.parse_type, OpaqueType)
        _remember(_types, text, known)
    return known


def parse_attribute(text: str) -> Attribute:
    """The attribute that `text` names; an `OpaqueAttr` when xDSL cannot parse it."""
    known = _attributes.get(text)
    if known is None:
        known = _simple(text) or _parse(text, Parser.parse_attribute, OpaqueAttr)
        _remember(_attributes, text, known)
    return known


def _simple(text: str) -> Attribute | None:
    """The commonest attributes, without the cost of a parser each."""
    if match := _INTEGER.fullmatch(text):
        return IntegerAttr(int(match[1]), _INTEGER_TYPES[match[2]])
    if match := _STRING.fullmatch(text):
        return StringAttr(match[1])
    if match := _SYMBOL.fullmatch(text):
        return SymbolRefAttr(match[1])
    return _WORDS.get(text) or _dense_of_bits(text)


def _dense_of_bits(text: str) -> Attribute | None:
    """Dense floats of which some are written as their bits; xDSL takes those for integers.

    MLIR writes infinities and NaNs that way.
    """
    if not text.startswith("dense<") or "0x" not in text or text.startswith('dense<"'):
        return None
    literal, end, kind = text.removeprefix("dense<").rpartition("> :")
    others = _parse(
        f"dense<{_BITS.sub('0.0', literal)}{end}{kind}", Parser.parse_attribute, OpaqueAttr
    )
    if not isinstance(others, DenseIntOrFPElementsAttr):
        return None
    element = others.get_element_type()
    if not isinstance(element, AnyFloat):
        return None
    content = bytearray(others.data.data)
    unit = element.compile_time_size
    for position, number in enumerate(_ELEMENT.findall(literal)):
        if number.startswith("0x"):
            raw = int(number, 16).to_bytes(unit, "little")
            content[position * unit : (position + 1) * unit] = raw
    if "[" not in literal:
        content = content[:unit] * (len(content) // unit)
    return DenseIntOrFPElementsAttr(others.type, BytesAttr(bytes(content)))


def _parse(
    text: str,
    parse: Callable[[Parser], Attribute],
    opaque: Callable[[StringAttr], Attribute],
) -> Attribute:
    if len(text) <= _MAX_PARSED_CHARACTERS:
        parser = TextParser(shared_context(), text)
        try:
            parsed = parse(parser)
            if parser.pos == len(text):
                return parsed
        except Exception:  # noqa: BLE001 - xDSL fails in many ways on syntax it does not know
            return opaque(StringAttr(text))
    return opaque(StringAttr(text))


def _remember(known: dict[str, Attribute], text: str, attribute: Attribute) -> None:
    if len(known) >= _MAX_REMEMBERED:
        known.clear()
    known[text] = attribute
