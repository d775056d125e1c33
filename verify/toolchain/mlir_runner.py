"""The same calls as `native` makes, through the binaries `mlir-opt` and `mlir-runner`.

The module is lowered and gets a `main` that makes every call and prints the bytes of all memory;
one process runs it.
"""

import signal
import subprocess
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from verify.toolchain.memory import limit_this_process
from verify.toolchain.mlir_opt import newest_binary
from verify.toolchain.native import (
    LIBRARIES,
    NativeCall,
    NativeOptions,
    NativeOutcome,
    NativeScalar,
    without_promises,
)
from verify.toolchain.native_kinds import result_places
from verify.toolchain.runner_main import MAIN, Signature, signature_of, with_main, words_of


@cache
def find_runner() -> str | None:
    """The `mlir-runner` beside the newest `mlir-opt`, when there is one."""
    optimiser = newest_binary()
    if optimiser is None:
        return None
    path = Path(optimiser)
    runner = path.with_name(path.name.replace("mlir-opt", "mlir-runner"))
    return str(runner) if runner.is_file() else None


def run_with_runner(
    text: str, calls: Sequence[NativeCall], options: NativeOptions | None = None
) -> list[NativeOutcome]:
    """What `native.run_native` gives; all calls share the fate of the process.

    Raises `ValueError` when no `mlir-runner` is installed, or for results that are memrefs.
    """
    options = options or NativeOptions()
    runner, optimiser = find_runner(), newest_binary()
    if runner is None or optimiser is None:
        raise ValueError("mlir-runner is not installed: pip install 'verify-ir[tools]'")
    pipeline = f"--pass-pipeline=builtin.module({options.lowering})"
    flags = ["--mlir-disable-threading", "--allow-unregistered-dialect", pipeline]
    lowered = _complete([optimiser, *flags, "-"], text, options.timeout_s)
    if isinstance(lowered, NativeOutcome):
        return [lowered for _ in calls]
    if options.drops_promises:
        lowered = without_promises(lowered)
    signatures = [signature_of(lowered, call.function) for call in calls]
    program = with_main(lowered, calls, signatures)
    printed = _complete([runner, *_flags(runner, options)], program, options.timeout_s)
    if isinstance(printed, NativeOutcome):
        return [printed for _ in calls]
    return list(_outcomes(printed, calls, signatures))


def _flags(runner: str, options: NativeOptions) -> list[str]:
    folder = Path(runner).parent.parent / "lib"
    found = [str(folder / name) for name in LIBRARIES if (folder / name).exists()]
    flags = ["-e", MAIN, "--entry-point-result=void", f"-O{options.optimisation}"]
    return [*flags, f"--shared-libs={','.join(found)}", "-"]


def _complete(command: Sequence[str], text: str, timeout_s: float) -> str | NativeOutcome:
    """What a binary prints, or how it failed."""
    try:
        done = subprocess.run(
            command,
            input=text.encode(),
            capture_output=True,
            timeout=timeout_s,
            check=False,
            preexec_fn=limit_this_process,
        )
    except subprocess.TimeoutExpired:
        return NativeOutcome("timeout", message=f"did not end within {timeout_s:g} s")
    words = done.stderr.decode("utf-8", "replace").strip()
    if done.returncode < 0:
        name = signal.Signals(-done.returncode).name
        return NativeOutcome("crash", message=f"died with signal {name}\n{words}")
    if done.returncode:
        return NativeOutcome("refused", message=words)
    return done.stdout.decode()


def _outcomes(
    printed: str, calls: Sequence[NativeCall], signatures: Sequence[Signature]
) -> Iterator[NativeOutcome]:
    words = iter(printed.split())

    def take(size: int) -> bytes:
        read = [next(words) for _ in range(words_of(size))]
        content = b"".join((int(w) % (1 << 64)).to_bytes(8, "little") for w in read)
        return content[:size]

    for call, signature in zip(calls, signatures, strict=True):
        buffers = tuple(take(buffer.nbytes) for buffer in call.buffers)
        places, total = result_places(signature.results)
        whole = take(total)
        results = tuple(
            NativeScalar(whole[place : place + kind.size])
            for place, kind in zip(places, signature.results, strict=True)
        )
        yield NativeOutcome("ran", buffers, results)
