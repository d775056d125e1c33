"""The block that is printed when verify-ir itself fails: everything a bug report needs."""

import platform
import shlex
import sys
import traceback
from collections.abc import Sequence
from importlib import metadata

from verify import __version__

_PACKAGES = ("xdsl", "z3-solver", "xtc-mlir-python-bindings", "enzyme-ad")


def bug_report(
    arguments: Sequence[str], fault: BaseException | str, path: str | None = None
) -> str:
    """The block for one fault, given as an exception or as the text of its traceback."""
    trace = fault if isinstance(fault, str) else "".join(traceback.format_exception(fault))
    lines = [
        "==== verify-ir failed; please report this block ====",
        f"verify-ir: {__version__}",
        f"python:    {sys.version.split()[0]} ({sys.implementation.name})",
        f"platform:  {platform.platform()}",
        f"packages:  {', '.join(f'{name} {text}' for name, text in versions().items())}",
        f"command:   {shlex.join(['verify-ir', *arguments])}",
        *([f"file:      {path}"] if path else []),
        trace.rstrip("\n"),
        "==== end of report ====",
    ]
    return "".join(f"{line}\n" for line in lines)


def versions() -> dict[str, str]:
    """The versions of the installed packages on which results depend."""
    found: dict[str, str] = {}
    for name in _PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found
