import stat
from pathlib import Path

import pytest

from verify.toolchain import binaries
from verify.toolchain.binaries import Binary, binaries_in, find_binary, names_in
from verify.toolchain.outcome import PassUsageError
from verify.toolchain.registry import toolchains


def program(path: Path, version: str = "1.2.3") -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\necho LLVM version {version}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def test_programs_are_named_by_path_or_by_a_name_on_the_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = program(tmp_path / "mlir-opt-7")
    own = program(tmp_path / "build" / "my-opt")
    monkeypatch.setenv("PATH", str(tmp_path))

    expected = (Binary("mlir-opt-7", old), Binary("my-opt", own))
    assert expected == binaries_in(f"mlir-opt-7, {own}")


def test_programs_of_one_name_are_told_apart_by_their_folders(tmp_path: Path) -> None:
    paths = [program(tmp_path / name / "bin" / "mlir-opt") for name in ("release", "debug")]

    found = binaries_in(",".join(paths))

    assert ["release/bin/mlir-opt", "debug/bin/mlir-opt"] == [each.label for each in found]


def test_a_label_can_stand_in_front_of_a_colon(tmp_path: Path) -> None:
    paths = [program(tmp_path / name) for name in ("a:b", "c{d", "enzyme")]

    assert ["a_b", "c_d", "bin/enzyme"] == [each.label for each in binaries_in(",".join(paths))]


def test_one_program_named_twice_is_one(tmp_path: Path) -> None:
    path = program(tmp_path / "mlir-opt-7")

    assert (Binary("mlir-opt-7", path),) == binaries_in(f"{path},{path}")


def test_a_path_with_a_comma_is_one_path(tmp_path: Path) -> None:
    path = program(tmp_path / "mlir,opt")

    assert [path] == names_in(path)
    assert (Binary("mlir_opt", path),) == binaries_in(path)


@pytest.mark.parametrize("missing", ["mlir-opt-1", "/nowhere/mlir-opt", "tests"])
def test_a_program_that_is_not_there_is_named(tmp_path: Path, missing: str) -> None:
    path = program(tmp_path / "mlir-opt-7")

    assert find_binary(missing) is None
    with pytest.raises(PassUsageError, match=f"`{missing}` is no program that can be run"):
        binaries_in(f"{path},{missing}")


def test_each_program_of_a_list_is_a_toolchain(tmp_path: Path) -> None:
    paths = [program(tmp_path / f"mlir-opt-{n}", f"{n}.1") for n in (7, 8)]

    def last(named: str) -> list[tuple[str, str, bool]]:
        return [(each.name, each.version, each.available) for each in toolchains(named)[3:]]

    assert [("mlir-opt-7", "7.1", True), ("mlir-opt-8", "8.1", True)] == last(",".join(paths))
    assert [("mlir-opt", "7.1", True)] == last(paths[0])
    assert [paths[0], "mlir-opt-9"] == [name for name, _, _ in last(f"{paths[0]},mlir-opt-9")]
    assert [True, False] == [is_there for _, _, is_there in last(f"{paths[0]},mlir-opt-9")]


def test_the_version_is_read_off_the_program(tmp_path: Path) -> None:
    assert "7.1" == binaries.binary_version(program(tmp_path / "mlir-opt", "7.1"))
