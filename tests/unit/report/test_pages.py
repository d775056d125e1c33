import re
import shlex
from importlib.util import find_spec
from pathlib import Path

import pytest

from verify.cli.main import run
from verify.codes import CODES
from verify.report.pages import (
    TOPICS,
    UnknownCodeError,
    codes_with_pages,
    find_code,
    find_page,
    read_page,
)
from verify.toolchain import enzyme

BLOCK = re.compile(r"```mlir(?P<info>[^\n]*)\n(?P<text>.*?)```", re.DOTALL)
FOLDER = Path(__file__).parents[3] / "verify" / "report" / "pages"
CORPUS = FOLDER.parents[2] / "corpus"
NAMES = [*(code.code for code in codes_with_pages()), *TOPICS]
EXAMPLES = [
    pytest.param(block["info"].strip(), block["text"], id=f"{name}-{number}")
    for name in NAMES
    for number, block in enumerate(BLOCK.finditer(read_page(name)), start=1)
    if block["info"].strip() != "illustration"
]


@pytest.mark.parametrize("code", [code.code for code in codes_with_pages()])
def test_a_page_has_the_parts_that_readers_look_for(code: str) -> None:
    page = read_page(code)
    headings = re.findall(r"^## (.*)$", page, re.MULTILINE)

    assert page.startswith(f"# {code} {CODES[code].name}\n\n")
    assert headings[:4] == ["Meaning", "Example", "Cure", "Limits"]
    assert max(map(len, page.splitlines())) <= 100


def test_every_page_belongs_to_a_code_or_is_a_topic() -> None:
    assert {path.stem for path in FOLDER.glob("*.md")} <= {*CODES, *TOPICS}


@pytest.mark.parametrize("topic", TOPICS)
def test_a_topic_is_found_by_its_name_and_names_files_that_exist(topic: str) -> None:
    page = read_page(find_page(topic.upper()))
    files = re.findall(r"`((?:safe|unsafe|undecided)/\w+\.mlir)`", page)

    assert files
    assert [] == [file for file in files if not (CORPUS / file).is_file()]
    assert page.startswith(f"# {topic} ")
    assert max(map(len, page.splitlines())) <= 100


def test_a_page_is_found_by_code_and_by_name() -> None:
    assert ["E0201", "E0201"] == [find_page("e0201"), find_page("unordered-conflict")]


def test_a_code_without_a_page_is_unknown() -> None:
    with pytest.raises(UnknownCodeError):
        find_code("E9999")


@pytest.mark.skipif(find_spec("verify.checks.run") is None, reason="there are no checks")
@pytest.mark.parametrize(("info", "text"), EXAMPLES)
def test_an_example_shows_what_its_comments_say(
    info: str, text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "example.mlir"
    path.write_text(text)
    command = shlex.split(info.removeprefix("args=").strip('"')) or ["check"]

    if command[0] == "gradient" and not enzyme.is_installed():
        pytest.skip("enzyme-ad is not installed")
    status = run([command[0], str(path), *command[1:], "--verify-diagnostics", "--no-config"])

    assert (0, "") == (status, capsys.readouterr().out)
