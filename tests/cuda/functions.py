"""Kernels of one float op each: how far results lie apart, in units in the last place."""

from __future__ import annotations

from fuzz.strategies.kernel_scalars import LIBRARY
from tests.cuda.differential import Program, Run, program_of
from verify.semantics.types import Element

KINDS = ("f16", "bf16", "f32", "f64")
OPS = (*LIBRARY, "powf", "atan2")


def function_program(name: str, kind: str) -> Program:
    """A program that applies a `math` op to 64 numbers, or to pairs of them."""
    memory = f"memref<64x{kind}>"
    operands = "%x, %y" if name in ("powf", "atan2") else "%x"
    return program_of(f"""
module attributes {{gpu.container_module}} {{
gpu.module @kernels {{
  gpu.func @kernel(%a: {memory}, %b: {memory}, %c: {memory}) kernel {{
    %i = gpu.thread_id x
    %x = memref.load %a[%i] : {memory}
    %y = memref.load %b[%i] : {memory}
    %r = math.{name} {operands} : {kind}
    memref.store %r, %c[%i] : {memory}
    gpu.return
  }}
}}
func.func @main(%a: {memory}, %b: {memory}, %c: {memory}) {{
  %one = arith.constant 1 : index
  %n = arith.constant 64 : index
  gpu.launch_func @kernels::@kernel blocks in (%one, %one, %one) threads in (%n, %one, %one)
    args(%a : {memory}, %b : {memory}, %c : {memory})
  return
}}
}}
""")


def furthest(expected: Run, actual: Run) -> int:
    """The greatest distance between two results of `function_program`."""
    element, content = expected.memories["argument 2"]
    other = actual.memories["argument 2"][1]
    places = range(0, 64 * element.size, element.size)
    pairs = [(content[k : k + element.size], other[k : k + element.size]) for k in places]
    return max(_distance(a, b, element) for a, b in pairs)


def _distance(a: bytes, b: bytes, element: Element) -> int:
    x, y = (_ordered(int.from_bytes(v, "little"), element.bits) for v in (a, b))
    mantissa = {"f16": 10, "bf16": 7, "f32": 23, "f64": 52}[element.name]
    infinity = ((1 << (element.bits - 1 - mantissa)) - 1) << mantissa
    if abs(x) > infinity and abs(y) > infinity:
        return 0
    return abs(x - y)


def _ordered(raw: int, bits: int) -> int:
    """Bits as a number that counts floats up from zero, and down."""
    top = 1 << (bits - 1)
    return raw if raw < top else top - raw
