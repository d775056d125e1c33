"""Programs that several tests of gradients use, and how they are read."""

import sys

import pytest

from verify.ir.frontend import has_bindings, read_text
from verify.ir.module import ParsedModule
from verify.toolchain.enzyme import is_installed

_PYTHON = ".".join(map(str, sys.version_info[:2]))

needs_enzyme = pytest.mark.skipif(
    not is_installed(),
    reason=f"enzyme-ad is not installed; its wheels are for Python 3.11, this is {_PYTHON}",
)
needs_bindings = pytest.mark.skipif(
    not has_bindings(), reason="MLIR's Python bindings are not installed"
)

MEASURED = {"buf": tuple(0.1 * i for i in range(1, 10))}
"""The input on which the derivative by element 1 is 0.2540, and 2.5396 when it is wrong."""

LOOP = """
func.func @f(%buf: memref<9xf64>{more}) -> f64 {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %zero = arith.constant 0.0 : f64
  %view = {view} : memref<9xf64> to {kind}
  %sum = scf.for %i = %c0 to %c9 step %c1 iter_args(%acc = %zero) -> (f64) {{
    %x = memref.load %buf[%c0] : memref<9xf64>
    %v = memref.load %buf[%i] : memref<9xf64>
    %product = arith.mulf %x, %v : f64
    %next = arith.addf %acc, %product : f64
    memref.store %next, %view[%c0] : {kind}
    scf.yield %next : f64
  }} {{enzyme.enable_checkpointing = true, enzyme.checkpoint_period = 3}}
  return %sum : f64
}}
"""
FIXED = LOOP.format(
    more="", view="memref.subview %buf[0] [1] [1]", kind="memref<1xf64, strided<[1]>>"
)
UNKNOWN = LOOP.format(
    more=", %place: index",
    view="memref.subview %buf[%place] [1] [1]",
    kind="memref<1xf64, strided<[1], offset: ?>>",
)


def read(text: str) -> ParsedModule:
    """The module of a program, which is valid."""
    module = read_text(text)
    assert module.module is not None, module.errors
    return module
