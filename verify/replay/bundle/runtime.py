"""The code that a bundle carries: this project's replay and the part of xDSL that it needs.

Which modules these are is found out by importing them in a process of its own.
"""

from __future__ import annotations

import io
import json
import subprocess
import sys
import zipfile
from functools import cache
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).parents[3]
FOLDER = "runtime"
_EPOCH = (1980, 1, 1, 0, 0, 0)
_CARRIED = ("verify", "xdsl", "immutabledict", "typing_extensions")
_WRITERS = ("verify.replay.bundle.write", "verify.replay.bundle.runtime")
_COLLECT = f"""
import importlib, json, pkgutil, sys
import verify.ir.context, verify.replay, verify.semantics
for package in (verify.semantics, verify.replay):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if module.name not in {_WRITERS!r}:
            importlib.import_module(module.name)
for load in verify.ir.context.dialect_loaders().values():
    load()
files = {{}}
for name, module in sorted(sys.modules.items()):
    if name.partition(".")[0] in {_CARRIED!r}:
        files[name] = [getattr(module, "__file__", None), hasattr(module, "__path__")]
print(json.dumps(files))
"""
_LICENCES = {
    "xdsl": "Apache-2.0 WITH LLVM-exception",
    "immutabledict": "MIT",
    "typing-extensions": "PSF-2.0",
}
_MAIN = '''"""Runs the counterexample in this file; see the manifest beside this."""

import sys
from pathlib import Path

if sys.version_info < (3, 11):
    sys.exit("this bundle needs Python 3.11 or newer")
try:
    import numpy
except ImportError:
    sys.exit("this bundle needs NumPy: pip install numpy")
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "runtime"))

from verify.replay.bundle.runner import main

sys.exit(main(str(HERE)))
'''


@cache
def runtime_zip() -> bytes:
    """A zip file with the code alone, in which a bundle's own parts are still missing."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        add(archive, "__main__.py", _MAIN)
        for name, content in _sources().items():
            add(archive, f"{FOLDER}/{name}", content)
        for name, content in _licences().items():
            add(archive, f"licenses/{name}", content)
    return stream.getvalue()


def add(archive: zipfile.ZipFile, name: str, content: str | bytes) -> None:
    """Add an entry that is the same whenever it is written."""
    info = zipfile.ZipInfo(name, _EPOCH)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = 0o644 << 16
    archive.writestr(info, content, compresslevel=9)


def _sources() -> dict[str, bytes]:
    """The files of the modules that a replay needs, by their place below the folder."""
    done = subprocess.run(
        [sys.executable, "-c", _COLLECT],
        capture_output=True,
        check=True,
        cwd=ROOT,
        text=True,
    )
    found: dict[str, bytes] = {}
    for name, (file, is_package) in json.loads(done.stdout).items():
        place = name.replace(".", "/")
        place += "/__init__.py" if is_package else ".py"
        found[place] = Path(file).read_bytes() if file else b""
    for file in (ROOT / "verify" / "replay").rglob("*.cuh"):
        found[file.relative_to(ROOT).as_posix()] = file.read_bytes()
    return found


def _licences() -> dict[str, bytes]:
    """The licences of what is carried: their names, and their texts where packages bring them."""
    found: dict[str, bytes] = {}
    own = ROOT / "LICENSE"
    if own.is_file():
        found["verify-ir/LICENSE"] = own.read_bytes()
    for package, licence in _LICENCES.items():
        try:
            files = metadata.files(package) or []
            version = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
        found[f"{package}/NOTICE"] = f"{package} {version}: {licence}\n".encode()
        for file in files:
            if "dist-info" in str(file) and "LICEN" in file.name.upper():
                found[f"{package}/{file.name}"] = Path(str(file.locate())).read_bytes()
    return found
