"""One program twice: its kernels by the interpreter, and as compiled code of some backend.

Memory holds drawn bits: edges of integers, infinities, NaNs and numbers without a leading one. A
NaN is a quiet one: what `pow` makes of a signalling one differs between libraries.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from xdsl.dialects import builtin
from xdsl.ir import Operation

from verify.ir.frontend import read_text
from verify.ir.names import op_name, symbol_name
from verify.model.symbols import collect_symbols
from verify.replay.arrays import CPU, Arrays
from verify.replay.buffers import Buffer
from verify.replay.concrete import ConcreteMachine
from verify.replay.cuda.kernel import Kernel, print_kernel
from verify.replay.cuda.launch import Backend, CompiledKernels
from verify.replay.inputs import Inputs
from verify.replay.loop_runs import OutOfStepsError
from verify.semantics.algebra import UndefinedBehaviourError
from verify.semantics.types import Element, UnsupportedError, element_of

KERNELS = ("gpu.func", "gpu.launch")
MOST_STEPS = 400_000
BYTE = Element("i8", "int", 8)
_WORDS = {"f16": np.uint16, "bf16": np.uint16, "f32": np.uint32, "f64": np.uint64}
_MANTISSA = {"f16": 10, "bf16": 7, "f32": 23, "f64": 52}


class InvalidProgramError(Exception):
    """A drawn program that MLIR does not take."""


@dataclass(slots=True)
class Program:
    """A module with its kernels; `refused` says why some have no source."""

    text: str
    module: Operation
    symbols: dict[str, Operation]
    kernels: list[Kernel] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)


def program_of(text: str) -> Program:
    """Read a program and print its kernels."""
    parsed = read_text(text)
    if parsed.module is None:
        raise InvalidProgramError(str(parsed.errors[0]))
    program = Program(text, parsed.module, collect_symbols(parsed.module))
    for op in parsed.module.walk():
        if op_name(op) in KERNELS:
            try:
                program.kernels.append(print_kernel(op, program.symbols))
            except UnsupportedError as error:
                program.refused.append(str(error))
    return program


@dataclass(slots=True)
class Run:
    """What a run left in each argument's memory; `reason` when it proves nothing."""

    memories: dict[str, tuple[Element, bytes]] = field(default_factory=dict)
    reason: str = ""
    refused: list[str] = field(default_factory=list)


def run(program: Program, seed: int, backend: Backend | None, arrays: Arrays = CPU) -> Run:
    """Run the function `main`; its kernels are compiled by a backend where one is given."""
    launcher = None if backend is None else CompiledKernels(backend)
    held = Arrays(arrays.device, arrays.name, arrays.module, launcher=launcher)
    machine = ConcreteMachine(program.symbols, Inputs(seed), max_steps=MOST_STEPS, arrays=held)
    function = next(op for op in program.module.walk() if symbol_name(op) == "main")
    elements: dict[str, Element] = {}
    try:
        region = function.regions[0]
        arguments = [
            _argument(machine, i, a, elements) for i, a in enumerate(region.blocks[0].args)
        ]
        machine.run_region(region, arguments)
    except (UndefinedBehaviourError, OutOfStepsError, UnsupportedError) as error:
        return Run(reason=f"{type(error).__name__}: {error}")
    found = {b.name: (elements[b.name], b.host().tobytes()) for b in _shown(machine, elements)}
    return Run(found, refused=list(launcher.refused.values()) if launcher else [])


def _shown(machine: ConcreteMachine, elements: dict[str, Element]) -> list[Buffer]:
    return [b for b in machine.buffers if b.name in elements]


def _argument(m: ConcreteMachine, position: int, value: Any, elements: dict[str, Element]) -> Any:
    found = m.argument(position, value)
    for buffer in m.buffers:
        if buffer.name not in elements and buffer.name == f"argument {position}":
            is_memref = isinstance(value.type, builtin.MemRefType)
            element = element_of(value.type.element_type) if is_memref else BYTE
            elements[buffer.name] = element
            draw, size = m.inputs.generator(("wild", position)), len(buffer.data)
            is_paired = m.inputs.seed == 0 and position < 2
            content = pairs(position, size, element) if is_paired else wild(draw, size, element)
            buffer.assign(np.frombuffer(content, np.uint8).copy())
    return found


def pairs(position: int, size: int, element: Element) -> bytes:
    """Eight edges in turn; with those of another position, each pair of them in 64 elements."""
    edges = _edges(element)
    count = size // element.size
    parts = [edges[(i // 8 if position else i) % 8] for i in range(count)]
    return b"".join(parts).ljust(size, b"\0")


def _edges(element: Element) -> list[bytes]:
    if element.kind == "float":
        width = _MANTISSA[element.name]
        sign, top = 1 << (element.bits - 1), ((1 << (element.bits - 1 - width)) - 1) << width
        one = (top >> 1) & top
        numbers = [0, sign, one, sign | one, top, sign | top, top | 1 << (width - 1), 1]
    else:
        high = (1 << (element.bits - 1)) - 1
        numbers = [0, 1, -1, high, -high - 1, 2, -3, 7]
        if element.bits == 1:
            numbers = [0, 1] * 4
    mask = (1 << (8 * element.size)) - 1
    return [(n & mask).to_bytes(element.size, "little") for n in numbers]


def wild(draw: random.Random, size: int, element: Element) -> bytes:
    """Bytes of elements that are often at an edge."""
    parts = [_wild_element(draw, element) for _ in range(size // element.size)]
    return b"".join(parts).ljust(size, b"\0")


def _wild_element(draw: random.Random, element: Element) -> bytes:
    bits = element.bits
    if element.kind != "float":
        high = (1 << (bits - 1)) - 1
        halfway = _few_bits(draw, bits)
        edges = (0, 1, 2, 5, -1, -3, high, -high - 1)
        number = draw.choice((*edges, draw.getrandbits(bits), -halfway, halfway))
        if bits == 1:
            return bytes([draw.randrange(2)])
        return (number % (1 << 8 * element.size)).to_bytes(element.size, "little")
    width = _MANTISSA[element.name]
    most = (1 << (bits - 1 - width)) - 1
    exponent = draw.choice((0, most >> 1, (most >> 1) + 2, most - 1, most, draw.randint(0, most)))
    number = draw.getrandbits(1) << (bits - 1) | exponent << width
    mantissa = draw.choice((0, 1, draw.getrandbits(width), _few_bits(draw, width)))
    if exponent == most and mantissa:
        mantissa |= 1 << (width - 1)
    number |= mantissa
    return number.to_bytes(element.size, "little")


def _few_bits(draw: random.Random, bits: int) -> int:
    """A few leading bits and perhaps the last one: often halfway between two floats, or nearly."""
    top = min(bits, draw.choice((2, 8, 9, 11, 12, 25)))
    return draw.getrandbits(top) << (bits - top) | draw.getrandbits(1)


def differences(expected: Run, actual: Run) -> list[str]:
    """Where two runs differ; one NaN is as good as another."""
    return [
        f"{name} ({element.name}), element {i}: {a.hex()} by the interpreter, {b.hex()} compiled"
        for name, (element, content) in expected.memories.items()
        for i, a, b in _differing(element, content, actual.memories[name][1])
    ]


def _differing(element: Element, a: bytes, b: bytes) -> list[tuple[int, bytes, bytes]]:
    unit = element.size
    pairs = [(k // unit, a[k : k + unit], b[k : k + unit]) for k in range(0, len(a), unit)]
    return [
        (i, x, y) for i, x, y in pairs if x != y and not (_nan(x, element) and _nan(y, element))
    ]


def _nan(content: bytes, element: Element) -> bool:
    if element.kind != "float":
        return False
    number = int.from_bytes(content, "little") & ((1 << (element.bits - 1)) - 1)
    width = _MANTISSA[element.name]
    return number >> width == (1 << (element.bits - 1 - width)) - 1 and bool(
        number & ((1 << width) - 1)
    )


def compare(
    program: Program, seeds: Sequence[int], make: Callable[[], Backend]
) -> tuple[list[str], list[str]]:
    """Run a program on several inputs: where the two differ, and why some runs prove nothing."""
    wrong: list[str] = []
    reasons: list[str] = []
    for seed in seeds:
        expected = run(program, seed, None)
        if expected.reason:
            reasons.append(expected.reason)
            continue
        actual = run(program, seed, make())
        reasons += actual.refused
        wrong += [f"seed {seed}: {actual.reason}"] if actual.reason else []
        if not actual.reason:
            wrong += [f"seed {seed}: {words}" for words in differences(expected, actual)[:4]]
    return wrong, reasons
