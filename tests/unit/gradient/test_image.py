from itertools import pairwise

import numpy as np
import pytest

from tests.unit.gradient.programs import needs_bindings, read
from verify.gradient.harness import gradient_slots, primal_slots
from verify.gradient.image import (
    GUARD_BYTES,
    ImageLayout,
    lay_out,
    read_numbers,
    write_numbers,
)
from verify.gradient.signature import find_function, signature_of
from verify.replay.inputs import Inputs

pytestmark = needs_bindings


def _layout(arguments: str, inputs: Inputs | None = None) -> ImageLayout:
    text = f"func.func @f(%x: f64, {arguments}) -> f64 {{ return %x : f64 }}"
    return lay_out(signature_of(find_function(read(text), None)), inputs or Inputs())


@pytest.mark.parametrize("name", ["f64", "f32", "f16", "bf16"])
def test_floats_are_kept_rounded_to_their_type(name: str) -> None:
    layout = _layout(f"%a: memref<3x{name}>")
    section, image = layout.sections["value", 1], layout.blank()

    write_numbers(section, image, [1.5, -0.3125, 3.14159])
    found = read_numbers(section, image)

    assert [1.5, -0.3125] == found[:2].tolist()
    assert 0 < abs(found[2] - 3.14159) < 0.01 or name == "f64"
    assert layout.guards_hold(image)


@pytest.mark.parametrize("name", ["i1", "i8", "i24", "i64", "index"])
def test_integers_are_kept(name: str) -> None:
    layout = _layout(f"%a: memref<2x{name}>")
    section, image = layout.sections["value", 1], layout.blank()

    write_numbers(section, image, [1, 0])

    assert [1.0, 0.0] == read_numbers(section, image).tolist()


def test_elements_of_a_strided_memref_lie_where_its_type_says() -> None:
    layout = _layout("%a: memref<2x3xf64, strided<[10, 2], offset: 5>>")
    section = layout.sections["value", 1]

    assert [5, 7, 9, 15, 17, 19] == section.places().tolist()
    assert "%a[1, 2]" == section.labels()[-1]
    assert 20 == section.span


def test_dynamic_numbers_come_from_the_inputs() -> None:
    inputs = Inputs(sizes={(1, 0): 4}, strides={(1, 0): 3}, offsets={1: 2})
    section = _layout("%a: memref<?xf64, strided<[?], offset: ?>>", inputs).sections["value", 1]

    assert [2, 5, 8, 11] == section.places().tolist()


def test_sections_are_kept_apart_by_guards_that_notice_writes() -> None:
    layout = _layout("%a: memref<3xf32>, %n: index")
    places = sorted((each.place, each.size) for each in layout.sections.values())
    image = layout.blank()

    gaps = [b[0] - a[0] - a[1] for a, b in pairwise(places)]
    assert min(gaps) >= GUARD_BYTES
    image[places[1][0] - 1] ^= np.uint8(1)
    assert not layout.guards_hold(image)


def test_a_gradient_has_shadows_behind_values_and_seeds_at_the_end() -> None:
    layout = _layout("%a: memref<3xf32>, %n: index")

    assert ([("value", 0), ("value", 1), ("value", 2)], [("result", 0)]) == primal_slots(layout)
    operands = [("value", 0), ("value", 1), ("shadow", 1), ("value", 2), ("seed", 0)]
    assert (operands, [("shadow", 0)]) == gradient_slots(layout)
