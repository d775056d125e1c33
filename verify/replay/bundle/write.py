"""Writing bundles."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path

from verify.replay.bundle.arrays import npy_of
from verify.replay.bundle.manifest import (
    AFTER,
    MANIFEST,
    MODULE,
    TARGET,
    Bundle,
    identity,
    manifest_text,
)
from verify.replay.bundle.runtime import add, runtime_zip

_PLAIN = re.compile(r"[^A-Za-z0-9_.-]+")


def write_bundle(folder: Path, bundle: Bundle) -> Path:
    """Write a bundle to a folder under a name that tells what is in it; the same one twice is
    written once.
    """
    content, name = bundle_bytes(bundle)
    finding = bundle.finding
    stem = Path(finding["path"].partition("#")[0]).stem or "input"
    parts = (stem, finding["function"], finding["code"], name[:8])
    path = folder / (_PLAIN.sub("-", "-".join(parts))[:150] + ".zip")
    path.write_bytes(content)
    return path


def bundle_bytes(bundle: Bundle) -> tuple[bytes, str]:
    """The file of a bundle, and its identity."""
    contents = bundle.recipe.contents
    files = {name: f"arrays/{number}.npy" for number, name in enumerate(contents)}
    manifest = manifest_text(bundle, files)
    stream = io.BytesIO(runtime_zip())
    with zipfile.ZipFile(stream, "a") as archive:
        add(archive, MANIFEST, manifest)
        add(archive, MODULE, bundle.module)
        for name, text in ((TARGET, bundle.target), (AFTER, bundle.after)):
            if text is not None:
                add(archive, name, text)
        for name, file in files.items():
            add(archive, file, npy_of(contents[name]))
        for name, source in bundle.kernels.items():
            add(archive, f"kernels/{name}.cu", source)
    return stream.getvalue(), identity(manifest)
