"""Reading a bundle that may come from anyone.

Nothing in it is run, imported or unpacked: the manifest, the IR as text and the arrays are read
into memory, each within a limit, and all else is left alone.
"""

from __future__ import annotations

import stat
import struct
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from verify.recipe import Contents
from verify.replay.bundle.arrays import contents_of
from verify.replay.bundle.manifest import (
    AFTER,
    MANIFEST,
    MODULE,
    SCHEMA,
    TARGET,
    Bundle,
    BundleError,
    check_schema,
    finding_of,
    identity,
    load_json,
    recipe_of,
    table,
    text_in,
)

MOST_BYTES = 8 << 20
MOST_ENTRIES = 2_000
MOST_OF_AN_ENTRY = 4 << 20
MOST_UNPACKED = 32 << 20
MOST_ARRAYS = 500
_LONGEST_NAME = 200


def read_bundle(path: Path) -> tuple[Bundle, str]:
    """The bundle in a file and its identity; a `BundleError` says what is wrong with it."""
    try:
        size = path.stat().st_size
        if size > MOST_BYTES:
            raise BundleError(f"the file has {size} bytes; a bundle has at most {MOST_BYTES}")
        with zipfile.ZipFile(path) as archive:
            return _Reader(archive).bundle()
    except (zipfile.BadZipFile, zlib.error) as error:
        raise BundleError(f"no zip file, or a broken one: {error}") from error
    except (OSError, EOFError, NotImplementedError, RuntimeError) as error:
        raise BundleError(f"it cannot be read: {error}") from error
    except (ValueError, struct.error) as error:
        raise BundleError(f"a broken zip file: {error}") from error


class _Reader:
    """One archive; the entries have been looked over before any of them is opened."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self.archive = archive
        self.entries = _checked(archive.infolist())
        self.left = MOST_UNPACKED

    def bundle(self) -> tuple[Bundle, str]:
        manifest = self._text(MANIFEST)
        document = load_json(manifest, MANIFEST)
        check_schema(document, SCHEMA, MANIFEST)
        cure = document.get("cure")
        if not isinstance(cure, str | None):
            raise BundleError("`cure` should name a pass")
        bundle = Bundle(
            finding_of(document),
            recipe_of(document, self._contents(document)),
            self._text(MODULE),
            self._text(TARGET) if TARGET in self.entries else None,
            self._text(AFTER) if AFTER in self.entries else None,
            cure,
            table(document, "values"),
            {str(k): str(v) for k, v in table(document, "versions").items()},
        )
        return bundle, identity(manifest)

    def _contents(self, document: Mapping[str, Any]) -> dict[str, Contents]:
        listed = document.get("contents")
        if not isinstance(listed, list) or len(listed) > MOST_ARRAYS:
            raise BundleError(f"`contents` should be a list of at most {MOST_ARRAYS} buffers")
        found: dict[str, Contents] = {}
        for each in listed:
            if not isinstance(each, dict):
                raise BundleError("`contents` should hold objects")
            name, element, file = (
                text_in(each, key, "the contents") for key in ("name", "element", "file")
            )
            if name in found:
                raise BundleError(f"the contents of `{name}` are given twice")
            found[name] = contents_of(self._bytes(file), element, file)
        return found

    def _text(self, name: str) -> str:
        try:
            return self._bytes(name).decode()
        except UnicodeDecodeError as error:
            raise BundleError(f"`{name}` is no UTF-8 text") from error

    def _bytes(self, name: str) -> bytes:
        """An entry, counted as it comes out, whatever its header says."""
        info = self.entries.get(name)
        if info is None:
            raise BundleError(f"there is no `{name[:_LONGEST_NAME]}` in it")
        most = min(MOST_OF_AN_ENTRY, self.left)
        with self.archive.open(info) as stream:
            content = stream.read(most + 1)
        if len(content) > most:
            raise BundleError(f"`{name}` unpacks to more than {most} bytes")
        self.left -= len(content)
        return content


def _checked(entries: list[zipfile.ZipInfo]) -> dict[str, zipfile.ZipInfo]:
    """The entries by name, if none of them is odd."""
    if len(entries) > MOST_ENTRIES:
        raise BundleError(f"{len(entries)} entries; a bundle has at most {MOST_ENTRIES}")
    found: dict[str, zipfile.ZipInfo] = {}
    for info in entries:
        _check_entry(info)
        if info.filename in found:
            raise BundleError(f"`{info.filename}` is in it twice")
        found[info.filename] = info
    total = sum(info.file_size for info in entries)
    if total > MOST_UNPACKED:
        raise BundleError(f"{total} bytes unpacked; a bundle has at most {MOST_UNPACKED}")
    return found


def _check_entry(info: zipfile.ZipInfo) -> None:
    name = info.orig_filename
    shown = name[:_LONGEST_NAME].encode("unicode_escape").decode()
    is_odd = "\0" in name or "\\" in name or ":" in name or name.startswith("/")
    if is_odd or len(name) > _LONGEST_NAME or ".." in name.split("/"):
        raise BundleError(f"an entry has the name `{shown}`")
    if stat.S_IFMT(info.external_attr >> 16) not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise BundleError(f"`{shown}` is no plain file")
    if info.flag_bits & 1 or info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise BundleError(f"`{shown}` is packed in a way that a bundle does not use")
    if info.file_size > MOST_OF_AN_ENTRY:
        raise BundleError(f"`{shown}` unpacks to {info.file_size} bytes")
