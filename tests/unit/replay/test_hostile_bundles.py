"""Bundles that are broken or made to do harm: an error on one line, exit status 2, no trace."""

from __future__ import annotations

import io
import json
import pickle
import random
import stat
import struct
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.unit.replay.made_bundles import (
    bundle_of,
    parts_of,
    with_manifest,
    with_part,
    without,
    zip_of,
)
from verify.cli.main import run
from verify.replay.bundle.manifest import BundleError
from verify.replay.bundle.perform import perform
from verify.replay.bundle.read import MOST_OF_AN_ENTRY, MOST_UNPACKED, read_bundle
from verify.replay.bundle.result import read_result

EXAMPLE = "double_snapshot"


def npy(array: Any, *, allow_pickle: bool = False) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array, allow_pickle=allow_pickle)
    return stream.getvalue()


def bomb() -> bytes:
    """Small when packed, and more than a bundle may have when not; each entry is allowed."""
    parts = parts_of(bundle_of(EXAMPLE))
    zeros = bytes(MOST_OF_AN_ENTRY - 1)
    return zip_of({**parts, **{f"filler/{i}": zeros for i in range(MOST_UNPACKED >> 21)}})


def understated() -> bytes:
    """A manifest that unpacks to 64 times what the headers say, which are of 100 bytes."""
    content = bytearray(with_part("manifest.json", bytes(MOST_OF_AN_ENTRY * 16)))
    size = struct.pack("<I", MOST_OF_AN_ENTRY * 16)
    while (at := content.find(size)) >= 0:
        content[at : at + 4] = struct.pack("<I", 100)
    return bytes(content)


def hole() -> bytes:
    """Other bytes in the middle of the manifest."""
    content = bytearray(bundle_of(EXAMPLE))
    at = content.find(b"manifest.json") + 100
    content[at : at + 50] = bytes(50)
    return bytes(content)


def twice() -> bytes:
    stream = io.BytesIO(with_part("module.mlir", b'"builtin.module"() ({}) : () -> ()'))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with zipfile.ZipFile(stream, "a") as archive:
            archive.writestr("module.mlir", b"again")
    return stream.getvalue()


def link() -> bytes:
    stream = io.BytesIO(without("module.mlir"))
    info = zipfile.ZipInfo("module.mlir")
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(stream, "a") as archive:
        archive.writestr(info, "/etc/passwd")
    return stream.getvalue()


def encrypted() -> bytes:
    content = bytearray(zip_of(parts_of(bundle_of(EXAMPLE))))
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = -1
        while (at := content.find(mark, at + 1)) >= 0:
            content[at + offset] |= 1
    return bytes(content)


class Harm:
    """What unpickling would create a file with."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (self.path,)


def recipe(**changes: Any) -> Callable[[dict[str, Any]], object]:
    return lambda document: document["recipe"].update(changes)


def inputs(**changes: Any) -> Callable[[dict[str, Any]], object]:
    return lambda document: document["recipe"]["inputs"].update(changes)


def contents(**changes: Any) -> Callable[[dict[str, Any]], object]:
    return lambda document: document["contents"][0].update(changes)


def other(**changes: Any) -> Callable[[dict[str, Any]], object]:
    return lambda document: document.update(changes)


DEEP = b"[" * 100_000
LOOP = b'"builtin.module"() ({' * 5_000
ARRAY = "arrays/0.npy"
BROKEN: dict[str, tuple[Callable[[], bytes], str]] = {
    "nothing": (lambda: b"PK\x03\x04", "no zip file, or a broken one"),
    "no bundle": (lambda: zip_of({"a.txt": b"a"}), "there is no `manifest.json` in it"),
    "cut short": (lambda: bundle_of(EXAMPLE)[:-900], "no zip file, or a broken one"),
    "a hole": (hole, "no zip file, or a broken one"),
    "zip bomb": (bomb, f"a bundle has at most {MOST_UNPACKED}"),
    "understated": (understated, ""),
    "huge entry": (lambda: with_part("big", bytes(MOST_OF_AN_ENTRY + 1)), "`big` unpacks to"),
    "many entries": (lambda: zip_of({f"{i}": b"" for i in range(2001)}), "2001 entries"),
    "parent folder": (lambda: with_part("../evil", b""), "an entry has the name `../evil`"),
    "deep parent": (lambda: with_part("a/../../evil", b""), "an entry has the name"),
    "absolute": (lambda: with_part("/etc/evil", b""), "an entry has the name `/etc/evil`"),
    "drive": (lambda: with_part("c:evil", b""), "an entry has the name `c:evil`"),
    "backslash": (lambda: with_part("..\\evil", b""), "an entry has the name"),
    "twice": (twice, "`module.mlir` is in it twice"),
    "link": (link, "`module.mlir` is no plain file"),
    "encrypted": (encrypted, "is packed in a way that a bundle does not use"),
    "no JSON": (lambda: with_part("manifest.json", b"{"), "manifest.json is no JSON"),
    "a list": (lambda: with_part("manifest.json", b"[]"), "manifest.json is no JSON object"),
    "deep JSON": (lambda: with_part("manifest.json", DEEP), "manifest.json is no JSON"),
    "no number": (lambda: with_part("manifest.json", b'{"a": NaN}'), "holds the number `NaN`"),
    "no text": (lambda: with_part("manifest.json", b"\xff\xfe"), "is no UTF-8 text"),
    "schema": (lambda: with_manifest(other(schema="v9")), "has the schema 'v9'"),
    "versions": (lambda: with_manifest(other(versions=3)), "`versions` of manifest.json"),
    "finding": (lambda: with_manifest(other(finding=[])), "`finding` of manifest.json"),
    "kind": (lambda: with_manifest(recipe(kind="shell")), "no kind 'shell' of recipe"),
    "function": (lambda: with_manifest(recipe(function="0")), "should be the number of an op"),
    "no function": (lambda: with_manifest(recipe(function=3)), "names no function with a body"),
    "far function": (lambda: with_manifest(recipe(function=10**9)), "has no op number"),
    "settings": (lambda: with_manifest(recipe(settings={})), "is missing from the settings"),
    "seed": (lambda: with_manifest(inputs(seed=1.5)), "`seed` should hold whole numbers"),
    "huge seed": (lambda: with_manifest(inputs(seed=1 << 80)), "`seed` should hold whole"),
    "sizes": (lambda: with_manifest(inputs(sizes={"0": 4})), "argument and dimension"),
    "scalars": (lambda: with_manifest(inputs(scalars=[1])), "`scalars` should be a table"),
    "file": (lambda: with_manifest(contents(file="../x.npy")), "there is no `../x.npy` in it"),
    "element": (lambda: with_manifest(contents(element=7)), "`element` of the contents"),
    "pickle": (
        lambda: with_part(ARRAY, npy(np.array([Harm(Path("harm"))]), allow_pickle=True)),
        "should be a flat array of plain numbers",
    ),
    "bare pickle": (
        lambda: with_part(ARRAY, pickle.dumps(Harm(Path("harm")))),
        "is no array file of version 1.0",
    ),
    "matrix": (lambda: with_part(ARRAY, npy(np.zeros((2, 2)))), "should be a flat array"),
    "dates": (lambda: with_part(ARRAY, npy(np.zeros(4, "M8[s]"))), "should be a flat array"),
    "big endian": (lambda: with_part(ARRAY, npy(np.zeros(4, ">f8"))), "should be a flat array"),
    "array cut": (lambda: with_part(ARRAY, npy(np.zeros(4))[:-1]), "is cut short or too long"),
    "array size": (
        lambda: with_part(ARRAY, npy(np.zeros(4)).replace(b"(4,)", b"(999999999,)")[:138]),
        "is cut short or too long",
    ),
    "array code": (
        lambda: with_part(ARRAY, npy(np.zeros(4)).replace(b"(4,), }", b"f(4), }")),
        "should be a flat array",
    ),
    "no IR": (lambda: without("module.mlir"), "there is no `module.mlir` in it"),
    "bad IR": (lambda: with_part("module.mlir", b"nonsense"), "line 1:"),
    "open string": (lambda: with_part("module.mlir", b'"' + b"a" * 5000), "line 1:"),
    "deep IR": (lambda: with_part("module.mlir", LOOP), "line 1:"),
    "bad target": (lambda: with_part("after.mlir", b"}"), "line 1:"),
    "empty target": (
        lambda: with_part("after.mlir", b'"builtin.module"() ({}) : () -> ()'),
        "`@running_sum` is not in the other module",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_bundle_is_an_error(
    name: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    make, words = BROKEN[name]
    path = tmp_path / "bundle.zip"
    path.write_bytes(make())
    monkeypatch.chdir(tmp_path)

    assert 2 == run(["replay", str(path), "--device", "cpu"])

    said = capsys.readouterr()
    assert "" == said.out
    assert f"Error: {path}: " in said.err
    assert words in said.err
    assert "Traceback" not in said.err
    assert ["bundle.zip"] == [each.name for each in tmp_path.iterdir()]


def test_the_file_itself_is_measured_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bundle.zip"
    with path.open("wb") as stream:
        stream.truncate(1 << 40)

    assert 2 == run(["replay", str(path)])
    assert "a bundle has at most" in capsys.readouterr().err


def test_the_code_in_a_bundle_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evil = b"import pathlib\npathlib.Path('harm').touch()\n"
    parts = parts_of(bundle_of(EXAMPLE))
    for name in ("__main__.py", "runtime/verify/__init__.py", "runtime/numpy.py", "numpy.py"):
        parts[name] = evil
    path = tmp_path / "bundle.zip"
    path.write_bytes(zip_of(parts))
    monkeypatch.chdir(tmp_path)

    assert 1 == run(["replay", str(path), "--device", "cpu"])
    assert ["bundle.zip"] == [each.name for each in tmp_path.iterdir()]


def changed(value: Any, draw: random.Random) -> Any:
    """A JSON value with one part of it replaced or left out."""
    odd = (None, True, -1, 1 << 40, 1 << 70, 1e300, "", "x", [], {}, [0, 1], {"a": 1})
    if isinstance(value, dict | list) and value and draw.random() < 0.85:
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        key = draw.choice(keys)
        if draw.random() < 0.1:
            del value[key]
        else:
            value[key] = changed(value[key], draw)
        return value
    return draw.choice(odd)


def shuffled(content: bytes, draw: random.Random) -> bytes:
    """A text with some of its words moved."""
    words = content.split(b" ")
    for _ in range(draw.randrange(1, 4)):
        words[draw.randrange(len(words))] = draw.choice(words)
    return b" ".join(words)


def what_came_of(path: Path) -> str:
    """Nothing where a bundle can be run, else why it cannot."""
    try:
        json.dumps(perform(*read_bundle(path)), allow_nan=False)
    except BundleError as error:
        return str(error) or "?"
    return ""


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", [EXAMPLE, "gpu_join_forgets_a_chain"])
def test_whatever_is_changed_it_runs_or_says_why_not(name: str, seed: int, tmp_path: Path) -> None:
    draw = random.Random(seed)
    path = tmp_path / "bundle.zip"
    ended: set[str] = set()
    for _ in range(60):
        parts = parts_of(bundle_of(name))
        if draw.random() < 0.6:
            document = changed(json.loads(parts["manifest.json"]), draw)
            parts["manifest.json"] = json.dumps(document).encode()
        else:
            parts["module.mlir"] = shuffled(parts["module.mlir"], draw)
        path.write_bytes(zip_of(parts))
        ended.add(what_came_of(path))

    assert 2 <= len(ended)
    assert "" in ended
    assert not any("\n" in words for words in ended)


@pytest.mark.parametrize("seed", range(3))
def test_a_changed_result_is_read_or_refused(
    seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, result = tmp_path / "bundle.zip", tmp_path / "result.json"
    path.write_bytes(bundle_of(EXAMPLE))
    good = perform(*read_bundle(path))
    draw = random.Random(seed)
    ended: set[int] = set()
    for _ in range(60):
        document = changed(json.loads(json.dumps(good)), draw)
        result.write_text(json.dumps(document))
        ended.add(run(["replay", str(path), "--result", str(result)]))

    assert "Traceback" not in capsys.readouterr().err
    assert ended <= {1, 2, 3}
    assert 2 in ended


def test_a_result_of_another_bundle_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bundle.zip"
    path.write_bytes(bundle_of(EXAMPLE))
    bundle, name = read_bundle(path)
    result = tmp_path / "result.json"
    result.write_text(json.dumps(perform(bundle, name)))

    assert name == read_result(result, name)["bundle"]
    with pytest.raises(BundleError, match="the result is of another bundle"):
        read_result(result, "0" * 16)
    with pytest.raises(BundleError, match="the result cannot be read"):
        read_result(tmp_path / "none.json", name)
