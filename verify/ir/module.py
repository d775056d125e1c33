"""What reading a file gives: one entry for each module in it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from verify.diagnostic import Diagnostic
from verify.ir.source import SourceText

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp


@dataclass(frozen=True, eq=False)
class ParsedModule:
    """A module, or the E0001/E0002 errors that stand in its place.

    `path` names the module in results and carries `#k` when its file has several; `source` is
    the whole file, which locations point into; `frontend` is what read it.
    """

    path: str
    source: SourceText
    module: "ModuleOp | None"
    errors: tuple[Diagnostic, ...] = ()
    frontend: str = ""
