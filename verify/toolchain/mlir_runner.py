"""Runs programs with `mlir-opt` and `mlir-runner`, both started afresh for each run.

The images are constants of the program, and it prints them as 64-bit integers, so that no digit
is lost on the way.
"""

import os
import shutil
import signal
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from verify.toolchain.lowering import ENTRY, PIPELINE, Program, RunError, libraries, package_folder
from verify.toolchain.memory import limit_this_process

_OPT, _RUNNER = "mlir-opt", "mlir-runner"
_WORD = 8


@cache
def find_binaries() -> tuple[str, str] | None:
    """An `mlir-opt` and an `mlir-runner` of one installation, the Python package's first."""
    folder = package_folder()
    pairs = [(folder / "bin" / _OPT, folder / "bin" / _RUNNER)] if folder else []
    if found := shutil.which(_RUNNER):
        pairs.append((Path(found).with_name(_OPT), Path(found)))
    for optimiser, runner in pairs:
        if os.access(optimiser, os.X_OK) and os.access(runner, os.X_OK):
            return str(optimiser), str(runner)
    return None


def is_installed() -> bool:
    """Whether both binaries and the library that prints are there."""
    return find_binaries() is not None and bool(libraries())


def run(program: Program, images: bytes, timeout_s: float) -> bytes:
    """The images after the program has run on each; raises `RunError`."""
    binaries = find_binaries()
    if binaries is None:
        raise RunError("run", "there is no `mlir-runner`")
    optimiser, runner = binaries
    text = f"{program.text}\n{_main(program, images)}"
    pipeline = f"--pass-pipeline={PIPELINE}"
    lowered = _start([optimiser, pipeline], text.encode(), timeout_s, "lower")
    flags = ["-e", "main", "--entry-point-result=void", f"--shared-libs={','.join(libraries())}"]
    printed = _start([runner, *flags], lowered, timeout_s, "run")
    return b"".join(
        int(number).to_bytes(_WORD, "little", signed=True) for number in printed.split()
    )


def _main(program: Program, images: bytes) -> str:
    """A `main` that holds the images, runs the entry on them and prints them."""
    size = len(images)
    words = size // _WORD
    return f"""\
memref.global "private" @verify_ir_images : memref<{size}xi8> = dense<"0x{images.hex()}">
func.func private @printI64(i64)
func.func private @printNewline()
func.func @main() {{
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %words = arith.constant {words} : index
  %count = arith.constant {size // program.image_bytes} : index
  %fixed = memref.get_global @verify_ir_images : memref<{size}xi8>
  %images = memref.cast %fixed : memref<{size}xi8> to memref<?xi8>
  func.call @{ENTRY}(%images, %count) : (memref<?xi8>, index) -> ()
  %numbers = memref.view %images[%zero][%words] : memref<?xi8> to memref<?xi64>
  scf.for %i = %zero to %words step %one {{
    %number = memref.load %numbers[%i] : memref<?xi64>
    func.call @printI64(%number) : (i64) -> ()
    func.call @printNewline() : () -> ()
  }}
  return
}}
"""


def _start(command: Sequence[str], text: bytes, timeout_s: float, step: str) -> bytes:
    try:
        done = subprocess.run(
            command,
            input=text,
            capture_output=True,
            timeout=timeout_s,
            check=False,
            preexec_fn=limit_this_process,
        )
    except subprocess.TimeoutExpired:
        reason = f"did not end within {timeout_s:g} s"
        raise RunError(step, reason, has_died=True) from None
    except OSError as error:
        raise RunError(step, f"`{command[0]}` cannot be started: {error.strerror}") from None
    if done.returncode == 0:
        return done.stdout
    raise _failure(done, step)


def _failure(done: "subprocess.CompletedProcess[bytes]", step: str) -> RunError:
    stderr = done.stderr.decode("utf-8", "replace")
    if done.returncode < 0:
        name = signal.Signals(-done.returncode).name
        return RunError(step, f"died with signal {name}", stderr, has_died=True)
    said = [line.partition("error: ")[2] for line in stderr.splitlines() if "error: " in line]
    return RunError(step, said[0] if said else f"ended with exit code {done.returncode}", stderr)
