"""Runs functions of MLIR modules natively: upstream lowering to LLVM, then LLVM's JIT.

A *call* names a function and brings everything that it reads: buffers as bytes, and its arguments
as places in them or as the bytes of scalars. What comes back are the buffers as they are then and
the results. The JIT lives in a worker process, for a wrong program takes its process with it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from verify.ir.frontend import has_bindings
from verify.toolchain.outcome import ToolchainInfo
from verify.toolchain.worker import Reply, Worker, WorkerDiedError, WorkerError, WorkerTimeoutError

LOWERING = (
    "lower-affine,convert-linalg-to-loops,scf-forall-to-parallel,convert-scf-to-cf,"
    "expand-strided-metadata,memref-expand,lower-affine,arith-expand,convert-vector-to-llvm,"
    "convert-math-to-llvm,convert-math-to-libm,finalize-memref-to-llvm,convert-arith-to-llvm,"
    "convert-index-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,convert-ub-to-llvm,"
    "reconcile-unrealized-casts"
)
"""Passes that take `func`, `scf`, `affine`, `memref`, `arith`, `math`, ... to the LLVM dialect.

`affine` goes first: others fold its bounds on their way, and not rightly in MLIR 22.1.8.
"""

LIBRARIES = ("libmlir_c_runner_utils.so", "libmlir_runner_utils.so", "libmlir_float16_utils.so")
"""MLIR's own libraries that lowered code calls."""

_NOT_INSTALLED = "MLIR's JIT is not installed: pip install xtc-mlir-python-bindings"


@dataclass(frozen=True, slots=True)
class NativeScalar:
    """An integer, index or float argument as its bytes in memory; an `i1` is a byte 0 or 1."""

    content: bytes


@dataclass(frozen=True, slots=True)
class NativeMemref:
    """A ranked memref argument: a descriptor whose base pointer is at byte `base` of a buffer.

    `buffer` is a number in the call's buffers; `offset` and `strides` count elements.
    """

    buffer: int
    offset: int
    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    base: int = 0


@dataclass(frozen=True, slots=True)
class NativePointer:
    """An `!llvm.ptr` argument: byte `place` of a buffer."""

    buffer: int
    place: int = 0


NativeArgument: TypeAlias = NativeScalar | NativeMemref | NativePointer


@dataclass(frozen=True, eq=False, slots=True)
class NativeCall:
    """One call: the function, the bytes of all memory that it is given, its arguments."""

    function: str
    buffers: Sequence[NDArray[np.uint8]]
    arguments: Sequence[NativeArgument]


@dataclass(frozen=True, slots=True)
class NativeView:
    """A memref that a function returned, with its elements in row-major order.

    `buffer` and `base` tell where its base pointer lies, when that is in a buffer of the call.
    """

    content: bytes
    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int
    buffer: int | None
    base: int


NativeValue: TypeAlias = NativeScalar | NativeView


@dataclass(frozen=True, slots=True)
class NativeOutcome:
    """What a call came to. `status` `refused` means that the module did not compile.

    `strays` names buffers around which bytes changed that belong to no buffer.
    """

    status: Literal["ran", "refused", "crash", "timeout"]
    buffers: tuple[bytes, ...] = ()
    results: tuple[NativeValue, ...] = ()
    message: str = ""
    strays: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class NativeOptions:
    """How modules are compiled: passes, LLVM's optimisation level, the time for all calls.

    With `drops_promises`, lowered code loses `nsw`, `nuw` and `inbounds`: MLIR 22.1.8 promises
    that index times stride does not wrap, which is wrong for a negative stride.
    """

    lowering: str = LOWERING
    optimisation: int = 0
    timeout_s: float = 60.0
    drops_promises: bool = False


_PROMISES = re.compile(r" overflow<[a-z, ]+>|(?<=getelementptr) (?:inbounds|nusw|nuw|\|)+(?= )")


def without_promises(lowered: str) -> str:
    """A module in the LLVM dialect without the flags of its ops on overflow and bounds."""
    return _PROMISES.sub("", lowered)


@cache
def has_jit() -> bool:
    """Whether MLIR's execution engine is installed, found out without loading it."""
    return has_bindings() and find_spec("mlir.execution_engine") is not None


@cache
def native_worker() -> Worker:
    """The worker that holds the JIT, one for this process."""
    return Worker("verify.toolchain.serve_native")


def info() -> ToolchainInfo:
    """Whether the JIT is here, and which version of it."""
    if not has_jit():
        return ToolchainInfo("native", "", (), available=False, reason=_NOT_INSTALLED)
    try:
        release = version("xtc-mlir-python-bindings")
    except PackageNotFoundError:
        release = "unknown"
    return ToolchainInfo("native", release, (), available=True)


def run_native(
    text: str, calls: Sequence[NativeCall], options: NativeOptions | None = None
) -> list[NativeOutcome]:
    """Compile a module once and make each call on fresh copies of its buffers.

    When a call kills the worker, the calls after it are made in a new one. Raises `ValueError`
    for arguments that do not fit the function, or when no JIT is installed.
    """
    if not has_jit():
        raise ValueError(_NOT_INSTALLED)
    options = options or NativeOptions()
    try:
        return _exchange(text, calls, options)
    except (WorkerDiedError, WorkerTimeoutError) as error:
        if len(calls) > 1:
            return [run_native(text, [call], options)[0] for call in calls]
        return [_lost(error) for _ in calls]


def _lost(error: WorkerError) -> NativeOutcome:
    last = "\n".join(error.stderr.strip().splitlines()[-20:])
    message = f"{error.reason}\n{last}".strip()
    return NativeOutcome(
        "timeout" if isinstance(error, WorkerTimeoutError) else "crash", (), (), message
    )


def _exchange(
    text: str, calls: Sequence[NativeCall], options: NativeOptions
) -> list[NativeOutcome]:
    header = {
        "text": text,
        "lowering": options.lowering,
        "optimisation": options.optimisation,
        "drops_promises": options.drops_promises,
        "calls": [_call_header(call) for call in calls],
    }
    blob = b"".join(buffer.tobytes() for call in calls for buffer in call.buffers)
    reply = native_worker().call("run", header, blob, timeout_s=options.timeout_s)
    if "misuse" in reply.header:
        raise ValueError(reply.header["misuse"])
    if "error" in reply.header:
        message = reply.header["error"]
        if reply.stderr.strip():
            message += f"\n{reply.stderr.strip()}"
        return [NativeOutcome("refused", message=message) for _ in calls]
    return _outcomes(reply, calls)


def _call_header(call: NativeCall) -> dict[str, Any]:
    return {
        "function": call.function,
        "buffers": [buffer.nbytes for buffer in call.buffers],
        "arguments": [_argument_header(argument) for argument in call.arguments],
    }


def _argument_header(argument: NativeArgument) -> dict[str, Any]:
    match argument:
        case NativeScalar(content):
            return {"kind": "scalar", "content": content.hex()}
        case NativePointer(buffer, place):
            return {"kind": "pointer", "buffer": buffer, "place": place}
        case NativeMemref(buffer, offset, sizes, strides, base):
            return {
                "kind": "memref",
                "buffer": buffer,
                "base": base,
                "numbers": [offset, *sizes, *strides],
            }


def _outcomes(reply: Reply, calls: Sequence[NativeCall]) -> list[NativeOutcome]:
    place = 0

    def take(size: int) -> bytes:
        nonlocal place
        place += size
        return reply.blob[place - size : place]

    found: list[NativeOutcome] = []
    for call, answer in zip(calls, reply.header["calls"], strict=True):
        buffers = tuple(take(buffer.nbytes) for buffer in call.buffers)
        results = tuple(_value(item, take(item["size"])) for item in answer["results"])
        found.append(NativeOutcome("ran", buffers, results, "", tuple(answer["strays"])))
    return found


def _value(item: dict[str, Any], content: bytes) -> NativeValue:
    if item["kind"] == "scalar":
        return NativeScalar(content)
    return NativeView(
        content,
        tuple(item["sizes"]),
        tuple(item["strides"]),
        item["offset"],
        item["buffer"],
        item["base"],
    )
