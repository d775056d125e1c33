"""The check on a GPU: `python -m tests.gpu [--rehearse] [-o FILE]`, from the root of the project.

Runs a bundle of every finding in the corpus on the CUDA device, the double snapshot before and
after its pass, races forced on streams, the copy of device memory that crashes, and every function
of the corpus on both devices. It writes `reports/gpu/<device>.json` within 5 minutes. The exit
status is 0 when all is as it should be, 1 when something is not, and 77 where there is no GPU.
With `--rehearse` the CPU stands in for the device, its streams simulated.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.gpu import examine
from tests.unit.replay.simulated_streams import simulated
from verify import __version__
from verify.replay.arrays import Arrays, DeviceError, arrays_for
from verify.replay.bundle.perform import versions

SCHEMA = "verify-ir/gpu-check/v1"
FOLDER = Path(__file__).parents[2] / "reports" / "gpu"
LIMIT_S = 280.0
GOOD, BAD, NO_GPU = 0, 1, 77


def report(arrays: Arrays, limit_s: float = LIMIT_S) -> dict[str, Any]:
    """The whole check as one document."""
    begin = time.monotonic()
    deadline = begin + limit_s
    with TemporaryDirectory() as folder:
        paths = examine.corpus_bundles(Path(folder))
        rows = examine.run_bundles(paths, arrays, deadline)
    parts = [
        examine.bundles(rows),
        examine.double_snapshot(rows),
        examine.races(rows),
        examine.memory_space(arrays),
        examine.values(arrays, deadline),
    ]
    return {
        "schema": SCHEMA,
        "device": arrays.device,
        "device_name": arrays.name,
        "versions": {"verify-ir": __version__, **versions(arrays), **_cuda(arrays)},
        "is_good": not any(part.faults for part in parts),
        "seconds": round(time.monotonic() - begin, 3),
        **{part.name: {**part.figures, "faults": list(part.faults)} for part in parts},
        "results": rows,
    }


def _cuda(arrays: Arrays) -> dict[str, str]:
    if arrays.device != "cuda":
        return {}
    runtime = arrays.module.cuda.runtime
    found = {"driver": runtime.driverGetVersion(), "runtime": runtime.runtimeGetVersion()}
    return {f"cuda {name}": f"{n // 1000}.{n % 1000 // 10}" for name, n in found.items()}


def summary(document: dict[str, Any]) -> list[str]:
    """A few lines for a person."""
    bundles, double = document["bundles"], document["double_snapshot"]
    races, values = document["races"], document["values"]
    lines = [
        f"{document['device_name']}, {document['seconds']:.0f} s",
        f"bundles: {bundles['reproduced']} of {bundles['count']} reproduced",
        f"bundles: {bundles['agree_with_cpu']} with the values of the CPU",
        f"stale snapshots: in {double['loops']} loops {double['reads_that_differ_before']} reads",
        f"stale snapshots: none after the pass in {double['gone_after']} of them",
        f"races: {races['forced']} of {races['orders']} forced",
        *(_attempt(each) for each in document["memory_space"]["attempts"]),
        f"values: {values['functions']} functions, {values['bytes_compared']} bytes of memory",
        f"values: {values['differing']} functions differ",
    ]
    return [*lines, *(f"  not as it should be: {fault}" for fault in faults_in(document))]


def faults_in(document: dict[str, Any]) -> list[str]:
    """What is not as it should be, of all parts."""
    parts = [part for part in document.values() if isinstance(part, dict)]
    return [fault for part in parts for fault in part.get("faults", ())]


def _attempt(attempt: dict[str, Any]) -> str:
    return f"memory space: a host copy of {attempt['memory']}: {attempt['end']} {attempt['detail']}"


def main(arguments: list[str] | None = None) -> int:
    """Run the check; see the module."""
    parser = argparse.ArgumentParser(prog="python -m tests.gpu", description=__doc__)
    parser.add_argument("--rehearse", action="store_true", help="run all of it on the CPU")
    parser.add_argument("-o", "--output", type=Path, help="where the report goes")
    options = parser.parse_args(arguments)
    if options.rehearse:
        arrays = replace(simulated()[0], name="CPU, as a rehearsal")
    else:
        try:
            arrays = arrays_for("cuda")
        except DeviceError as error:
            sys.stderr.write(f"there is no GPU to check on: {error}\n")
            return NO_GPU
    document = report(arrays)
    output = options.output or (None if options.rehearse else FOLDER / f"{slug(arrays.name)}.json")
    if output is not None:
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_text(json.dumps(document, indent=1, allow_nan=False) + "\n", encoding="utf-8")
    sys.stdout.write("".join(f"{line}\n" for line in summary(document)))
    return GOOD if document["is_good"] else BAD


def slug(name: str) -> str:
    """The name of a device as that of a file."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


if __name__ == "__main__":
    sys.exit(main())
