"""xDSL ops from the flat form that `verify.toolchain.flatten` describes.

MLIR has verified the module already, so no xDSL verifier runs: an op may carry attributes that
xDSL's definition of it does not know.
"""

import gc
import sys
from array import array
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from xdsl.dialects.builtin import (
    FileLineColLoc,
    IntAttr,
    LocationAttr,
    ModuleOp,
    StringAttr,
    UnknownLoc,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import AttrSizedSegments, IRDLOperation
from xdsl.parser.core import ForwardDeclaredValue

from verify.ir.attributes import parse_attribute, parse_type
from verify.ir.context import shared_context
from verify.ir.source import SourceText
from verify.ir.value_names import SourceNames, is_hint

_UNKNOWN = UnknownLoc()
_FORWARD_TYPE = IntAttr(0)
_int_attr = lru_cache(1 << 16)(IntAttr)
_string_attr = lru_cache(1 << 10)(StringAttr)
_Work = Iterator["_Work"]
_USUAL_DEPTH, _FRAMES, _FRAMES_PER_REGION = 50, 2000, 12


def build_module(strings: list[str], blob: bytes, source: SourceText | None) -> ModuleOp:
    """The module of a flat stream; names of values are taken from `source` when given."""
    numbers = array("i")
    numbers.frombytes(blob)
    was_enabled = gc.isenabled()
    # Nothing built here is garbage, and the collector would visit all of it again and again.
    gc.disable()
    try:
        return _Builder(strings, numbers.tolist(), source).build()
    finally:
        if was_enabled:
            gc.enable()


def allow_nesting(depth: int) -> None:
    """Let Python recurse far enough for xDSL's walks over `depth` nested regions."""
    wanted = _FRAMES + _FRAMES_PER_REGION * depth
    if depth > _USUAL_DEPTH and sys.getrecursionlimit() < wanted:
        sys.setrecursionlimit(wanted)


class _OpClass(NamedTuple):
    """What building an op of one name needs to know."""

    name: str
    cls: type[Operation]
    properties: frozenset[str]


class _Builder:
    """Reads the stream from front to back; an iterator stands for each unfinished region."""

    def __init__(self, strings: list[str], numbers: list[int], source: SourceText | None) -> None:
        self._strings = strings
        self._numbers = numbers
        self._position = 0
        self._source = source
        self._names = SourceNames(source) if source is not None else None
        self._values: dict[int, SSAValue] = {}
        self._forward: dict[int, SSAValue] = {}
        self._classes: dict[int, _OpClass] = {}
        self._types: dict[int, Attribute] = {}
        self._attributes: dict[int, Attribute] = {}

    def build(self) -> ModuleOp:
        module = self._op(())
        assert isinstance(module, ModuleOp)
        stack: list[_Work] = [self._region(module.regions[0])]
        while stack:
            nested = next(stack[-1], None)
            if nested is None:
                stack.pop()
            else:
                stack.append(nested)
        return module

    def _region(self, region: Region) -> "_Work":
        """Make the blocks of a region, then fill them one after the other."""
        blocks = tuple(self._block() for _ in range(self._take()))
        region.add_block(blocks)
        for block in blocks:
            for _ in range(self._take()):
                op = self._op(blocks)
                block.add_op(op)
                for nested in op.regions:
                    yield self._region(nested)

    def _block(self) -> Block:
        arguments: list[tuple[int, Attribute, LocationAttr]] = []
        names: list[str | None] = []
        for _ in range(self._take()):
            value_id, type_id, file, line, column = self._take_many(5)
            location = self._location(file, line, column)
            arguments.append((value_id, self._type(type_id), location))
            names.append(self._names.argument(location) if self._names else None)
        block = Block(arg_types=[kind for _, kind, _ in arguments])
        for argument, (value_id, _, location), name in zip(
            block.args, arguments, names, strict=True
        ):
            argument.location = location
            self._define(value_id, argument, name)
        return block

    def _op(self, siblings: tuple[Block, ...]) -> Operation:
        """Make one op with empty regions; `siblings` are what its successors index."""
        name_id, file, line, column = self._take_many(4)
        op_class = self._classes.get(name_id) or self._op_class(name_id)
        location = self._location(file, line, column)
        operands = [self._values.get(i) or self._undefined(i) for i in self._take_list()]
        results = self._take_many(2 * self._take())
        properties, attributes = self._attribute_dicts(op_class.properties)
        successors = [siblings[index] for index in self._take_list()]
        op = op_class.cls.create(
            operands=operands,
            result_types=[self._type(type_id) for type_id in results[1::2]],
            properties=properties,
            attributes=attributes,
            location=location,
            successors=successors,
            regions=[Region() for _ in range(self._take())],
        )
        if results:
            self._define_results(op, op_class.name, results[::2])
        return op

    def _define_results(self, op: Operation, name: str, value_ids: list[int]) -> None:
        names: Sequence[str | None] = ()
        if self._names is not None:
            names = self._names.results(op.location, name, len(value_ids))
        names = names or (None,) * len(value_ids)
        for result, value_id, hint in zip(op.results, value_ids, names, strict=True):
            self._define(value_id, result, hint)

    def _define(self, value_id: int, value: SSAValue, hint: str | None) -> None:
        if hint is not None and is_hint(hint):
            value.name_hint = hint
        self._values[value_id] = value
        if value_id in self._forward:
            self._forward.pop(value_id).replace_all_uses_with(value)

    def _undefined(self, value_id: int) -> SSAValue:
        """A stand-in for a value that is used before its definition is read."""
        if value_id not in self._forward:
            self._forward[value_id] = ForwardDeclaredValue(_FORWARD_TYPE)
        return self._forward[value_id]

    def _attribute_dicts(
        self, properties: frozenset[str]
    ) -> tuple[dict[str, Attribute], dict[str, Attribute]]:
        known: dict[str, Attribute] = {}
        others: dict[str, Attribute] = {}
        pairs = self._take_many(2 * self._take())
        for name_id, text_id in zip(pairs[::2], pairs[1::2], strict=True):
            name = self._strings[name_id]
            attribute = self._attributes.get(text_id)
            if attribute is None:
                attribute = parse_attribute(self._strings[text_id])
                self._attributes[text_id] = attribute
            if name[0] == "<":
                known[name[1:]] = attribute
            else:
                (known if name in properties else others)[name] = attribute
        return known, others

    def _type(self, type_id: int) -> Attribute:
        known = self._types.get(type_id)
        if known is None:
            known = self._types[type_id] = parse_type(self._strings[type_id])
        return known

    def _op_class(self, name_id: int) -> _OpClass:
        name = self._strings[name_id]
        cls = shared_context().get_op(name)
        op_class = _OpClass(name, cls, property_names(cls))
        self._classes[name_id] = op_class
        return op_class

    def _location(self, file: int, line: int, column: int) -> LocationAttr:
        if file < 0:
            return _UNKNOWN
        name = self._strings[file]
        if self._source is not None and name == self._source.path:
            column = self._source.column_of_byte(line, column)
        return file_location(name, line, column)

    def _take(self) -> int:
        self._position += 1
        return self._numbers[self._position - 1]

    def _take_many(self, count: int) -> list[int]:
        begin = self._position
        self._position = begin + count
        return self._numbers[begin : begin + count]

    def _take_list(self) -> list[int]:
        return self._take_many(self._take())


@cache
def property_names(cls: type[Operation]) -> frozenset[str]:
    """The names that `cls` keeps in `properties`; all others belong in `attributes`."""
    if not issubclass(cls, IRDLOperation):
        return frozenset()
    definition = cls.get_irdl_definition()
    names = set(definition.properties)
    for option in definition.options:
        if isinstance(option, AttrSizedSegments) and option.as_property:
            names.add(option.attribute_name)
    return frozenset(names)


def file_location(file: str, line: int, column: int) -> FileLineColLoc:
    """A location, made without the checks that cost more than all else of an op."""
    location = FileLineColLoc.__new__(FileLineColLoc)
    object.__setattr__(location, "filename", _string_attr(file))
    object.__setattr__(location, "line", _int_attr(line))
    object.__setattr__(location, "column", _int_attr(column))
    return location
