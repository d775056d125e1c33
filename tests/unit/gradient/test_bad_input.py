"""Inputs and options that the command `gradient` cannot use, and runs that are interrupted."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.unit.gradient.programs import needs_enzyme
from verify.cli.main import run
from verify.toolchain import enzyme

SQUARE = "func.func @f(%x: f64) -> f64 {\n %y = arith.mulf %x, %x : f64\n return %y : f64\n}\n"
ENDLESS = "func.func @g(%x: f64) -> f64 {\n cf.br ^a\n^a:\n cf.br ^a\n}\n"
_ROOT = Path(__file__).parents[3]
_ENTRY = "from verify.cli.main import main; main()"


def _refused(tmp_path: Path, text: bytes, *options: str) -> int:
    path = tmp_path / "input.mlir"
    path.write_bytes(text)
    return run(["gradient", str(path), "--no-config", *options])


@needs_enzyme
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "input.mlir: there is no `func.func` with a body"),
        ("hello world (", "custom op 'hello' is unknown"),
        ("func.func private @f(f64) -> f64", "there is no `func.func` with a body"),
        (
            (
                'func.func @f(%x: f64) -> f64 {\n  %y = "vendor.op"(%x) : (f64) -> f64\n'
                "  return %y : f64\n}"
            ),
            "input.mlir:2:8: @f: what `vendor.op` does is not known",
        ),
        (
            "func.func @f(%x: f64) -> f64 {\n  gpu.wait\n  return %x : f64\n}",
            "input.mlir:2:3: @f: `gpu.wait` cannot be run on the CPU",
        ),
        (
            (
                "func.func private @e(f64) -> f64\nfunc.func @f(%x: f64) -> f64 {\n"
                "  %y = func.call @e(%x) : (f64) -> f64\n  return %y : f64\n}"
            ),
            "input.mlir:3:8: @f: `@e` is called and has no body",
        ),
        (
            "\nfunc.func @f(%n: index) -> index {\n  return %n : index\n}",
            "input.mlir:2:1: `@f` has no float argument to differentiate by",
        ),
        (
            "func.func @f(%x: tensor<3xf64>) -> tensor<3xf64> {\n  return %x : tensor<3xf64>\n}",
            "input.mlir:1:1: @f: argument `%x` cannot be given a value",
        ),
        (ENDLESS, "input.mlir:1:1: @g: the function itself did not end within 1 s"),
    ],
)
def test_what_cannot_be_differentiated_is_exit_2_with_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, said: str
) -> None:
    assert 2 == _refused(tmp_path, text.encode(), "--timeout", "1")
    out = capsys.readouterr().out
    assert said in out
    assert "0 functions: nothing was judged" in out


@needs_enzyme
def test_bytes_that_are_no_text_are_exit_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert 2 == _refused(tmp_path, b"\xff\x00\xee")
    assert "error[E0001]: invalid byte 0xff" in capsys.readouterr().out


@needs_enzyme
def test_a_file_that_is_not_there_or_a_folder_is_exit_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert 2 == run(["gradient", str(tmp_path / "missing.mlir")])
    assert "no such file or folder" in capsys.readouterr().err
    assert 2 == run(["gradient", str(tmp_path)])
    assert "takes one file" in capsys.readouterr().err


def test_without_enzyme_it_says_how_to_get_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(enzyme, "is_installed", lambda: False)

    assert 2 == _refused(tmp_path, SQUARE.encode())
    assert "Enzyme is not installed: pip install 'verify-ir[enzyme]'" in capsys.readouterr().err


@needs_enzyme
def test_an_interrupt_ends_it_and_shows_what_was_finished(tmp_path: Path) -> None:
    path = tmp_path / "input.mlir"
    path.write_text(SQUARE + ENDLESS)
    command = [sys.executable, "-c", _ENTRY, "gradient", str(path), "--no-config", "-v"]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=_ROOT,
        start_new_session=True,
    ) as process:
        assert process.stderr is not None
        while "@g: finite differences" not in (line := process.stderr.readline()):
            assert line
        time.sleep(0.5)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=30)

    assert (130, "") == (process.returncode, err)
    assert "interrupted; 1 function: 1 right" in out
