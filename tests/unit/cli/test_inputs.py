import io
import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.unit.cli import checker
from verify.cli.main import run


@pytest.fixture(autouse=True)
def _stand_in(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    checker.install(monkeypatch)
    monkeypatch.chdir(tmp_path)


def write(name: str, *functions: str) -> None:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text(checker.functions(*functions))


def checked(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    assert run([*arguments, "--format", "json"]) == 0
    return [file["path"] for file in json.loads(capsys.readouterr().out)["files"]]


def test_folders_are_walked_for_mlir_files_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("d/b.mlir", "d/a/x.mlir", "d/.hidden/y.mlir", "d/notes.txt", "z.mlir"):
        write(name, "fine")

    expected = ["z.mlir", "d/b.mlir", "d/a/x.mlir"]
    assert expected == checked(capsys, "z.mlir", "d", "d/b.mlir")


def test_standard_input_is_read_for_a_dash(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = checker.functions("refuted").encode()
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(text)))

    assert run(["-"]) == 1

    printed = capsys.readouterr().out
    assert " --> -:1:1\n" in printed
    assert "1 | func.func @refuted() {\n" in printed


def test_the_result_goes_to_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    write("f.mlir", "fine")

    assert run(["f.mlir", "-o", "out.txt"]) == 0

    assert ("", "") == capsys.readouterr()
    assert Path("out.txt").read_text().startswith("f.mlir: @fine: proven\n")


def test_several_modules_of_a_file_are_numbered(capsys: pytest.CaptureFixture[str]) -> None:
    Path("f.mlir").write_text(checker.functions("fine") + "// -----\n" + checker.functions("fine"))

    assert ["f.mlir#1", "f.mlir#2"] == checked(capsys, "f.mlir", "--split-input-file")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], "Usage: verify-ir"),
        (["check"], "Missing argument 'FILE...'"),
        (["missing.mlir"], "no such file or folder: `missing.mlir`"),
        (["empty"], "no .mlir file in folder `empty`"),
        (["-", "-"], "standard input (`-`) can be read only once"),
        (["f.mlir", "--format", "xml"], "Invalid value for '--format'"),
        (["f.mlir", "--solver-timeout", "0"], "is not a number of seconds above 0"),
        (["f.mlir", "--solver-timeout", "soon"], "is not a number of seconds above 0"),
        (["f.mlir", "--jobs", "-1"], "Invalid value for '-j' / '--jobs'"),
        (["f.mlir", "-o", "no/where.txt"], "its folder does not exist"),
        (["f.mlir", "--emit-smt2", "f.mlir/x"], "cannot make folder `f.mlir/x`"),
        (["f.mlir", "--frobnicate"], "No such option"),
        (["passes", "f.mlir"], "Missing option '-p'"),
        (["passes", "f.mlir", "-p", " , "], "no pass is named"),
        (["passes", "f.mlir", "-p", "frobnicate"], "frobnicate"),
        (["passes", "f.mlir", "-p", "gcc:O3"], "gcc"),
        (["explain", "E9999"], "unknown code `E9999`"),
        (["corpus", "nowhere"], "does not exist"),
        (["corpus", "empty"], "no .mlir file in folder `empty`"),
    ],
)
def test_wrong_usage_is_status_2_and_says_why(
    arguments: list[str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write("f.mlir", "fine")
    Path("empty").mkdir()

    assert run(arguments) == 2

    printed = capsys.readouterr()
    assert expected in printed.err
    assert "" == printed.out
