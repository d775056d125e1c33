"""One pipeline with several binaries: real ones, and scripts around the real one."""

import json
import stat
from itertools import pairwise
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import verify.report.json
from verify.cli.main import run
from verify.toolchain import binaries
from verify.toolchain.binaries import binary_version, newest_binary

NEWEST = newest_binary()
if NEWEST is None:
    pytest.skip("no mlir-opt is installed", allow_module_level=True)

SCHEMA = json.loads(Path(verify.report.json.__file__).with_name("schema.json").read_text())
SUM = """func.func @f(%a: i32, %b: i32) -> i32 {
  %x = arith.addi %a, %b : i32
  %y = arith.addi %a, %b : i32
  %z = arith.muli %x, %y : i32
  return %z : i32
}
"""
FLAGGED = SUM.replace("%b : i32", "%b overflow<nsw> : i32")


def script(folder: Path, name: str, body: str) -> str:
    """A program that does something with `$REAL`."""
    path = folder / name
    path.write_text(f"#!/bin/bash\nREAL={NEWEST}\n{body}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def alike(folder: Path) -> str:
    return script(folder, "mlir-opt-copy", 'exec $REAL "$@"')


def idle(folder: Path) -> str:
    """The same, but for `cse`, which does nothing."""
    return script(folder, "mlir-opt-idle", 'exec $REAL "${@/cse/mem2reg}"')


def wrong(folder: Path) -> str:
    """The same, but what is added is subtracted."""
    return script(folder, "mlir-opt-wrong", '$REAL "$@" | sed s/arith.addi/arith.subi/')


def dead(folder: Path) -> str:
    """One that dies on any pass."""
    return script(
        folder, "mlir-opt-dead", 'case "$*" in *cse*-) kill -SEGV $$;; esac; exec $REAL "$@"'
    )


def unable(folder: Path) -> str:
    """One that cannot read any module that adds."""
    body = (
        "text=$(cat); case $text in *arith.addi*) echo '<stdin>:3:8: error: what is this' >&2; "
        'exit 1;; esac; echo "$text" | $REAL "$@"'
    )
    return script(folder, "mlir-opt-unable", body)


def passes(tmp_path: Path, tools: list[str], *more: str, text: str = SUM) -> int:
    file = tmp_path / "sum.mlir"
    file.write_text(text)
    command = ["passes", str(file), "-p", "mlir-opt:cse", "--mlir-opt", ",".join(tools)]
    return run([*command, "--no-config", *more])


def document(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    found = json.loads(capsys.readouterr().out)
    jsonschema.validate(found, SCHEMA)
    return found


def sides(found: dict[str, Any]) -> list[tuple[str, str | None, list[str], int | None]]:
    (comparison,) = found["comparisons"]
    last = comparison["stages"][-1]
    assert "after:mlir-opt:cse" == last["stage"]
    return [(s["compiler"], s["verdict"], s["codes"], s["output"]) for s in last["compilers"]]


def test_binaries_that_do_the_same_agree(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert 0 == passes(tmp_path, [alike(tmp_path), NEWEST or ""])

    printed = capsys.readouterr().out
    assert "| after:mlir-opt-copy:cse | proven      |" in printed
    assert "mlir-opt-copy and mlir-opt agree: the same verdicts, the same IR but for" in printed
    assert "1 function in 1 module with 2 compilers: 2 proven" in printed


def test_the_document_has_an_entry_for_each(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert 0 == passes(tmp_path, [alike(tmp_path), idle(tmp_path)], "--format", "json")

    found = document(capsys)
    assert ["mlir-opt-copy", "mlir-opt-idle"] == [file["compiler"] for file in found["files"]]
    assert ["after:mlir-opt-copy:cse", "after:mlir-opt-idle:cse"] == [
        file["functions"][0]["stages"][1]["stage"] for file in found["files"]
    ]
    assert {"mlir-opt-copy", "mlir-opt-idle"} <= set(found["toolchains"])


def test_other_output_is_told_though_both_are_proven(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tools = [alike(tmp_path), idle(tmp_path)]
    assert 0 == passes(tmp_path, tools, "-v")

    printed = capsys.readouterr().out
    line = "after:mlir-opt:cse: the IR differs between mlir-opt-copy; mlir-opt-idle\n"
    assert line in printed
    assert '+  %3 = "arith.addi"' in printed

    passes(tmp_path, tools, "--format", "json")
    found = document(capsys)
    assert not found["comparisons"][0]["agree"]
    assert [0, 1] == [form for *_, form in sides(found)]


def test_a_version_that_is_wrong_is_told_from_one_that_is_right(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tools = [alike(tmp_path), wrong(tmp_path)]
    assert 1 == passes(tmp_path, tools)

    printed = capsys.readouterr().out
    assert "`mlir-opt-wrong:cse` changes what `@f` does" in printed
    assert "after:mlir-opt:cse: proven with mlir-opt-copy; E0302 with mlir-opt-wrong" in printed

    passes(tmp_path, tools, "--format", "json")
    assert [
        ("mlir-opt-copy", "proven", [], 0),
        ("mlir-opt-wrong", "refuted", ["E0302"], 1),
    ] == sides(document(capsys))


def test_a_version_that_dies_leaves_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tools = [dead(tmp_path), alike(tmp_path)]
    kept = tmp_path / "kept"
    assert 1 == passes(tmp_path, tools, "--format", "json", "--reproducers", str(kept))

    assert [
        ("mlir-opt-dead", "refuted", ["E0304"], None),
        ("mlir-opt-copy", "proven", [], 0),
    ] == sides(document(capsys))
    (file,) = kept.iterdir()
    assert f"-p mlir-opt:cse --mlir-opt {tools[0]}" in file.read_text().splitlines()[1]


def test_a_version_that_cannot_read_the_module_is_no_fault_of_its_pass(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert 3 == passes(tmp_path, [unable(tmp_path), alike(tmp_path)])

    printed = capsys.readouterr().out
    assert "undecided[U0002]: `mlir-opt-unable:cse` cannot read the module: what is" in printed
    assert "sum.mlir:2:" in printed
    assert "after:mlir-opt:cse: U0002 with mlir-opt-unable; proven with mlir-opt-copy" in printed


def test_what_the_input_has_is_told_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    example = Path(__file__).parents[3] / "corpus" / "unsafe" / "double_snapshot.mlir"
    passes(tmp_path, [alike(tmp_path), idle(tmp_path)], text=example.read_text())

    assert 1 == capsys.readouterr().out.count("error[E0101]")


def test_one_binary_leaves_names_as_they_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert 0 == passes(tmp_path, [alike(tmp_path)], "--format", "json")

    found = document(capsys)
    assert [] == found["comparisons"]
    assert found["files"][0]["compiler"] is None
    assert "after:mlir-opt:cse" == found["files"][0]["functions"][0]["stages"][1]["stage"]


def test_a_missing_binary_is_a_usage_error_that_names_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert 2 == passes(tmp_path, [alike(tmp_path), "mlir-opt-1"])

    assert "--mlir-opt: `mlir-opt-1` is no program that can be run" in capsys.readouterr().err


def test_the_list_may_stand_in_a_configuration_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tools = f"{alike(tmp_path)},{idle(tmp_path)}"
    (tmp_path / "verify-ir.toml").write_text(f"mlir-opt = {json.dumps(tools)}\n")
    (tmp_path / "sum.mlir").write_text(SUM)

    assert 0 == run(["passes", str(tmp_path / "sum.mlir"), "-p", "mlir-opt:cse"])
    assert "mlir-opt-copy and mlir-opt-idle beside each other" in capsys.readouterr().out


@pytest.mark.parametrize("form", ["html", "junit", "sarif", "github"])
def test_every_form_of_the_result_can_be_made(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert 1 == passes(tmp_path, [alike(tmp_path), wrong(tmp_path)], "--format", form)

    assert "mlir-opt-wrong" in capsys.readouterr().out


def versions() -> list[str]:
    """Installed binaries of different versions, the oldest first."""
    found = {binary_version(path): path for path in binaries.installed()}
    found.pop("", None)
    return [found[version] for version in sorted(found, key=lambda v: [*map(int, v.split("."))])]


several = pytest.mark.skipif(
    len(versions()) < 2, reason="only one version of mlir-opt is installed"
)


@several
@pytest.mark.parametrize("pair", [*pairwise(versions())])
def test_real_versions_of_cse_agree(
    pair: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert 0 == passes(tmp_path, list(pair))

    assert " agree: the same verdicts, the same IR but for names" in capsys.readouterr().out


@several
def test_syntax_that_an_old_version_lacks_is_its_refusal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    oldest = versions()[0]
    if int(binary_version(oldest).split(".")[0]) > 17:
        pytest.skip("no version is installed that lacks overflow flags")

    assert 3 == passes(tmp_path, [oldest, NEWEST or ""], "--format", "json", text=FLAGGED)

    (old, new) = sides(document(capsys))
    assert ("undecided", ["U0002"], None) == old[1:]
    assert ("proven", [], 0) == new[1:]
