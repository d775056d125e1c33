"""The program around a function: it finds each argument in an image, and leaves results there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.dialects import builtin
from xdsl.ir import Attribute

from verify.gradient.image import ImageLayout, Section
from verify.gradient.native_runs import ENTRY, Program
from verify.ir.module import ParsedModule
from verify.ir.printing import attribute_text, to_generic_text
from verify.semantics.types import Element

Slot = tuple[str, int]


def primal_slots(layout: ImageLayout) -> tuple[list[Slot], list[Slot]]:
    """Where the function itself has its operands and its results."""
    return _slots(layout, "value"), _slots(layout, "result")


def gradient_slots(layout: ImageLayout) -> tuple[list[Slot], list[Slot]]:
    """The same for its gradient: shadows stand behind their values, seeds at the end.

    An `active` float has no shadow among the operands: its derivative is a result.
    """
    operands: list[Slot] = []
    outputs: list[Slot] = []
    for section in layout.of_role("value"):
        operands.append(("value", section.position))
        shadow = ("shadow", section.position)
        if shadow in layout.sections:
            (outputs if section.form == "scalar" else operands).append(shadow)
    return [*operands, *_slots(layout, "seed")], outputs


def types_of(layout: ImageLayout, slots: Iterable[Slot]) -> list[Attribute]:
    """The MLIR types of what lies in the slots."""
    return [layout.sections[slot].kind for slot in slots]


def make_program(
    module: ParsedModule,
    function: str,
    layout: ImageLayout,
    slots: tuple[Sequence[Slot], Sequence[Slot]],
) -> Program:
    """The ops of `module`, with an entry that runs `function` on each of several images."""
    assert module.module is not None
    ops = "".join(to_generic_text(op, locations=False) for op in module.module.body.block.ops)
    return Program(f"{ops}{_entry(function, layout, *slots)}", layout.size)


def _slots(layout: ImageLayout, role: str) -> list[Slot]:
    return [(role, section.position) for section in layout.of_role(role)]


def _entry(
    function: str, layout: ImageLayout, operands: Sequence[Slot], outputs: Sequence[Slot]
) -> str:
    lines: list[str] = []
    for number, slot in enumerate(operands):
        lines += _operand(f"a{number}", layout.sections[slot])
    inputs = ", ".join(f"%a{number}" for number in range(len(operands)))
    types = [", ".join(map(attribute_text, types_of(layout, s))) for s in (operands, outputs)]
    results = f"%r:{len(outputs)} = " if outputs else ""
    lines.append(f"{results}func.call @{function}({inputs}) : ({types[0]}) -> ({types[1]})")
    for number, slot in enumerate(outputs):
        lines += _output(f"o{number}", f"%r#{number}", layout.sections[slot])
    body = "".join(f"    {line}\n" for line in lines)
    return f"""\
func.func @{ENTRY}(%images: memref<?xi8>, %count: index) {{
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %size = arith.constant {layout.size} : index
  scf.for %k = %zero to %count step %one {{
    %base = arith.muli %k, %size : index
{body}  }}
  return
}}
"""


def _flat_type(section: Section) -> str:
    """The type of a section's memory; MLIR loads no integers of fewer bits than a byte."""
    element = section.element
    is_odd = section.form == "scalar" and element.kind == "int" and element.bits % 8 != 0
    return f"memref<{section.span}x{f'i{8 * element.size}' if is_odd else element.name}>"


def _flat(name: str, section: Section) -> list[str]:
    """The memory of a section as a memref of one dimension."""
    kind = _flat_type(section)
    return [
        f"%{name}_at = arith.constant {section.place} : index",
        f"%{name}_place = arith.addi %base, %{name}_at : index",
        f"%{name}_flat = memref.view %images[%{name}_place][] : memref<?xi8> to {kind}",
    ]


def _operand(name: str, section: Section) -> list[str]:
    lines, kind = _flat(name, section), _flat_type(section)
    if section.form == "scalar":
        return [*lines, *_scalar(name, kind, section.element)]
    if section.form == "pointer":
        return [*lines, *_pointer(name, kind, attribute_text(section.kind))]
    return [*lines, *_memref(name, kind, section)]


def _scalar(name: str, kind: str, element: Element) -> list[str]:
    held = kind.removeprefix("memref<1x").removesuffix(">")
    if held == element.name:
        return [f"%{name} = memref.load %{name}_flat[%zero] : {kind}"]
    return [
        f"%{name}_wide = memref.load %{name}_flat[%zero] : {kind}",
        f"%{name} = arith.trunci %{name}_wide : {held} to {element.name}",
    ]


def _pointer(name: str, kind: str, wanted: str) -> list[str]:
    return [
        f"%{name}_index = memref.extract_aligned_pointer_as_index %{name}_flat : {kind} -> index",
        f"%{name}_bits = arith.index_cast %{name}_index : index to i64",
        f"%{name} = llvm.inttoptr %{name}_bits : i64 to {wanted}",
    ]


def _memref(name: str, kind: str, section: Section) -> list[str]:
    """Spread the flat memory with numbers known at run time, and cast that to the type."""
    numbers = (section.start, *section.shape, *section.strides)
    rank = len(section.shape)
    names = [f"%{name}_n{index}" for index in range(len(numbers))]
    lines = [
        f"{each} = arith.constant {number} : index"
        for each, number in zip(names, numbers, strict=True)
    ]
    unknown = ", ".join(["?"] * rank)
    spread = f"memref<{'?x' * rank}{section.element.name}, strided<[{unknown}], offset: ?>>"
    lines.append(
        f"%{name}_spread = memref.reinterpret_cast %{name}_flat to offset: [{names[0]}], "
        f"sizes: [{', '.join(names[1 : 1 + rank])}], strides: [{', '.join(names[1 + rank :])}]"
        f" : {kind} to {spread}"
    )
    wanted, plain = attribute_text(section.kind), _in_default_space(section.kind)
    lines.append(f"%{name}_plain = memref.cast %{name}_spread : {spread} to {plain}")
    return [*lines, f"%{name} = memref.memory_space_cast %{name}_plain : {plain} to {wanted}"]


def _in_default_space(kind: Attribute) -> str:
    assert isinstance(kind, builtin.MemRefType)
    return attribute_text(
        builtin.MemRefType(kind.get_element_type(), kind.get_shape(), kind.layout)
    )


def _output(name: str, value: str, section: Section) -> list[str]:
    kind, own = _flat_type(section), section.element.name
    held = kind.removeprefix("memref<1x").removesuffix(">")
    store = [f"memref.store {value}, %{name}_flat[%zero] : {kind}"]
    if held != own:
        store = [
            f"%{name}_wide = arith.extui {value} : {own} to {held}",
            f"memref.store %{name}_wide, %{name}_flat[%zero] : {kind}",
        ]
    return [*_flat(name, section), *store]
