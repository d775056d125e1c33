"""Atomic updates: each kind, by the name that MLIR's parser knows, gives what its name says."""

from __future__ import annotations

import struct

import pytest

from tests.conformance.carriers import read
from verify.model.symbols import collect_symbols
from verify.replay.concrete import ConcreteMachine
from verify.replay.inputs import Inputs
from verify.semantics.types import UnsupportedError

INTEGERS = {
    "addi": 7 - 12, "andi": 7 & -12, "assign": -12, "maxs": 7, "maxu": -12, "mins": -12, "minu": 7,
    "muli": -84, "ori": 7 | -12, "xori": 7 ^ -12,
}  # fmt: skip
FLOATS = {
    "addf": -0.75, "assign": -2.0, "maximumf": 1.25, "maxnumf": 1.25, "minimumf": -2.0,
    "minnumf": -2.0, "mulf": -2.5,
}  # fmt: skip
LLVM = {
    "xchg": -12, "add": -5, "sub": 19, "_and": 7 & -12, "_or": 7 | -12, "_xor": 7 ^ -12, "max": 7,
    "min": -12, "umax": -12, "umin": 7,
}  # fmt: skip
LLVM_FLOATS = {"fadd": -0.75, "fsub": 3.25, "fmax": 1.25, "fmin": -2.0}


def updated(op: str, form: str, old: float, place: str = "memref<1x{}>") -> tuple[object, object]:
    """The result of an update of a memory of one element, and what is there afterwards."""
    kind = {"<i": "i32", "<f": "f32"}[form]
    module = read(
        f"func.func @f(%m: {place.format(kind)}, %x: {kind}) -> {kind} {{\n"
        f"  %i = arith.constant 0 : index\n  {op.format(k=kind)}\n  return %r : {kind}\n}}\n"
    )
    machine = ConcreteMachine(collect_symbols(module), Inputs(0))
    region = next(iter(machine.symbols.values())).regions[0]
    view = machine.argument(0, region.blocks[0].args[0])
    view.memory.data[:4] = memoryview(struct.pack(form, old))
    other = -12 if form == "<i" else -2.0
    (result,) = machine.run_region(region, [view, other])
    return result, struct.unpack(form, view.memory.data[:4].tobytes())[0]


@pytest.mark.parametrize("name", INTEGERS)
def test_an_integer_update(name: str) -> None:
    op = f"%r = memref.atomic_rmw {name} %x, %m[%i] : ({{k}}, memref<1x{{k}}>) -> {{k}}"

    assert (7, INTEGERS[name]) == updated(op, "<i", 7)


@pytest.mark.parametrize("name", FLOATS)
def test_a_float_update(name: str) -> None:
    op = f"%r = memref.atomic_rmw {name} %x, %m[%i] : ({{k}}, memref<1x{{k}}>) -> {{k}}"

    assert (1.25, FLOATS[name]) == updated(op, "<f", 1.25)


@pytest.mark.parametrize("name", [*LLVM, *LLVM_FLOATS])
def test_an_update_through_a_pointer(name: str) -> None:
    form, old = ("<i", 7) if name in LLVM else ("<f", 1.25)
    op = f"%r = llvm.atomicrmw {name} %m, %x monotonic : !llvm.ptr, {{k}}"

    assert (old, (LLVM | LLVM_FLOATS)[name]) == updated(op, form, old, "!llvm.ptr")


def test_an_update_by_a_region() -> None:
    op = (
        "%r = memref.generic_atomic_rmw %m[%i] : memref<1x{k}> {{\n^bb0(%o: {k}):\n"
        "%n = arith.subi %x, %o : {k}\nmemref.atomic_yield %n : {k}\n}}"
    )

    assert (7, -19) == updated(op, "<i", 7)


def test_an_update_that_is_not_followed_is_refused() -> None:
    with pytest.raises(UnsupportedError, match=r"`llvm\.atomicrmw`"):
        updated(
            "%r = llvm.atomicrmw usub_sat %m, %x monotonic : !llvm.ptr, {k}", "<i", 7, "!llvm.ptr"
        )
