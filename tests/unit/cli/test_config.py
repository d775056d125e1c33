from pathlib import Path

import pytest

from verify.cli.main import run
from verify.cli.settings import options_from
from verify.config import ConfigError, Options, find_config, load_config, resolve


def test_the_nearest_file_above_is_found_and_the_own_one_wins(tmp_path: Path) -> None:
    deep = tmp_path / "a" / "b"
    deep.mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text("[tool.verify-ir]\njobs = 2\n")
    (tmp_path / "a" / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    assert tmp_path / "pyproject.toml" == find_config(deep)

    (tmp_path / "verify-ir.toml").write_text("jobs = 3\n")
    assert tmp_path / "verify-ir.toml" == find_config(deep)


def test_the_command_line_overrides_the_file_and_the_file_the_defaults() -> None:
    settings = {"jobs": 2, "strict": True}

    options = resolve({"jobs": 4, "strict": None}, settings)

    assert Options(jobs=4, strict=True) == options


def test_every_key_is_read(tmp_path: Path) -> None:
    path = tmp_path / "verify-ir.toml"
    path.write_text(
        'format = "json"\narguments = "may-alias"\nsolver-timeout = 1.5\ntimeout = 3\njobs = 0\n'
        'color = "never"\njudge = "last-stage"\nstrict = true\nexplain-proof = true\n'
        'split-input-file = true\nmlir-opt = "/opt/mlir-opt"\n'
    )

    assert load_config(path) == {
        "format": "json",
        "arguments": "may-alias",
        "solver_timeout_s": 1.5,
        "timeout_s": 3,
        "jobs": 0,
        "color": "never",
        "judge": "last-stage",
        "strict": True,
        "explain_proof": True,
        "split_input_file": True,
        "mlir_opt": "/opt/mlir-opt",
    }


@pytest.mark.parametrize(
    ("name", "text", "place", "reason"),
    [
        ("verify-ir.toml", "jobs = 1\nsolver = 3\n", "2:1", "unknown key `solver`"),
        (
            "pyproject.toml",
            "[a]\nsolver = 1\n[tool.verify-ir]\n\n  solver = 3\n",
            "5:3",
            "unknown key `solver`",
        ),
        ("pyproject.toml", "[tool.verify-ir.extra]\nx = 1\n", "1:17", "unknown key `extra`"),
        ("verify-ir.toml", 'jobs = "two"\n', "1:1", "`jobs` is 'two' and should be a whole number"),
        ("verify-ir.toml", "strict = 1\n", "1:1", "should be true or false"),
        ("verify-ir.toml", "timeout = true\n", "1:1", "should be a number of seconds above 0"),
        ("verify-ir.toml", 'format = "xml"\n', "1:1", "should be one of text, json"),
        ("verify-ir.toml", "jobs = = 1\n", "1:8", "invalid TOML"),
        ("pyproject.toml", "[tool]\nverify-ir = 3\n", "1:1", "should be a table"),
    ],
)
def test_a_fault_is_told_with_its_place(
    name: str, text: str, place: str, reason: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_text(text)

    with pytest.raises(ConfigError) as error:
        load_config(path)

    assert str(error.value).startswith(f"{path}:{place}: ")
    assert reason in str(error.value)


def test_bytes_that_are_not_text_are_a_fault(tmp_path: Path) -> None:
    path = tmp_path / "verify-ir.toml"
    path.write_bytes(b"\xff")

    with pytest.raises(ConfigError, match="cannot be read"):
        load_config(path)


def test_a_named_file_or_none_can_be_asked_for(tmp_path: Path) -> None:
    (tmp_path / "verify-ir.toml").write_text("jobs = 3\n")
    other = tmp_path / "other.toml"
    other.write_text("jobs = 7\n")
    source = str(tmp_path / "f.mlir")

    assert options_from({}, source).jobs == 3
    assert options_from({"config": str(other)}, source).jobs == 7
    assert options_from({"no_config": True}, source).jobs == 0


def test_a_fault_in_the_file_is_wrong_usage(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "f.mlir").write_text("")
    (tmp_path / "verify-ir.toml").write_text("solver = 3\n")

    assert run([str(tmp_path / "f.mlir")]) == 2

    assert f"Error: {tmp_path / 'verify-ir.toml'}:1:1: unknown key `solver`" in (
        capsys.readouterr().err
    )
