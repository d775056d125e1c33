"""What running a pass, or asking for a toolchain, gives."""

from dataclasses import dataclass
from typing import Protocol

from verify.diagnostic import Diagnostic
from verify.ir.module import ParsedModule


class PassLimits(Protocol):
    """What a pass run takes from the settings of the whole run."""

    @property
    def timeout_s(self) -> float:
        """After this time the pass is stopped."""
        ...

    @property
    def mlir_opt(self) -> str | None:
        """The binary to take for `mlir-opt:`; the newest that is found when not set."""
        ...

    @property
    def mlir_opt_label(self) -> str:
        """What stands in front of the colon where that binary is meant."""
        ...


@dataclass(frozen=True, slots=True)
class RunOptions:
    """Limits of one pass run, and which `mlir-opt` to take when it is not the newest."""

    timeout_s: float = 60.0
    mlir_opt: str | None = None
    mlir_opt_label: str = "mlir-opt"


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
    """One toolchain: `reason` says why it is not available.

    `passes` are those that matter most here; a real compiler runs all others of its own as well.
    """

    name: str
    version: str
    passes: tuple[str, ...]
    available: bool
    reason: str = ""


class PassUsageError(ValueError):
    """A pass that does not exist, a toolchain that is not installed, or a malformed pipeline."""
