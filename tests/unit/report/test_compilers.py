from tests.unit.report.samples import PATH, context, stage
from verify.diagnostic import Diagnostic
from verify.report.compilers import render_comparison, say_differences
from verify.report.style import Paint
from verify.result import FileResult, FunctionResult, StageResult
from verify.side_by_side import Comparison, common_stage, comparisons
from verify.verdict import Verdict


def made_by(
    compiler: str, code: str = "", output: str | None = "", *, path: str = PATH
) -> FileResult:
    """A file after one pass of `compiler`, with a finding or without one."""
    name = f"after:{compiler}:cse"
    found = (Diagnostic(code, "m"),) if code else ()
    verdict = Verdict.REFUTED if code else Verdict.PROVEN
    after = StageResult(name, verdict, found, asked=("equivalence",))
    function = FunctionResult("f", (stage(Verdict.PROVEN), after))
    outputs = () if output is None else ((name, output),)
    return FileResult(path, (function,), compiler=compiler, outputs=outputs)


def compare(*files: FileResult) -> Comparison:
    (found,) = comparisons(files)
    return found


def test_stages_are_matched_whatever_the_version() -> None:
    assert "after:mlir-opt:cse#2" == common_stage("after:mlir-opt-16:cse#2", "mlir-opt-16")
    assert "after:mlir-opt-16:cse" == common_stage("after:mlir-opt-16:cse", "mlir-opt")
    assert "after:own{x=a:b}" == common_stage("after:own{x=a:b}", "own")


def test_a_file_of_one_compiler_is_not_compared() -> None:
    files = [made_by("a"), made_by("b", path="other.mlir"), FileResult(PATH)]

    assert [] == comparisons(files)


def test_versions_that_do_the_same_agree() -> None:
    found = compare(made_by("a", output="x"), made_by("b", output="x"))

    assert found.is_agreed
    assert ["a and b agree: the same verdicts, the same IR but for names"] == say_differences(found)


def test_each_difference_is_told_with_who_is_on_which_side() -> None:
    found = compare(
        made_by("a", output="x"),
        made_by("b", "E0302", "y"),
        made_by("c", output="x"),
        made_by("d", "E0304", None),
    )

    assert [
        "after:mlir-opt:cse: proven with a and c; E0302 with b; E0304 with d",
        "after:mlir-opt:cse: the IR differs between a and c; b",
    ] == say_differences(found)


def test_what_was_not_asked_or_not_reached_is_a_dash() -> None:
    lines = render_comparison(
        compare(made_by("a"), FileResult(PATH, compiler="b")), context(), Paint()
    )

    assert "| after:mlir-opt:cse | proven | - | -      |" in lines
    assert "| input              | -      | - | -      |" in lines


def test_how_outputs_differ_is_shown_when_verbose() -> None:
    found = compare(made_by("a", output="x\ny"), made_by("b", output="x\nz\x1b"))

    assert "    +z\N{REPLACEMENT CHARACTER}" in render_comparison(
        found, context(verbosity=1), Paint()
    )
    assert not any("+z" in line for line in render_comparison(found, context(), Paint()))


def test_a_long_difference_is_cut() -> None:
    one, other = "\n".join(map(str, range(500))), "\n".join(map(str, range(500, 1000)))
    found = compare(made_by("a", output=one), made_by("b", output=other))

    assert len(render_comparison(found, context(verbosity=1), Paint())) < 80
