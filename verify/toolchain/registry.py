"""Passes by name, of this project and of every toolchain that is installed.

A pass is written `NAME` or `NAME{options}` for the project's own, and `TOOLCHAIN:PIPELINE` for
a real one. `mlir-opt-19:PIPELINE` is for the binary of that name.
"""

from importlib import import_module
from typing import Any

from verify.ir.module import ParsedModule
from verify.toolchain.binaries import is_versioned
from verify.toolchain.outcome import (
    PassLimits,
    PassOutcome,
    PassUsageError,
    RunOptions,
    ToolchainInfo,
)
from verify.toolchain.pipelines import single_passes, split_pipelines

__all__ = [
    "PassLimits",
    "PassOutcome",
    "PassUsageError",
    "RunOptions",
    "ToolchainInfo",
    "check_spec",
    "run_pass",
    "steps_of",
    "toolchains",
]

# Prefix -> the module with its `run` and `info`.
_TOOLCHAINS = {
    "own": "verify.toolchain.own",
    "enzyme": "verify.toolchain.enzyme",
    "mlir": "verify.toolchain.mlir_bindings",
    "mlir-opt": "verify.toolchain.mlir_opt",
}


def run_pass(spec: str, module: ParsedModule, options: PassLimits | None = None) -> PassOutcome:
    """Run one pass or pipeline on a module, which is left as it was.

    A pass that fails is an outcome with diagnostics; a name that means nothing, or a toolchain
    that is not installed, raises `PassUsageError`.
    """
    chosen = _for_binary(spec, options or RunOptions())
    toolchain, pipeline = _parts(spec, chosen.mlir_opt_label)
    return _module(toolchain or "own").run(pipeline, module, chosen)


def check_spec(spec: str, options: PassLimits | None = None) -> None:
    """Raise `PassUsageError` when `spec` names no pass, or a toolchain that is missing."""
    chosen = _for_binary(spec, options or RunOptions())
    toolchain, pipeline = _parts(spec, chosen.mlir_opt_label)
    if toolchain is None:
        _module("own").find(pipeline)
    elif toolchain.startswith("mlir-opt"):
        _module(toolchain).check(pipeline, chosen)
    else:
        _module(toolchain).check(pipeline)


def steps_of(text: str, *, is_whole: bool = False) -> list[str]:
    """The specs of a comma-separated list.

    A pipeline of several passes gives one for each, unless it stays whole.
    """
    if is_whole:
        return split_pipelines(text)
    steps: list[str] = []
    for spec in split_pipelines(text):
        toolchain, pipeline = _parts(spec)
        passes = single_passes(pipeline) if toolchain else [spec]
        steps += [f"{toolchain}:{each}" if toolchain else each for each in passes] or [spec]
    return steps


def toolchains(mlir_opt: str | None = None) -> list[ToolchainInfo]:
    """Every toolchain, installed or not, this project's own passes first.

    There is one for each binary that `mlir_opt` names.
    """
    others = [_module(name).info() for name in _TOOLCHAINS if name != "mlir-opt"]
    return [*others, *_module("mlir-opt").infos(mlir_opt)]


def _for_binary(spec: str, options: PassLimits) -> PassLimits:
    """The options, with the binary that a spec names by its version."""
    head = spec.strip().partition(":")[0]
    is_other = is_versioned(head) and head != options.mlir_opt_label
    return RunOptions(options.timeout_s, head, head) if is_other else options


def _parts(spec: str, mlir_opt_label: str = "mlir-opt") -> tuple[str | None, str]:
    """The toolchain, if one is named, and what it should run."""
    head, colon, rest = spec.strip().partition(":")
    if not colon or "{" in head:
        return None, spec.strip()
    if head == mlir_opt_label:
        return "mlir-opt", rest
    if is_versioned(head):
        return head, rest
    if head not in _TOOLCHAINS or head == "own":
        known = ", ".join(name for name in _TOOLCHAINS if name != "own")
        raise PassUsageError(f"there is no toolchain `{head}`; there are: {known}")
    return head, rest


def _module(toolchain: str) -> Any:
    return import_module(_TOOLCHAINS["mlir-opt" if is_versioned(toolchain) else toolchain])
