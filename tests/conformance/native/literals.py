"""Scalars at the edges of their types, as bytes and as the text of constants."""

from __future__ import annotations

import random
import struct

import numpy as np

INTEGERS = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "index": 64}
FLOATS = {"f16": 16, "bf16": 16, "f32": 32, "f64": 64}
SCALARS = {**INTEGERS, **FLOATS}
ELEMENTS = [kind for kind in SCALARS if kind != "i1"]
"""Element types of memrefs; MLIR 22.1.8 dies where it lowers an access to a `memref<...xi1>`."""

# The bits of one, the exponent's and the fraction's width of each float type.
_FORMATS = {"f16": (5, 10), "bf16": (8, 7), "f32": (8, 23), "f64": (11, 52)}


def size_of(kind: str) -> int:
    """Bytes of a scalar in memory."""
    return max(1, SCALARS[kind] // 8)


def bits_of_number(value: float, kind: str) -> int:
    """The bits of the float of type `kind` that is nearest to a number (for bf16 towards zero)."""
    if kind == "bf16":
        return struct.unpack("<I", struct.pack("<f", value))[0] >> 16
    numpy_kind = {"f16": np.float16, "f32": np.float32, "f64": np.float64}[kind]
    with np.errstate(over="ignore"):
        return int.from_bytes(np.array(value, numpy_kind).tobytes(), "little")


def draw_bits(draw: random.Random, kind: str) -> int:
    """The bits of a scalar, with a taste for the edges; numbers of `index` are mostly small."""
    if kind in FLOATS:
        return _draw_float(draw, kind)
    bits = INTEGERS[kind]
    mask = (1 << bits) - 1
    if kind == "index":
        return draw.choice((draw.randint(0, 9), draw.randint(0, 9), draw.randint(-9, 90))) & mask
    match draw.randrange(4):
        case 0:
            return draw.randint(-5, 9) & mask
        case 1:
            return draw.choice((0, 1, -1, 1 << (bits - 1), (1 << (bits - 1)) - 1)) & mask
        case 2:
            return ((1 << draw.randrange(bits)) + draw.choice((-1, 0, 1))) & mask
        case _:
            return draw.getrandbits(bits)


def _draw_float(draw: random.Random, kind: str) -> int:
    exponent, fraction = _FORMATS[kind]
    infinity = ((1 << exponent) - 1) << fraction
    sign = draw.getrandbits(1) << (exponent + fraction)
    match draw.randrange(8):
        case 0:
            return sign | draw.choice((0, infinity, infinity | 1 << (fraction - 1)))
        case 1:
            smallest_normal = 1 << fraction
            return sign | draw.choice((1, smallest_normal, smallest_normal - 1, infinity - 1))
        case 2:
            return sign | draw.getrandbits(fraction)
        case 3:
            pattern = draw.getrandbits(exponent + fraction)
            return sign | (pattern if pattern < infinity else pattern & (infinity - 1))
        case 4 | 5:
            return bits_of_number(draw.randint(-20, 20) + draw.choice((0, 0.5, 0.25)), kind)
        case _:
            return bits_of_number(draw.uniform(-8, 8), kind)


def literal(bits: int, kind: str) -> str:
    """The attribute text of a constant."""
    if kind == "i1":
        return "true" if bits else "false"
    if kind in FLOATS:
        return f"0x{bits:0{SCALARS[kind] // 4}X} : {kind}"
    half = 1 << (SCALARS[kind] - 1)
    return f"{(bits + half) % (2 * half) - half} : {kind}"


def draw_content(draw: random.Random, kind: str, size: int) -> bytes:
    """Bytes of a buffer that holds scalars of a type; what is left over at its end is zero."""
    unit = size_of(kind)
    parts = [draw_bits(draw, kind).to_bytes(unit, "little") for _ in range(size // unit)]
    return b"".join(parts).ljust(size, b"\0")
