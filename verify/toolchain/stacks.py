"""Where a compiler was when it died: the stack that its process prints, and what is read off it.

LLVM prints a stack on a fatal signal when it is asked to. A worker asks the LLVM library of the
Python packages, also on behalf of compilers that keep their own LLVM to themselves. With the
variable `LLVM_DISABLE_SYMBOLIZATION` the stack is printed at once and has fewer names; the names
take seconds.
"""

import contextlib
import ctypes
import os
import re
import signal
from collections.abc import Generator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from verify.toolchain.worker import close_all

NO_NAMES = "LLVM_DISABLE_SYMBOLIZATION"
_INSTALL = "_ZN4llvm3sys28PrintStackTraceOnErrorSignalENS_9StringRefEb"
_IGNORED = (signal.SIGINT,)
_DEFAULT = (signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2)
_FRAME = re.compile(
    r"^\s*#(?P<number>\d+) 0x[0-9a-f]+ (?P<where>.*)$"
    r"|^(?P<bare>\d+)\s+(?P<file>\S+)\s+0x[0-9a-f]*(?P<low>[0-9a-f]{3})(?P<name> .*)?$",
    re.MULTILINE,
)
_BARE_START = re.compile(r"^Stack dump without symbol names.*\n", re.MULTILINE)
_BYTES_IN = re.compile(r" \+ \d+$")
_FILE = re.compile(r"\((?P<path>/[^()]*|[^()\s]+)\+(?P<offset>0x[0-9a-f]+)\)$")
_SOURCE = re.compile(r"\s+\S+:\d+:\d+$")
_MACHINERY = re.compile(r"PrintStackTrace|SignalHandler|RunSignalHandlers")
_LIBC = re.compile(r"[ /]lib(?:c|pthread)\.so| \./(?:nptl|signal|stdlib|malloc|assert|libio)/")
_OUTSIDE = re.compile(r"^(?:_?Py[A-Z_]|nanobind::|.*libnanobind|.*_mlir\.cpython|.*python3)")
_MAX_FRAMES = 12


class _StringRef(ctypes.Structure):
    _fields_ = (("data", ctypes.c_char_p), ("length", ctypes.c_size_t))


def print_stack_on_death() -> None:
    """Let this process print its stack when a fatal signal ends it, where LLVM is there to do so.

    Signals that ask a process to end keep the meaning that a worker gives them.
    """
    library = _llvm_library()
    if library is None:
        return
    with contextlib.suppress(OSError, AttributeError):
        install = getattr(ctypes.CDLL(str(library)), _INSTALL)
        install.argtypes, install.restype = [_StringRef, ctypes.c_bool], None
        install(_StringRef(b"", 0), False)  # noqa: FBT003 - a foreign function
        libc = ctypes.CDLL(None)
        for number in _DEFAULT:
            libc.signal(int(number), ctypes.c_void_p(0))
        for number in _IGNORED:
            libc.signal(int(number), ctypes.c_void_p(1))


@contextmanager
def without_names() -> Generator[None]:
    """Let compilers that die meanwhile print bare stacks; all workers start anew, before and after.

    Bare stacks and stacks with names tell the same causes apart, but are not alike.
    """
    before = os.environ.get(NO_NAMES)
    if before:
        yield
        return
    close_all()
    os.environ[NO_NAMES] = "1"
    try:
        yield
    finally:
        close_all()
        os.environ.pop(NO_NAMES)
        if before is not None:
            os.environ[NO_NAMES] = before


def _llvm_library() -> Path | None:
    package = find_spec("llvm")
    for folder in (package.submodule_search_locations or ()) if package else ():
        found = sorted((Path(folder) / "lib").glob("libLLVM.*"))
        if found:
            return found[0]
    return None


def frames_of(printed: str) -> tuple[str, ...]:
    """The functions that a printed stack names, innermost first; without one, nothing.

    What handles the signal, and everything outside of the compiler, is left out. A function
    without a name is its file and the offset in it, or the last digits of that.
    """
    frames: list[str] = []
    for match in _FRAME.finditer(printed):
        is_libc = _LIBC.search(match[0])
        if "0" in (match["number"], match["bare"]) or (is_libc and len(frames) <= 1):
            frames.clear()
        if is_libc or _MACHINERY.search(match[0]):
            continue
        frame = _name_of(match["where"].strip()) if match["where"] else _bare_name(match)
        if _OUTSIDE.match(frame):
            break
        frames.append(frame)
    return tuple(frames[:_MAX_FRAMES])


def words_before_stack(printed: str) -> str:
    """What a process printed before its stack."""
    first = _BARE_START.search(printed) or _FRAME.search(printed)
    return (printed if first is None else printed[: first.start()]).strip()


def _name_of(where: str) -> str:
    file = _FILE.search(where)
    name = where[: file.start()].strip() if file else _SOURCE.sub("", where)
    if name:
        return _without_arguments(name)
    assert file is not None
    return f"{Path(file['path']).name}+{file['offset']}"


def _bare_name(match: "re.Match[str]") -> str:
    name = _BYTES_IN.sub("", (match["name"] or "").strip())
    return _without_arguments(name) if name else f"{match['file']}+...{match['low']}"


def _without_arguments(name: str) -> str:
    """The name of a C++ function without its list of arguments."""
    depth = 0
    for position in range(len(name) - 1, -1, -1):
        depth += {")": 1, "(": -1}.get(name[position], 0)
        if name[position] == "(" and depth == 0:
            head = name[:position].strip()
            return head or name
    return name
