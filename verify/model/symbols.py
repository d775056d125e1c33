"""The symbols of a module."""

from __future__ import annotations

from xdsl.ir import Operation

from verify.ir.names import op_name, symbol_name


def collect_symbols(module: Operation) -> dict[str, Operation]:
    """Every symbol of a module; symbols in nested modules as `outer::inner` as well."""
    found: dict[str, Operation] = {}

    def visit(op: Operation, prefix: str) -> None:
        for region in op.regions:
            for block in region.blocks:
                for child in block.ops:
                    name = symbol_name(child)
                    if name is None:
                        continue
                    found.setdefault(prefix + name, child)
                    if op_name(child).endswith(".module"):
                        visit(child, f"{prefix}{name}::")
                    elif op_name(child) == "builtin.module":
                        visit(child, prefix)

    visit(module, "")
    return found
