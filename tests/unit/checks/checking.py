"""Short programs with one checkpointed loop, and what the checks say of them."""

from __future__ import annotations

from verify.checks.options import CheckOptions
from verify.checks.run import check_module
from verify.diagnostic import Diagnostic
from verify.ir.frontend import read_text
from verify.result import StageResult

MARK = "{enzyme.enable_checkpointing = true}"
ROW = "memref<8xf32>"
PART = "memref<?xf32, strided<[1], offset: ?>>"
CONSTANTS = """
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %f = arith.constant 1.0 : f32
  %g = arith.constant 2.0 : f32
"""


def function(arguments: str, before: str, body: str, *, module: str = "") -> str:
    """`@f` with ops in front of a checkpointed loop over %i up to %n, and a loop body."""
    return (
        f"{module}\nfunc.func @f({arguments}, %n: index) {{{CONSTANTS}{before}\n"
        f"scf.for %i = %c0 to %n step %c1 {{\n{body}\n}} {MARK}\nreturn\n}}\n"
    )


def check(text: str, **options: object) -> StageResult:
    """The result of the function `@f`."""
    parsed = read_text(text)
    if parsed.module is None:
        raise ValueError(f"{parsed.errors[0]}\n{text}")
    chosen = CheckOptions(**options)  # pyright: ignore[reportArgumentType]
    return dict(check_module(parsed.module, chosen))["f"]


def verdict(text: str, **options: object) -> str:
    """The verdict on `@f`."""
    return check(text, **options).verdict.value


def codes(text: str, **options: object) -> list[str]:
    """The codes of the findings on `@f`, in order, without notes."""
    found = check(text, **options).diagnostics
    return [d.code for d in found if not d.code.startswith("N")]


def finding(text: str, code: str, **options: object) -> Diagnostic:
    """The first finding with a code."""
    return next(d for d in check(text, **options).diagnostics if d.code == code)
