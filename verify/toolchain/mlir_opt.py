"""`mlir-opt:PIPELINE`: an `mlir-opt` binary, run afresh for each call."""

import json
import re
from dataclasses import dataclass
from typing import Any

from xdsl.dialects.builtin import ModuleOp

from verify.diagnostic import Diagnostic
from verify.ir.foreign_places import places_in_source
from verify.ir.frontend import read_printed
from verify.ir.module import ParsedModule
from verify.ir.printing import to_custom_text, to_generic_text
from verify.ir.source import STDIN, SourceText
from verify.toolchain.binaries import (
    binaries_in,
    binary_version,
    find_binary,
    names_in,
    newest_binary,
    not_runnable,
)
from verify.toolchain.failures import (
    input_refused,
    output_refused,
    pass_failed,
    worker_failed,
)
from verify.toolchain.flatten import TEXT_ITSELF, WRITTEN_STDIN
from verify.toolchain.known_passes import UPSTREAM_PASSES
from verify.toolchain.mlir_opt_process import Completed, complete, errors_of, message, run_nested
from verify.toolchain.outcome import (
    PassLimits,
    PassOutcome,
    PassUsageError,
    RunOptions,
    ToolchainInfo,
)
from verify.toolchain.pipelines import (
    split_pipelines,
    strip_module,
)
from verify.toolchain.usage import bad_pipeline
from verify.toolchain.worker import Reply, WorkerDiedError, WorkerError

_NOT_INSTALLED = "toolchain mlir-opt is not installed: pip install 'verify-ir[tools]'"
_OLD_NAMES = re.compile(r"\b(?:operand|result)_segment_sizes\b")
"""Of attributes in the generic form of MLIR 16, which later versions do not read."""
_PIPELINE_ERROR = "MLIR Textual PassPipeline Parser"
_VERSION_TIMEOUT_S = 20.0


def info(named: str | None = None, label: str = "mlir-opt") -> ToolchainInfo:
    """Whether a binary is here, which one, and which version of it."""
    binary = find_binary(named)
    if binary is None:
        reason = _NOT_INSTALLED if named is None else not_runnable(named)
        return ToolchainInfo(label, "", (), available=False, reason=reason)
    return ToolchainInfo(label, binary_version(binary), UPSTREAM_PASSES, available=True)


def infos(named: str | None = None) -> list[ToolchainInfo]:
    """The same for each binary of a list with commas."""
    names = names_in(named) if named else []
    if len(names) < 2:
        return [info(named)]
    try:
        return [info(each.path, each.label) for each in binaries_in(named or "")]
    except PassUsageError:
        return [info(name, name) for name in names]


def run(pipeline: str, module: ParsedModule, options: PassLimits) -> PassOutcome:
    """Run each pass of `pipeline` in turn; the first that fails is the outcome.

    A binary of another version may not read MLIR's generic form as it is written today. It is then
    given custom syntax, which changes less; where it cannot read that either, nothing is known
    about its passes.
    """
    binary = find_binary(options.mlir_opt)
    if binary is None:
        raise PassUsageError(info(options.mlir_opt).reason)
    elements = split_pipelines(strip_module(pipeline))
    if not elements:
        raise PassUsageError("`mlir-opt:` names no pass")
    assert module.module is not None
    call = _Call(binary, tuple(elements), f"{options.mlir_opt_label}:{pipeline}", options)
    return call.outcome(module, module.module)


def check(pipeline: str, options: PassLimits | None = None) -> None:
    """Raise `PassUsageError` when the binary is missing or does not know the pipeline."""
    chosen = options or RunOptions()
    binary = find_binary(chosen.mlir_opt)
    if binary is None:
        raise PassUsageError(info(chosen.mlir_opt).reason)
    elements = split_pipelines(strip_module(pipeline))
    try:
        completed = run_nested(binary, elements, "", RunOptions(timeout_s=_VERSION_TIMEOUT_S))
    except WorkerError:  # it dies or hangs on an empty module; the run will tell
        return
    _raise_bad_pipeline(completed, f"{chosen.mlir_opt_label}:{pipeline}")


def read_generic(text: str, source: SourceText, path: str, timeout_s: float) -> ParsedModule:
    """Read custom syntax by way of the newest binary, which prints the generic form."""
    from verify.ir.refusals import refusal_diagnostics
    from verify.ir.xdsl_text import read_with_xdsl

    binary = newest_binary()
    if binary is None:
        error = Diagnostic("E0001", "no `mlir-opt` was found to read this input")
        return ParsedModule(path, source, None, (error,), "mlir-opt")
    try:
        completed = complete(binary, (), text, timeout_s)
    except WorkerError as failure:
        error = Diagnostic("E0001", f"`mlir-opt` {failure.reason} on this input")
        return ParsedModule(path, source, None, (error,), "mlir-opt")
    if completed.return_code:
        header = {
            "errors": _own_places(errors_of(completed)),
            "is_syntax": "see current operation" not in completed.stderr,
        }
        return ParsedModule(path, source, None, refusal_diagnostics(header, source), "mlir-opt")
    printed = completed.stdout.replace('loc("-":', f"loc({json.dumps(source.path)}:")
    printed = printed.replace('loc("<stdin>":', f"loc({json.dumps(source.path)}:")
    return read_with_xdsl(source, printed, path, frontend="mlir-opt")


@dataclass(frozen=True, slots=True)
class _Call:
    """One pipeline for one binary."""

    binary: str
    elements: tuple[str, ...]
    name: str
    options: PassLimits

    def outcome(self, module: ParsedModule, op: ModuleOp) -> PassOutcome:
        """What became of it, in the form that the binary can read."""
        text = to_generic_text(op)
        found, is_failed = self._attempt(text, module, is_generic=True)
        is_old = found.module is None and _OLD_NAMES.search(found.text or "") is not None
        refused = self._unread(text, module, is_generic=True) if is_failed else None
        if refused is None and not is_old:
            return found
        custom = to_custom_text(op)
        if custom is not None:
            refused = self._unread(custom, module, is_generic=False)
            if refused is None:
                return self._attempt(custom, module, is_generic=False)[0]
        return refused if refused and self._reads_anything() else found

    def _attempt(
        self, text: str, module: ParsedModule, *, is_generic: bool
    ) -> tuple[PassOutcome, bool]:
        """The outcome on one form of the module, and whether the form itself may be at fault."""
        try:
            completed = run_nested(
                self.binary, self.elements, text, self.options, is_generic=is_generic
            )
        except WorkerError as error:
            is_failed = isinstance(error, WorkerDiedError)
            return worker_failed(error, self.name, text, module), is_failed
        outcome = _outcome(completed, text, self.name, module)
        return outcome, completed.return_code != 0

    def _unread(self, text: str, module: ParsedModule, *, is_generic: bool) -> PassOutcome | None:
        """The refusal of a binary that cannot even read `text`, without any pass."""
        limit = self.options.timeout_s
        try:
            completed = complete(self.binary, (), text, limit, is_generic=is_generic)
        except WorkerError as error:
            header: dict[str, Any] = {"errors": [message(f"it {error.reason} on it")]}
            completed = Completed(1, "", error.stderr, 0.0)
        else:
            header = {"errors": _placed(completed, text, module)}
        if completed.return_code == 0:
            return None
        reply = Reply({}, b"", completed.stderr, completed.seconds)
        return input_refused(header, text, self.name, module, reply)

    def _reads_anything(self) -> bool:
        """Whether the binary works at all."""
        try:
            return complete(self.binary, (), "", self.options.timeout_s).return_code == 0
        except WorkerError:
            return False


def _outcome(completed: Completed, text: str, pass_name: str, module: ParsedModule) -> PassOutcome:
    reply = Reply({}, b"", completed.stderr, completed.seconds)
    if completed.return_code == 0:
        result = read_printed(completed.stdout, module.source, module.path)
        if not result.errors:
            return PassOutcome(result, (), completed.stderr, completed.seconds, completed.stdout)
        return output_refused(result.errors, pass_name, completed.stdout, reply)
    _raise_bad_pipeline(completed, pass_name)
    header: dict[str, Any] = {"errors": _placed(completed, text, module)}
    return pass_failed(header, pass_name, module, reply)


def _placed(completed: Completed, text: str, module: ParsedModule) -> list[dict[str, Any]]:
    """The errors with their places in `text`, which a binary names in one of two ways, made ours.

    Where the source is standard input too, one of the two may mean that.
    """
    own = {TEXT_ITSELF} if module.source.path == STDIN else {TEXT_ITSELF, WRITTEN_STDIN}
    return places_in_source(errors_of(completed), text, "the text it was given", own)


def _raise_bad_pipeline(completed: Completed, pass_name: str) -> None:
    if _PIPELINE_ERROR in completed.stderr or "failed to add" in completed.stderr:
        raise bad_pipeline(pass_name, "mlir-opt", completed.stderr, UPSTREAM_PASSES)


def _own_places(errors: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Errors about a text that was piped in, with the binary's name for it made MLIR's own."""
    for item in [*errors, *(note for error in errors for note in error["notes"])]:
        if item["place"] is not None and item["place"][0] == WRITTEN_STDIN:
            item["place"] = (TEXT_ITSELF, *item["place"][1:])
    return errors
