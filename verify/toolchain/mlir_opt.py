"""`mlir-opt:PIPELINE`: an `mlir-opt` binary, run afresh for each call."""

import json
import os
import re
import signal
import subprocess
import sys
import sysconfig
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from verify.diagnostic import Diagnostic
from verify.ir.foreign_places import places_in_source
from verify.ir.frontend import has_bindings, read_printed
from verify.ir.module import ParsedModule
from verify.ir.printing import to_generic_text
from verify.ir.source import STDIN, SourceText
from verify.toolchain.failures import (
    output_refused,
    pass_failed,
    worker_failed,
)
from verify.toolchain.flatten import TEXT_ITSELF, WRITTEN_STDIN
from verify.toolchain.known_passes import UPSTREAM_PASSES
from verify.toolchain.memory import limit_this_process
from verify.toolchain.messages import parse_messages
from verify.toolchain.outcome import (
    PassLimits,
    PassOutcome,
    PassUsageError,
    RunOptions,
    ToolchainInfo,
)
from verify.toolchain.pipelines import (
    split_pipelines,
    strip_module,
    wanted_anchor,
)
from verify.toolchain.usage import bad_pipeline
from verify.toolchain.worker import Reply, WorkerDiedError, WorkerError, WorkerTimeoutError

_NOT_INSTALLED = "toolchain mlir-opt is not installed: pip install 'verify-ir[tools]'"
_FLAGS = (
    "--allow-unregistered-dialect",
    "--mlir-disable-threading",
    "--mlir-print-op-generic",
    "--mlir-print-debuginfo",
    "--mlir-print-local-scope",
)
_VERSION = re.compile(r"LLVM version (\S+)")
_BINARY_NAME = re.compile(r"mlir-opt(-\d+)?$")
_NOT_ADDED = re.compile(r"failed to add `([\w-]+)`")
_PIPELINE_ERROR = "MLIR Textual PassPipeline Parser"
_VERSION_TIMEOUT_S = 20.0


@dataclass(frozen=True, slots=True)
class Completed:
    """What one run of the binary gave."""

    return_code: int
    stdout: str
    stderr: str
    seconds: float


def find_binary(path: str | None = None) -> str | None:
    """The binary at `path`, or else the newest that is installed."""
    if path is not None:
        return path if Path(path).is_file() and os.access(path, os.X_OK) else None
    return newest_binary()


@cache
def newest_binary() -> str | None:
    """The `mlir-opt` of the highest version on the path and among Python packages."""
    found = [(binary_version(path), path) for path in _candidates()]
    return max(found, key=lambda item: _version_key(item[0]))[1] if found else None


@cache
def binary_version(path: str) -> str:
    """The LLVM version that the binary states; empty when it states none."""
    try:
        completed = subprocess.run(
            [path, "--version"],
            capture_output=True,
            timeout=_VERSION_TIMEOUT_S,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    match = _VERSION.search(completed.stdout.decode("utf-8", "replace"))
    return match[1] if match else ""


def info(path: str | None = None) -> ToolchainInfo:
    """Whether a binary is here, which one, and which version of it."""
    binary = find_binary(path)
    if binary is None:
        reason = _NOT_INSTALLED if path is None else f"`{path}` is no program that can be run"
        return ToolchainInfo("mlir-opt", "", (), available=False, reason=reason)
    return ToolchainInfo("mlir-opt", binary_version(binary), UPSTREAM_PASSES, available=True)


def run(pipeline: str, module: ParsedModule, options: PassLimits) -> PassOutcome:
    """Run each pass of `pipeline` in turn; the first that fails is the outcome."""
    binary = find_binary(options.mlir_opt)
    if binary is None:
        raise PassUsageError(info(options.mlir_opt).reason)
    elements = split_pipelines(strip_module(pipeline))
    if not elements:
        raise PassUsageError("`mlir-opt:` names no pass")
    assert module.module is not None
    text = to_generic_text(module.module)
    pass_name = f"mlir-opt:{pipeline}"
    try:
        completed = _run_nested(binary, elements, text, options)
    except WorkerError as error:
        return worker_failed(error, pass_name, text, module)
    return _outcome(completed, text, pass_name, module)


def check(pipeline: str, path: str | None = None) -> None:
    """Raise `PassUsageError` when the binary is missing or does not know the pipeline."""
    binary = find_binary(path)
    if binary is None:
        raise PassUsageError(info(path).reason)
    elements = split_pipelines(strip_module(pipeline))
    try:
        completed = _run_nested(binary, elements, "", RunOptions(timeout_s=_VERSION_TIMEOUT_S))
    except WorkerError:  # it dies or hangs on an empty module; the run will tell
        return
    _raise_bad_pipeline(completed, f"mlir-opt:{pipeline}")


def read_generic(text: str, source: SourceText, path: str, timeout_s: float) -> ParsedModule:
    """Read custom syntax by way of the newest binary, which prints the generic form."""
    from verify.ir.refusals import refusal_diagnostics
    from verify.ir.xdsl_text import read_with_xdsl

    binary = newest_binary()
    if binary is None:
        error = Diagnostic("E0001", "no `mlir-opt` was found to read this input")
        return ParsedModule(path, source, None, (error,), "mlir-opt")
    try:
        completed = complete(binary, (), text, timeout_s)
    except WorkerError as failure:
        error = Diagnostic("E0001", f"`mlir-opt` {failure.reason} on this input")
        return ParsedModule(path, source, None, (error,), "mlir-opt")
    if completed.return_code:
        header = {
            "errors": _own_places(_errors(completed)),
            "is_syntax": "see current operation" not in completed.stderr,
        }
        return ParsedModule(path, source, None, refusal_diagnostics(header, source), "mlir-opt")
    printed = completed.stdout.replace('loc("-":', f"loc({json.dumps(source.path)}:")
    printed = printed.replace('loc("<stdin>":', f"loc({json.dumps(source.path)}:")
    return read_with_xdsl(source, printed, path, frontend="mlir-opt")


def complete(binary: str, arguments: Sequence[str], text: str, timeout_s: float) -> Completed:
    """Run the binary on `text`; raises what a worker would when it dies or hangs."""
    begin = time.perf_counter()
    command = [binary, *_FLAGS, *arguments, "-"]
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


def _run_nested(binary: str, elements: list[str], text: str, options: PassLimits) -> Completed:
    """Run the whole pipeline, with each pass nested where the binary says that it must be."""
    anchors: dict[str, str] = {}
    while True:
        parts = [_nested(element, anchors) for element in elements]
        flags = [f"--pass-pipeline=builtin.module({','.join(parts)})"]
        if has_bindings():
            # The output is verified when it is read, which tells its faults from the passes' own.
            flags.append("--verify-each=false")
        completed = complete(binary, flags, text, options.timeout_s)
        anchor = wanted_anchor(completed.stderr)
        failed = _NOT_ADDED.search(completed.stderr)
        if anchor is None or failed is None or failed[1] in anchors:
            return completed
        anchors[failed[1]] = anchor


def _nested(element: str, anchors: dict[str, str]) -> str:
    anchor = anchors.get(re.split(r"[{(<]", element)[0])
    return f"{anchor}({element})" if anchor else element


def _outcome(completed: Completed, text: str, pass_name: str, module: ParsedModule) -> PassOutcome:
    reply = Reply({}, b"", completed.stderr, completed.seconds)
    if completed.return_code == 0:
        result = read_printed(completed.stdout, module.source, module.path)
        if not result.errors:
            return PassOutcome(result, (), completed.stderr, completed.seconds, completed.stdout)
        return output_refused(result.errors, pass_name, completed.stdout, reply)
    _raise_bad_pipeline(completed, pass_name)
    errors = _errors(completed)
    if module.source.path != STDIN:
        errors = places_in_source(errors, text, "the text it was given", {WRITTEN_STDIN})
    header: dict[str, Any] = {"errors": errors}
    return pass_failed(header, pass_name, module, reply)


def _raise_bad_pipeline(completed: Completed, pass_name: str) -> None:
    if _PIPELINE_ERROR in completed.stderr or "failed to add" in completed.stderr:
        raise bad_pipeline(pass_name, "mlir-opt", completed.stderr, UPSTREAM_PASSES)


def _errors(completed: Completed) -> list[dict[str, Any]]:
    last = completed.stderr.strip().splitlines()[-1:] or ["no message"]
    errors = parse_messages(completed.stderr)
    return errors or [{"message": last[0], "place": None, "notes": []}]


def _own_places(errors: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Errors about a text that was piped in, with the binary's name for it made MLIR's own."""
    for item in [*errors, *(note for error in errors for note in error["notes"])]:
        if item["place"] is not None and item["place"][0] == WRITTEN_STDIN:
            item["place"] = (TEXT_ITSELF, *item["place"][1:])
    return errors


def _candidates() -> list[str]:
    folders = [Path(part) for part in os.environ.get("PATH", "").split(os.pathsep) if part]
    folders.append(Path(sysconfig.get_path("scripts")))
    folders.append(Path(sys.executable).parent)
    package = find_spec("mlir")
    places = package.submodule_search_locations if package else None
    folders += [Path(place) / "bin" for place in places or ()]
    found = [
        str(file)
        for folder in dict.fromkeys(folders)
        if folder.is_dir()
        for file in sorted(folder.glob("mlir-opt*"))
        if _BINARY_NAME.match(file.name) and os.access(file, os.X_OK)
    ]
    return list(dict.fromkeys(found))


def _version_key(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version))
