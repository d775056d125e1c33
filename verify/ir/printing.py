"""Text from xDSL modules: MLIR's generic form with locations, or MLIR's custom syntax.

The generic form keeps the properties and attributes of registered ops in one dictionary, which
MLIR sorts out again; nothing here recurses, so deep nesting does no harm.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from xdsl.dialects.builtin import ModuleOp, UnitAttr, UnregisteredOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue

from verify.ir.names import all_attrs, op_name
from verify.ir.sharing import current
from verify.ir.spans import file_location_of
from verify.toolchain.flatten import TEXT_ITSELF, WRITTEN_STDIN
from verify.toolchain.properties import FLAGS, HIDING_OPS
from verify.toolchain.worker import WorkerError

_BARE_KEY = re.compile(r"[A-Za-z_][\w$.]*")
_PRINT_TIMEOUT_S = 60.0
_Work = Iterator["_Work"]


def to_generic_text(module: Operation, *, locations: bool = True) -> str:
    """The module in generic form, as real MLIR and Enzyme read it."""
    shared = current() if locations else None
    if shared is None:
        return _Printer(has_locations=locations).text(module)
    if module not in shared.texts:
        shared.texts[module] = _Printer(has_locations=True).text(module)
    return shared.texts[module]


def to_pretty_text(module: ModuleOp) -> str:
    """The module in MLIR's custom syntax without locations; generic where MLIR cannot help."""
    generic = to_generic_text(module, locations=False)
    return _custom_text(generic, locations=False) or generic


def to_custom_text(module: Operation) -> str | None:
    """The module in MLIR's custom syntax with locations; nothing where MLIR cannot help."""
    return _custom_text(to_generic_text(module), locations=True)


def _custom_text(generic: str, *, locations: bool) -> str | None:
    from verify.ir.frontend import has_bindings, mlir_worker

    if not has_bindings():
        return None
    flags = {"generic": False, "locations": locations}
    try:
        reply = mlir_worker().call("print", flags, generic.encode(), timeout_s=_PRINT_TIMEOUT_S)
    except WorkerError:
        return None
    return None if "errors" in reply.header else reply.blob.decode()


class _Printer:
    def __init__(self, *, has_locations: bool) -> None:
        self._has_locations = has_locations
        self._parts: list[str] = []
        self._values: dict[SSAValue, str] = {}
        self._blocks: dict[Block, str] = {}
        # By identity, which is cheaper than the hash of a nested type; the module keeps them.
        self._types: dict[int, str] = {}
        self._entries: dict[tuple[str, int], str] = {}

    def text(self, root: Operation) -> str:
        stack: list[_Work] = [self._op(root, "")]
        while stack:
            nested = next(stack[-1], None)
            if nested is None:
                stack.pop()
            else:
                stack.append(nested)
        return "".join(self._parts)

    def _op(self, op: Operation, indent: str) -> _Work:
        self._op_head(op, indent)
        if op.regions:
            self._parts.append(" (")
            for index, region in enumerate(op.regions):
                self._parts.append("{\n" if index == 0 else ", {\n")
                yield self._region(region, indent)
                self._parts.append(indent + "}")
            self._parts.append(")")
        self._op_tail(op)

    def _region(self, region: Region, indent: str) -> _Work:
        for block in region.blocks:
            arguments = ", ".join(map(self._argument, block.args))
            name = self._block_name(block)
            self._parts.append(
                f"{indent}{name}({arguments}):\n" if arguments else f"{indent}{name}:\n"
            )
            for op in block.ops:
                # Most ops have no region: those need no iterator of their own.
                if op.regions:
                    yield self._op(op, indent + " ")
                else:
                    self._op_head(op, indent + " ")
                    self._op_tail(op)

    def _op_head(self, op: Operation, indent: str) -> None:
        results = ", ".join(map(self._value, op.results))
        results = f"{results} = " if results else ""
        operands = ", ".join(map(self._value, op.operands))
        self._parts.append(f'{indent}{results}"{op_name(op)}"({operands})')
        if op.successors:
            self._parts.append(f"[{', '.join(map(self._block_name, op.successors))}]")
        if properties := ", ".join(
            [self._entry(*pair) for pair in all_attrs(op) if _is_apart(op, pair[0])]
        ):
            self._parts.append(f" <{{{properties}}}>")

    def _op_tail(self, op: Operation) -> None:
        attributes = ", ".join(
            [self._entry(*pair) for pair in all_attrs(op) if not _is_apart(op, pair[0])]
        )
        if attributes:
            self._parts.append(f" {{{attributes}}}")
        inputs = ", ".join([self._type(value.type) for value in op.operands])
        outputs = ", ".join([self._type(value.type) for value in op.results])
        self._parts.append(f" : ({inputs}) -> ({outputs}){self._location(op.location)}\n")

    def _argument(self, argument: BlockArgument) -> str:
        location = self._location(argument.location)
        return f"{self._value(argument)}: {self._type(argument.type)}{location}"

    def _type(self, kind: Attribute) -> str:
        text = self._types.get(id(kind))
        if text is None:
            text = self._types[id(kind)] = attribute_text(kind)
        return text

    def _entry(self, name: str, value: Attribute) -> str:
        key = (name, id(value))
        text = self._entries.get(key)
        if text is None:
            text = self._entries[key] = _entry(name, value)
        return text

    def _value(self, value: SSAValue) -> str:
        name = self._values.get(value)
        if name is None:
            name = self._values[value] = f"%{len(self._values)}"
        return name

    def _block_name(self, block: Block) -> str:
        name = self._blocks.get(block)
        if name is None:
            name = self._blocks[block] = f"^bb{len(self._blocks)}"
        return name

    def _location(self, location: Attribute) -> str:
        if not self._has_locations:
            return ""
        place = file_location_of(location)
        if place is None:
            return " loc(unknown)"
        return f' loc("{_written_file(place.filename.data)}":{place.line.data}:{place.column.data})'


@lru_cache(1 << 10)
def _written_file(file: str) -> str:
    if file == TEXT_ITSELF:
        return WRITTEN_STDIN
    return file.replace("\\", "\\\\").replace('"', '\\"')


@lru_cache(1 << 15)
def attribute_text(attribute: Attribute) -> str:
    """The MLIR text of a type or attribute."""
    return str(attribute)


def _is_apart(op: Operation, name: str) -> bool:
    """Whether MLIR takes a property for one only in the dictionary of properties."""
    if name in FLAGS:
        return True
    return name in op.properties and (isinstance(op, UnregisteredOp) or op.name in HIDING_OPS)


def _entry(name: str, value: Attribute) -> str:
    key = name if _BARE_KEY.fullmatch(name) else f'"{name}"'
    return key if isinstance(value, UnitAttr) else f"{key} = {attribute_text(value)}"
