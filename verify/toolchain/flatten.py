"""A parsed MLIR module as interned strings and one flat list of integers.

Runs inside a worker process, on the objects of MLIR's Python bindings. The stream is in
pre-order; every text is an index into `strings`, every location three integers (file, line,
column) with file -1 where there is none:

    op     := name location operands results attributes successors regions
    operands, successors := count number*      (value ids; indices of sibling blocks)
    results, attributes  := count (value type)* ; count (name text)*
                          (a name that begins with `<` is a property of an unregistered op)
    regions := count region*                   (each complete before the next)
    region  := count header* body*             (headers of all blocks come first)
    header  := count (value type location)*
    body    := count op*
"""

from array import array
from collections.abc import Iterator
from typing import Any

from verify.toolchain.properties import HIDING_OPS, Pairs, properties_of_ops

TEXT_ITSELF = "-"  # the file that MLIR names for text that came without one
WRITTEN_STDIN = "<stdin>"  # what is written for places in standard input, to tell them from that
_NO_LOCATION = (-1, 0, 0)
_STEPS_PER_REGION = 3  # an op, its region and a block of that are one iterator each


class Flattener:
    """Collects one module; `strings` and `numbers` are the result."""

    def __init__(self, file_name: str | None, max_depth: int) -> None:
        """`file_name` is what the places of the text itself name; without it they are dropped."""
        self.depth = 0
        self.deepest: tuple[str, int, int] | None = None
        self._max_depth = max_depth
        self._op_count = 0
        self._is_hiding: dict[str, bool] = {}
        self._hidden: list[Pairs] | None = None
        self._root: Any = None
        self.strings: list[str] = []
        self.numbers: list[int] = []
        self._file_name = file_name
        self._string_ids: dict[str, int] = {}
        self._object_ids: dict[Any, int] = {}
        self._value_ids: dict[Any, int] = {}

    def flatten(self, operation: Any) -> None:
        """Append `operation` and all that is in it, without recursion.

        Stops at the first op that is nested `max_depth` regions deep, and notes it as `deepest`.
        """
        self._root = operation
        stack: list[Iterator[Any]] = [self._op(operation)]
        while stack and self.deepest is None:
            self.depth = max(self.depth, len(stack) // _STEPS_PER_REGION)
            nested = next(stack[-1], None)
            if nested is None:
                stack.pop()
            else:
                stack.append(nested)

    def blob(self) -> bytes:
        """The numbers as 32-bit integers."""
        return array("i", self.numbers).tobytes()

    def _op(self, operation: Any) -> Iterator[Any]:
        """Append one op; yields an iterator for each region."""
        self._op_head(operation)
        regions = operation.regions
        count = len(regions)
        self.numbers.append(count)
        if self.depth >= self._max_depth:
            self.deepest = file_place(operation.location)
        for index in range(count):
            yield self._region(regions[index])

    def _op_head(self, operation: Any) -> None:
        out = self.numbers
        value_ids = self._value_ids
        object_ids = self._object_ids
        out.append(self._string(operation.name))
        out += self._location(operation.location)
        operands = operation.operands
        out.append(len(operands))
        for value in operands:
            out.append(value_ids.setdefault(value, len(value_ids)))
        results = operation.results
        out.append(len(results))
        for value in results:
            out.append(value_ids.setdefault(value, len(value_ids)))
            kind = value.type
            out.append(object_ids[kind] if kind in object_ids else self._text(kind))
        attributes = operation.attributes
        hidden = self._hidden_properties(operation)
        out.append(len(attributes) + len(hidden))
        for name, attribute in attributes.items():
            out.append(self._string(name))
            known = attribute in object_ids
            out.append(object_ids[attribute] if known else self._text(attribute))
        for name, text in hidden:
            out += (self._string(name), self._string(text))
        self._successors(operation)

    def _hidden_properties(self, operation: Any) -> Pairs:
        """The properties that `attributes` lacks; an unregistered op's are marked by a `<`."""
        index = self._op_count
        self._op_count = index + 1
        name = operation.name
        is_hiding = self._is_hiding.get(name)
        if is_hiding is None:
            is_registered = operation.context.is_registered_operation(name)
            is_hiding = self._is_hiding[name] = name in HIDING_OPS or not is_registered
        if not is_hiding:
            return []
        if self._hidden is None:
            self._hidden = properties_of_ops(_generic_text(self._root))
        if name in HIDING_OPS:
            seen = operation.attributes
            return [pair for pair in self._hidden[index] if pair[0] not in seen]
        return [(f"<{key}", text) for key, text in self._hidden[index]]

    def _successors(self, operation: Any) -> None:
        successors = operation.successors
        self.numbers.append(len(successors))
        for block in successors:
            self.numbers.append(self._object_ids[block])

    def _region(self, region: Any) -> Iterator[Any]:
        blocks = list(region.blocks)
        self.numbers.append(len(blocks))
        for index, block in enumerate(blocks):
            self._object_ids[block] = index
            arguments = block.arguments
            self.numbers.append(len(arguments))
            for argument in arguments:
                self._argument(argument)
        for block in blocks:
            yield self._body(block)

    def _argument(self, argument: Any) -> None:
        self.numbers.append(self._value_ids.setdefault(argument, len(self._value_ids)))
        self.numbers.append(self._text(argument.type))
        self.numbers += self._location(argument.location)

    def _body(self, block: Any) -> Iterator[Any]:
        operations = [view.operation for view in block.operations]
        self.numbers.append(len(operations))
        for operation in operations:
            # Most ops have no region: those need no iterator of their own.
            if len(operation.regions):
                yield self._op(operation)
            else:
                self._op_head(operation)
                self.numbers.append(0)

    def _text(self, item: Any) -> int:
        """The id of the text of a type or attribute; each is printed once."""
        known = self._object_ids.get(item)
        if known is None:
            known = self._object_ids[item] = self._string(str(item))
        return known

    def _string(self, text: str) -> int:
        known = self._string_ids.get(text)
        if known is None:
            known = self._string_ids[text] = len(self.strings)
            self.strings.append(text)
        return known

    def _location(self, location: Any) -> tuple[int, int, int]:
        place = file_place(location)
        if place is None:
            return _NO_LOCATION
        file, line, column = place
        if file == TEXT_ITSELF:
            if self._file_name is None:
                return _NO_LOCATION
            file = self._file_name
        elif file == WRITTEN_STDIN:
            file = "-"
        return self._string(file), line, column


def _generic_text(operation: Any) -> str:
    return operation.get_asm(print_generic_op_form=True, use_local_scope=True, assume_verified=True)


def file_place(location: Any) -> tuple[str, int, int] | None:
    """File, line and column of the first part of `location` that has them."""
    pending = [location]
    while pending:
        current = pending.pop()
        if current.is_a_file():
            return current.filename, current.start_line, current.start_col
        if current.is_a_name():
            pending.append(current.child_loc)
        elif current.is_a_callsite():
            pending += [current.caller, current.callee]
        elif current.is_a_fused():
            pending += reversed(current.locations)
    return None
