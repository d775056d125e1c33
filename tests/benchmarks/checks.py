"""How long checks take: one function, one command, and against size."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from tests.benchmarks import sources
from tests.benchmarks.timing import exponent, median_s
from verify.checks.options import CheckOptions
from verify.checks.run import check_module
from verify.ir.frontend import read_text
from verify.result import StageResult

ROOT = Path(__file__).resolve().parents[2]
SMALL_FILE = ROOT / "corpus" / "unsafe" / "double_snapshot.mlir"
OPTIONS = CheckOptions()
WARM_TARGET_S = 0.030
COMMAND_TARGET_S = 1.0
EXPONENT_TARGET = 1.3
ASYNC_EXPONENT_TARGET = 1.2
ASYNC_RATIO_TARGET = 3.0


def read_and_check(text: str) -> list[tuple[str, StageResult]]:
    """What the command does with a file, without its output."""
    parsed = read_text(text)
    if parsed.module is None:
        raise ValueError(str(parsed.errors))
    return check_module(parsed.module, OPTIONS)


def warm_functions(repeats: int) -> list[dict[str, Any]]:
    """Reading and checking a function of 30 ops, by who settles its question."""
    rows: list[dict[str, Any]] = []
    for shape in sources.SHAPES:
        text = sources.thirty_ops(shape)
        ((_, stage),) = read_and_check(text)
        module = read_text(text).module
        assert module is not None
        rows.append(
            {
                "shape": shape,
                "ops": sum(1 for _ in module.walk()) - 2,
                "verdict": stage.verdict.value,
                "deciders": sorted({p.decider for p in stage.proof if p.check == "stale-snapshot"}),
                "read_and_check_s": median_s(lambda t=text: read_and_check(t), repeats=repeats),
                "check_s": median_s(lambda m=module: check_module(m, OPTIONS), repeats=repeats),
            }
        )
    return rows


def whole_command(repeats: int) -> dict[str, Any]:
    """The command on one small file, in a process of its own."""
    call = [sys.executable, "-c", "from verify.cli.main import main; main()", "check"]

    def run(*arguments: str) -> None:
        subprocess.run([*call, *arguments], cwd=ROOT, capture_output=True, check=False)

    return {
        "file": SMALL_FILE.name,
        "command_s": median_s(lambda: run(str(SMALL_FILE)), repeats=repeats, limit_s=30),
        "empty_process_s": median_s(
            lambda: subprocess.run([sys.executable, "-c", ""], check=True), repeats=repeats
        ),
    }


def against_size(
    make: Callable[[int], str], sizes: Iterable[int], *, limit_s: float
) -> dict[str, Any]:
    """Seconds of reading and checking by size, as far as `limit_s` allows, and the exponents.

    `exponent` is over all sizes, `tail_exponent` over the upper half, where fixed costs fade.
    """
    points: list[tuple[float, float]] = []
    for size in sizes:
        text = make(size)
        repeats = 5 if not points or points[-1][1] < 0.2 else 1
        points.append((size, median_s(lambda t=text: read_and_check(t), repeats=repeats)))
        if points[-1][1] > limit_s:
            break
    upper = points[len(points) // 2 :] if len(points) > 3 else points
    return {
        "points": [{"size": int(n), "seconds": s} for n, s in points],
        "exponent": exponent(points),
        "tail_exponent": exponent(upper),
    }


def against_parsing(count: int, repeats: int) -> dict[str, Any]:
    """Checking a straight line of asynchronous work beside reading it."""
    text = sources.asynchronous(count)
    module = read_text(text).module
    assert module is not None
    ((_, stage),) = check_module(module, OPTIONS)
    read_s = median_s(lambda: read_text(text), repeats=repeats)
    check_s = median_s(lambda: check_module(module, OPTIONS), repeats=repeats)
    verdict = stage.verdict.value
    return {"ops": count, "verdict": verdict, "read_s": read_s, "ratio": check_s / read_s}


def against_parser(count: int, repeats: int) -> dict[str, Any] | None:
    """Whole-file checking beside MLIR merely parsing and verifying the same file."""
    try:
        from mlir.ir import Context, Module
    except ImportError:
        return None
    text = sources.file_of(count)
    with Context():

        def parse() -> None:
            if not Module.parse(text).operation.verify():
                raise ValueError("the program is invalid")

        parse()
        parse_s = median_s(parse, repeats=repeats)
    check_s = median_s(lambda: read_and_check(text), repeats=repeats, limit_s=30)
    return {"functions": count, "ratio": check_s / parse_s}
