"""The program of the child process that attempts a copy out of memory of another space.

It is started with `python -c`, needs nothing of this project, and is expected to die. Before the
copy it writes a line of JSON; if it is still alive after it, it writes another one.

On `cpu` the memory of the other space is simulated: pages that this process may not touch, as a
host may not touch the memory of a GPU. On `cuda` it is real device memory.
"""

import ctypes
import json
import mmap
import sys

PROT_NONE = 0


def say(**facts: object) -> None:
    """Write one line for the parent."""
    sys.stdout.write(json.dumps(facts) + "\n")
    sys.stdout.flush()


def leave_no_core() -> None:
    """A crash is the point here, and no file is to be left of it."""
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def copy_on_cpu(size: int, *, is_protected: bool) -> None:
    """Copy pages that may not be touched, or, to compare, pages that may."""
    pages = mmap.mmap(-1, size)
    pages.write(bytes(range(256)) * (size // 256) + bytes(size % 256))
    source = ctypes.addressof(ctypes.c_char.from_buffer(pages))
    if is_protected:
        libc = ctypes.CDLL(None, use_errno=True)
        length = ctypes.c_size_t(size)
        if libc.mprotect(ctypes.c_void_p(source), length, PROT_NONE):
            raise OSError(ctypes.get_errno(), "mprotect")
    target = ctypes.create_string_buffer(size)
    say(ready=True, memory="protected pages" if is_protected else "plain pages")
    ctypes.memmove(target, source, size)
    say(copied=size)


def copy_to_host(size: int) -> None:
    """Copy real device memory as the host would copy its own."""
    import cupy

    memory = cupy.arange(size, dtype=cupy.uint8)
    cupy.cuda.Device().synchronize()
    target = ctypes.create_string_buffer(size)
    say(ready=True, memory="device memory")
    ctypes.memmove(target, memory.data.ptr, size)
    say(copied=size)


_SOURCE = """
extern "C" __global__ void copy(unsigned char *to, const unsigned char *from, long long size) {
  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < size) to[i] = from[i];
}
"""


def copy_to_device(size: int) -> None:
    """Copy real host memory as a kernel would copy device memory."""
    import cupy

    memory = ctypes.create_string_buffer(size)
    target = cupy.zeros(size, cupy.uint8)
    kernel = cupy.RawKernel(_SOURCE, "copy")
    arguments = (target, cupy.uint64(ctypes.addressof(memory)), cupy.int64(size))
    cupy.cuda.Device().synchronize()
    say(ready=True, memory="host memory")
    kernel(((size + 127) // 128,), (128,), arguments)
    cupy.cuda.Device().synchronize()
    say(copied=size)


def main(device: str, way: str, size: int) -> None:
    """Attempt one copy; `way` is `to-host`, `to-device` or, with nothing in its way, `plain`."""
    leave_no_core()
    try:
        if device == "cpu":
            copy_on_cpu(size, is_protected=way != "plain")
        elif way == "to-device":
            copy_to_device(size)
        else:
            copy_to_host(size)
    except Exception as error:  # noqa: BLE001 - whatever it is, the parent is told
        say(error=f"{type(error).__name__}: {error}".split("\n", 1)[0])
        sys.exit(3)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
