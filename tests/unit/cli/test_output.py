import json
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.unit.cli import checker
from verify.cli.main import run
from verify.cli.output import wants_color


@pytest.fixture(autouse=True)
def _stand_in(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    checker.install(monkeypatch)
    monkeypatch.chdir(tmp_path)
    Path("f.mlir").write_text(checker.functions("fine", "refuted"))


@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("text", str),
        ("json", json.loads),
        ("sarif", json.loads),
        ("github", str),
        ("junit", ET.fromstring),
        ("html", str),
    ],
)
def test_every_format_can_be_asked_for(
    name: str, read: Callable[[str], Any], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["f.mlir", "--format", name]) == 1

    read(capsys.readouterr().out)


def test_progress_goes_to_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    run(["f.mlir", "-v"])

    assert "[1/1] f.mlir\n" == capsys.readouterr().err


def test_quiet_leaves_findings_only(capsys: pytest.CaptureFixture[str]) -> None:
    run(["f.mlir", "-q"])

    assert "proven" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("option", "environment", "expected"),
    [
        ("always", {"NO_COLOR": "1"}, True),
        ("never", {"FORCE_COLOR": "1"}, False),
        ("auto", {}, False),
        ("auto", {"FORCE_COLOR": "1"}, True),
        ("auto", {"CLICOLOR_FORCE": "1"}, True),
        ("auto", {"CLICOLOR_FORCE": "0"}, False),
        ("auto", {"NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
    ],
)
def test_colour_follows_the_option_then_the_environment(
    option: str, environment: dict[str, str], expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)

    assert expected == wants_color(option)


def test_a_file_gets_no_colour_unless_it_is_asked_for() -> None:
    assert not wants_color("auto", "out.txt")
    assert wants_color("always", "out.txt")


def test_the_list_of_codes_and_the_page_of_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain"]) == 0
    assert "E0101  stale-snapshot " in capsys.readouterr().out

    pages = set[str]()
    for name in ("E0101", "e0101", "stale-snapshot", "Stale_Snapshot"):
        assert run(["explain", name]) == 0
        pages.add(capsys.readouterr().out)
    assert 1 == len(pages)
    assert pages.pop().startswith("# E0101 stale-snapshot\n")


def test_a_page_is_drawn_when_colour_is_wanted(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "E0101", "--color", "always"]) == 0

    assert "\x1b[" in capsys.readouterr().out


def test_a_fault_outside_a_file_is_reported_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(_: object) -> list[str]:
        raise RuntimeError("made to fail")

    monkeypatch.setattr("verify.cli.checking.expand", fail)

    assert run(["f.mlir"]) == 70

    report = capsys.readouterr().err
    assert "command:   verify-ir f.mlir\n" in report
    assert "RuntimeError: made to fail\n==== end of report ====\n" in report
