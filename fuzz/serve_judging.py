"""The loop of a process that judges programs: one job in, what came of it out."""

from __future__ import annotations

import gc
import os
import resource
import signal
from dataclasses import asdict

from verify.toolchain.channel import Channel, ChannelClosedError

_COLLECT_EVERY = 200
_WARM_UP = 20
"""Programs after which all that is loaded on first use is there."""
_ALLOCATIONS = 20_000


def main(read_fd: int, write_fd: int, memory_bytes: int) -> None:
    """Serve until the owner goes away; judgements run in the main thread, which signals reach."""
    from fuzz.judging import job_from_plain, judge

    if memory_bytes:
        resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    channel = Channel(read_fd, write_fd)
    count = 0
    # IR is full of cycles that die together; collecting them seldom costs little memory.
    gc.set_threshold(_ALLOCATIONS, 20, 1000)
    while True:
        try:
            request, _ = channel.receive()
            channel.send(asdict(judge(job_from_plain(request["arguments"]))))
        except ChannelClosedError:
            os._exit(0)
        count += 1
        if count % _COLLECT_EVERY == 0:
            gc.collect()
        if count == _WARM_UP:
            gc.freeze()
