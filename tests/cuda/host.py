"""Printed kernels on the CPU: the same source, compiled by the system's C++ compiler.

The blocks of a grid run one after the other, and so do the threads of a block, unless the kernel
has barriers: then each is a thread of its own. The program runs in a process of its own, under
the compiler's checks for undefined behaviour and wild accesses.
"""

from __future__ import annotations

import shutil
import struct
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from verify.replay.buffers import Buffer
from verify.replay.cuda.kernel import Kernel, prelude
from verify.replay.cuda.launch import Launch, Place

COMPILER = shutil.which("g++") or shutil.which("clang++")
OPTIONS = (
    "-std=c++17",
    "-O1",
    "-w",
    "-pthread",
    "-ffp-contract=off",
    "-fno-strict-aliasing",
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
)
BARRIER = "__syncthreads()"

BEFORE = """
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <thread>
#include <vector>
#define __global__
#define __device__
#define __shared__ static
struct Axes { unsigned x, y, z; };
static Axes blockIdx, blockDim, gridDim;
static thread_local Axes threadIdx;
static pthread_barrier_t barrier;
static inline void __syncthreads() { pthread_barrier_wait(&barrier); }
static inline void __trap() { fprintf(stderr, "trap\\n"); _Exit(3); }
"""

MAIN = """
static i64 number() {
  i64 value;
  if (fread(&value, 8, 1, stdin) != 1) exit(4);
  return value;
}
static double real() { return double_of((u64)number()); }
static byte *memory[64];
static byte *pointer() { byte *start = memory[number()]; return start + number(); }
template <typename Thread> static void all_threads(bool has_barriers, Thread run) {
  for (blockIdx.x = 0; blockIdx.x < gridDim.x; blockIdx.x++)
  for (blockIdx.y = 0; blockIdx.y < gridDim.y; blockIdx.y++)
  for (blockIdx.z = 0; blockIdx.z < gridDim.z; blockIdx.z++) {
    std::vector<std::thread> threads;
    pthread_barrier_init(&barrier, nullptr, blockDim.x * blockDim.y * blockDim.z);
    for (unsigned x = 0; x < blockDim.x; x++)
    for (unsigned y = 0; y < blockDim.y; y++)
    for (unsigned z = 0; z < blockDim.z; z++) {
      auto one = [=] { threadIdx = Axes{x, y, z}; run(); };
      if (has_barriers) threads.emplace_back(one); else one();
    }
    for (auto &thread : threads) thread.join();
  }
}
int main(int, char **arguments) {
  static i64 sizes[64];
  i64 count = number();
  for (i64 i = 0; i < count; i++) {
    sizes[i] = number();
    memory[i] = (byte *)malloc(sizes[i] ? sizes[i] : 1);
    if (sizes[i] && fread(memory[i], sizes[i], 1, stdin) != 1) exit(4);
  }
  gridDim.x = number(); gridDim.y = number(); gridDim.z = number();
  blockDim.x = number(); blockDim.y = number(); blockDim.z = number();
  switch (atoi(arguments[1])) {
CASES
  }
  for (i64 i = 0; i < count; i++)
    if (sizes[i]) fwrite(memory[i], sizes[i], 1, stdout);
  return 0;
}
"""
_READERS = {"byte *": "pointer()", "i64": "number()", "float": "(float)real()", "double": "real()"}
_built: dict[str, tuple[Path, int]] = {}


class HostError(Exception):
    """The compiled kernel does not compile, or died."""


def require_compiler() -> None:
    """Skip the test where no compiler is."""
    if COMPILER is None:
        pytest.skip("there is no C++ compiler (g++ or clang++)")


def build(kernels: Sequence[Kernel]) -> None:
    """Compile several kernels into one program, for the launches that follow."""
    wanted = {k.text: k for k in kernels if k.text not in _built}
    if not wanted:
        return
    folder = Path(tempfile.mkdtemp(prefix="kernel", dir=_folder().name))
    source, program = folder / "kernels.cpp", folder / "kernels"
    bodies = "".join(_body(kernel, i) for i, kernel in enumerate(wanted.values()))
    cases = "\n".join(_case(kernel, i) for i, kernel in enumerate(wanted.values()))
    source.write_text(BEFORE + prelude() + bodies + MAIN.replace("CASES", cases))
    found = subprocess.run(
        [str(COMPILER), *OPTIONS, str(source), "-o", str(program)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if found.returncode:
        raise HostError(f"{found.stderr}\n{bodies}")
    _built.update({text: (program, i) for i, text in enumerate(wanted)})


def _body(kernel: Kernel, number: int) -> str:
    text = kernel.text.removeprefix(prelude())
    head = f'extern "C" __global__ void {kernel.name}('
    if text.count(head) != 1:
        raise HostError(f"no kernel in\n{text}")
    return text.replace(head, f"static void kernel{number}(")


def _case(kernel: Kernel, number: int) -> str:
    lines = [f"{k} a{i} = {_READERS[k]};" for i, k in enumerate(kernel.parameters)]
    names = ", ".join(f"a{i}" for i in range(len(kernel.parameters)))
    waits = "true" if BARRIER in kernel.text else "false"
    call = f"all_threads({waits}, [=] {{ kernel{number}({names}); }});"
    return f"  case {number}: {{ {' '.join(lines)} {call} break; }}"


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="verify-ir-host-")


class HostKernels:
    """A backend for launches that runs them in a process on the CPU."""

    def run(self, launch: Launch) -> None:
        """Run the grid; the buffers that it is given take over what it leaves."""
        build([launch.kernel])
        program, number = _built[launch.kernel.text]
        buffers = list(
            {p.buffer.id: p.buffer for p in launch.parameters if isinstance(p, Place)}.values()
        )
        found = subprocess.run(
            [str(program), str(number)], input=_packed(launch, buffers),
            capture_output=True, check=False, timeout=60,
            env={"ASAN_OPTIONS": "detect_leaks=0"},
        )  # fmt: skip
        if found.returncode:
            raise HostError(f"{found.stderr.decode()[:3000]}\n{launch.kernel.text}")
        at = 0
        for buffer in buffers:
            size = len(buffer.data)
            buffer.data[:] = np.frombuffer(found.stdout[at : at + size], np.uint8)
            at += size


def _packed(launch: Launch, buffers: Sequence[Buffer]) -> bytes:
    number = {buffer.id: i for i, buffer in enumerate(buffers)}
    parts = [struct.pack("<q", len(buffers))]
    for buffer in buffers:
        parts += [struct.pack("<q", len(buffer.data)), buffer.data.tobytes()]
    parts.append(struct.pack("<6q", *launch.grid, *launch.block))
    for kind, value in zip(launch.kernel.parameters, launch.parameters, strict=True):
        if isinstance(value, Place):
            parts.append(struct.pack("<2q", number[value.buffer.id], value.byte))
        else:
            parts.append(struct.pack("<q" if kind == "i64" else "<d", value))
    return b"".join(parts)
