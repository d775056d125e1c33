"""The symbolic model of short functions."""

from __future__ import annotations

from verify.ir.frontend import read_text
from verify.ir.names import op_name
from verify.model.analyse import Analysis, functions_of
from verify.model.memory import Access, FunctionModel


def model_of(
    body: str, arguments: str = "%m: memref<8xf32>, %n: index", **options: bool
) -> FunctionModel:
    """The model of a function with this body."""
    text = (
        f"func.func @f({arguments}) {{\n%c0 = arith.constant 0 : index\n"
        f"%c1 = arith.constant 1 : index\n%f = arith.constant 1.0 : f32\n{body}\nreturn\n}}"
    )
    parsed = read_text(text)
    if parsed.module is None:
        raise ValueError(f"{parsed.errors[0]}\n{text}")
    analysis = Analysis(parsed.module, may_alias=options.get("may_alias", False))
    return analysis.function(dict(functions_of(parsed.module))["f"])


def writes(model: FunctionModel) -> list[Access]:
    """The writes, in the order of the program."""
    return [a for a in model.accesses if a.is_write]


def names(model: FunctionModel) -> list[str]:
    """The ops of the accesses."""
    return [op_name(a.op) for a in model.accesses]
