"""Messages between a process and its worker: a JSON header and a block of raw bytes.

A frame is two little-endian 32-bit lengths, then the header, then the bytes.
"""

import json
import os
import select
import struct
import time
from typing import Any

_LENGTHS = struct.Struct("<II")
_CHUNK_BYTES = 1 << 20

Header = dict[str, Any]


class ChannelClosedError(Exception):
    """The other side is gone."""


class ChannelTimeoutError(Exception):
    """The other side did not answer before the deadline."""


class Channel:
    """Both ends of a conversation over two pipes; every wait ends at the deadline."""

    def __init__(self, read_fd: int, write_fd: int) -> None:
        """Own the two descriptors, which become non-blocking."""
        self._read_fd = read_fd
        self._write_fd = write_fd
        for descriptor in (read_fd, write_fd):
            os.set_blocking(descriptor, False)

    def send(self, header: Header, blob: bytes = b"", deadline: float | None = None) -> None:
        """Write one frame; `deadline` is a `time.monotonic()` value."""
        text = json.dumps(header, separators=(",", ":")).encode()
        self._write(_LENGTHS.pack(len(text), len(blob)) + text, deadline)
        if blob:
            self._write(blob, deadline)

    def receive(self, deadline: float | None = None) -> tuple[Header, bytes]:
        """Read one frame."""
        header_bytes, blob_bytes = _LENGTHS.unpack(self._read(_LENGTHS.size, deadline))
        header = json.loads(self._read(header_bytes, deadline))
        return header, bytes(self._read(blob_bytes, deadline))

    def close(self) -> None:
        """Close both descriptors; the other side sees the end of its input."""
        for descriptor in (self._read_fd, self._write_fd):
            os.close(descriptor)

    def _write(self, content: bytes, deadline: float | None) -> None:
        view = memoryview(content)
        while view:
            _wait(self._write_fd, select.POLLOUT, deadline)
            try:
                view = view[os.write(self._write_fd, view[:_CHUNK_BYTES]) :]
            except BlockingIOError:
                continue
            except OSError as error:
                raise ChannelClosedError from error

    def _read(self, size: int, deadline: float | None) -> bytearray:
        content = bytearray()
        while len(content) < size:
            _wait(self._read_fd, select.POLLIN, deadline)
            try:
                part = os.read(self._read_fd, min(size - len(content), _CHUNK_BYTES))
            except BlockingIOError:
                continue
            except OSError as error:
                raise ChannelClosedError from error
            if not part:
                raise ChannelClosedError
            content += part
        return content


def _wait(descriptor: int, event: int, deadline: float | None) -> None:
    poll = select.poll()
    poll.register(descriptor, event)
    if deadline is None:
        poll.poll()
        return
    remaining_ms = max(0.0, deadline - time.monotonic()) * 1000
    if not poll.poll(remaining_ms):
        raise ChannelTimeoutError
