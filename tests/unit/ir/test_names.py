from xdsl.dialects.builtin import ModuleOp, StringAttr

from verify.ir.frontend import read_text
from verify.ir.names import (
    all_attrs,
    bool_attr,
    has_attr,
    int_array,
    int_attr,
    op_name,
    set_attr,
    string_attr,
    symbol_name,
    symbol_ref,
)

TEXT = """"a.b"() {t = true, f = false, u, i = 3 : i64, s = "x", r = @p::@q, sym_name = "n",
            d = array<i64: 1, 2>, e = [4, 5], g = array<f32: 1.0>} : () -> ()"""


def _op():
    module = read_text(TEXT, frontend="xdsl").module
    assert isinstance(module, ModuleOp)
    return next(iter(module.ops))


def test_only_the_boolean_true_is_true():
    assert [bool_attr(_op(), name) for name in ("t", "f", "u", "i", "none")] == [
        True,
        False,
        False,
        False,
        False,
    ]


def test_attributes_come_by_kind_or_not_at_all():
    op = _op()

    assert (int_attr(op, "i"), int_attr(op, "s")) == (3, None)
    assert (string_attr(op, "s"), string_attr(op, "i")) == ("x", None)
    assert (symbol_name(op), symbol_ref(op, "r"), symbol_ref(op, "s")) == ("n", "p::q", None)
    assert [int_array(op, name) for name in ("d", "e", "s")] == [(1, 2), (4, 5), None]


def test_bookkeeping_of_unregistered_ops_is_no_attribute():
    op = _op()

    assert op_name(op) == "a.b"
    assert "op_name__" not in dict(all_attrs(op))
    assert has_attr(op, "u")


def test_an_attribute_is_set_where_the_class_keeps_it():
    op = _op()

    set_attr(op, "new", StringAttr("v"))

    assert op.attributes["new"] == StringAttr("v")
