"""How a program is made runnable: MLIR's passes down to the `llvm` dialect, and its libraries.

A *program* is MLIR text with the function `ENTRY`, which takes a number of *images* (blocks of
bytes of equal size, one behind the other) and changes them in place.
"""

from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

ENTRY = "verify_ir_run"

_PASSES = (
    "convert-linalg-to-loops",
    "scf-forall-to-for",
    "memref-expand",
    "expand-strided-metadata",
    "lower-affine",
    "arith-expand",
    "convert-vector-to-scf",
    "convert-scf-to-cf",
    "convert-vector-to-llvm",
    "convert-complex-to-llvm",
    "convert-math-to-llvm",
    "convert-math-to-libm",
    "finalize-memref-to-llvm",
    "convert-arith-to-llvm",
    "convert-index-to-llvm",
    "convert-ub-to-llvm",
    "convert-func-to-llvm",
    "convert-cf-to-llvm",
    "reconcile-unrealized-casts",
)
PIPELINE = f"builtin.module({','.join(_PASSES)})"

# What lowered code calls: copies of strided memrefs, printing, and conversions of small floats.
_LIBRARIES = ("libmlir_c_runner_utils.so", "libmlir_float16_utils.so")


@dataclass(frozen=True, slots=True)
class Program:
    """MLIR text with an `ENTRY`, and the bytes of one of its images."""

    text: str
    image_bytes: int


class RunError(Exception):
    """A program that gave no result: `step` is `parse`, `lower`, `compile` or `run`.

    `has_died` says that the process was ended by a signal or a time limit while it ran.
    """

    def __init__(self, step: str, reason: str, stderr: str = "", *, has_died: bool = False) -> None:
        """Keep what was printed beside the reason."""
        super().__init__(reason)
        self.step = step
        self.reason = reason
        self.stderr = stderr
        self.has_died = has_died


@cache
def package_folder() -> Path | None:
    """Where MLIR's Python packages keep their binaries (`bin`) and libraries (`lib`)."""
    try:
        package = find_spec("mlir")
    except ValueError:
        return None
    places = (package.submodule_search_locations or ()) if package else ()
    return next((Path(each) for each in places if (Path(each) / "lib").is_dir()), None)


def libraries() -> list[str]:
    """The run-time libraries that are installed, as paths."""
    folder = package_folder()
    found = [folder / "lib" / name for name in _LIBRARIES] if folder else []
    return [str(path) for path in found if path.is_file()]
