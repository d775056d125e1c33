"""Runs programs with the execution engine of MLIR's Python bindings, in a worker process."""

from functools import cache
from importlib.util import find_spec

from verify.toolchain.lowering import Program, RunError, libraries
from verify.toolchain.worker import (
    Worker,
    WorkerDiedError,
    WorkerError,
    WorkerFaultError,
    WorkerTimeoutError,
)


@cache
def engine_worker() -> Worker:
    """The worker that compiles and runs, one for this process."""
    return Worker("verify.toolchain.serve_engine")


@cache
def is_installed() -> bool:
    """Whether the bindings and their execution engine are there, found out without loading."""
    try:
        return find_spec("mlir._mlir_libs._mlirExecutionEngine") is not None
    except ModuleNotFoundError:
        return False


def run(program: Program, images: bytes, timeout_s: float) -> bytes:
    """The images after the program has run on each; raises `RunError`."""
    text = program.text.encode()
    arguments = {
        "text_bytes": len(text),
        "count": len(images) // program.image_bytes,
        "libraries": libraries(),
    }
    try:
        reply = engine_worker().call("run", arguments, text + images, timeout_s=timeout_s)
    except WorkerFaultError:
        raise
    except (WorkerDiedError, WorkerTimeoutError) as error:
        raise RunError("run", error.reason, error.stderr, has_died=True) from None
    except WorkerError as error:
        raise RunError("run", error.reason, error.stderr) from None
    if "error" in reply.header:
        raise RunError(reply.header["step"], reply.header["error"], reply.stderr)
    return reply.blob
