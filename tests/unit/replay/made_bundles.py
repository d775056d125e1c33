"""A bundle of the commonest example, and ways to change what is in one."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from verify.config import Options
from verify.driver import Task, run_task

CORPUS = Path(__file__).parents[3] / "corpus"


@cache
def bundle_of(name: str) -> bytes:
    """The bundle of the first finding in a file of the corpus."""
    path = next(CORPUS.glob(f"*/{name}.mlir"))
    with TemporaryDirectory() as folder:
        run_task(Task(str(path), Options(bundle=folder)))
        return min(Path(folder).iterdir()).read_bytes()


def parts_of(content: bytes) -> dict[str, bytes]:
    """What is in a bundle, but for the code."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        names = [name for name in archive.namelist() if not name.startswith(("runtime", "lic"))]
        return {name: archive.read(name) for name in names}


def zip_of(parts: dict[str, bytes]) -> bytes:
    """A zip file of these parts."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return stream.getvalue()


def with_manifest(change: Callable[[dict[str, Any]], object]) -> bytes:
    """The example with another manifest."""
    parts = parts_of(bundle_of("double_snapshot"))
    document = json.loads(parts["manifest.json"])
    change(document)
    return zip_of({**parts, "manifest.json": json.dumps(document).encode()})


def with_part(name: str, content: bytes) -> bytes:
    """The example with one part replaced or added."""
    return zip_of({**parts_of(bundle_of("double_snapshot")), name: content})


def without(name: str) -> bytes:
    """The example with one part left out."""
    parts = parts_of(bundle_of("double_snapshot"))
    del parts[name]
    return zip_of(parts)
