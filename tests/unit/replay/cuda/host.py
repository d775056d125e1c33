"""Printed kernels on the CPU: the same source, compiled by the system's C++ compiler.

The threads of a grid run one after the other, as the interpreter takes them. The program runs in
a process of its own, under the compiler's checks for undefined behaviour and wild accesses.
"""

from __future__ import annotations

import functools
import shutil
import struct
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from verify.replay.buffers import Buffer
from verify.replay.cuda.kernel import Kernel
from verify.replay.cuda.launch import Launch, Place

COMPILER = shutil.which("g++") or shutil.which("clang++")
OPTIONS = (
    "-std=c++17",
    "-O1",
    "-w",
    "-ffp-contract=off",
    "-fno-strict-aliasing",
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
)

BEFORE = """
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define __global__
#define __device__
#define __shared__ static
struct Axes { unsigned x, y, z; };
static Axes threadIdx, blockIdx, blockDim, gridDim;
static inline void __syncthreads() {}
static inline void __trap() { fprintf(stderr, "trap\\n"); exit(3); }
"""

AFTER = """
static i64 number() {
  i64 value;
  if (fread(&value, 8, 1, stdin) != 1) exit(4);
  return value;
}
static double real() { return double_of((u64)number()); }
static byte *memory[64];
static byte *pointer() { byte *start = memory[number()]; return start + number(); }
int main() {
  static i64 sizes[64];
  i64 count = number();
  for (i64 i = 0; i < count; i++) {
    sizes[i] = number();
    memory[i] = (byte *)malloc(sizes[i] ? sizes[i] : 1);
    if (sizes[i] && fread(memory[i], sizes[i], 1, stdin) != 1) exit(4);
  }
  gridDim.x = number(); gridDim.y = number(); gridDim.z = number();
  blockDim.x = number(); blockDim.y = number(); blockDim.z = number();
  PARAMETERS
  for (blockIdx.x = 0; blockIdx.x < gridDim.x; blockIdx.x++)
  for (blockIdx.y = 0; blockIdx.y < gridDim.y; blockIdx.y++)
  for (blockIdx.z = 0; blockIdx.z < gridDim.z; blockIdx.z++)
  for (threadIdx.x = 0; threadIdx.x < blockDim.x; threadIdx.x++)
  for (threadIdx.y = 0; threadIdx.y < blockDim.y; threadIdx.y++)
  for (threadIdx.z = 0; threadIdx.z < blockDim.z; threadIdx.z++)
    KERNEL(ARGUMENTS);
  for (i64 i = 0; i < count; i++)
    if (sizes[i]) fwrite(memory[i], sizes[i], 1, stdout);
  return 0;
}
"""
_READERS = {"byte *": "pointer()", "i64": "number()", "float": "(float)real()", "double": "real()"}


class HostError(Exception):
    """The compiled kernel does not compile, or died."""


def require_compiler() -> None:
    """Skip the test where no compiler is."""
    if COMPILER is None:
        pytest.skip("there is no C++ compiler (g++ or clang++)")


@functools.cache
def built(kernel: Kernel) -> Path:
    """The program that runs a kernel on what it reads."""
    folder = Path(tempfile.mkdtemp(prefix="kernel", dir=_folder().name))
    source, program = folder / "kernel.cpp", folder / "kernel"
    lines = [f"{k} a{i} = {_READERS[k]};" for i, k in enumerate(kernel.parameters)]
    names = ", ".join(f"a{i}" for i in range(len(kernel.parameters)))
    main = AFTER.replace("PARAMETERS", "\n  ".join(lines)).replace("ARGUMENTS", names)
    source.write_text(BEFORE + kernel.text + main.replace("KERNEL", kernel.name))
    found = subprocess.run(
        [str(COMPILER), *OPTIONS, str(source), "-o", str(program)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if found.returncode:
        raise HostError(f"{found.stderr}\n{kernel.text}")
    return program


@functools.cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="verify-ir-host-")


class HostKernels:
    """A backend for launches that runs them in a process on the CPU."""

    def run(self, launch: Launch) -> None:
        """Run the grid; the buffers that it is given take over what it leaves."""
        buffers = list(
            {p.buffer.id: p.buffer for p in launch.parameters if isinstance(p, Place)}.values()
        )
        found = subprocess.run(
            [str(built(launch.kernel))], input=_packed(launch, buffers),
            capture_output=True, check=False, timeout=60,
            env={"ASAN_OPTIONS": "detect_leaks=0"},
        )  # fmt: skip
        if found.returncode:
            raise HostError(f"{found.stderr.decode()[:3000]}\n{launch.kernel.text}")
        import numpy as np

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
