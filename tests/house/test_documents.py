"""What the documents name exists, and nothing in the repository points at one machine."""

import re
from pathlib import Path

import pytest

from verify.cli.main import command

ROOT = Path(__file__).parents[2]
DOCUMENTS = ("README.md", "CONTRIBUTING.md", "tests/README.md")
TEXT_FILES = sorted(
    path
    for pattern in (
        "*.md",
        "*.toml",
        "Makefile",
        ".ci/run",
        "verify/**/*",
        "fuzz/**/*",
        "corpus/**/*",
    )
    for path in ROOT.glob(pattern)
    if path.is_file() and path.suffix != ".pyc"
)
# Written in pieces, so that this file does not contain them.
MACHINE_PATHS = re.compile(
    "|".join(["/wo" + "rk/", "/ro" + "ot/", "/ho" + "me/", "/opt/" + "pypi"])
)
INDEX_OPTIONS = re.compile("--(extra-)?index-" + "url|--find-" + "links")


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_subcommand_in_a_document_exists(document: str) -> None:
    text = (ROOT / document).read_text()
    named = set(re.findall(r"verify-ir ([a-z]+)\b", text))

    assert set() == named - set(command.commands)


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_make_target_in_a_document_exists(document: str) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = set(re.findall(r"(?:`|\$ )make ([a-z-]+)", (ROOT / document).read_text()))

    assert set() == named - targets


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_path_in_a_document_exists(document: str) -> None:
    text = (ROOT / document).read_text()
    named = re.findall(r"((?:corpus|verify|tests)/[\w./-]*\w(?:\.\w+)?)", text)

    assert [] == [path for path in named if not (ROOT / path).exists()]


def test_every_make_target_has_a_help_text() -> None:
    makefile = (ROOT / "Makefile").read_text()
    phony = re.findall(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)[0].split()
    described = set(re.findall(r"^([a-z-]+):.*## ", makefile, re.MULTILINE))

    assert set() == set(phony) - described


def test_nothing_points_at_a_place_on_one_machine() -> None:
    hits = [
        f"{path.relative_to(ROOT)}: {match.group()}"
        for path in TEXT_FILES
        for match in [MACHINE_PATHS.search(path.read_text(errors="replace"))]
        if match
    ]

    assert [] == hits


def test_packages_come_from_wherever_the_user_gets_them() -> None:
    hits = [
        str(path.relative_to(ROOT))
        for path in TEXT_FILES
        if INDEX_OPTIONS.search(path.read_text(errors="replace"))
    ]

    assert [] == hits
