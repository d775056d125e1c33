"""Outcomes of passes that did not give a module, each with its code.

`stage` of every diagnostic is `after:<pass>`, as the pass was named by the caller.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from verify.diagnostic import Diagnostic, Location
from verify.ir.foreign_places import places_in_source
from verify.ir.module import ParsedModule
from verify.ir.refusals import refusal_diagnostics
from verify.toolchain.outcome import PassOutcome
from verify.toolchain.stacks import frames_of, words_before_stack
from verify.toolchain.worker import (
    Reply,
    WorkerDiedError,
    WorkerError,
    WorkerFaultError,
    WorkerTimeoutError,
)

_TAIL_LINES = 20
_ASSERTION_WORDS = ("Assertion `", "LLVM ERROR:", "UNREACHABLE executed")


def pass_failed(
    header: Mapping[str, Any], pass_name: str, module: ParsedModule, reply: Reply
) -> PassOutcome:
    """E0301: the pass itself reported an error and gave up."""
    return _refused("E0301", "", header, pass_name, module, reply)


def invalid_output(
    header: Mapping[str, Any], pass_name: str, module: ParsedModule, reply: Reply
) -> PassOutcome:
    """E0305: the pass succeeded, and its output does not verify."""
    prefix = f"`{pass_name}` gives invalid IR: "
    return _refused("E0305", prefix, header, pass_name, module, reply)


def input_refused(
    header: Mapping[str, Any], text: str, pass_name: str, module: ParsedModule, reply: Reply
) -> PassOutcome:
    """U0002: the toolchain cannot read its input `text`, so nothing is known about the pass."""
    prefix = f"`{pass_name}` cannot read the module: "
    header = {"errors": places_in_source(header["errors"], text, "the text it was given")}
    return _refused("U0002", prefix, header, pass_name, module, reply)


def output_refused(
    errors: tuple[Diagnostic, ...], pass_name: str, text: str, reply: Reply
) -> PassOutcome:
    """E0305 when MLIR's verifier refuses what a compiler printed, U0002 when its parser does.

    A compiler's own printer wrote the text: what does not parse is syntax of another version,
    or of a dialect, that is not known here.
    """
    if all(error.code == "E0002" for error in errors):
        staged = restage(errors, "E0305", f"`{pass_name}` gives invalid IR: ", pass_name)
    else:
        prefix = f"the output of `{pass_name}` cannot be read here: "
        staged = restage(errors, "U0002", prefix, pass_name)
    return PassOutcome(None, staged, reply.stderr, reply.seconds, text)


def worker_failed(
    error: WorkerError, pass_name: str, text: str, module: ParsedModule
) -> PassOutcome:
    """E0304 or E0306 with what the process printed last and the text that did it.

    A fault in our own code around the toolchain is raised again.
    """
    place = Location(module.source.path, 1, 1)
    if isinstance(error, WorkerTimeoutError):
        message = f"`{pass_name}` {error.reason}"
        found = Diagnostic("E0306", message, stage=f"after:{pass_name}", location=place)
        return PassOutcome(None, (found,), error.stderr, text=text)
    if not isinstance(error, WorkerDiedError) or isinstance(error, WorkerFaultError):
        raise error
    assertion = _assertion(error.stderr)
    message = f"`{pass_name}` {error.reason}" + (f": {assertion}" if assertion else "")
    words = words_before_stack(error.stderr)
    tail = "\n".join(words.splitlines()[-_TAIL_LINES:])
    notes = (f"it printed last:\n{tail}",) if tail else ()
    frames = frames_of(error.stderr)
    notes += ("it died in:\n" + "\n".join(frames),) if frames else ()
    notes += (f"it ran on:\n{text}",)
    found = Diagnostic("E0304", message, stage=f"after:{pass_name}", location=place, notes=notes)
    return PassOutcome(None, (found,), error.stderr, text=text)


def _refused(
    code: str,
    prefix: str,
    header: Mapping[str, Any],
    pass_name: str,
    module: ParsedModule,
    reply: Reply,
) -> PassOutcome:
    errors = refusal_diagnostics(header, module.source, code=code)
    staged = restage(errors, code, prefix, pass_name)
    return PassOutcome(None, staged, reply.stderr, reply.seconds)


def restage(
    errors: tuple[Diagnostic, ...], code: str, prefix: str, pass_name: str
) -> tuple[Diagnostic, ...]:
    """The errors with another code, as found after a pass."""
    return tuple(
        replace(error, code=code, message=prefix + error.message, stage=f"after:{pass_name}")
        for error in errors
    )


def _assertion(stderr: str) -> str:
    for line in stderr.splitlines():
        if any(word in line for word in _ASSERTION_WORDS):
            return line.strip()
    return ""
