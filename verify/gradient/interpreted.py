"""Runs a function on images with this project's interpreter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from xdsl.ir import Operation

from verify.gradient.harness import Slot
from verify.gradient.image import Bytes, ImageLayout, Section
from verify.gradient.native_runs import RunError
from verify.replay.arguments import raw_element
from verify.replay.buffers import Buffer, decode, encode
from verify.replay.concrete import ConcreteMachine
from verify.replay.inputs import Inputs
from verify.replay.loop_runs import OutOfStepsError
from verify.semantics.algebra import UndefinedBehaviourError
from verify.semantics.types import UnsupportedError, space_of
from verify.semantics.values import View

MAX_STEPS = 200_000


class UndefinedRunError(RunError):
    """The function does something undefined on this image."""


def run_image(
    function: Operation,
    symbols: dict[str, Operation],
    layout: ImageLayout,
    slots: tuple[Sequence[Slot], Sequence[Slot]],
    image: Bytes,
) -> tuple[Bytes, int]:
    """The image after `function` has run on it, and the steps that took; raises `RunError`."""
    machine = ConcreteMachine(symbols, Inputs(), max_steps=MAX_STEPS)
    machine.raw_element = raw_element(function)
    operands = [layout.sections[slot] for slot in slots[0]]
    values = [_load(machine, section, image) for section in operands]
    try:
        results = machine.run_region(function.regions[0], values)
        machine.scheduler.finish()
    except UndefinedBehaviourError as error:
        raise UndefinedRunError("run", str(error)) from None
    except UnsupportedError as error:
        raise RunError("compile", str(error)) from None
    except (OutOfStepsError, RecursionError):
        raise RunError("compile", "the run takes too many steps for the interpreter") from None
    except (KeyError, OverflowError, MemoryError) as error:
        raise RunError("compile", f"the interpreter cannot run it: {error!r}") from None
    if machine.silent:
        raise RunError("compile", f"`{machine.silent[0]}` has no body to run")
    after = image.copy()
    for section, value in zip(operands, values, strict=True):
        if isinstance(value, View):
            after[section.place : section.place + section.size] = value.memory.data
    for slot, value in zip(slots[1], results, strict=True):
        section = layout.sections[slot]
        _write(after, section, encode(value, section.kind))
    return after, MAX_STEPS - machine.steps_left


def _load(machine: ConcreteMachine, section: Section, image: Bytes) -> Any:
    content = image[section.place : section.place + section.size]
    unit = section.element.size
    if section.form == "scalar":
        return decode(content[:unit].tobytes(), section.kind)
    buffer: Buffer = machine.new_buffer(section.size, section.name, space_of(section.kind))
    buffer.data[:] = content
    if section.form == "pointer":
        return View(buffer, 0, None, (), None, 0, space_of(section.kind))
    strides = tuple(stride * unit for stride in section.strides)
    start = section.start * unit
    space = space_of(section.kind)
    return View(buffer, start, section.shape, strides, section.element, 0, space)


def _write(image: Bytes, section: Section, content: bytes) -> None:
    image[section.place : section.place + len(content)] = np.frombuffer(content, np.uint8)
