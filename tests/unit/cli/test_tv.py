"""`verify-ir tv`: two files, or the modules of one."""

from pathlib import Path

import pytest

from verify.cli.main import run

SOURCE = """func.func @first(%m: memref<4xf32>, %i: index) -> f32 {
  %x = memref.load %m[%i] : memref<4xf32>
  return %x : f32
}
"""
WRONG = SOURCE.replace("[%i]", "[%c]").replace("{\n", "{\n  %c = arith.constant 1 : index\n", 1)


def files(folder: Path, *texts: str) -> list[str]:
    paths = [folder / f"{chr(97 + i)}.mlir" for i in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text)
    return [str(path) for path in paths]


@pytest.mark.parametrize(
    ("texts", "status", "words"),
    [
        ((SOURCE, SOURCE.replace("%x", "%y")), 0, "1 proven"),
        ((SOURCE, WRONG), 1, "error[E0302]"),
        ((f"{SOURCE}\n// -----\n\n{WRONG}\n// -----\n\n{SOURCE}",), 1, "1 proven, 1 refuted"),
        ((SOURCE,), 2, "there is no second module"),
        ((SOURCE, "nonsense"), 2, "error[E0001]"),
        (("nonsense", SOURCE), 2, "error[E0001]"),
        ((SOURCE, ""), 3, "`@first` is gone"),
        ((SOURCE, f"{SOURCE}\n// -----\n\n{SOURCE}"), 2, "2 modules are held against 1"),
    ],
)
def test_the_exit_status_tells(
    texts: tuple[str, ...],
    status: int,
    words: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert status == run(["tv", *files(tmp_path, *texts)])
    assert words in capsys.readouterr().out


def test_a_file_does_what_it_does(tmp_path: Path) -> None:
    (path,) = files(tmp_path, SOURCE)

    assert 0 == run(["tv", path, path])


def test_folders_and_a_target_from_standard_input_are_refused(tmp_path: Path) -> None:
    (path,) = files(tmp_path, SOURCE)

    assert 2 == run(["tv", str(tmp_path), path])
    assert 2 == run(["tv", path, "-"])
    assert 2 == run(["tv", path, str(tmp_path / "none.mlir")])
