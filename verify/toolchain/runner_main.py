"""The text of a `main` in the LLVM dialect that makes calls and prints what came of them.

Buffers and results are globals; each is printed as 64-bit words, one a line.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from verify.toolchain.native import (
    NativeArgument,
    NativeCall,
    NativeMemref,
    NativePointer,
    NativeScalar,
)
from verify.toolchain.native_kinds import Kind, kind_of, result_places

MAIN = "verify_ir_main"
_DECLARED = ("llvm.func @printI64(i64)", "llvm.func @printNewline()")
_PRINTING = """
llvm.func internal @verify_ir_print(%start: !llvm.ptr, %count: i64) {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  llvm.br ^head(%zero : i64)
^head(%i: i64):
  %more = llvm.icmp "slt" %i, %count : i64
  llvm.cond_br %more, ^body, ^done
^body:
  %place = llvm.getelementptr %start[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %word = llvm.load %place : !llvm.ptr -> i64
  llvm.call @printI64(%word) : (i64) -> ()
  llvm.call @printNewline() : () -> ()
  %next = llvm.add %i, %one : i64
  llvm.br ^head(%next : i64)
^done:
  llvm.return
}
"""


@dataclass(frozen=True, slots=True)
class Signature:
    """The LLVM types of a lowered function; `result` is `None` when it returns nothing.

    `attributes` is the text of those that LLVM compiles the function by, its callers too.
    """

    arguments: tuple[str, ...]
    result: str | None
    attributes: str = ""

    @property
    def results(self) -> list[Kind]:
        """The kinds of the results; raises `ValueError` for a memref among them."""
        if self.result is None:
            return []
        inside = re.fullmatch(r"!llvm\.struct<\((.*)\)>", self.result)
        if inside is None:
            return [kind_of(self.result)]
        if "<" in inside[1]:
            raise ValueError("a result that is a memref is not read back from mlir-runner")
        return [kind_of(part.strip()) for part in inside[1].split(",")]


def signature_of(lowered: str, name: str) -> Signature:
    """The signature of a function in a module in the LLVM dialect, as MLIR prints it."""
    pattern = (
        rf"llvm\.func (?:\w+ )*@{re.escape(name)}\((.*?)\)(?: -> (.*?))?(?: attributes (.*))? {{$"
    )
    found = re.search(pattern, lowered, re.MULTILINE)
    if found is None:
        raise ValueError(f"the module has no function `@{name}` with a body")
    types = re.findall(r"%arg\d+: ([^,{)]+?)(?= \{|,|$)", found[1])
    own = re.search(r"passthrough = \[(?:\[.*?\]|[^\[\]])*\]", found[3] or "")
    return Signature(tuple(types), found[2], f" attributes {{{own[0]}}}" if own else "")


def words_of(size: int) -> int:
    """How many 64-bit words hold `size` bytes."""
    return -(-size // 8)


def with_main(lowered: str, calls: Sequence[NativeCall], signatures: Sequence[Signature]) -> str:
    """A module in the LLVM dialect with a `main` in front of its end.

    Each call stands in a function of its own, which is compiled as the one that is called is.
    """
    end = lowered.rindex("}")
    parts = [lowered[:end], *(line for line in _DECLARED if line not in lowered), _PRINTING]
    lines: list[str] = []
    for number, (call, signature) in enumerate(zip(calls, signatures, strict=True)):
        for k, buffer in enumerate(call.buffers):
            parts.append(_global(f"verify_ir_{number}_{k}", buffer.tobytes()))
        size = result_places(signature.results)[1]
        parts.append(_global(f"verify_ir_result_{number}", bytes(8 * words_of(size))))
        part = f"verify_ir_call_{number}"
        parts.append(f"llvm.func internal @{part}(){signature.attributes} {{")
        parts += [*_call_lines(number, call, signature), "  llvm.return", "}"]
        lines.append(f"  llvm.call @{part}() {{no_inline}} : () -> ()")
    body = "\n".join([f"llvm.func @{MAIN}() {{", *lines, "  llvm.return", "}"])
    return "\n".join([*parts, body, lowered[end:]])


def _global(name: str, content: bytes) -> str:
    padded = content.ljust(8 * max(1, words_of(len(content))), b"\0")
    value = f'"0x{padded.hex().upper()}"'
    if len(set(padded)) == 1:
        value = str(int.from_bytes(padded[:1], "little", signed=True))
    kind = f"!llvm.array<{len(padded)} x i8>"
    dense = f"dense<{value}> : tensor<{len(padded)}xi8>"
    return f"llvm.mlir.global internal @{name}({dense}) {{alignment = 256 : i64}} : {kind}"


def _call_lines(number: int, call: NativeCall, signature: Signature) -> Iterator[str]:
    names: list[str] = []
    types = iter(signature.arguments)
    for k, argument in enumerate(call.arguments):
        lines, operands = _argument(f"{number}_{k}", number, argument, types)
        yield from lines
        names += operands
    kind = signature.result
    left = f"%r{number} = " if kind is not None else ""
    function_type = f"({', '.join(signature.arguments)}) -> {kind or '()'}"
    yield f"  {left}llvm.call @{call.function}({', '.join(names)}) : {function_type}"
    for k, buffer in enumerate(call.buffers):
        yield from _print_lines(f"verify_ir_{number}_{k}", words_of(buffer.nbytes))
    if kind is not None:
        symbol = f"verify_ir_result_{number}"
        yield f"  %s{number} = llvm.mlir.addressof @{symbol} : !llvm.ptr"
        yield f"  llvm.store %r{number}, %s{number} : {kind}, !llvm.ptr"
        yield from _print_lines(symbol, words_of(result_places(signature.results)[1]))


def _print_lines(symbol: str, words: int) -> Iterator[str]:
    yield f"  %p_{symbol} = llvm.mlir.addressof @{symbol} : !llvm.ptr"
    yield f"  %n_{symbol} = llvm.mlir.constant({words} : i64) : i64"
    yield f"  llvm.call @verify_ir_print(%p_{symbol}, %n_{symbol}) : (!llvm.ptr, i64) -> ()"


def _argument(
    label: str, number: int, argument: NativeArgument, types: Iterator[str]
) -> tuple[list[str], list[str]]:
    """Lines that make the operands of one argument, and the operands; takes their types."""
    name = f"%a{label}"
    if isinstance(argument, NativeScalar):
        return _scalar_lines(name, argument.content, next(types)), [name]
    start = argument.base if isinstance(argument, NativeMemref) else argument.place
    lines = [
        f"  {name}_of = llvm.mlir.addressof @verify_ir_{number}_{argument.buffer} : !llvm.ptr",
        f"  {name} = llvm.getelementptr {name}_of[{start}] : (!llvm.ptr) -> !llvm.ptr, i8",
    ]
    next(types)
    if isinstance(argument, NativePointer):
        return lines, [name]
    next(types)
    operands = [name, name]
    for i, value in enumerate((argument.offset, *argument.sizes, *argument.strides)):
        operands.append(f"{name}_{i}")
        lines.append(f"  {name}_{i} = llvm.mlir.constant({value} : i64) : {next(types)}")
    return lines, operands


def _scalar_lines(name: str, content: bytes, kind: str) -> list[str]:
    number = int.from_bytes(content, "little")
    if kind == "i1":
        return [f"  {name} = llvm.mlir.constant({'true' if number & 1 else 'false'}) : i1"]
    integer = f"i{8 * len(content)}"
    if kind == integer:
        return [f"  {name} = llvm.mlir.constant({number} : {integer}) : {integer}"]
    return [
        f"  {name}_bits = llvm.mlir.constant({number} : {integer}) : {integer}",
        f"  {name} = llvm.bitcast {name}_bits : {integer} to {kind}",
    ]
