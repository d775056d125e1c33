"""Benchmarks of the checks: `python -m tests.benchmarks [--quick]`, from the root of the project.

Prints a table and writes `reports/benchmarks/checks.json`; `--quick` takes a fraction of the time
and stops at smaller sizes. The exit status is 1 when a target of the design is missed. Other
tools run side by side in the same process, and only ratios to them are reported.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from functools import partial
from typing import Any

from rich.console import Console
from rich.table import Table

from tests.benchmarks import campaigns, checks, overlaps, sources

REPORT = checks.ROOT / "reports" / "benchmarks" / "checks.json"
COUNTS = (2, 5, 10, 20, 50, 100, 200)


def measure(*, is_quick: bool) -> dict[str, Any]:
    """Every figure."""
    counts = COUNTS[:5] if is_quick else COUNTS
    files = (10, 30, 100) if is_quick else (10, 30, 100, 300, 1000, 3000, 10_000)
    limit_s = 3.0 if is_quick else 60.0
    size = partial(checks.against_size, limit_s=limit_s)
    return {
        "warm_functions": checks.warm_functions(5 if is_quick else 25),
        "whole_command": checks.whole_command(3 if is_quick else 9),
        "captures_static": size(partial(sources.captures, is_symbolic=False), counts),
        "captures_symbolic": size(partial(sources.captures, is_symbolic=True), counts),
        "views": size(sources.views, (1, 2, 4, 8, 16, 32)),
        "loop_depth": size(sources.nest, range(1, 6 if is_quick else 9)),
        "asynchronous": size(sources.asynchronous, (100, 300, 1000, 3000, 10_000)),
        "async_and_reading": checks.against_parsing(5000, 1 if is_quick else 5),
        "functions": size(sources.file_of, files),
        "overlaps": overlaps.compare(100 if is_quick else 1000),
        "campaign": campaigns.rate(200 if is_quick else 2000, jobs=2),
        "parser": checks.against_parser(30 if is_quick else 300, 3),
    }


def targets(figures: dict[str, Any]) -> Iterator[tuple[str, float, float]]:
    """What the design promises: name, figure, target."""
    for row in figures["warm_functions"]:
        yield f"30 ops, {row['shape']}: s", row["read_and_check_s"], checks.WARM_TARGET_S
    yield "whole command: s", figures["whole_command"]["command_s"], checks.COMMAND_TARGET_S
    for name in ("captures_static", "captures_symbolic"):
        yield f"{name}: exponent", figures[name]["exponent"], checks.EXPONENT_TARGET
    found = figures["asynchronous"]["exponent"]
    yield "asynchronous: exponent", found, checks.ASYNC_EXPONENT_TARGET
    ratio = figures["async_and_reading"]["ratio"]
    yield "5,000 asynchronous ops: check to reading", ratio, checks.ASYNC_RATIO_TARGET
    rate = figures["campaign"]["programs_per_s"]
    yield "campaign: s for 60 programs", 60 / rate, 60 / campaigns.RATE_TARGET


def table(figures: dict[str, Any]) -> Table:
    """The figures for a person."""
    shown = Table("what", "figure", "target", "met")
    for name, figure, target in targets(figures):
        shown.add_row(name, f"{figure:.3f}", f"< {target:g}", "yes" if figure < target else "NO")
    for row in figures["warm_functions"]:
        shown.add_row(f"30 ops, {row['shape']}, check alone: s", f"{row['check_s']:.4f}")
    for name in (
        "captures_static",
        "captures_symbolic",
        "views",
        "loop_depth",
        "functions",
        "asynchronous",
    ):
        found = figures[name]
        sizes = ", ".join(f"{p['size']}: {p['seconds']:.3f}" for p in found["points"])
        shown.add_row(f"{name}: s", sizes)
        slopes = f"{found['exponent']:.2f}, upper half {found['tail_exponent']:.2f}"
        shown.add_row(f"{name}: exponent", slopes)
    for name in ("async_and_reading", "overlaps", "campaign", "parser"):
        for key, value in (figures[name] or {}).items():
            if isinstance(value, dict):
                continue
            shown.add_row(
                f"{name}: {key}", f"{value:.2f}" if isinstance(value, float) else f"{value}"
            )
    return shown


def main() -> int:
    """Run everything, print and write the figures."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer repeats, smaller sizes")
    figures = measure(is_quick=parser.parse_args().quick)
    Console().print(table(figures))
    REPORT.parent.mkdir(parents=True, exist_ok=True)
    REPORT.write_text(json.dumps(figures, indent=1) + "\n")
    return int(any(figure >= target for _, figure, target in targets(figures)))


if __name__ == "__main__":
    sys.exit(main())
