"""Scalar ops on concrete values at the edges where native runs had found them wrong or missing."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
import pytest

from verify.ir.frontend import read_text
from verify.model.analyse import functions_of
from verify.model.symbols import collect_symbols
from verify.replay.concrete import ConcreteMachine
from verify.replay.inputs import Inputs
from verify.semantics import floats
from verify.semantics.algebra import UndefinedBehaviourError


def run(body: str, kind: str, globals_: str = "") -> Any:
    """What `%r` of type `kind` is after some ops."""
    text = f"{globals_}\nfunc.func @f() -> {kind} {{\n{body}\n  return %r : {kind}\n}}"
    parsed = read_text(text)
    if parsed.module is None:
        raise ValueError(f"{parsed.errors[0].message}\n{text}")
    ((_, function),) = functions_of(parsed.module)
    machine = ConcreteMachine(collect_symbols(parsed.module), Inputs())
    (result,) = machine.run_region(function.regions[0], [])
    return result


def constants(**values: str) -> str:
    """Ops that give names to constants."""
    return "\n".join(f"  %{name} = arith.constant {text}" for name, text in values.items())


@pytest.mark.parametrize("name", ["divsi", "remsi", "floordivsi", "ceildivsi"])
def test_a_quotient_that_does_not_fit_is_undefined(name: str) -> None:
    operands = constants(a="-128 : i8", b="-1 : i8")

    with pytest.raises(UndefinedBehaviourError):
        run(f"{operands}\n  %r = arith.{name} %a, %b : i8", "i8")


@pytest.mark.parametrize(
    ("number", "op", "expected"),
    [
        ("127.5", "arith.fptosi", 127),
        ("-128.5", "arith.fptosi", -128),
        ("128.0", "arith.fptosi", None),
        ("-129.0", "arith.fptosi", None),
        ("255.5", "arith.fptoui", -1),
        ("-0.5", "arith.fptoui", 0),
        ("-1.0", "arith.fptoui", None),
        ("256.0", "arith.fptoui", None),
        ("200.0", "llvm.fptoui", -56),
        ("0x7FC00000", "arith.fptosi", None),
    ],
)
def test_a_float_that_does_not_fit_an_integer_is_undefined(
    number: str, op: str, expected: int | None
) -> None:
    body = f"{constants(a=f'{number} : f32')}\n  %r = {op} %a : f32 to i8"

    if expected is None:
        with pytest.raises(UndefinedBehaviourError):
            run(body, "i8")
    else:
        assert expected == run(body, "i8")


def test_an_extended_sum_and_product_give_what_does_not_fit() -> None:
    both = constants(a="-56 : i8", b="100 : i8")

    assert run(f"{both}\n  %s, %r = arith.addui_extended %a, %b : i8, i1", "i1") is True
    assert 44 == run(f"{both}\n  %r, %o = arith.addui_extended %a, %b : i8, i1", "i8")
    assert (200 * 100) >> 8 == run(f"{both}\n  %l, %r = arith.mului_extended %a, %b : i8", "i8")
    assert (-56 * 100) >> 8 == run(f"{both}\n  %l, %r = arith.mulsi_extended %a, %b : i8", "i8")


@pytest.mark.parametrize(
    ("source", "target", "constant", "expected"),
    [
        ("f32", "i32", "1.5", 0x3FC00000),
        ("f64", "i64", "-2.0", -(1 << 62)),
        ("bf16", "i16", "1.0", 0x3F80),
        ("f16", "i16", "-2.0", -(1 << 14)),
        ("i16", "bf16", "16256", 1.0),
        ("i32", "f32", "1", 2.0**-149),
        ("f16", "bf16", "1.0", 2.0**-7),
    ],
)
@pytest.mark.parametrize("dialect", ["arith", "llvm"])
def test_a_bitcast_keeps_the_bits(
    dialect: str, source: str, target: str, constant: str, expected: float
) -> None:
    operand = constants(a=f"{constant} : {source}")

    assert expected == run(f"{operand}\n  %r = {dialect}.bitcast %a : {source} to {target}", target)


@pytest.mark.parametrize(
    ("op", "number", "expected"),
    [
        ("math.ctpop", -1, 8),
        ("math.ctlz", 1, 7),
        ("math.ctlz", 0, 8),
        ("math.cttz", 8, 3),
        ("math.cttz", 0, 8),
        ("math.absi", -5, 5),
        ("math.absi", -128, -128),
    ],
)
def test_bits_are_counted(op: str, number: int, expected: int) -> None:
    assert expected == run(f"{constants(a=f'{number} : i8')}\n  %r = {op} %a : i8", "i8")


@pytest.mark.parametrize(
    "text",
    [
        '"llvm.intr.cttz"(%a) <{is_zero_poison = true}> : (i8) -> i8',
        '"llvm.intr.abs"(%b) <{is_int_min_poison = true}> : (i8) -> i8',
    ],
)
def test_what_llvm_takes_for_poison_is_undefined(text: str) -> None:
    with pytest.raises(UndefinedBehaviourError):
        run(f"{constants(a='0 : i8', b='-128 : i8')}\n  %r = {text}", "i8")


MEMREF_ATOMICS = {
    "addi": 136, "andi": 36 & 100, "assign": 100, "maxs": 100, "maxu": 100, "mins": 36,
    "minu": 36, "muli": 36 * 100, "ori": 36 | 100, "xori": 36 ^ 100,
}  # fmt: skip


@pytest.mark.parametrize("name", MEMREF_ATOMICS)
def test_an_atomic_op_gives_the_old_value_and_leaves_the_new_one(name: str) -> None:
    expected = MEMREF_ATOMICS[name]
    body = f"""{constants(a="36 : i8", b="100 : i8")}
  %m = memref.alloc() : memref<i8>
  memref.store %a, %m[] : memref<i8>
  %old = memref.atomic_rmw {name} %b, %m[] : (i8, memref<i8>) -> i8
  %r = memref.load %m[] : memref<i8>"""

    assert (expected + 128) % 256 - 128 == run(body, "i8")
    assert 36 == run(body.replace("%r", "%n").replace("%old", "%r"), "i8")


@pytest.mark.parametrize(
    ("name", "expected"),
    [("nand", ~36), ("sub", -64), ("umin", 36), ("_xor", 64), ("xchg", 100), ("max", 100)],
)
def test_so_does_one_of_llvm(name: str, expected: int) -> None:
    body = f"""{constants(a="36 : i8", b="100 : i8", n="1 : i64")}
  %p = llvm.alloca %n x i8 : (i64) -> !llvm.ptr
  llvm.store %a, %p : i8, !llvm.ptr
  %old = llvm.atomicrmw {name} %p, %b monotonic : !llvm.ptr, i8
  %r = llvm.load %p : !llvm.ptr -> i8"""

    assert expected == run(body, "i8")


def test_an_atomic_float_op_is_rounded() -> None:
    body = f"""{constants(a="1.0 : f16", b="0.0001 : f16")}
  %m = memref.alloc() : memref<f16>
  memref.store %a, %m[] : memref<f16>
  %old = memref.atomic_rmw addf %b, %m[] : (f16, memref<f16>) -> f16
  %r = memref.load %m[] : memref<f16>"""

    assert np.float16(1) == run(body, "f16")


@pytest.mark.parametrize(
    ("value", "expected"),
    [(0.5, 1.0), (-0.5, -1.0), (2.5, 3.0), (0.49999999999999994, 0.0), (4503599627370497.0,) * 2],
)
def test_a_half_is_rounded_away_from_zero(value: float, expected: float) -> None:
    assert expected == floats.UNARY["round"].run(np.float64(value))


def test_a_rounded_number_keeps_its_sign() -> None:
    assert np.signbit(floats.UNARY["round"].run(np.float32(-0.25)))
    assert np.isnan(floats.UNARY["round"].run(np.float32("nan")))


def test_a_finite_product_that_does_not_fit_never_makes_a_nan() -> None:
    operands = constants(a="3.0e38 : f32", b="0xFF800000 : f32")

    assert float("-inf") == run(f"{operands}\n  %r = math.fma %a, %a, %b : f32", "f32")


def test_globals_of_llvm_hold_what_they_say() -> None:
    body = """  %p = llvm.mlir.addressof @table : !llvm.ptr
  %q = llvm.getelementptr %p[1] : (!llvm.ptr) -> !llvm.ptr, i32
  %r = llvm.load %q : !llvm.ptr -> i32"""
    table = "llvm.mlir.global internal constant @table(dense<[7, 9]> : tensor<2xi32>)"

    assert 9 == run(body, "i32", f"{table} : !llvm.array<2 x i32>")


def test_floats_that_are_written_as_bits_are_read_as_such() -> None:
    body = f"""{constants(i="1 : index")}
  %m = memref.get_global @g : memref<2xf32>
  %r = memref.load %m[%i] : memref<2xf32>"""
    dense = 'memref.global "private" @g : memref<2xf32> = dense<[1.0, 0x7F800001]>'

    assert 0x7F800001 == struct.unpack("<I", run(body, "f32", dense).tobytes())[0]


def test_zero_of_llvm_is_one_of_its_type() -> None:
    assert 0.0 == run("  %r = llvm.mlir.zero : f32", "f32")
    assert 0 == run("  %r = llvm.mlir.zero : i16", "i16")
