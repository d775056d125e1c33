"""No source file grows past what a reader can take in."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
LIMIT = 600


def test_no_file_has_more_than_600_lines() -> None:
    lengths = {
        str(path.relative_to(ROOT)): len(path.read_text().splitlines())
        for folder in ("verify", "fuzz", "tests")
        for path in (ROOT / folder).rglob("*.py")
    }

    assert {} == {path: lines for path, lines in lengths.items() if lines > LIMIT}
