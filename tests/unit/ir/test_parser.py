"""xDSL's parser with strings that are read in linear time."""

from __future__ import annotations

import time

import pytest
from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError

from verify.ir.context import shared_context
from verify.ir.frontend import read_text
from verify.ir.generic_text import GenericTextError, read_generic_text
from verify.ir.parser import TextParser

OPEN = '"' + "a" * 200


@pytest.mark.parametrize("text", [OPEN, f"module {{\n  {OPEN}\n}}", f'{OPEN}\\"', f'{OPEN}\\q"'])
def test_a_string_that_is_never_closed_is_refused_at_once(text: str) -> None:
    begin = time.perf_counter()

    with pytest.raises(ParseError):
        TextParser(shared_context(), text).parse_module()
    with pytest.raises(GenericTextError):
        read_generic_text(text)
    assert read_text(text).errors
    assert time.perf_counter() - begin < 10


@pytest.mark.parametrize("text", ["", "a", r"a\"b", r"\\", r"\n\t\22", "ü // no comment"])
def test_strings_are_what_they_were(text: str) -> None:
    whole = f'"a.b"() {{x = "{text}"}} : () -> ()'
    expected = Parser(shared_context(), whole).parse_module()
    actual = TextParser(shared_context(), whole).parse_module()

    assert str(expected) == str(actual)
