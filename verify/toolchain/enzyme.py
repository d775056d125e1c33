"""`enzyme:PIPELINE`: the passes in the `enzyme-ad` package, in a worker process.

Enzyme takes and prints custom syntax, and reports errors on standard error only. A pipeline is
run bare: inside `builtin.module(...)` Enzyme would look for modules nested in the module, find
none and do nothing.
"""

import re
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from xdsl.dialects.builtin import ModuleOp

from verify.ir.frontend import read_printed
from verify.ir.module import ParsedModule
from verify.ir.source import SourceText
from verify.toolchain.failures import (
    input_refused,
    invalid_output,
    output_refused,
    pass_failed,
    worker_failed,
)
from verify.toolchain.forms import Forms
from verify.toolchain.known_passes import ENZYME_PASSES, UPSTREAM_PASSES
from verify.toolchain.messages import parse_messages
from verify.toolchain.outcome import (
    PassLimits,
    PassOutcome,
    PassUsageError,
    RunOptions,
    ToolchainInfo,
)
from verify.toolchain.pipelines import split_pipelines, strip_module
from verify.toolchain.serve_enzyme import extension_path
from verify.toolchain.usage import bad_pipeline
from verify.toolchain.worker import Reply, Worker, WorkerError

_NOT_INSTALLED = "toolchain enzyme is not installed: pip install 'verify-ir[enzyme]'"
_BAD_PIPELINE = "INVALID_ARGUMENT: Failed to parse pipeline"
_BAD_MODULE = "INVALID_ARGUMENT: Failed to parse module"
_FORMS = Forms()
_WANTS_NESTING = "'builtin.module' op trying to schedule pass"
# Enzyme says "failed" alike for a pass that gave up and for output that does not verify; only
# the wording of a verifier, about the shape of one op, tells them apart.
_VERIFIER_MESSAGE = re.compile(
    r"operand #\d+ does not dominate|empty block|block with no terminator"
    r"|expected result type to be"
    r"|'[\w.]+' op (?:expect|requir|must|operand|result|region|attribute|successor|inferred"
    r"|has (?:\d|no|incorrect|invalid)|type|number of|incorrect|invalid|mismatch|symbol"
    r"|using value)"
)


@cache
def enzyme_worker() -> Worker:
    """The worker that holds Enzyme, one for this process."""
    return Worker("verify.toolchain.serve_enzyme")


@cache
def is_installed() -> bool:
    """Whether Enzyme's extension module is there, found out without loading it."""
    return extension_path() is not None


def info() -> ToolchainInfo:
    """Whether Enzyme is here, and which version of it."""
    if not is_installed():
        return ToolchainInfo("enzyme", "", (), available=False, reason=_NOT_INSTALLED)
    try:
        release = version("enzyme-ad")
    except PackageNotFoundError:
        release = "unknown"
    return ToolchainInfo("enzyme", release, ENZYME_PASSES, available=True)


def run(pipeline: str, module: ParsedModule, options: PassLimits) -> PassOutcome:
    """Run `pipeline` on the module; its output comes back with the places of its input."""
    if not is_installed():
        raise PassUsageError(_NOT_INSTALLED)
    bare = strip_module(pipeline)
    if not bare:
        raise PassUsageError("`enzyme:` names no pass")
    assert module.module is not None
    pass_name, text, reply = f"enzyme:{pipeline}", "", None
    try:
        for text, is_generic in _FORMS.of(module.module):
            reply = _run_nested(bare, text, options)
            is_read = not _is_refusal(reply)
            if is_generic:
                _FORMS.learn(module.module, is_read=is_read)
            if is_read:
                break
    except WorkerError as error:
        return worker_failed(error, pass_name, text, module)
    assert reply is not None
    if "error" in reply.header:
        return _failed(reply, text, pass_name, module)
    return _read_back(reply, pass_name, module)


def _run_nested(pipeline: str, text: str, options: PassLimits) -> Reply:
    """Run a pipeline; a single pass that does not take modules runs on their functions."""
    reply = _call(pipeline, text, options)
    if _WANTS_NESTING in reply.stderr and len(split_pipelines(pipeline)) == 1:
        return _call(f"func.func({pipeline})", text, options)
    return reply


def _is_refusal(reply: Reply) -> bool:
    return reply.header.get("error", "").startswith(_BAD_MODULE)


def _call(pipeline: str, text: str, options: PassLimits) -> Reply:
    content = text.encode()
    return enzyme_worker().call("run", {"pipeline": pipeline}, content, timeout_s=options.timeout_s)


def check(pipeline: str) -> None:
    """Raise `PassUsageError` when Enzyme is missing or does not know the pipeline."""
    run(pipeline, ParsedModule("-", SourceText("-", ""), ModuleOp([])), RunOptions())


def _read_back(reply: Reply, pass_name: str, module: ParsedModule) -> PassOutcome:
    text = reply.blob.decode()
    result = read_printed(text, module.source, module.path)
    if not result.errors:
        return PassOutcome(result, (), reply.stderr, reply.seconds, text)
    return output_refused(result.errors, pass_name, text, reply)


def _failed(reply: Reply, text: str, pass_name: str, module: ParsedModule) -> PassOutcome:
    error: str = reply.header["error"]
    if error.startswith(_BAD_PIPELINE):
        said = error.removeprefix(_BAD_PIPELINE)
        raise bad_pipeline(pass_name, "Enzyme", said, ENZYME_PASSES + UPSTREAM_PASSES)
    last = error.strip().splitlines()[-1]
    errors = parse_messages(reply.stderr) or [{"message": last, "place": None, "notes": []}]
    header: dict[str, Any] = {"errors": errors}
    if _is_refusal(reply):
        return input_refused(header, text, pass_name, module, reply)
    message: str = errors[0]["message"]
    if _VERIFIER_MESSAGE.match(message):
        return invalid_output(header, pass_name, module, reply)
    return pass_failed(header, pass_name, module, reply)
