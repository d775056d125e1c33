"""The worker that lowers modules to LLVM, compiles them with MLIR's execution engine and runs them.

LLVM's own calling convention for expanded memrefs is used: a ranked memref is its base pointer
twice, its offset, sizes and strides; several results are the members of one struct.
"""

import ctypes
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from verify.toolchain.channel import Header
from verify.toolchain.native import LIBRARIES, without_promises
from verify.toolchain.native_kinds import Kind, kinds_of, result_places
from verify.toolchain.serving import Method, serve

_CALLS_PER_CONTEXT = 200
_GUARD_BYTES = 256
_GUARD = 0xC5
_ALIGNMENT = 256


def main(read_fd: int, write_fd: int, memory_bytes: int) -> None:
    """Serve until the owner goes away."""
    serve(_load, read_fd, write_fd, memory_bytes)


def _load() -> Mapping[str, Method]:
    server = _Server()
    return {"run": server.run, "ping": server.ping}


class MisuseError(Exception):
    """A call whose arguments do not fit its function."""


@dataclass(slots=True)
class _Memory:
    """One buffer between two guards."""

    raw: Any
    address: int
    size: int

    @classmethod
    def of(cls, content: bytes) -> "_Memory":
        raw = (ctypes.c_uint8 * (len(content) + 2 * _GUARD_BYTES + _ALIGNMENT))()
        ctypes.memset(raw, _GUARD, ctypes.sizeof(raw))
        start = ctypes.addressof(raw) + _GUARD_BYTES
        start += -start % _ALIGNMENT
        ctypes.memmove(start, content, len(content))
        return cls(raw, start, len(content))

    def content(self) -> bytes:
        """The bytes as they are now."""
        return ctypes.string_at(self.address, self.size)

    def is_intact(self) -> bool:
        """Whether the guards are as they were."""
        before = self.address - ctypes.addressof(self.raw)
        everything = bytes(self.raw)
        guards = everything[:before] + everything[before + self.size :]
        return guards.count(_GUARD) == len(guards)


class _Server:
    def __init__(self) -> None:
        self._ir: Any = import_module("mlir.ir")
        self._pass_manager: Any = import_module("mlir.passmanager").PassManager
        self._engine: Any = import_module("mlir.execution_engine").ExecutionEngine
        folder = Path(self._ir.__file__).parent / "lib"
        self._libraries = [str(folder / name) for name in LIBRARIES if (folder / name).exists()]
        self._context: Any = None
        self._calls = 0

    def ping(self, _arguments: Header, _blob: bytes) -> tuple[Header, bytes]:
        return {}, b""

    def run(self, arguments: Header, blob: bytes) -> tuple[Header, bytes]:
        """Compile `text` and make each of `calls`, whose buffers follow one another in `blob`."""
        try:
            module = self._parse(arguments["text"])
            signatures = self._signatures(module, arguments["calls"])
            pipeline = f"builtin.module({arguments['lowering']})"
            manager = self._pass_manager.parse(pipeline, module.context)
            manager.run(module.operation)
            if arguments["drops_promises"]:
                module = self._parse(without_promises(str(module)))
            engine = self._engine(
                module, opt_level=arguments["optimisation"], shared_libs=self._libraries
            )
        except self._ir.MLIRError as error:
            return {"error": _words(error)}, b""
        except (RuntimeError, ValueError) as error:
            return {"error": str(error)}, b""
        except MisuseError as error:
            return {"misuse": str(error)}, b""
        return self._make_calls(engine, signatures, arguments["calls"], blob)

    def _make_calls(
        self, engine: Any, signatures: list[Any], calls: list[Header], blob: bytes
    ) -> tuple[Header, bytes]:
        answers: list[Header] = []
        contents: list[bytes] = []
        place = 0
        for call, (_, results) in zip(calls, signatures, strict=True):
            memories: list[_Memory] = []
            for size in call["buffers"]:
                memories.append(_Memory.of(blob[place : place + size]))
                place += size
            address = engine.raw_lookup(call["function"])
            if not address:
                return {"error": f"the JIT does not find `@{call['function']}`"}, b""
            frame = _invoke(address, call, results, memories)
            found = _results(frame, results, memories)
            contents += [m.content() for m in memories] + [content for _, content in found]
            strays = [i for i, m in enumerate(memories) if not m.is_intact()]
            answers.append({"results": [header for header, _ in found], "strays": strays})
        return {"calls": answers}, b"".join(contents)

    def _signatures(self, module: Any, calls: list[Header]) -> list[tuple[list[Kind], list[Kind]]]:
        table = {
            self._ir.StringAttr(op.attributes["sym_name"]).value: op
            for op in module.body.operations
            if "sym_name" in op.attributes and "function_type" in op.attributes
        }
        found: list[tuple[list[Kind], list[Kind]]] = []
        for call in calls:
            if call["function"] not in table:
                raise MisuseError(f"the module has no function `@{call['function']}`")
            signature = kinds_of(self._ir, table[call["function"]])
            _check(call, signature[0])
            found.append(signature)
        return found

    def _parse(self, text: str) -> Any:
        if self._context is None or self._calls >= _CALLS_PER_CONTEXT:
            self._context = self._ir.Context()
            self._context.allow_unregistered_dialects = True
            self._context.enable_multithreading(enable=False)
            self._calls = 0
        self._calls += 1
        return self._ir.Module.parse(text, self._context)


def _words(error: Any) -> str:
    lines = [str(error.message)]
    for item in error.error_diagnostics:
        lines.append(f"{item.location}: {item.message}")
        lines += [f"  {note.location}: {note.message}" for note in item.notes]
    return "\n".join(lines)


def _check(call: Header, kinds: list[Kind]) -> None:
    """Native code believes what it is given, so it is compared with the types here."""
    arguments, name = call["arguments"], call["function"]
    if len(arguments) != len(kinds):
        raise MisuseError(f"`@{name}` takes {len(kinds)} arguments, not {len(arguments)}")
    for position, (argument, kind) in enumerate(zip(arguments, kinds, strict=True)):
        where = f"argument {position} of `@{name}`"
        if argument["kind"] != kind.name:
            raise MisuseError(f"{where} is a {kind.name}, not a {argument['kind']}")
        if kind.name == "scalar" and len(argument["content"]) != 2 * kind.size:
            raise MisuseError(f"{where} has {kind.size} bytes")
        if kind.name == "memref" and len(argument["numbers"]) != 1 + 2 * kind.rank:
            raise MisuseError(f"{where} is of rank {kind.rank}")
        if kind.name != "scalar" and not 0 <= argument["buffer"] < len(call["buffers"]):
            raise MisuseError(f"{where} lies in a buffer that is not given")


def _invoke(address: int, call: Header, results: list[Kind], memories: list[_Memory]) -> Any:
    """Call through the packed wrapper: one array of pointers, to each argument and the results."""
    cells: list[Any] = []
    for argument in call["arguments"]:
        cells += _cells(argument, memories)
    frame = (ctypes.c_uint8 * max(1, result_places(results)[1]))()
    pointers = [ctypes.addressof(cell) for cell in cells]
    if results:
        pointers.append(ctypes.addressof(frame))
    packed = (ctypes.c_void_p * max(1, len(pointers)))(*pointers)
    ctypes.CFUNCTYPE(None, ctypes.c_void_p)(address)(ctypes.addressof(packed))
    return frame


def _cells(argument: Header, memories: list[_Memory]) -> list[Any]:
    if argument["kind"] == "scalar":
        content = bytes.fromhex(argument["content"])
        return [(ctypes.c_uint8 * 16)(*content)]
    start = memories[argument["buffer"]].address
    if argument["kind"] == "pointer":
        return [ctypes.c_uint64(start + argument["place"])]
    base = ctypes.c_uint64(start + argument["base"])
    return [base, base, *map(ctypes.c_int64, argument["numbers"])]


def _results(frame: Any, kinds: list[Kind], memories: list[_Memory]) -> list[tuple[Header, bytes]]:
    whole = bytes(frame)
    places = result_places(kinds)[0]
    read = partial(_view, memories=memories)
    return [
        read(kind, whole[place:])
        if kind.name == "memref"
        else ({"kind": "scalar", "size": kind.size}, whole[place : place + kind.size])
        for kind, place in zip(kinds, places, strict=True)
    ]


def _view(kind: Kind, descriptor: bytes, memories: list[_Memory]) -> tuple[Header, bytes]:
    cells = [
        int.from_bytes(descriptor[8 * i : 8 * i + 8], "little", signed=i >= 2)
        for i in range(3 + 2 * kind.rank)
    ]
    aligned, offset, numbers = cells[1], cells[2], cells[3:]
    sizes, strides = numbers[: kind.rank], numbers[kind.rank :]
    places = [offset]
    for size, stride in zip(sizes, strides, strict=True):
        places = [place + k * stride for place in places for k in range(size)]
    unit = kind.size
    content = b"".join(ctypes.string_at(aligned + place * unit, unit) for place in places)
    header: Header = {"kind": "memref", "size": len(content), "sizes": sizes, "strides": strides}
    header |= {"offset": offset, "buffer": None, "base": 0}
    for number, memory in enumerate(memories):
        if memory.address <= aligned <= memory.address + memory.size:
            header |= {"buffer": number, "base": aligned - memory.address}
    return header, content
