"""Types and attributes that xDSL cannot parse, kept as their exact text."""

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, BuiltinAttribute, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.printer import Printer


@irdl_attr_definition
class OpaqueAttr(ParametrizedAttribute, BuiltinAttribute):
    """An attribute that is only known by its text."""

    name = "verify.opaque_attr"
    text: StringAttr

    def print_builtin(self, printer: Printer) -> None:
        """Print the text as it was read."""
        printer.print_string(self.text.data)


@irdl_attr_definition
class OpaqueType(ParametrizedAttribute, BuiltinAttribute, TypeAttribute):
    """A type that is only known by its text."""

    name = "verify.opaque_type"
    text: StringAttr

    def print_builtin(self, printer: Printer) -> None:
        """Print the text as it was read."""
        printer.print_string(self.text.data)


def opaque_text(attribute: Attribute) -> str | None:
    """The text of an opaque type or attribute, else nothing."""
    if isinstance(attribute, OpaqueAttr | OpaqueType):
        return attribute.text.data
    return None
