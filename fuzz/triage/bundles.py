"""Bundles in a store: without the large code that runs them, which is the same in all."""

from __future__ import annotations

import io
import zipfile
from base64 import b64decode, b64encode
from collections.abc import Mapping

from verify.replay.bundle.manifest import Bundle
from verify.replay.bundle.runtime import add, runtime_zip
from verify.replay.bundle.write import bundle_bytes


def own_entries(bundle: Bundle) -> dict[str, str]:
    """What is in a bundle beside the code, by name and in base64."""
    content, _ = bundle_bytes(bundle)
    with zipfile.ZipFile(io.BytesIO(runtime_zip())) as code:
        known = set(code.namelist())
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        names = [name for name in archive.namelist() if name not in known]
        return {name: b64encode(archive.read(name)).decode("ascii") for name in names}


def whole_bundle(entries: Mapping[str, str]) -> bytes:
    """The file of a bundle, with the code as it is now."""
    stream = io.BytesIO(runtime_zip())
    with zipfile.ZipFile(stream, "a") as archive:
        for name, content in entries.items():
            add(archive, name, b64decode(content))
    return stream.getvalue()
