"""Sizes and layouts of types."""

from __future__ import annotations

import pytest
from xdsl.dialects import builtin
from xdsl.dialects import llvm as xllvm
from xdsl.ir import Attribute

from verify.semantics.llvm import size_in_bytes
from verify.semantics.types import element_of, layout_of, row_major, space_of

SIZES = [(1, 1), (8, 1), (9, 2), (16, 2), (24, 4), (32, 4), (48, 8), (64, 8), (128, 16)]


@pytest.mark.parametrize(("bits", "size"), SIZES)
def test_an_integer_takes_a_power_of_two_bytes(bits: int, size: int) -> None:
    assert element_of(builtin.IntegerType(bits)).size == size


@pytest.mark.parametrize(
    ("kind", "size"),
    [
        (builtin.f16, 2),
        (builtin.bf16, 2),
        (builtin.f32, 4),
        (builtin.f64, 8),
        (builtin.IndexType(), 8),
        (builtin.ComplexType(builtin.f32), 8),
        (builtin.VectorType(builtin.f32, [4]), 16),
        (xllvm.LLVMPointerType(), 8),
    ],
)
def test_other_elements_have_the_sizes_that_memory_gives_them(kind: Attribute, size: int) -> None:
    assert element_of(kind).size == size


def test_members_of_a_struct_stand_at_their_alignment() -> None:
    i8, i32 = builtin.IntegerType(8), builtin.IntegerType(32)
    struct = xllvm.LLVMStructType.from_type_list([i8, i32, i8])

    assert size_in_bytes(struct) == 12
    assert size_in_bytes(xllvm.LLVMArrayType(builtin.IntAttr(3), struct)) == 36


def test_a_dynamic_dimension_makes_the_strides_before_it_dynamic() -> None:
    assert row_major((2, None, 3)) == (None, 3, 1)


def test_a_strided_layout_keeps_what_is_static() -> None:
    strided = builtin.StridedLayoutAttr([builtin.NoneAttr(), 1], builtin.NoneAttr())
    layout = layout_of(builtin.MemRefType(builtin.f32, [4, -1], strided))

    assert (layout.shape, layout.strides, layout.offset) == ((4, None), (None, 1), None)


@pytest.mark.parametrize(("space", "name"), [(0, ""), (1, "1"), (3, "3")])
def test_space_zero_is_the_default_space(space: int, name: str) -> None:
    attribute = builtin.IntegerAttr(space, 64)

    assert space_of(builtin.MemRefType(builtin.f32, [4], memory_space=attribute)) == name
