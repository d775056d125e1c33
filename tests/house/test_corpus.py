"""Corpus files: their form, that they are MLIR, and that they get the diagnostics they name."""

import re
from pathlib import Path

import pytest

from verify.cli.main import run
from verify.codes import CODES, Severity
from verify.expectations import parse_expectations
from verify.ir.frontend import has_bindings, read_modules
from verify.ir.source import SourceText

CORPUS = Path(__file__).parents[2] / "corpus"
FILES = sorted(CORPUS.glob("*/*.mlir"))
IDS = [str(path.relative_to(CORPUS)) for path in FILES]
UNREADABLE = ("E0001", "E0002")
CAPTURE_CODES = ("E0101", "W0102", "E0103", "E0104", "E0105", "E0106")


@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_a_file_says_what_it_shows_and_how_to_run_it(path: Path) -> None:
    header = "\n".join(
        line
        for line in path.read_text().split("\nfunc.func")[0].splitlines()
        if line.startswith("//")
    )

    assert header.startswith("// Shows: ")
    assert "\n// Idea: " in header
    assert re.search(r"^// RUN: verify-ir (check|passes|tv|gradient) %s ", header, re.MULTILINE)


@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_comments_are_well_formed_and_name_codes(path: Path) -> None:
    expectations, faults = parse_expectations(str(path), path.read_text())
    named = {code for each in expectations for code in re.findall(r"(?<!\w)\[(\w+)\]", each.text)}

    assert [] == faults
    assert set() == named - set(CODES)
    assert len(expectations) == sum("[" in each.text for each in expectations)


@pytest.mark.skipif(not has_bindings(), reason="MLIR's Python bindings are not installed")
@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_a_file_is_valid_mlir_unless_it_is_about_that(path: Path) -> None:
    text = path.read_text()
    modules = read_modules(SourceText(str(path), text))
    expected = [code for code in UNREADABLE if f"[{code}]" in text]

    assert expected == [error.code for module in modules for error in module.errors]


@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_a_file_gets_the_diagnostics_that_it_names(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status = run(["corpus", str(path), "--quiet"])

    assert 0 == status, capsys.readouterr().out


@pytest.mark.parametrize("code", [*UNREADABLE, *CAPTURE_CODES, "U0002", "E0302", "E0303"])
def test_every_code_fires_somewhere(code: str) -> None:
    assert any(f"[{code}]" in path.read_text() for path in FILES)


@pytest.mark.parametrize("code", [code for code in CAPTURE_CODES if code != "E0103"])
def test_every_capture_code_has_a_file_that_names_its_quiet_form(code: str) -> None:
    texts = [path.read_text() for path in (CORPUS / "safe").glob("*.mlir")]

    assert CODES[code].severity in (Severity.ERROR, Severity.WARNING)
    assert any(f"quiet form of {code}" in text for text in texts)
