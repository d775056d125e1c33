"""A persistent worker process that may hang, crash or abort, and is replaced when it does.

The worker runs one `serve_*` module. Its standard output and error go to a file that the owner
reads, so nothing it prints is lost, not even when it dies in the middle of a call.
"""

import atexit
import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import weakref
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from verify.toolchain.channel import Channel, ChannelClosedError, ChannelTimeoutError, Header
from verify.toolchain.memory import limit_bytes

_ROOT = str(Path(__file__).resolve().parents[2])
_BOOTSTRAP = (
    "import sys; sys.path[0] = sys.argv[1]; "
    "from importlib import import_module; "
    "import_module(sys.argv[2]).main(*map(int, sys.argv[3:]))"
)
_EXIT_WAIT_S = 5.0
_STDERR_TAIL_BYTES = 1 << 20
_live_workers: "weakref.WeakSet[Worker]" = weakref.WeakSet()


@dataclass(frozen=True, slots=True)
class Reply:
    """What a call gave: the answer, what was printed meanwhile, and the time it took."""

    header: Header
    blob: bytes
    stderr: str
    seconds: float


class WorkerError(Exception):
    """A call gave no answer; `stderr` is what the worker printed before that."""

    def __init__(self, message: str, stderr: str = "") -> None:
        """Keep what the worker printed beside the message."""
        super().__init__(message)
        self.reason = message
        self.stderr = stderr


class WorkerDiedError(WorkerError):
    """The worker died during a call, by a signal or with an exit code."""

    def __init__(self, return_code: int, stderr: str) -> None:
        """Name the signal when `return_code` is negative, as `subprocess` has it."""
        self.signal_name = _signal_name(-return_code) if return_code < 0 else None
        self.exit_code = return_code
        how = f"signal {self.signal_name}" if self.signal_name else f"exit code {return_code}"
        super().__init__(f"died with {how}", stderr)


class WorkerTimeoutError(WorkerError):
    """The worker was still busy at the end of its time, and was killed."""


class WorkerFaultError(WorkerError):
    """The worker could not serve the call: an exception in the Python code around it."""


class Worker:
    """A lazily started process that serves one module's methods, one call at a time."""

    def __init__(self, module: str, *, memory_bytes: int | None = None) -> None:
        """`module` is the dotted name to serve; `memory_bytes` limits its address space.

        Without it the limit is that of every compiler.
        """
        self.module = module
        self.memory_bytes = memory_bytes or limit_bytes()
        self.starts = 0
        self._lock = threading.RLock()
        self._process: subprocess.Popen[bytes] | None = None
        self._channel: Channel | None = None
        self._output: IO[bytes] | None = None
        self._output_seen = 0
        self._owner_pid = 0
        _live_workers.add(self)

    @property
    def pid(self) -> int | None:
        """The process id while the worker runs."""
        return self._process.pid if self._process is not None else None

    def start(self) -> None:
        """Start the process if none runs; returns before it is ready."""
        with self._lock:
            if self._owner_pid != os.getpid():
                self._forget()
            if self._process is None or self._process.poll() is not None:
                self._spawn()

    def call(
        self,
        method: str,
        arguments: Header | None = None,
        blob: bytes = b"",
        *,
        timeout_s: float | None = None,
    ) -> Reply:
        """Run `method` in the worker; raises a `WorkerError` when no answer comes."""
        with self._lock:
            self.start()
            begin = time.perf_counter()
            deadline = None if timeout_s is None else time.monotonic() + timeout_s
            request = {"method": method, "arguments": arguments or {}, "timeout_s": timeout_s}
            header, content = self._exchange(request, blob, deadline, timeout_s)
            seconds = time.perf_counter() - begin
            stderr = self._new_output()
            if "fault" in header:
                raise WorkerFaultError(header["fault"], stderr)
            return Reply(header, content, stderr, seconds)

    def close(self) -> None:
        """Kill the process and reap it; a later call starts a new one."""
        with self._lock:
            if self._owner_pid == os.getpid() and self._process is not None:
                self._process.kill()
                self._process.wait()
            self._forget()

    def _exchange(
        self, request: Header, blob: bytes, deadline: float | None, timeout_s: float | None
    ) -> tuple[Header, bytes]:
        assert self._channel is not None
        try:
            self._channel.send(request, blob, deadline)
            return self._channel.receive(deadline)
        except ChannelTimeoutError:
            self._kill()
            message = f"did not end within {timeout_s:g} s"
            raise WorkerTimeoutError(message, self._last_words()) from None
        except ChannelClosedError:
            return_code = self._reap()
            raise WorkerDiedError(return_code, self._last_words()) from None
        except BaseException:
            # An interrupt in the middle of a frame leaves the pipes out of step.
            self.close()
            raise

    def _spawn(self) -> None:
        self._forget()
        self._output = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the worker
        request_read, request_write = os.pipe()
        reply_read, reply_write = os.pipe()
        command = [sys.executable, "-c", _BOOTSTRAP, _ROOT, self.module]
        command += map(str, (request_read, reply_write, self.memory_bytes))
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=self._output,
            stderr=self._output,
            pass_fds=(request_read, reply_write),
        )
        os.close(request_read)
        os.close(reply_write)
        self._channel = Channel(reply_read, request_write)
        self._output_seen = 0
        self._owner_pid = os.getpid()
        self.starts += 1

    def _kill(self) -> None:
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def _reap(self) -> int:
        assert self._process is not None
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self._process.wait(_EXIT_WAIT_S)
        self._kill()
        return self._process.returncode

    def _new_output(self) -> str:
        """What the worker printed since the last look, at most its tail."""
        assert self._output is not None
        end = os.fstat(self._output.fileno()).st_size
        begin = max(self._output_seen, end - _STDERR_TAIL_BYTES)
        self._output_seen = end
        if begin == end:
            return ""
        content = os.pread(self._output.fileno(), end - begin, begin)
        return content.decode("utf-8", "replace")

    def _last_words(self) -> str:
        words = self._new_output()
        self._forget()
        return words

    def _forget(self) -> None:
        if self._channel is not None:
            self._channel.close()
        if self._output is not None:
            self._output.close()
        self._process = self._channel = self._output = None


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)


@atexit.register
def close_all() -> None:
    """Kill and reap every worker of this process."""
    for worker in list(_live_workers):
        worker.close()
