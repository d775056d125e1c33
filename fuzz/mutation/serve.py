"""The loop of a process that judges programs under one mutant, or under none."""

from __future__ import annotations

import os
import resource
import signal
from dataclasses import asdict

from verify.toolchain.channel import Channel, ChannelClosedError


def main(read_fd: int, write_fd: int, memory_bytes: int) -> None:
    """Serve until the owner goes away; the first trial names the mutant for good."""
    from fuzz import mutants
    from fuzz.mutation.trial import judge, trial_from_plain

    if memory_bytes:
        resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    channel = Channel(read_fd, write_fd)
    present = ""
    while True:
        try:
            request, _ = channel.receive()
            trial = trial_from_plain(request["arguments"])
            if trial.mutant != present:
                mutants.load(trial.mutant).apply(mutants.Patch())
                present = trial.mutant
            found = judge(trial)
            plain = None if found is None else [asdict(each) for each in found]
            channel.send({"findings": plain})
        except ChannelClosedError:
            os._exit(0)
