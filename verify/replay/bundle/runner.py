"""What `python BUNDLE.zip` does: run the counterexample in it with the code that is in it."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from verify.replay.arrays import DeviceError, arrays_for
from verify.replay.bundle.manifest import BundleError
from verify.replay.bundle.perform import perform, say_result
from verify.replay.bundle.read import read_bundle

REPRODUCED, USAGE, NOT_REPRODUCED = 0, 2, 1


def main(path: str, arguments: list[str] | None = None) -> int:
    """Run the bundle at `path`; 0 when the finding shows, 1 when not, 2 when it cannot be run."""
    parser = argparse.ArgumentParser(
        prog=Path(path).name,
        description="Run this counterexample. Exit status: 0 reproduced, 1 not, 2 no run.",
    )
    parser.add_argument("--device", choices=("auto", "cpu", "cuda"), default="auto")
    parser.add_argument("-o", "--output", metavar="FILE", help="write the result as JSON")
    options = parser.parse_args(arguments)
    try:
        bundle, name = read_bundle(Path(path))
        result = perform(bundle, name, arrays_for(options.device))
        if options.output:
            text = json.dumps(result, indent=1, allow_nan=False) + "\n"
            Path(options.output).write_text(text, encoding="utf-8")
    except (BundleError, DeviceError, OSError) as error:
        sys.stderr.write(f"{path}: {error}\n")
        return USAGE
    sys.stdout.write("".join(f"{line}\n" for line in say_result(bundle, result)))
    return REPRODUCED if result["reproduced"] else NOT_REPRODUCED
