import json

import pytest

from verify.cli.main import run
from verify.toolchain import registry
from verify.toolchain.registry import ToolchainInfo

FOUND = [
    ToolchainInfo("verify-ir", "9.9", ("sink-checkpoint-views",), available=True),
    ToolchainInfo("enzyme", "", (), available=False, reason="needs Python 3.11"),
]


@pytest.fixture(autouse=True)
def _found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "toolchains", lambda _: FOUND)


def test_toolchains_are_listed_with_the_reason_why_one_is_missing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["toolchains"]) == 0

    lines = capsys.readouterr().out.splitlines()
    assert lines[3] == "| verify-ir | 9.9     | yes                   | 1      |"
    assert lines[4] == "| enzyme    | -       | no: needs Python 3.11 | 0      |"


def test_passes_are_listed_when_verbose(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["toolchains", "-v"]) == 0

    assert "\nverify-ir:\n  sink-checkpoint-views\n" in capsys.readouterr().out


def test_toolchains_can_be_read_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["toolchains", "--format", "json"]) == 0

    assert json.loads(capsys.readouterr().out)["toolchains"][1] == {
        "name": "enzyme",
        "version": None,
        "available": False,
        "reason": "needs Python 3.11",
        "passes": [],
    }
