"""Draws whole programs and the calls that are made of them."""

from __future__ import annotations

import random

import numpy as np

from tests.conformance.native.affine_ops import AFFINE_CONTROL, AFFINE_OPS
from tests.conformance.native.control import CONTROL_OPS
from tests.conformance.native.draft import Callee, Draft, Memref, Pointer
from tests.conformance.native.literals import ELEMENTS, draw_bits, draw_content, size_of
from tests.conformance.native.pointers import POINTER_OPS
from tests.conformance.native.program import Function, Parameter, Program
from tests.conformance.native.scalars import SCALAR_OPS
from tests.conformance.native.views import MEMORY_OPS, dense
from verify.toolchain.native import (
    NativeArgument,
    NativeCall,
    NativeMemref,
    NativePointer,
    NativeScalar,
)

DEEPEST = 3
POINTER_BYTES = 48


def build(draw: random.Random, prefix: str = "") -> Program:
    """One program; the names of its functions and globals start with `prefix`."""
    globals_: list[str] = []
    functions: list[Function] = []
    callees: list[Callee] = []
    stateful = backwards = False
    for number in range(draw.choice((0, 0, 1, 2))):
        d = Draft(draw, prefix, draw.randint(2, 6))
        d.callees, d.globals = list(callees), globals_
        takes = tuple(d.kind() for _ in range(draw.randint(1, 3)))
        functions.append(_callee(d, f"{prefix}callee{number}", takes))
        gives = tuple(kind for _, kind in functions[-1].returned)
        callees.append(Callee(functions[-1].name, takes, gives))
        stateful |= d.is_stateful
        backwards |= d.has_backwards
    d = Draft(draw, prefix, draw.randint(5, 28))
    d.callees, d.globals = callees, globals_
    buffers, parameters = _parameters(d)
    _statements(d, share=draw.sample(("scalar", "memory", "control", "affine", "pointer"), 3))
    functions.append(_finished(d, f"{prefix}main", parameters, limit=12))
    return Program(
        tuple(globals_),
        tuple(functions),
        tuple(buffers),
        tuple((name, function) for name, _, function in d.inexact),
        stateful or d.is_stateful,
        backwards or d.has_backwards,
    )


def _callee(d: Draft, name: str, takes: tuple[str, ...]) -> Function:
    parameters: list[Parameter] = []
    for kind in takes:
        parameters.append(Parameter(d.fresh("a"), kind))
        d.show(parameters[-1].name, kind)
    d.scope.affine = [p.name for p in parameters if p.kind == "index"]
    _statements(d, share=["scalar", "control", "affine"])
    d.inexact = []
    function = _finished(d, name, parameters, limit=2)
    return Function(
        name, function.parameters, function.prelude, function.body, function.returned, True
    )


def _finished(d: Draft, name: str, parameters: list[Parameter], limit: int) -> Function:
    """A function that returns scalars: those that were computed last, and some others."""
    visible = [(n, kind) for kind, names in d.scope.values.items() for n in names]
    given = {p.name for p in parameters}
    computed = [pair for pair in visible if pair[0] not in given]
    d.draw.shuffle(computed)
    returned = [*((n, kind) for n, kind, _ in d.inexact), *computed][:limit] or [
        (d.constant("i32", 7), "i32")
    ]
    prelude = tuple(d.prelude.items())
    return Function(name, tuple(parameters), prelude, tuple(d.lines), tuple(returned))


def _statements(d: Draft, share: list[str]) -> None:
    """Statements until the budget is spent; kinds of op in `share` come more often."""
    while d.budget > 0:
        d.budget -= 1
        _statement(d, share)
    for m in d.heap:
        if d.chance(60):
            d.do(f"memref.dealloc {m.name} : {m.kind}")


def _statement(d: Draft, share: list[str]) -> None:
    kinds = ["scalar", "memory", "control", "affine", "pointer", *share, *share]
    match d.draw.choice(kinds):
        case "scalar":
            d.draw.choice(SCALAR_OPS)(d)
        case "memory":
            d.draw.choice(MEMORY_OPS)(d)
        case "pointer":
            d.draw.choice(POINTER_OPS)(d)
        case "affine" if d.depth >= DEEPEST or d.chance(60):
            d.draw.choice(AFFINE_OPS)(d)
        case "affine":
            d.draw.choice(AFFINE_CONTROL)(d, lambda inner: _body(inner, share))
        case _ if d.depth < DEEPEST:
            d.draw.choice(CONTROL_OPS)(d, lambda inner: _body(inner, share))
        case _:
            return


def _body(d: Draft, share: list[str]) -> None:
    for _ in range(d.draw.randint(1, 3)):
        if d.budget > 0:
            d.budget -= 1
            _statement(d, share)


# Parameters


def _parameters(d: Draft) -> tuple[list[tuple[str, int]], list[Parameter]]:
    buffers: list[tuple[str, int]] = []
    parameters = [_memref_parameter(d, buffers) for _ in range(d.draw.randint(1, 3))]
    if d.chance(50):
        parameters.append(_bytes_parameter(d, buffers))
    if d.chance(50):
        name = d.fresh("p")
        buffers.append((d.draw.choice(("i8", "f32", "f64", "i32", "f16")), POINTER_BYTES))
        parameters.append(Parameter(name, "!llvm.ptr", NativePointer(len(buffers) - 1)))
        d.scope.pointers.append(Pointer(name, POINTER_BYTES))
    kinds = ["index", "index", "i1", *(d.kind() for _ in range(d.draw.randint(1, 5)))]
    for kind in kinds:
        parameters.append(Parameter(d.fresh("a"), kind))
        d.show(parameters[-1].name, kind)
    d.scope.affine = [p.name for p in parameters if p.kind == "index"]
    return buffers, parameters


def _memref_parameter(d: Draft, buffers: list[tuple[str, int]]) -> Parameter:
    kind = d.kind(ELEMENTS)
    unit = size_of(kind)
    sizes = [d.draw.randint(1, 4) for _ in range(d.draw.choice((0, 1, 1, 2, 2, 3)))]
    if d.chance(3) and sizes:
        sizes[0] = 0
    strides: list[int] = list(dense(sizes))
    is_plain = d.chance(50)
    if not is_plain:
        strides = [s * d.draw.choice((1, 1, 2, -1)) for s in strides]
        d.draw.shuffle(strides)
    low = sum(min(0, (n - 1) * s) for n, s in zip(sizes, strides, strict=True) if n)
    high = sum(max(0, (n - 1) * s) for n, s in zip(sizes, strides, strict=True) if n)
    offset = 0 if is_plain else -low + d.draw.randint(0, 3)
    shared = [
        i for i, (k, size) in enumerate(buffers) if k == kind and size >= (offset + high + 1) * unit
    ]
    if shared and d.chance(40):
        buffer, base = d.draw.choice(shared), 0
    else:
        base = 0 if d.chance(60) else d.draw.randint(1, 3) * unit
        buffers.append((kind, base + (offset + high + 1 + d.draw.choice((0, 0, 2))) * unit))
        buffer = len(buffers) - 1

    def told(number: int) -> int | None:
        return number if d.chance(50) else None

    m = Memref(
        d.fresh("m"), kind, tuple(sizes), tuple(strides), offset, tuple(map(told, sizes)),
        None if is_plain else tuple(map(told, strides)),
        0 if is_plain else told(offset), "", base, buffers[buffer][1] - base,
    )  # fmt: skip
    d.scope.memrefs.append(m)
    d.has_backwards |= any(s < 0 for s in strides)
    argument = NativeMemref(buffer, offset, tuple(sizes), tuple(strides), base)
    return Parameter(m.name, m.kind, argument)


def _bytes_parameter(d: Draft, buffers: list[tuple[str, int]]) -> Parameter:
    size = d.draw.choice((16, 32, 64))
    buffers.append((d.kind(ELEMENTS), size))
    typed = size if d.chance(50) else None
    m = Memref(d.fresh("m"), "i8", (size,), (1,), 0, (typed,), below=0, above=size)
    d.scope.memrefs.append(m)
    return Parameter(m.name, m.kind, NativeMemref(len(buffers) - 1, 0, (size,), (1,)))


# Calls


def calls_of(program: Program, draw: random.Random, count: int = 2) -> list[NativeCall]:
    """Calls of a program with drawn scalars and contents; one when a second would see the first."""
    return [_call(program, draw) for _ in range(1 if program.is_stateful else count)]


def _call(program: Program, draw: random.Random) -> NativeCall:
    buffers = [
        np.frombuffer(draw_content(draw, kind, size), np.uint8) for kind, size in program.buffers
    ]
    arguments: list[NativeArgument] = []
    for parameter in program.main.parameters:
        if parameter.argument is not None:
            arguments.append(parameter.argument)
            continue
        bits = draw_bits(draw, parameter.kind)
        arguments.append(NativeScalar(bits.to_bytes(size_of(parameter.kind), "little")))
    return NativeCall(program.main.name, buffers, arguments)
