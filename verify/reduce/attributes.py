"""Edits that take attributes away, of ops and of arguments."""

from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from verify.ir.names import all_attrs
from verify.reduce.edit import Edit

# Without these, an op is not valid, or it is another one.
_NEEDED = frozenset(
    {
        "sym_name",
        "function_type",
        "operandSegmentSizes",
        "resultSegmentSizes",
        "value",
        "predicate",
        "callee",
        "kernel",
        "static_offsets",
        "static_sizes",
        "static_strides",
    }
)


def _attributes(module: ModuleOp) -> list[tuple[Operation, str]]:
    return [
        (op, name) for op in module.walk() for name, _ in list(all_attrs(op)) if name not in _NEEDED
    ]


def _drop(sites: Sequence[tuple[Operation, str]]) -> bool:
    for op, name in sites:
        (op.properties if name in op.properties else op.attributes).pop(name)
    return bool(sites)


ATTRIBUTES = Edit("attributes", _attributes, _drop)
