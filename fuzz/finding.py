"""Findings: what an oracle has against a compiler or the checker, and which are one cause."""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256

from verify.diagnostic import Diagnostic
from verify.ir.module import ParsedModule
from verify.ir.names import op_name
from verify.ir.spans import op_location

COMPILER, CHECKER = "compiler", "checker"


@dataclass(frozen=True, slots=True)
class Finding:
    """`blames` is `compiler` or `checker`; `shape` is what is alike in findings of one cause."""

    oracle: str
    target: str
    code: str
    message: str
    shape: str
    blames: str = COMPILER
    detail: str = ""

    @property
    def group(self) -> str:
        """A name for the cause."""
        key = f"{self.target}\n{self.oracle}\n{self.code}\n{self.shape}"
        return sha256(key.encode()).hexdigest()[:12]


_NAMES = re.compile(r"[%@^][\w$.#:]+")
_QUOTED = re.compile(r"'(?:memref|vector|tensor|!)[^']*'|memref<[^`]*?>+|strided<[^>]*>")
_NUMBER = re.compile(r"0x[0-9a-f]+|-?\b\d+(?:\.\d+(?:e[+-]?\d+)?)?\b")
_CHANGES = re.compile(r"^`[^`]+`(?= changes what )")
_PATH = re.compile(r"(?:/[\w.+-]+)+/(?=[\w.-]+)")


def normalised(message: str) -> str:
    """A message without names, numbers, types and folders."""
    text = _PATH.sub("", message.split("\n", 1)[0])
    text = _QUOTED.sub("TYPE", text)
    text = _NAMES.sub("NAME", text)
    return _NUMBER.sub("N", text)


def from_diagnostic(
    diagnostic: Diagnostic,
    oracle: str,
    target: str = "",
    *,
    shape: str = "",
    blames: str = COMPILER,
) -> Finding:
    """A finding that a diagnostic tells.

    What is known of two passes with one result names the first of them, which is put right here.
    """
    said = diagnostic.message.split("\n", 1)[0]
    if target:
        said = _CHANGES.sub(lambda _: f"`{target}`", said)
    words = normalised(said)
    if diagnostic.function:
        words = words.replace(f"`@{diagnostic.function}`", "NAME")
    detail = "\n".join(diagnostic.notes)
    return Finding(
        oracle, target, diagnostic.code, said,
        f"{words} | {shape}" if shape else words, blames, detail,
    )  # fmt: skip


def shape_at(parsed: ParsedModule | None, diagnostic: Diagnostic) -> str:
    """The ops that a diagnostic is about, by their names."""
    if parsed is None or parsed.module is None:
        return ""
    places = [diagnostic.location, *(r.location for r in diagnostic.related)]
    lines = {(p.line, p.column) for p in places if p is not None}
    names = [
        op_name(op)
        for op in parsed.module.walk()
        if (at := op_location(op)) is not None and (at.line, at.column) in lines
    ]
    return "+".join(sorted(set(names) - {"func.func"}))
