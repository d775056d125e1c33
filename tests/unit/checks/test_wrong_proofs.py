"""Programs that were once judged wrongly keep their right verdicts.

Each file states its verdict in its first line.
"""

from pathlib import Path

import pytest

from verify.checks.options import CheckOptions
from verify.checks.run import check_module
from verify.ir.frontend import read_text

FILES = sorted((Path(__file__).parent / "wrong_proofs").glob("*.mlir"))


def outcome(text: str, arguments: str) -> set[str]:
    """The verdicts of all functions and the codes of errors and open questions."""
    parsed = read_text(text)
    assert parsed.module is not None
    found: set[str] = set()
    for _, stage in check_module(parsed.module, CheckOptions(arguments=arguments)):
        found.add(str(stage.verdict))
        found |= {d.code for d in stage.diagnostics if d.code[0] in "EU"}
    return found - ({"proven"} if "refuted" in found else set())


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_the_verdict_is_what_the_file_says(path: Path) -> None:
    text = path.read_text()
    words = text.splitlines()[0].removeprefix("// verdict: ").split()
    arguments = next((w.partition("=")[2] for w in words if "=" in w), "no-alias")
    expected = {w for w in words if "=" not in w}

    assert expected == outcome(text, arguments)
