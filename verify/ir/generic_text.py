"""Reading back what `verify.ir.printing` writes, whatever ops, types and attributes are in it.

No op has a definition here, so none refuses a property that it does not know; a type or attribute
that xDSL cannot parse is kept as its text. Nothing but xDSL is needed.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, ModuleOp, StringAttr, UnregisteredAttr
from xdsl.ir import Data, Dialect, ParametrizedAttribute
from xdsl.utils.exceptions import ParseError

from verify.ir.context import dialect_loaders
from verify.ir.opaque import OpaqueAttr, OpaqueType
from verify.ir.parser import TextParser


class GenericTextError(Exception):
    """A text that is no module in generic form; the message starts with its line."""


def read_generic_text(text: str, file: str = "<text>") -> ModuleOp:
    """The module of a text in MLIR's generic form."""
    try:
        return _LenientParser(_context(), text, file).parse_module()
    except ParseError as error:
        line = text.count("\n", 0, error.span.start) + 1
        message = error.msg.strip().split("\n", 1)[0]
        raise GenericTextError(f"line {line}: {message}") from error
    except RecursionError as error:
        raise GenericTextError("line 1: nested too deep") from error
    except Exception as error:
        message = f"{type(error).__name__}: {error}".split("\n", 1)[0]
        raise GenericTextError(f"line 1: {message}") from error


@cache
def _context() -> Context:
    """Types and attributes of all dialects that xDSL has, and no op but the module."""
    context = Context(allow_unregistered=True)
    for name, load in dialect_loaders().items():
        if name != "builtin":
            context.register_dialect(name, _without_ops(name, load))
    types = Dialect("builtin", [ModuleOp], list(Builtin.attributes))
    context.load_dialect(types)
    return context


def _without_ops(name: str, load: Callable[[], Dialect]) -> Callable[[], Dialect]:
    return lambda: Dialect(name, [], list(load().attributes))


class _LenientParser(TextParser):
    """xDSL's parser, which keeps the text of what it cannot parse inside `#...` and `!...`."""

    def _parse_dialect_type_or_attribute_body(
        self,
        attr_name: str,
        is_type: bool,  # noqa: FBT001 - as in xDSL
        is_opaque: bool,  # noqa: FBT001
        starting_opaque_pos: int | None,
    ) -> UnregisteredAttr | ParametrizedAttribute | Data[Any]:
        before = self.pos
        try:
            return super()._parse_dialect_type_or_attribute_body(
                attr_name, is_type, is_opaque, starting_opaque_pos
            )
        except Exception:
            if "." not in attr_name:
                raise
            self._resume_from(before)
            body = self._parse_dialect_symbol_body()
            text = StringAttr(f"{'!' if is_type else '#'}{attr_name}{body}")
            return OpaqueType(text) if is_type else OpaqueAttr(text)
