"""Runs programs with the execution engine of MLIR's Python bindings, in a worker process."""

from functools import cache
from importlib.util import find_spec

from verify.toolchain.channel import Header
from verify.toolchain.lowering import Program, RunError
from verify.toolchain.messages import parse_messages
from verify.toolchain.worker import Reply, Worker, WorkerDiedError, WorkerTimeoutError


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
    reply = _call("compile", {}, program.text.encode(), timeout_s)
    if "error" in reply.header:
        said = [each["message"] for each in parse_messages(reply.stderr)]
        reason = (said or [reply.header["error"]])[0]
        raise RunError(reply.header["step"], reason, reply.stderr)
    count = len(images) // program.image_bytes
    return _call("run", {"count": count}, images, timeout_s).blob


def _call(method: str, arguments: Header, blob: bytes, timeout_s: float) -> Reply:
    try:
        return engine_worker().call(method, arguments, blob, timeout_s=timeout_s)
    except (WorkerDiedError, WorkerTimeoutError) as error:
        raise RunError(method, error.reason, error.stderr, has_died=True) from None
