"""xDSL's parser with strings that are read in linear time.

The lexer of xDSL 0.75 takes twice as long for every further character of a string that is never
closed.
"""

import re

from xdsl.context import Context
from xdsl.parser import Parser
from xdsl.parser.generic_parser import ParserState
from xdsl.utils.lexer import Input
from xdsl.utils.mlir_lexer import MLIRLexer


class _LinearLexer(MLIRLexer):
    # No part of a string that was taken is given back (`++`, `*+`).
    _unescaped_characters_regex = re.compile(r'"(?:[^"\\\n\v\f]++|\\(?:["nt\\]|[0-9A-Fa-f]{2}))*+"')


class TextParser(Parser):
    """The parser of a text; `name` is its file."""

    def __init__(self, context: Context, text: str, name: str = "<unknown>") -> None:
        super().__init__(context, "", name)
        self._parser_state = ParserState(_LinearLexer(Input(text, name)))
