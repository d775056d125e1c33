"""Contents of buffers as `.npy` files, read without unpickling anything."""

from __future__ import annotations

import io
import re

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
_PREFIX = 10
_HEADER = re.compile(
    rb"\{'descr': '(?P<kind>[<|][a-z](?P<size>[0-9]))', 'fortran_order': False, "
    rb"'shape': \((?P<count>[0-9]{1,9}),\), \}\s*"
)


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
    found = _HEADER.fullmatch(_header(content, name))
    if found is None or found["kind"].decode() not in _ALLOWED:
        raise BundleError(f"`{name}` should be a flat array of plain numbers")
    data = content[_PREFIX + int.from_bytes(content[8:_PREFIX], "little") :]
    if int(found["count"]) * int(found["size"]) != len(data):
        raise BundleError(f"`{name}` is cut short or too long")
    return Contents(element, data)


def _header(content: bytes, name: str) -> bytes:
    """The text that says what a file of version 1.0 holds."""
    if not content.startswith(b"\x93NUMPY\x01\x00"):
        raise BundleError(f"`{name}` is no array file of version 1.0")
    return content[_PREFIX : _PREFIX + int.from_bytes(content[8:_PREFIX], "little")]
