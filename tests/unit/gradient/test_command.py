import json
from pathlib import Path
from typing import Any

import pytest

from tests.unit.gradient.programs import FIXED, needs_enzyme
from verify.cli.main import run

pytestmark = needs_enzyme

CORPUS = Path(__file__).parents[3] / "corpus" / "gradient"
SQUARE = "func.func @f(%x: f64) -> f64 {\n %y = arith.mulf %x, %x : f64\n return %y : f64\n}\n"


def _run(tmp_path: Path, text: str, *options: str) -> int:
    path = tmp_path / "input.mlir"
    path.write_text(text)
    return run(["gradient", str(path), "--no-config", *options])


def _document(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    return json.loads(capsys.readouterr().out)


def test_a_wrong_variant_is_exit_1_and_shows_its_elements(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    values = "buf=0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9"
    status = _run(tmp_path, FIXED, "--schedule", "periodic", "--value", values)
    text = capsys.readouterr().out

    assert 1 == status
    assert "| off                      | right            |" in text
    assert "| on:periodic (as written) | wrong            |" in text
    assert "| sunk:periodic            | does-not-compile |" in text
    assert "| %buf[1] | 0.253956           | 0.253956 | 2.53956 !   |" in text


def test_all_right_is_exit_0(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == _run(tmp_path, SQUARE)
    assert "1 function: 1 right" in capsys.readouterr().out


def test_json_tells_each_variant_with_its_gradient(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status = _run(tmp_path, SQUARE, "--format", "json", "--value", "x=3", "--seed", "4")
    document = _document(capsys)
    (function,) = document["functions"]
    (variant,) = function["variants"]

    assert (0, "verify-ir/gradient/v1") == (status, document["schema"])
    assert ("f", ["%x"], 4) == (function["name"], function["elements"], function["seed"])
    assert ("off", "right", [6.0]) == (variant["name"], variant["status"], variant["gradient"])
    assert {"%x": [3.0]} == function["samples"][0]["inputs"]
    assert "enzyme-ad" in document["toolchains"]


def test_what_is_not_judged_is_exit_3(tmp_path: Path) -> None:
    text = """
func.func @f(%x: f64, %y: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %is_big = arith.cmpf ogt, %x, %one : f64
  %r = arith.select %is_big, %y, %x : f64
  return %r : f64
}
"""
    assert 3 == _run(tmp_path, text, "--value", "x=1", "--samples", "1")


@pytest.mark.parametrize(
    ("text", "options", "reason"),
    [
        ("func.func @f(", (), "error[E0001]"),
        (SQUARE, ("--function", "g"), "there is no `func.func @g` with a body"),
        ("func.func @f() { return }", (), "has no float argument"),
        ("", (), "there is no `func.func` with a body"),
        (SQUARE, ("--activity", "x=dup"), "cannot be `dup`"),
        (SQUARE, ("--value", "x=1,2"), "`%x` takes 1 value, not 2"),
    ],
)
def test_unusable_input_is_exit_2_and_says_why(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    text: str,
    options: tuple[str, ...],
    reason: str,
) -> None:
    assert 2 == _run(tmp_path, text, *options)
    assert reason in capsys.readouterr().out


def test_options_that_make_no_sense_are_exit_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert 2 == _run(tmp_path, SQUARE, "--value", "x=one")
    assert 2 == _run(tmp_path, SQUARE, "--activity", "x")
    assert "should read ARGUMENT=..." in capsys.readouterr().err


def test_functions_that_cannot_be_judged_are_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = f"{SQUARE}func.func @n(%n: index) -> index {{ return %n : index }}\n"

    assert 0 == _run(tmp_path, text)
    assert "left out: " in capsys.readouterr().out


def test_comments_that_are_not_met_are_exit_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    comment = "// expected-error@+1 {{after:gradient:off [E0401]}}\n"

    assert 1 == _run(tmp_path, comment + SQUARE, "--verify-diagnostics")
    assert "expected error did not come" in capsys.readouterr().out
    assert 0 == _run(tmp_path, SQUARE, "--verify-diagnostics")


def test_the_report_can_go_to_a_file(tmp_path: Path) -> None:
    target = tmp_path / "report.json"

    assert 0 == _run(tmp_path, SQUARE, "--format", "json", "-o", str(target))
    assert "f" == json.loads(target.read_text())["functions"][0]["name"]
