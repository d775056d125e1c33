"""What the check on a GPU looks at; each part says what is not as it should be."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.gpu.corpus import CORPUS, findings
from verify.ir.frontend import read_text
from verify.model.analyse import functions_of
from verify.model.symbols import collect_symbols
from verify.replay.arrays import CPU, Arrays
from verify.replay.attempts import attempts_for, is_confirmed
from verify.replay.bundle.manifest import BundleError
from verify.replay.bundle.perform import perform
from verify.replay.bundle.read import read_bundle
from verify.replay.inputs import Inputs
from verify.replay.run import run_function
from verify.replay.schedule import run_schedule
from verify.replay.scheduler import Scheduler

_KEPT = ("reproduced", "agrees_with_cpu", "seconds")


@dataclass(frozen=True, slots=True)
class Part:
    """One part of the report: `faults` say what is not as it should be."""

    name: str
    figures: dict[str, Any]
    faults: tuple[str, ...]


def corpus_bundles(folder: Path) -> list[Path]:
    """A bundle of every finding in the corpus."""
    made = {each.diagnostic.bundle for each in findings(folder)}
    return sorted(Path(bundle) for bundle in made if bundle)


def run_bundles(paths: Iterable[Path], arrays: Arrays, deadline: float) -> list[dict[str, Any]]:
    """The result of each bundle; after the deadline nothing more is run."""
    return [_row(path, arrays, deadline) for path in paths]


def _row(path: Path, arrays: Arrays, deadline: float) -> dict[str, Any]:
    if time.monotonic() > deadline:
        return {"bundle": path.name, "error": "not run: the time was over"}
    try:
        bundle, name = read_bundle(path)
        result = perform(bundle, name, arrays)
    except BundleError as error:
        return {"bundle": path.name, "error": str(error)}
    return {
        "bundle": path.name,
        "identity": name,
        "code": bundle.finding["code"],
        "kind": bundle.recipe.kind,
        **{key: result[key] for key in _KEPT},
        "before": _short(result["before"]),
        "cure": bundle.cure,
        "after": _short(result["after"]),
        "streams": _short(result["streams"]),
        "attempts": result["attempts"],
    }


def _short(run: dict[str, Any] | None) -> dict[str, Any] | None:
    """A run with the number of its rows, and the first one."""
    if run is None:
        return None
    rows = run["rows"]
    return {**run, "rows": len(rows), "first": rows[0] if rows else None}


def bundles(rows: list[dict[str, Any]]) -> Part:
    """All bundles reproduce, and show what they show on the CPU."""
    faults = [f"{row['bundle']}: {row['error']}" for row in rows if "error" in row]
    ran = [row for row in rows if "error" not in row]
    faults += [f"{row['bundle']}: not reproduced" for row in ran if not row["reproduced"]]
    faults += [
        f"{row['bundle']}: other values than on the CPU"
        for row in ran
        if not row["agrees_with_cpu"]
    ]
    figures = {
        "count": len(rows),
        "reproduced": sum(row["reproduced"] for row in ran),
        "agree_with_cpu": sum(row["agrees_with_cpu"] for row in ran),
        "by_code": dict(sorted(Counter(row["code"] for row in ran).items())),
    }
    return Part("bundles", figures, tuple(faults))


def double_snapshot(rows: list[dict[str, Any]]) -> Part:
    """Reads that differ before `sink-checkpoint-views`, and none after it."""
    own = [row for row in rows if row.get("code") == "E0101" and row["after"] is not None]
    cured = [row for row in own if row["after"]["status"] == "ran" and not row["after"]["rows"]]
    example = [row for row in own if row["bundle"].startswith("double_snapshot-")]
    figures = {
        "loops": len(own),
        "reads_that_differ_before": sum(row["before"]["rows"] for row in own),
        "gone_after": len(cured),
        "example": [{k: row[k] for k in ("bundle", "before", "after")} for row in example],
    }
    is_gone = bool(example) and all(row in cured for row in example)
    faults = () if is_gone else ("the double snapshot is not gone after the pass",)
    return Part("double_snapshot", figures, faults)


def races(rows: list[dict[str, Any]]) -> Part:
    """Orders that are forced on streams show a difference."""
    own = [row for row in rows if row.get("kind") == "schedule"]
    ran = [row for row in own if row["streams"] is not None]
    shown = [row for row in ran if row["streams"]["shows"]]
    faults = [
        f"{row['bundle']}: {row['streams']['reason'] or 'nothing differs'}"
        for row in ran
        if row not in shown
    ]
    faults += [f"{row['bundle']}: there are no streams" for row in own if row not in ran]
    return Part("races", {"orders": len(own), "forced": len(shown)}, tuple(faults))


def memory_space(arrays: Arrays) -> Part:
    """The host copy of device memory dies, or is refused, in its process."""
    attempts = attempts_for(arrays.device, "device")
    plain = [each.plain() for each in attempts]
    faults = () if is_confirmed(attempts) else ("the copy of device memory did not fail",)
    return Part("memory_space", {"attempts": plain}, faults)


def values(arrays: Arrays, deadline: float) -> Part:
    """Every function of the corpus, run on the device and on the CPU, ends in the same bytes."""
    functions = differing = compared = 0
    faults: list[str] = []
    for path, name, run in _runs():
        if time.monotonic() > deadline:
            faults.append(f"{path.name}: not run: the time was over")
            break
        expected, actual = run(CPU), run(arrays)
        functions += 1
        compared += sum(len(content) for _, content in expected[1])
        if expected != actual:
            differing += 1
            faults.append(f"{path.name}: `@{name}` ends in other bytes or values")
    figures = {"functions": functions, "differing": differing, "bytes_compared": compared}
    return Part("values", figures, tuple(faults))


def _runs() -> Iterator[tuple[Path, str, Any]]:
    for path in sorted([*CORPUS.glob("safe/*.mlir"), *CORPUS.glob("unsafe/*.mlir")]):
        module = read_text(path.read_text(encoding="utf-8")).module
        if module is not None:
            symbols = collect_symbols(module)
            yield from ((path, name, _Run(op, symbols)) for name, op in functions_of(module))


class _Run:
    """One function, run in program order and replayed from snapshots."""

    def __init__(self, function: Any, symbols: Any) -> None:
        self.function, self.symbols = function, symbols

    def __call__(self, arrays: Arrays) -> tuple[Any, ...]:
        trace = run_schedule(
            self.function, self.symbols, Inputs(seed=11), Scheduler(), arrays=arrays
        )
        seen = run_function(self.function, self.symbols, Inputs(seed=11), arrays=arrays).observation
        differing = [
            (d.segment, d.iteration, d.place, str(d.expected), str(d.actual))
            for d in seen.divergences
        ]
        return trace.status, trace.memory, [str(r) for r in trace.results], seen.reads, differing
