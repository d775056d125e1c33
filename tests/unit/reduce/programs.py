"""Programs with findings, for tests of the reducer."""

import re
from pathlib import Path

from verify.config import Options
from verify.driver import examine
from verify.ir.frontend import read_text
from verify.ir.module import ParsedModule
from verify.reduce.cause import Cause
from verify.reduce.judge import PASS_FAILURES, causes_in, failures_of
from verify.toolchain.registry import steps_of

CORPUS = Path(__file__).parents[3] / "corpus"
_RUN = re.compile(r'RUN: verify-ir passes %s -p (?:"(?P<quoted>.*?)"|(?P<bare>\S+))')
_CODE = re.compile(r"expected-error[^\n]*\[(E\d+)\]")


def pipeline_of(text: str) -> str:
    """The pipeline of a corpus file; empty when it is only checked."""
    match = _RUN.search(text)
    return (match["quoted"] or match["bare"]) if match else ""


def code_of(text: str) -> str:
    """The most telling code that a corpus file expects."""
    codes = _CODE.findall(text)
    return max(codes, key=lambda code: (code == "E0303", code.startswith("E03")))


def causes_of(text: str, pipeline: str, code: str) -> list[Cause]:
    """The causes of `code` on a text."""
    parsed = read_text(text)
    assert isinstance(parsed, ParsedModule)
    specs = tuple(steps_of(pipeline)) if pipeline else ()
    if code in PASS_FAILURES:
        found = failures_of(specs, parsed)
    else:
        found = causes_in(examine(parsed, Options(), specs), parsed)
    return [cause for cause in found if cause.code == code]


def code_lines(text: str) -> list[str]:
    """The lines that are no comments."""
    return [line for line in text.splitlines() if not line.lstrip().startswith("//")]
