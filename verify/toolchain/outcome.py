"""What running a pass, or asking for a toolchain, gives."""

from dataclasses import dataclass

from verify.diagnostic import Diagnostic
from verify.ir.module import ParsedModule


@dataclass(frozen=True, slots=True)
class RunOptions:
    """Limits of one pass run, and which `mlir-opt` to take when it is not the newest."""

    timeout_s: float = 60.0
    mlir_opt: str | None = None


@dataclass(frozen=True, eq=False, slots=True)
class PassOutcome:
    """The module after the pass, or the diagnostics that say why there is none.

    `text` is what a compiler printed when that could not be turned into a module.
    """

    module: ParsedModule | None
    diagnostics: tuple[Diagnostic, ...] = ()
    stderr: str = ""
    seconds: float = 0.0
    text: str | None = None


@dataclass(frozen=True, slots=True)
class ToolchainInfo:
    """One toolchain: `passes` are the names it runs, `reason` says why it is not available."""

    name: str
    version: str
    passes: tuple[str, ...] | None
    available: bool
    reason: str = ""


class PassUsageError(ValueError):
    """A pass that does not exist, a toolchain that is not installed, or a malformed pipeline."""
