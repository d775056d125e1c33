"""The README shows what the commands really print."""

import pytest

from tests.house.readme_examples import README, printed, without_time, written
from verify.toolchain import enzyme

EXAMPLES = written(README.read_text())


def test_the_readme_has_an_example() -> None:
    assert EXAMPLES


@pytest.mark.parametrize(("arguments", "output"), EXAMPLES)
def test_an_example_prints_what_the_readme_says(arguments: str, output: str) -> None:
    if arguments.startswith("gradient ") and not enzyme.is_installed():
        pytest.skip("enzyme-ad is not installed")
    assert printed(arguments) == without_time(output)
