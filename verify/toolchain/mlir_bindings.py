"""`mlir:PIPELINE`: upstream passes through MLIR's Python bindings, in a worker process."""

from importlib.metadata import PackageNotFoundError, version

from xdsl.dialects.builtin import ModuleOp

from verify.ir.frontend import MAX_NESTING, has_bindings, mlir_worker, module_of_reply
from verify.ir.module import ParsedModule
from verify.ir.printing import to_generic_text
from verify.ir.source import SourceText
from verify.toolchain.failures import (
    input_refused,
    invalid_output,
    pass_failed,
    worker_failed,
)
from verify.toolchain.known_passes import UPSTREAM_PASSES
from verify.toolchain.outcome import (
    PassLimits,
    PassOutcome,
    PassUsageError,
    RunOptions,
    ToolchainInfo,
)
from verify.toolchain.pipelines import (
    anchor_in_module,
    nest_in,
    split_pipelines,
    strip_module,
    wanted_anchor,
)
from verify.toolchain.usage import bad_pipeline
from verify.toolchain.worker import Reply, WorkerError

_NOT_INSTALLED = "toolchain mlir is not installed: pip install xtc-mlir-python-bindings"


def info() -> ToolchainInfo:
    """Whether the bindings are here, and which version of them."""
    if not has_bindings():
        return ToolchainInfo("mlir", "", (), available=False, reason=_NOT_INSTALLED)
    try:
        release = version("xtc-mlir-python-bindings")
    except PackageNotFoundError:
        release = "unknown"
    return ToolchainInfo("mlir", release, UPSTREAM_PASSES, available=True)


def run(pipeline: str, module: ParsedModule, options: PassLimits) -> PassOutcome:
    """Run each pass of `pipeline` in turn; the first that fails is the outcome."""
    if not has_bindings():
        raise PassUsageError(_NOT_INSTALLED)
    elements = split_pipelines(strip_module(pipeline))
    if not elements:
        raise PassUsageError("`mlir:` names no pass")
    outcome = PassOutcome(module)
    stderr, seconds = "", 0.0
    for element in elements:
        assert outcome.module is not None
        outcome = _run_one(element, outcome.module, options)
        stderr += outcome.stderr
        seconds += outcome.seconds
        if outcome.module is None:
            break
    return PassOutcome(outcome.module, outcome.diagnostics, stderr, seconds, outcome.text)


def check(pipeline: str) -> None:
    """Raise `PassUsageError` when the bindings are missing or do not know the pipeline."""
    run(pipeline, ParsedModule("-", SourceText("-", ""), ModuleOp([])), RunOptions())


def _run_one(element: str, module: ParsedModule, options: PassLimits) -> PassOutcome:
    assert module.module is not None
    text = to_generic_text(module.module)
    pass_name = f"mlir:{element}"
    try:
        reply = _call(anchor_in_module(element), text, options)
        if (anchor := _anchor_of(reply)) is not None:
            reply = _call(nest_in(anchor, element), text, options)
    except WorkerError as error:
        return worker_failed(error, pass_name, text, module)
    return _outcome(reply, text, pass_name, module)


def _call(pipeline: str, text: str, options: PassLimits) -> Reply:
    arguments = {"pipeline": pipeline, "file": None, "max_depth": MAX_NESTING}
    return mlir_worker().call("run", arguments, text.encode(), timeout_s=options.timeout_s)


def _anchor_of(reply: Reply) -> str | None:
    """The op that the pass must be nested in, when that was all that went wrong."""
    if reply.header.get("step") != "pipeline":
        return None
    return wanted_anchor(reply.header["errors"][0]["message"])


def _outcome(reply: Reply, text: str, pass_name: str, module: ParsedModule) -> PassOutcome:
    header = reply.header
    if "errors" not in header:
        result = module_of_reply(reply, module.source, module.path)
        return PassOutcome(result, (), reply.stderr, reply.seconds)
    step = header["step"]
    if step == "pipeline":
        said = header["errors"][0]["message"]
        raise bad_pipeline(pass_name, "MLIR", said, UPSTREAM_PASSES)
    if step == "parse":
        return input_refused(header, text, pass_name, module, reply)
    if step == "verify":
        return invalid_output(header, pass_name, module, reply)
    return pass_failed(header, pass_name, module, reply)
