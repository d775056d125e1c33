"""The `llvm` dialect on opaque pointers: accesses, address arithmetic, integers and floats.

Source: the LLVM language reference, as the MLIR dialect mirrors it. Struct members are placed
at their natural alignment.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from xdsl.dialects import builtin
from xdsl.dialects import llvm as xllvm
from xdsl.ir import Attribute, Operation, SSAValue

from verify.ir.names import attr, int_array, op_name, operand_segments, symbol_ref
from verify.semantics import bits, floats
from verify.semantics import term as t
from verify.semantics.algebra import ConcreteAlgebra
from verify.semantics.arith import (
    constant_of,
    float_constant,
    integer_binary,
    integer_comparison,
    resized,
    scalar_bits,
    unsigned,
)
from verify.semantics.extents import is_hint_call
from verify.semantics.func import call_symbol
from verify.semantics.machine import Machine, Value, rule
from verify.semantics.term import Number
from verify.semantics.types import Element, UnsupportedError, element_of, is_pointer, space_of
from verify.semantics.values import View

DYNAMIC_INDEX = -(1 << 31)
BYTE = Element("i8", "int", 8)


@rule("llvm.load")
def load(m: Machine, op: Operation) -> Sequence[Value]:
    return [m.load(op, m.value(op.operands[0]), [], op.results[0].type)]


@rule("llvm.store")
def store(m: Machine, op: Operation) -> Sequence[Value]:
    value, pointer = op.operands
    m.store(op, m.value(pointer), [], m.value(value), value.type)
    return []


@rule("llvm.cmpxchg")
def cmpxchg(m: Machine, op: Operation) -> Sequence[Value]:
    pointer, value = op.operands[0], op.operands[-1]
    m.load(op, m.value(pointer), [], value.type)
    m.store(op, m.value(pointer), [], m.unknown(op, value.type), value.type)
    return [m.unknown(op, op.results[0].type)]


@rule("llvm.alloca")
def alloca(m: Machine, op: Operation) -> Sequence[Value]:
    kind = attr(op, "elem_type")
    if kind is None:
        raise UnsupportedError("`llvm.alloca` without an element type")
    count = m.number(op.operands[0])
    return [m.allocate_bytes(op, t.times(count, size_in_bytes(kind)), space_of(op.results[0].type))]


def size_in_bytes(kind: Attribute) -> int:
    """Bytes of a type, with padding, as the default data layout places it."""
    match kind:
        case xllvm.LLVMArrayType():
            return kind.size.data * size_in_bytes(kind.type)
        case xllvm.LLVMStructType():
            return _place(kind.types.data)[1]
        case _:
            return element_of(kind).size


def alignment_of(kind: Attribute) -> int:
    """Natural alignment of a type in bytes."""
    match kind:
        case xllvm.LLVMArrayType():
            return alignment_of(kind.type)
        case xllvm.LLVMStructType():
            return max((alignment_of(part) for part in kind.types.data), default=1)
        case _:
            return min(element_of(kind).size, 16)


def _place(parts: Sequence[Attribute]) -> tuple[list[int], int]:
    places: list[int] = []
    end = 0
    largest = 1
    for part in parts:
        align = alignment_of(part)
        largest = max(largest, align)
        end = -(-end // align) * align
        places.append(end)
        end += size_in_bytes(part)
    return places, -(-end // largest) * largest


@rule("llvm.getelementptr")
def getelementptr(m: Machine, op: Operation) -> Sequence[Value]:
    pointer, *dynamic = op.operands
    shift = _gep_offset(m, op, [m.number(v) for v in dynamic])

    def change(view: View) -> View:
        moved = view.offset + shift
        return replace(view, offset=moved, base=moved, is_contained=False)

    return [m.map_view(m.value(pointer), change)]


def _gep_offset(m: Machine, op: Operation, dynamic: Sequence[Number]) -> Number:
    constants = int_array(op, "rawConstantIndices")
    kind = attr(op, "elem_type")
    if constants is None or kind is None:
        raise UnsupportedError("`llvm.getelementptr` without constant indices")
    rest = iter(dynamic)
    indices = [next(rest) if c == DYNAMIC_INDEX else c for c in constants]
    total: Number = t.times(indices[0], size_in_bytes(kind))
    for index in indices[1:]:
        kind, step = _member(kind, index)
        total = total + step
    return total


def _member(kind: Attribute, index: Number) -> tuple[Attribute, Number]:
    match kind:
        case xllvm.LLVMArrayType():
            return kind.type, t.times(index, size_in_bytes(kind.type))
        case xllvm.LLVMStructType() if isinstance(index, int):
            return kind.types.data[index], _place(kind.types.data)[0][index]
        case _:
            raise UnsupportedError(f"address arithmetic in `{kind}`")


@rule("llvm.bitcast")
def bitcast(m: Machine, op: Operation) -> Sequence[Value]:
    if is_pointer(op.results[0].type):
        return [m.value(op.operands[0])]
    return [bits.bitcast(m, op)]


@rule("llvm.addrspacecast")
def addrspacecast(m: Machine, op: Operation) -> Sequence[Value]:
    space = space_of(op.results[0].type)
    return [m.map_view(m.value(op.operands[0]), lambda v: replace(v, space=space))]


@rule("llvm.ptrtoint")
def ptrtoint(m: Machine, op: Operation) -> Sequence[Value]:
    return [m.address_of(op, m.value(op.operands[0]), op.results[0].type)]


@rule(
    "llvm.inttoptr",
    "llvm.mlir.zero",
    "llvm.mlir.null",
    "llvm.mlir.undef",
    "llvm.mlir.poison",
    "llvm.extractvalue",
    "llvm.insertvalue",
    "llvm.extractelement",
    "llvm.insertelement",
    "llvm.shufflevector",
    "llvm.intr.is.constant",
    "llvm.intr.stacksave",
    "llvm.landingpad",
)
def opaque(m: Machine, op: Operation) -> Sequence[Value]:
    kind = op.results[0].type
    if op_name(op) == "llvm.mlir.zero" and scalar_bits(kind) is not None:
        return [False if scalar_bits(kind) == 1 else 0]
    if op_name(op) == "llvm.mlir.zero" and floats.is_scalar_float(kind):
        return [float_constant(m, op, 0.0, element_of(kind))]
    return [m.unknown(op, r.type) for r in op.results]


@rule("llvm.freeze")
def freeze(m: Machine, op: Operation) -> Sequence[Value]:
    """A run has no poison; what is proven of a value need not hold when it is poison."""
    kind = op.results[0].type
    is_plain = scalar_bits(kind) is not None or floats.is_scalar_float(kind)
    if is_plain and isinstance(m.algebra, ConcreteAlgebra):
        return [m.value(op.operands[0])]
    return [m.unknown(op, kind)]


@rule("llvm.mlir.addressof")
def addressof(m: Machine, op: Operation) -> Sequence[Value]:
    symbol = symbol_ref(op, "global_name")
    if symbol is None:
        raise UnsupportedError("`llvm.mlir.addressof` without a name")
    return [m.global_memory(op, symbol, None)]


@rule("llvm.mlir.constant")
def constant(m: Machine, op: Operation) -> Sequence[Value]:
    kind = op.results[0].type
    value = constant_of(attr(op, "value"), kind)
    if isinstance(value, float):
        return [float_constant(m, op, value, element_of(kind))]
    return [m.unknown(op, kind) if value is None else value]


INTEGER = {
    "add": "addi",
    "sub": "subi",
    "mul": "muli",
    "sdiv": "divsi",
    "udiv": "divui",
    "srem": "remsi",
    "urem": "remui",
    "and": "andi",
    "or": "ori",
    "xor": "xori",
    "shl": "shli",
    "ashr": "shrsi",
    "lshr": "shrui",
    "intr.smax": "maxsi",
    "intr.smin": "minsi",
    "intr.umax": "maxui",
    "intr.umin": "minui",
}


@rule(*(f"llvm.{name}" for name in INTEGER))
def integer(m: Machine, op: Operation) -> Sequence[Value]:
    return [integer_binary(m, op, INTEGER[op_name(op).removeprefix("llvm.")])]


@rule(*floats.rules("llvm", [*floats.ALIASES]))
def float_op(m: Machine, op: Operation) -> Sequence[Value]:
    return [floats.compute(m, op, op_name(op).removeprefix("llvm."))]


@rule("llvm.icmp")
def icmp(m: Machine, op: Operation) -> Sequence[Value]:
    if is_pointer(op.operands[0].type):
        return [m.unknown(op, op.results[0].type)]
    return [integer_comparison(m, op)]


@rule("llvm.fcmp")
def fcmp(m: Machine, op: Operation) -> Sequence[Value]:
    return [floats.comparison(m, op)]


@rule("llvm.sext", "llvm.trunc")
def signed_resize(m: Machine, op: Operation) -> Sequence[Value]:
    return [resized(m, op, is_signed=True)]


@rule("llvm.zext")
def unsigned_resize(m: Machine, op: Operation) -> Sequence[Value]:
    return [resized(m, op, is_signed=False)]


@rule("llvm.fpext", "llvm.fptrunc", "llvm.sitofp", "llvm.fptosi")
def convert(m: Machine, op: Operation) -> Sequence[Value]:
    return [floats.conversion(m, op)]


@rule("llvm.uitofp", "llvm.fptoui")
def convert_unsigned(m: Machine, op: Operation) -> Sequence[Value]:
    return [floats.conversion(m, op, is_unsigned=True)]


@rule("llvm.select")
def select(m: Machine, op: Operation) -> Sequence[Value]:
    condition, a, b = op.operands
    if scalar_bits(condition.type) != 1:
        return [m.unknown(op, op.results[0].type)]
    return [m.merge(m.truth(condition), m.value(a), m.value(b), op.results[0].type)]


@rule(
    "llvm.intr.lifetime.start",
    "llvm.intr.lifetime.end",
    "llvm.intr.dbg.value",
    "llvm.intr.dbg.declare",
    "llvm.intr.prefetch",
    "llvm.intr.stackrestore",
    "llvm.intr.experimental.noalias.scope.decl",
    "llvm.fence",
    "llvm.intr.trap",
    "llvm.mlir.global",
    "llvm.comdat",
    "llvm.module_flags",
    "llvm.resume",
)
def nothing(_: Machine, __: Operation) -> Sequence[Value]:
    return []


@rule("llvm.intr.assume")
def assume(m: Machine, op: Operation) -> Sequence[Value]:
    m.assume(m.truth(op.operands[0]))
    return []


def bytes_of(m: Machine, pointer: Value, count: Number) -> Value:
    """`count` bytes from a pointer on, as a view."""
    return m.map_view(pointer, lambda v: replace(v, sizes=(count,), strides=(1,), element=BYTE))


@rule("llvm.intr.memcpy", "llvm.intr.memmove", "llvm.intr.memcpy.inline")
def memcpy(m: Machine, op: Operation) -> Sequence[Value]:
    target, source = (m.value(v) for v in op.operands[:2])
    count = length_of(m, op.operands[2]) if len(op.operands) > 2 else _inline_length(op)
    contents = m.read_all(op, bytes_of(m, source, count))
    m.write_all(op, bytes_of(m, target, count), contents, builtin.IntegerType(8))
    return []


def length_of(m: Machine, value: SSAValue) -> Number:
    """A length in bytes, which is unsigned."""
    return unsigned(m, m.number(value), scalar_bits(value.type) or 64)


def _inline_length(op: Operation) -> int:
    value = attr(op, "len")
    if isinstance(value, builtin.IntegerAttr):
        return value.value.data
    raise UnsupportedError("a copy of unknown length")


@rule("llvm.intr.memset")
def memset(m: Machine, op: Operation) -> Sequence[Value]:
    target, value, count = op.operands
    region = bytes_of(m, m.value(target), length_of(m, count))
    m.write_all(op, region, m.value(value), builtin.IntegerType(8))
    return []


@rule("llvm.call", "llvm.invoke")
def call(m: Machine, op: Operation) -> Sequence[Value]:
    if op_name(op) == "llvm.invoke":
        raise UnsupportedError("`llvm.invoke`")
    segments = operand_segments(op)
    operands = segments[0] if segments else list(op.operands)
    symbol = symbol_ref(op, "callee")
    if is_hint_call(op):
        return []
    if symbol in {"malloc", "calloc", "aligned_alloc"} and op.results:
        numbers = [m.number(v) for v in operands]
        size = m.algebra.multiply(*numbers) if symbol == "calloc" else numbers[-1]
        return [m.allocate_bytes(op, size, "")]
    if symbol == "free":
        m.free(op, m.value(operands[0]))
        return []
    return call_symbol(m, op, operands)
