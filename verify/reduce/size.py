"""How big a module is: fewer ops count most, then fewer values, then shorter text."""

import re
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp

from verify.ir.names import op_name

_VALUE = re.compile(r"[%^]\w+")
_NUMBER = re.compile(r"(?<![\w.%#^])-?\d+|(?<=x)\d+(?=x)")
_LARGEST = 10**12


class Size(NamedTuple):
    """Compared from left to right; constants are no `ops`, as others are replaced by them."""

    ops: int
    blocks: int
    values: int
    characters: int
    numbers: int

    def with_text(self, text: str) -> "Size":
        """The size of a module with the same ops and another text."""
        return self._replace(characters=_characters(text), numbers=_sum(text))


def size_of(module: ModuleOp, text: str) -> Size:
    """The size of a module with its generic `text`."""
    ops = blocks = values = 0
    for op in module.walk():
        ops += op_name(op) != "arith.constant"
        values += len(op.results) + len(op.operands)
        for region in op.regions:
            blocks += len(region.blocks)
            values += sum(len(block.args) for block in region.blocks)
    return Size(ops, blocks, values, _characters(text), _sum(text))


def _characters(text: str) -> int:
    """The length without the names of values, which are only numbered, and without indents."""
    return sum(len(line.strip()) for line in _VALUE.sub("%", text).splitlines())


def _sum(text: str) -> int:
    return sum(min(abs(int(match)), _LARGEST) for match in _NUMBER.findall(text))
