"""One run of an `mlir-opt` binary: text in, text out, and what it said."""

import re
import signal
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from verify.ir.frontend import has_bindings
from verify.toolchain.memory import limit_this_process
from verify.toolchain.messages import parse_messages
from verify.toolchain.outcome import PassLimits
from verify.toolchain.pipelines import wanted_anchor
from verify.toolchain.worker import WorkerDiedError, WorkerTimeoutError

_FLAGS = (
    "--allow-unregistered-dialect",
    "--mlir-disable-threading",
    "--mlir-print-debuginfo",
    "--mlir-print-local-scope",
)
_GENERIC = "--mlir-print-op-generic"
_NOT_ADDED = re.compile(r"failed to add `([\w-]+)`")


@dataclass(frozen=True, slots=True)
class Completed:
    """What one run of the binary gave."""

    return_code: int
    stdout: str
    stderr: str
    seconds: float


def complete(
    binary: str,
    arguments: Sequence[str],
    text: str,
    timeout_s: float,
    *,
    is_generic: bool = True,
) -> Completed:
    """Run the binary on `text`; raises what a worker would when it dies or hangs."""
    begin = time.perf_counter()
    form = [_GENERIC] if is_generic else []
    command = [binary, *_FLAGS, *form, *arguments, "-"]
    try:
        done = subprocess.run(
            command,
            input=text.encode(),
            capture_output=True,
            timeout=timeout_s,
            check=False,
            preexec_fn=limit_this_process,
        )
    except subprocess.TimeoutExpired as error:
        words = (error.stderr or b"").decode("utf-8", "replace")
        raise WorkerTimeoutError(f"did not end within {timeout_s:g} s", words) from None
    stderr = done.stderr.decode("utf-8", "replace")
    if done.returncode < 0 or done.returncode == 128 + signal.SIGABRT:
        raise WorkerDiedError(done.returncode, stderr)
    stdout = done.stdout.decode("utf-8", "replace")
    return Completed(done.returncode, stdout, stderr, time.perf_counter() - begin)


def run_nested(
    binary: str,
    elements: Sequence[str],
    text: str,
    options: PassLimits,
    *,
    is_generic: bool = True,
) -> Completed:
    """Run the whole pipeline, with each pass nested where the binary says that it must be."""
    anchors: dict[str, str] = {}
    while True:
        parts = [_nested(element, anchors) for element in elements]
        flags = [f"--pass-pipeline=builtin.module({','.join(parts)})"]
        if has_bindings():
            # The output is verified when it is read, which tells its faults from the passes' own.
            flags.append("--verify-each=false")
        completed = complete(binary, flags, text, options.timeout_s, is_generic=is_generic)
        anchor = wanted_anchor(completed.stderr)
        failed = _NOT_ADDED.search(completed.stderr)
        if anchor is None or failed is None or failed[1] in anchors:
            return completed
        anchors[failed[1]] = anchor


def _nested(element: str, anchors: dict[str, str]) -> str:
    anchor = anchors.get(re.split(r"[{(<]", element)[0])
    return f"{anchor}({element})" if anchor else element


def message(text: str) -> dict[str, Any]:
    """An error without a place."""
    return {"message": text, "place": None, "notes": []}


def errors_of(completed: Completed) -> list[dict[str, Any]]:
    """The errors that the binary printed, or else its last words."""
    last = completed.stderr.strip().splitlines()[-1:] or ["no message"]
    errors = parse_messages(completed.stderr)
    return errors or [message(last[0])]
