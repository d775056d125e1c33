"""`enzyme.fill_zero` as `linalg.fill`: no pass of Enzyme lowers it on its own."""

from xdsl.dialects import arith, builtin
from xdsl.dialects.linalg.ops import FillOp
from xdsl.ir import Attribute

from verify.ir.module import ParsedModule
from verify.ir.names import op_name


def fill_zeros(module: ParsedModule) -> None:
    """Replace every such op in the module."""
    assert module.module is not None
    for op in list(module.module.walk()):
        if op_name(op) != "enzyme.fill_zero":
            continue
        target = op.operands[0]
        assert isinstance(target.type, builtin.MemRefType)
        value = _zero(target.type.get_element_type())
        if value is None:
            continue
        zero = arith.ConstantOp(value)
        fill = FillOp((zero.result,), (target,), ())
        assert op.parent is not None
        op.parent.insert_ops_before((zero, fill), op)
        op.detach()
        op.erase()


def _zero(element: Attribute) -> builtin.FloatAttr | builtin.IntegerAttr | None:
    """The zero of a scalar type; a shadow of integers is filled as well."""
    if isinstance(element, builtin.AnyFloat):
        return builtin.FloatAttr(0.0, element)
    if isinstance(element, builtin.IntegerType | builtin.IndexType):
        return builtin.IntegerAttr(0, element)
    return None
