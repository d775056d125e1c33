"""This project's own passes, run on a copy of the module."""

import time
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import DiagnosticException

from verify.diagnostic import Diagnostic, Location
from verify.ir.context import shared_context
from verify.ir.frontend import has_bindings, mlir_worker
from verify.ir.module import ParsedModule
from verify.ir.printing import to_generic_text
from verify.ir.refusals import refusal_diagnostics
from verify.toolchain.failures import restage
from verify.toolchain.outcome import PassLimits, PassOutcome, PassUsageError, ToolchainInfo
from verify.toolchain.worker import WorkerError

if TYPE_CHECKING:
    from xdsl.passes import ModulePass


def info() -> ToolchainInfo:
    """The project itself as a toolchain."""
    from verify import __version__

    return ToolchainInfo("verify-ir", __version__, tuple(_table().names()), available=True)


def find(spec: str) -> "ModulePass":
    """The pass that `NAME` or `NAME{option=value}` means, with its options set."""
    from xdsl.utils.arg_spec import parse_spec
    from xdsl.utils.exceptions import ArgSpecParseError

    name = spec.partition("{")[0].strip()
    try:
        pass_class = _table().load(name)
    except KeyError as error:
        raise PassUsageError(str(error)) from error
    try:
        return pass_class.from_spec(parse_spec(spec))
    except (ArgSpecParseError, ValueError, TypeError) as error:
        reason = " ".join(str(error).split())
        raise PassUsageError(f"`{name}` does not take the options of `{spec}`: {reason}") from None


def run(spec: str, module: ParsedModule, options: PassLimits) -> PassOutcome:
    """Run one pass on a clone of the module.

    A pass refuses by raising xDSL's `PassFailedException`, whose `diagnostic`, when it has one,
    is the E0301; any other exception is a fault of the pass and goes through.
    """
    chosen = find(spec)
    assert module.module is not None
    clone = module.module.clone()
    begin = time.perf_counter()
    try:
        chosen.apply(shared_context(), clone)
    except DiagnosticException as error:
        seconds = time.perf_counter() - begin
        return PassOutcome(None, (_refusal(error, spec, module),), seconds=seconds)
    seconds = time.perf_counter() - begin
    errors = _invalid_output(clone, spec, module, options)
    if errors:
        return PassOutcome(None, errors, seconds=seconds)
    return PassOutcome(ParsedModule(module.path, module.source, clone), seconds=seconds)


def _refusal(error: DiagnosticException, spec: str, module: ParsedModule) -> Diagnostic:
    stage = f"after:{spec}"
    given = getattr(error, "diagnostic", None)
    if isinstance(given, Diagnostic):
        return replace(given, stage=stage)
    message = str(error).strip().split("\n", 1)[0].rstrip(".")
    place = Location(module.source.path, 1, 1)
    return Diagnostic("E0301", message, stage=stage, location=place)


def _invalid_output(
    result: ModuleOp, spec: str, module: ParsedModule, options: PassLimits
) -> tuple[Diagnostic, ...]:
    """What MLIR's verifier says about the result, where MLIR is installed."""
    if not has_bindings():
        return ()
    text = to_generic_text(result).encode()
    try:
        reply = mlir_worker().call("verify", {}, text, timeout_s=options.timeout_s)
    except WorkerError:
        # The verifier's own trouble says nothing about the pass.
        return ()
    if "errors" not in reply.header:
        return ()
    errors = refusal_diagnostics(reply.header, module.source)
    return restage(errors, "E0305", f"`{spec}` gives invalid IR: ", spec)


def _table() -> Any:
    # Loaded by name: passes are a layer above this one.
    return import_module("verify.passes")
