"""CUDA source to machine code by NVRTC, which needs no GPU and no driver."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

ARCHITECTURE = "sm_90"
OPTIONS = (
    "--std=c++17",
    "--device-int128",
    "--fmad=false",
    "--ftz=false",
    "--prec-div=true",
    "--prec-sqrt=true",
)
"""What makes a kernel compute as IEEE 754 says, operation by operation."""


class NoCompilerError(Exception):
    """NVRTC is not installed; the text says what was looked for."""


@dataclass(frozen=True, slots=True)
class CompileError:
    """What NVRTC says about a source that it does not take."""

    log: str


def compile_kernel(source: str, architecture: str = ARCHITECTURE) -> bytes | CompileError:
    """The binary of a CUDA source for an architecture (`sm_90`), or what is wrong with it."""
    nvrtc = _library()
    program = ctypes.c_void_p()
    nvrtc("nvrtcCreateProgram", ctypes.byref(program), source.encode(), b"kernel.cu", 0, None, None)
    try:
        given = [o.encode() for o in (*OPTIONS, f"--gpu-architecture={architecture}")]
        options = (ctypes.c_char_p * len(given))(*given)
        status = nvrtc.status("nvrtcCompileProgram", program, len(given), options)
        if status:
            return CompileError(_text(nvrtc, "nvrtcGetProgramLog", program))
        return _content(nvrtc, "nvrtcGetCUBIN", program)
    finally:
        nvrtc("nvrtcDestroyProgram", ctypes.byref(program))


def version() -> str:
    """The version of NVRTC; a `NoCompilerError` where there is none."""
    major, minor = ctypes.c_int(), ctypes.c_int()
    _library()("nvrtcVersion", ctypes.byref(major), ctypes.byref(minor))
    return f"{major.value}.{minor.value}"


class _Library:
    """Calls of NVRTC's functions, whose result is a status."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self._library = library

    def status(self, name: str, *arguments: Any) -> int:
        """Call a function; 0 when it succeeds."""
        function: Callable[..., int] = getattr(self._library, name)
        return function(*arguments)

    def __call__(self, name: str, *arguments: Any) -> None:
        status = self.status(name, *arguments)
        if status:
            raise RuntimeError(f"{name} of NVRTC gives status {status}")


@cache
def _library() -> _Library:
    tried: list[str] = []
    for path in _candidates():
        try:
            return _Library(ctypes.CDLL(path))
        except OSError as error:
            tried.append(f"{path}: {error}")
    wanted = "the package `nvidia-cuda-nvrtc` brings it"
    raise NoCompilerError(f"NVRTC is not installed; {wanted} ({'; '.join(tried)})")


def _candidates() -> Iterator[str]:
    found = find_spec("nvidia")
    for folder in found.submodule_search_locations or [] if found is not None else []:
        for path in sorted(Path(folder).glob("c*/lib/libnvrtc.so.*"), reverse=True):
            if "builtins" not in path.name and ".alt." not in path.name:
                yield str(path)
    yield from ("libnvrtc.so.13", "libnvrtc.so.12")


def _content(nvrtc: _Library, name: str, program: ctypes.c_void_p) -> bytes:
    size = ctypes.c_size_t()
    nvrtc(f"{name}Size", program, ctypes.byref(size))
    content = ctypes.create_string_buffer(size.value)
    nvrtc(name, program, content)
    return content.raw


def _text(nvrtc: _Library, name: str, program: ctypes.c_void_p) -> str:
    return _content(nvrtc, name, program).rstrip(b"\0").decode(errors="replace").strip()
