"""Every module can be imported, and the ways into the project exist and stay light."""

import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest

import fuzz
import verify

ROOT = Path(__file__).parents[2]
MODULES = sorted(
    module.name
    for package in (verify, fuzz)
    for module in walk_packages(package.__path__, f"{package.__name__}.")
)
HEAVY = {"z3", "xdsl", "hypothesis", "numpy", "mlir", "jax"}


@pytest.mark.parametrize("name", MODULES)
def test_a_module_can_be_imported(name: str) -> None:
    import_module(name)


def test_every_folder_of_code_is_a_package() -> None:
    folders = {path.parent for path in ROOT.glob("verify/**/*.py")}

    assert [] == sorted(str(each) for each in folders if not (each / "__init__.py").exists())


def test_every_console_script_leads_to_a_function() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

    for target in project["scripts"].values():
        module, function = target.split(":")
        assert callable(getattr(import_module(module), function))


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import sys\n"
        "from verify.cli.main import run\n"
        "run(['--help'])\n"
        f"print('loaded', sorted({HEAVY!r} & set(sys.modules)))\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )

    assert "loaded []" == done.stdout.splitlines()[-1]
