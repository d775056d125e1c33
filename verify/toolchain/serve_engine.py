"""The worker that compiles programs with MLIR's execution engine and runs them in its process."""

import ctypes
import sys
from collections.abc import Mapping
from importlib import import_module
from typing import Any

from verify.toolchain.channel import Header
from verify.toolchain.lowering import ENTRY, PIPELINE, libraries
from verify.toolchain.serving import Method, serve

# Types and attributes are never freed from a context, so it is renewed now and then.
_CALLS_PER_CONTEXT = 100
_OPT_LEVEL = 0


def main(read_fd: int, write_fd: int, memory_bytes: int) -> None:
    """Serve until the owner goes away."""
    serve(_load, read_fd, write_fd, memory_bytes)


def _load() -> Mapping[str, Method]:
    mlir: Any = import_module("mlir._mlir_libs._mlir")
    mlir.globals.dialect_search_modules = []
    sys.modules.setdefault("mlir.ir", mlir.ir)
    engine: Any = import_module("mlir._mlir_libs._mlirExecutionEngine")
    server = _Server(mlir, engine)
    return {"compile": server.compile, "run": server.run}


class _Descriptor(ctypes.Structure):
    """A memref of one dimension, as lowered code takes it."""

    _fields_ = (
        ("allocated", ctypes.c_void_p),
        ("aligned", ctypes.c_void_p),
        ("offset", ctypes.c_int64),
        ("size", ctypes.c_int64),
        ("stride", ctypes.c_int64),
    )


class _Server:
    def __init__(self, mlir: Any, engine: Any) -> None:
        self._ir = mlir.ir
        self._pass_manager = mlir.passmanager.PassManager
        self._engine = engine.ExecutionEngine
        self._context: Any = None
        self._calls = 0
        self._program: Any = None
        self._entry = 0

    def compile(self, _arguments: Header, blob: bytes) -> tuple[Header, bytes]:
        """Make a program ready to run; answers `error` and the `step` where it does not compile."""
        self._entry, self._program, step = 0, None, "parse"
        try:
            module = self._ir.Module.parse(blob.decode(), self._fresh_context())
            step = "lower"
            self._pass_manager.parse(PIPELINE, module.context).run(module.operation)
            step = "compile"
            self._program = self._engine(module, _OPT_LEVEL, libraries())
            self._entry = self._program.raw_lookup(f"_mlir_ciface_{ENTRY}")
        except self._ir.MLIRError as error:
            said = [item.message for item in error.error_diagnostics]
            return {"step": step, "error": (said or [str(error.message)])[0]}, b""
        except (RuntimeError, ValueError) as error:
            return {"step": step, "error": str(error).strip() or "it gives no reason"}, b""
        if not self._entry:
            return {"step": step, "error": f"there is no function `{ENTRY}`"}, b""
        return {}, b""

    def run(self, arguments: Header, blob: bytes) -> tuple[Header, bytes]:
        """Run the program that was compiled last on the images in the blob."""
        return {}, _call(self._entry, blob, arguments["count"])

    def _fresh_context(self) -> Any:
        if self._context is None or self._calls >= _CALLS_PER_CONTEXT:
            self._context = self._ir.Context(load_on_create_dialects=[])
            self._context.enable_multithreading(enable=False)
            self._calls = 0
        self._calls += 1
        return self._context


def _call(entry: int, images: bytes, count: int) -> bytes:
    """Run the function at address `entry` on a copy of the images."""
    memory = ctypes.create_string_buffer(images, len(images) + 64)
    place = (ctypes.addressof(memory) + 63) // 64 * 64
    ctypes.memmove(place, images, len(images))
    descriptor = _Descriptor(place, place, 0, len(images), 1)
    pointer = ctypes.pointer(descriptor)
    number = ctypes.c_int64(count)
    packed = (ctypes.c_void_p * 2)(ctypes.addressof(pointer), ctypes.addressof(number))
    ctypes.CFUNCTYPE(None, ctypes.c_void_p)(entry)(ctypes.addressof(packed))
    return ctypes.string_at(place, len(images))
