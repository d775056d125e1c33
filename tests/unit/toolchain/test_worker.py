import os
import time
from pathlib import Path

import pytest

from verify.toolchain.worker import (
    Worker,
    WorkerDiedError,
    WorkerFaultError,
    WorkerTimeoutError,
)

SERVER = """
import os, sys, time
from verify.toolchain.serving import serve

def _methods():
    def echo(arguments, blob): return arguments, blob
    def shout(arguments, blob): os.write(2, b"loud\\n"); print("out", flush=True); return {}, b""
    def sleep(arguments, blob): time.sleep(60); return {}, b""
    def abort(arguments, blob): os.write(2, b"last words\\n"); os.abort()
    def leave(arguments, blob): os._exit(7)
    def fail(arguments, blob): raise KeyError("lost")
    def grow(arguments, blob): return {}, bytes(1 << 32)
    return dict(echo=echo, shout=shout, sleep=sleep, abort=abort, leave=leave, fail=fail, grow=grow)

def main(*fds): serve(_methods, *fds)
"""


@pytest.fixture
def worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "test_server.py").write_text(SERVER)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    worker = Worker("test_server", memory_bytes=3 << 30)
    yield worker
    worker.close()


def test_an_answer_carries_numbers_and_bytes_of_any_size(worker: Worker):
    content = os.urandom(5 << 20)

    reply = worker.call("echo", {"a": [1, "é"]}, content)

    assert (reply.header, reply.blob) == ({"a": [1, "é"]}, content)


def test_what_was_printed_comes_with_the_answer(worker: Worker):
    assert "loud" in worker.call("shout").stderr
    assert worker.call("echo").stderr == ""


def test_a_process_serves_many_calls(worker: Worker):
    for _ in range(20):
        worker.call("echo")

    assert worker.starts == 1


def test_a_signal_is_named_and_the_next_call_gets_a_new_process(worker: Worker):
    with pytest.raises(WorkerDiedError) as caught:
        worker.call("abort")

    assert caught.value.signal_name == "SIGABRT"
    assert "last words" in caught.value.stderr
    assert worker.call("echo", {"x": 1}).header == {"x": 1}


def test_an_exit_code_is_told(worker: Worker):
    with pytest.raises(WorkerDiedError, match="exit code 7"):
        worker.call("leave")


def test_a_call_that_takes_too_long_is_stopped(worker: Worker):
    worker.call("echo")
    begin = time.monotonic()

    with pytest.raises(WorkerTimeoutError, match=r"did not end within 0\.2 s"):
        worker.call("sleep", timeout_s=0.2)

    assert time.monotonic() - begin < 5
    assert worker.call("echo").header == {}


def test_an_exception_in_the_server_is_a_fault(worker: Worker):
    with pytest.raises(WorkerFaultError, match="lost"):
        worker.call("fail")


def test_memory_is_limited(worker: Worker):
    with pytest.raises(WorkerFaultError, match="MemoryError"):
        worker.call("grow")


def test_a_server_that_does_not_load_says_why():
    worker = Worker("no_such_server")

    with pytest.raises(WorkerDiedError) as caught:
        worker.call("echo")

    assert "no_such_server" in caught.value.stderr


def test_a_closed_worker_leaves_no_process(worker: Worker):
    worker.call("echo")
    pid = worker.pid
    assert pid is not None

    worker.close()

    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_a_forked_child_does_not_talk_to_its_parents_worker(worker: Worker):
    worker.call("echo")
    child = os.fork()
    if child == 0:
        is_fine = worker.call("echo", {"x": 2}).header == {"x": 2} and worker.starts == 2
        worker.close()
        os._exit(0 if is_fine else 1)

    _, status = os.waitpid(child, 0)

    assert status == 0
    assert worker.call("echo", {"x": 3}).header == {"x": 3}
    assert worker.starts == 1
