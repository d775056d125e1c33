"""Reading with xDSL's own parser, for where MLIR is not installed and for generic text."""

from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import ParseError

from verify.diagnostic import Diagnostic, Location
from verify.ir.context import shared_context
from verify.ir.module import ParsedModule
from verify.ir.parser import TextParser
from verify.ir.source import SourceText


def read_with_xdsl(
    source: SourceText, text: str, path: str, *, frontend: str = "xdsl"
) -> ParsedModule:
    """The module that `text` holds; its places are in `source` when they come from there."""
    if not _has_code(text):
        return ParsedModule(path, source, ModuleOp([]), (), frontend)
    parser = TextParser(shared_context(), text, source.path)
    try:
        module = parser.parse_module()
    except ParseError as error:
        return ParsedModule(path, source, None, (_refusal(error, source, text),), frontend)
    except RecursionError:
        message = "the input is nested deeper than xDSL's parser can follow"
        return _failed(path, source, message, frontend)
    except Exception as error:  # noqa: BLE001 - xDSL fails in many ways on syntax it does not know
        message = f"xDSL's parser fails on this input: {type(error).__name__}: {error}"
        return _failed(path, source, message.split("\n", 1)[0], frontend)
    return ParsedModule(path, source, module, (), frontend)


def _has_code(text: str) -> bool:
    lines = (line.strip() for line in text.split("\n"))
    return any(line and not line.startswith("//") for line in lines)


def _failed(path: str, source: SourceText, message: str, frontend: str) -> ParsedModule:
    error = Diagnostic("E0001", message, location=Location(source.path, 1, 1))
    return ParsedModule(path, source, None, (error,), frontend)


def _refusal(error: ParseError, source: SourceText, text: str) -> Diagnostic:
    start, end = error.span.start, error.span.end
    begin = text.rfind("\n", 0, start) + 1
    line = text.count("\n", 0, start) + 1
    column = start - begin + 1
    message = error.msg.strip().split("\n", 1)[0].rstrip(".")
    location = Location(source.path, line, column, max(column + 1, column + end - start))
    return Diagnostic("E0001", message[:1].lower() + message[1:], location=location)
