"""What a pass says itself that it does not take: refusing that is no fault.

Each rule of a pass gives what the pass itself tells when it refuses, in the words of MLIR 22's
pattern (`mlir-opt --debug-only=dialect-conversion`), or of the pass's description.
"""

from __future__ import annotations

import re

from xdsl.dialects.builtin import MemRefType, NoneAttr
from xdsl.ir import Attribute, Operation

from verify.ir.module import ParsedModule
from verify.ir.names import attr, op_name

TOKEN = "!gpu.async.token"
_LEGALIZE = re.compile(r"failed to legalize operation [`']([\w.]+)[`']")
_WORDS = re.compile(r"memory space .* to integer address space failed|to strided form failed")
_ON_A_STREAM = frozenset({"gpu.alloc", "gpu.dealloc", "gpu.memcpy", "gpu.memset"})
_FILLED_BITS = (16, 32)
_UNKNOWN = ("enzyme", "enzymexla")


def is_excluded(pass_name: str, given: ParsedModule, message: str) -> bool:
    """Whether a pass may refuse the module that it was given with that message."""
    assert given.module is not None
    ops = list(given.module.walk())
    if pass_name == "gpu-async-region":
        return any(_outside_of_async_region(op) for op in ops)
    if pass_name == "gpu-to-llvm":
        named = _LEGALIZE.search(message)
        name = named[1] if named else ""
        return bool(_WORDS.search(message)) or any(
            why_not_lowered(op) for op in ops if op_name(op) == name
        )
    return False


def _outside_of_async_region(op: Operation) -> bool:
    """What `gpu-async-region` says that it does not take: work that is asynchronous already."""
    name = op_name(op)
    return name in ("gpu.wait", "gpu.launch") or (name.startswith("gpu.") and _gives_token(op))


def is_out_of_scope(given: ParsedModule, message: str) -> bool:
    """Whether a call that a pass makes stands in an op that MLIR does not know.

    MLIR's lookup of symbols goes no further than such an op, which may be a table of its own.
    """
    assert given.module is not None
    return "does not reference a symbol in the current scope" in message and any(
        op_name(op).partition(".")[0] in _UNKNOWN and op.regions for op in given.module.walk()
    )


def why_not_lowered(op: Operation) -> str:
    """Why `gpu-to-llvm` does not lower an op, in its own words; empty where it should."""
    name, tokens = op_name(op), sum(str(value.type) == TOKEN for value in op.operands)
    if name == "gpu.launch_func":
        if tokens > 1:
            return "cannot convert with more than one async dependency"
        is_wrong = tokens == 1 and not _gives_token(op)
        return "cannot convert non-async op with async dependencies" if is_wrong else ""
    if name not in _ON_A_STREAM:
        return ""
    if name == "gpu.alloc" and attr(op, "hostShared") is not None:
        return "host shared allocation cannot be done async" if _gives_token(op) else ""
    if tokens != 1:
        return "can only convert with exactly one async dependency"
    if not _gives_token(op):
        return "can convert only async version"
    return _why_not_this_memory(op)


def _why_not_this_memory(op: Operation) -> str:
    types = [value.type for value in (*op.operands, *op.results)]
    if any(isinstance(kind, MemRefType) and not _is_plain(kind) for kind in types):
        return "only memrefs with an identity layout and a numbered memory space"
    if op_name(op) == "gpu.memset" and _bits(types[-2 if _gives_token(op) else -1]) not in (
        *_FILLED_BITS,
        None,
    ):
        return "value must be a 16 or 32 bit int or float"
    return ""


def _is_plain(kind: MemRefType[Attribute]) -> bool:
    space = str(kind.memory_space)
    return isinstance(kind.layout, NoneAttr) and "#" not in space


def _bits(kind: Attribute) -> int | None:
    """The width of a number; None for what is none."""
    named = re.fullmatch(r"(?:[su]?i|f|bf|tf)(\d+)|index", str(kind))
    if named is None:
        return None
    return int(named[1]) if named[1] else 64


def _gives_token(op: Operation) -> bool:
    return any("token" in str(value.type) for value in op.results)
