"""What a renderer is given beside the results: source lines, style, and how the run ended."""

from dataclasses import dataclass, field

from verify.report.sources import Sources


@dataclass(frozen=True, slots=True)
class RenderContext:
    """`verbosity` is below 0 for quiet and above 0 for verbose; `exit_code` is the command's.

    Tables are folded to `columns` where that is possible.
    """

    sources: Sources = field(default_factory=Sources)
    command: str = "check"
    version: str = "0"
    exit_code: int = 0
    verbosity: int = 0
    columns: int = 100
    is_color: bool = False
    is_unicode: bool = False
    is_strict: bool = False
    is_interrupted: bool = False
    shows_proof: bool = False
