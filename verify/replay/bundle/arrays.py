"""Contents of buffers as `.npy` files, read without unpickling anything."""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from verify.recipe import Contents
from verify.replay.bundle.manifest import BundleError

_KINDS = {
    "f16": "<f2",
    "f32": "<f4",
    "f64": "<f8",
    "bf16": "<u2",
    "i8": "|i1",
    "i16": "<i2",
    "i32": "<i4",
    "i64": "<i8",
    "index": "<i8",
}
_ALLOWED = frozenset({*_KINDS.values(), "|u1"})


def npy_of(contents: Contents) -> bytes:
    """The file of some contents, as numbers of their element type where NumPy has it."""
    kind = _KINDS.get(contents.element, "|u1")
    if len(contents.data) % np.dtype(kind).itemsize:
        kind = "|u1"
    stream = io.BytesIO()
    np.save(stream, np.frombuffer(contents.data, kind), allow_pickle=False)
    return stream.getvalue()


def contents_of(content: bytes, element: str, name: str) -> Contents:
    """The contents that a file holds."""
    stream = io.BytesIO(content)
    try:
        shape, is_fortran, kind = _header(stream)
    except (ValueError, EOFError, RecursionError, SyntaxError, MemoryError) as error:
        raise BundleError(f"`{name}` is no array: {str(error)[:100]}") from error
    if kind.hasobject or kind.str not in _ALLOWED or is_fortran or len(shape) != 1:
        raise BundleError(f"`{name}` should be a flat array of plain numbers")
    data = content[stream.tell() :]
    if not isinstance(shape[0], int) or shape[0] * kind.itemsize != len(data):
        raise BundleError(f"`{name}` is cut short or too long")
    return Contents(element, data)


def _header(stream: io.BytesIO) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    version = np.lib.format.read_magic(stream)
    if version == (1, 0):
        return np.lib.format.read_array_header_1_0(stream)
    if version == (2, 0):
        return np.lib.format.read_array_header_2_0(stream)
    raise ValueError(f"version {version} of the format")
