"""The worker that holds MLIR's Python bindings: reads, prints and transforms modules."""

import sys
from collections.abc import Mapping
from importlib import import_module
from typing import Any

from verify.toolchain.channel import Header
from verify.toolchain.flatten import Flattener, file_place
from verify.toolchain.serving import Method, serve
from verify.toolchain.stacks import print_stack_on_death

# Types and attributes are never freed from a context, so it is renewed now and then.
_CALLS_PER_CONTEXT = 500
# A piece of file metadata may only stand at the top level, and this one is never right.
_PROBE, _PROBE_ERROR = "\n{-# 0 #-}", "file metadata"


def main(read_fd: int, write_fd: int, memory_bytes: int) -> None:
    """Serve until the owner goes away."""
    serve(_load, read_fd, write_fd, memory_bytes)


def _load() -> Mapping[str, Method]:
    # The package fronts of the bindings import NumPy and a Python class for every op, which
    # costs more than all that is needed here; the extension module alone is enough.
    _mlir: Any = import_module("mlir._mlir_libs._mlir")

    print_stack_on_death()
    _mlir.globals.dialect_search_modules = []
    sys.modules.setdefault("mlir.ir", _mlir.ir)
    server = _Server(_mlir)
    return {
        "ping": server.ping,
        "read": server.read,
        "verify": server.verify,
        "print": server.print,
        "run": server.run,
    }


class _Server:
    def __init__(self, mlir: Any) -> None:
        self._ir = mlir.ir
        self._pass_manager = mlir.passmanager.PassManager
        self._context: Any = None
        self._calls = 0

    def ping(self, _arguments: Header, _blob: bytes) -> tuple[Header, bytes]:
        return {"version": str(getattr(self._ir, "__version__", ""))}, b""

    def read(self, arguments: Header, blob: bytes) -> tuple[Header, bytes]:
        """Parse and verify text; answers the flat module, or what is wrong with it."""
        text = blob.decode()
        try:
            module = self._parse(text)
        except self._ir.MLIRError as error:
            return self._refusal(error, is_syntax=not self._parses(text)), b""
        return self._flat(module, arguments)

    def verify(self, _arguments: Header, blob: bytes) -> tuple[Header, bytes]:
        """Parse and verify text; answers only what is wrong with it."""
        try:
            self._parse(blob.decode())
        except self._ir.MLIRError as error:
            return self._refusal(error, is_syntax=False), b""
        return {}, b""

    def print(self, arguments: Header, blob: bytes) -> tuple[Header, bytes]:
        """Text to text, in custom or generic syntax, with or without locations."""
        try:
            module = self._parse(blob.decode())
        except self._ir.MLIRError as error:
            return self._refusal(error, is_syntax=True), b""
        return {}, self._asm(module, **arguments).encode()

    def run(self, arguments: Header, blob: bytes) -> tuple[Header, bytes]:
        """Run one pass pipeline; answers the flat module, or what failed at which `step`.

        The verifier runs apart from the passes, so that their own errors can be told from
        invalid output.
        """
        step = "parse"
        try:
            module = self._parse(blob.decode())
            step = "pipeline"
            manager = self._pass_manager.parse(arguments["pipeline"], module.context)
            manager.enable_verifier(enable=False)
            step = "run"
            manager.run(module.operation)
            step = "verify"
            module.operation.verify()
        except self._ir.MLIRError as error:
            return self._refusal(error, is_syntax=step == "parse") | {"step": step}, b""
        except ValueError as error:
            return {"errors": [{"message": str(error), "notes": []}], "step": step}, b""
        return self._flat(module, arguments)

    def _flat(self, module: Any, arguments: Header) -> tuple[Header, bytes]:
        flat = Flattener(arguments["file"], arguments["max_depth"])
        flat.flatten(module.operation)
        header = {"strings": flat.strings, "depth": flat.depth, "deepest": flat.deepest}
        return header, flat.blob()

    def _asm(self, module: Any, *, generic: bool, locations: bool) -> str:
        return module.operation.get_asm(
            enable_debug_info=locations,
            print_generic_op_form=generic,
            use_local_scope=locations,
            assume_verified=True,
        )

    def _parse(self, text: str) -> Any:
        if self._context is None or self._calls >= _CALLS_PER_CONTEXT:
            self._context = self._ir.Context(load_on_create_dialects=[])
            self._context.allow_unregistered_dialects = True
            self._context.enable_multithreading(enable=False)
            self._calls = 0
        self._calls += 1
        return self._ir.Module.parse(text, self._context)

    def _parses(self, text: str) -> bool:
        """Whether `text` is fine but for the verifier, which only runs after the last token."""
        try:
            self._parse(text + _PROBE)
        except self._ir.MLIRError as error:
            return any(_PROBE_ERROR in item.message for item in error.error_diagnostics)
        return True

    def _refusal(self, error: Any, *, is_syntax: bool) -> Header:
        errors = [self._message(item) for item in error.error_diagnostics]
        errors = errors or [{"message": str(error.message), "place": None, "notes": []}]
        return {"errors": errors, "is_syntax": is_syntax}

    def _message(self, item: Any) -> Header:
        notes = [{"message": n.message, "place": file_place(n.location)} for n in item.notes]
        return {"message": item.message, "place": file_place(item.location), "notes": notes}
