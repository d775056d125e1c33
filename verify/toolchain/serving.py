"""The loop inside a worker process: one request in, one answer out, until the input ends."""

import math
import os
import resource
import signal
import threading
import traceback
from collections.abc import Callable, Mapping

from verify.toolchain.channel import Channel, ChannelClosedError, Header

Method = Callable[[Header, bytes], tuple[Header, bytes]]

# Real compilers recurse over nested regions; the memory is only touched when they do.
_STACK_BYTES = 1 << 29
_GRACE_S = 5.0


def serve(
    methods: Callable[[], Mapping[str, Method]], read_fd: int, write_fd: int, memory_bytes: int
) -> None:
    """Answer calls on the two descriptors; `methods` loads the toolchain on first need."""
    if memory_bytes:
        resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # The owner decides what an interrupt means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # With the default action, an alarm ends a busy process whose owner was killed.
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    threading.stack_size(_STACK_BYTES)
    thread = threading.Thread(target=_loop, args=(methods, Channel(read_fd, write_fd)))
    thread.start()
    thread.join()


def _loop(methods: Callable[[], Mapping[str, Method]], channel: Channel) -> None:
    table: Mapping[str, Method] = {}
    load_fault = ""
    try:
        table = methods()
    except Exception:  # noqa: BLE001 - a toolchain that does not load is an answer as well
        load_fault = traceback.format_exc()
    while True:
        try:
            request, blob = channel.receive()
            if load_fault:
                channel.send({"fault": load_fault})
            else:
                channel.send(*_answer(table, request, blob))
        except ChannelClosedError:
            # Skips the toolchain's own teardown, which is slow and may crash.
            os._exit(0)


def _answer(table: Mapping[str, Method], request: Header, blob: bytes) -> tuple[Header, bytes]:
    timeout_s = request["timeout_s"]
    if timeout_s is not None:
        signal.alarm(math.ceil(timeout_s + _GRACE_S))
    try:
        return table[request["method"]](request["arguments"], blob)
    except Exception:  # noqa: BLE001 - every fault goes to the owner, who decides
        return {"fault": traceback.format_exc()}, b""
    finally:
        signal.alarm(0)
