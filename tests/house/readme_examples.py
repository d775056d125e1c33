"""The examples in README.md: what their commands print now, and a way to write that down.

`python -m tests.house.readme_examples` puts the present output into the README.
"""

import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
_EXAMPLE = re.compile(
    r"(?P<head><!-- example: verify-ir (?P<arguments>.*?) -->\n```console\n\$ (?:.*\\\n)*.*\n)"
    r"(?P<output>(?:.*\n)*?)(?P<tail>```\n)"
)
_SECONDS = re.compile(r"\(\d+\.\d+ s\)")
_ENTRY = "from verify.cli.main import main; main()"


def written(text: str) -> list[tuple[str, str]]:
    """Arguments and output of each example in `text`."""
    return [(found["arguments"], found["output"]) for found in _EXAMPLE.finditer(text)]


def printed(arguments: str) -> str:
    """What `verify-ir` prints when it is called with `arguments` from the top folder."""
    command = [sys.executable, "-c", _ENTRY, *shlex.split(arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    return without_time(done.stdout)


def without_time(output: str) -> str:
    """`output` with every number of seconds the same."""
    return _SECONDS.sub("(0.00 s)", output)


def refreshed(text: str) -> str:
    """`text` with the present output in every example."""
    return _EXAMPLE.sub(
        lambda found: f"{found['head']}{printed(found['arguments'])}{found['tail']}", text
    )


if __name__ == "__main__":
    README.write_text(refreshed(README.read_text()))
