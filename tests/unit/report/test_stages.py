from tests.unit.report.samples import OPEN, PATH, PIPELINE, STALE, TWICE, context, stage
from verify.checklist import EQUIVALENCE, OF_LOOPS
from verify.report.context import RenderContext
from verify.report.stages import render_stages
from verify.report.style import Paint
from verify.result import FileResult, FunctionResult
from verify.verdict import Verdict

LONG = "after:mlir:one-shot-bufferize{allow-return-allocs-from-loops bufferize-function-boundaries}"


def table(file: FileResult, shown: RenderContext | None = None) -> list[str]:
    return render_stages(file, shown or context(command="passes"), Paint())


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


def functions(number: int) -> FileResult:
    fine = [
        FunctionResult(f"f{i}", (stage(Verdict.PROVEN, asked=OF_LOOPS),)) for i in range(number)
    ]
    bad = FunctionResult("bad", (stage(Verdict.REFUTED, STALE, asked=OF_LOOPS),))
    unclear = FunctionResult("unclear", (stage(Verdict.UNDECIDED, OPEN, asked=OF_LOOPS),))
    return FileResult(PATH, (*fine, bad, unclear))


def test_what_was_not_asked_is_a_dash() -> None:
    lines = table(PIPELINE.files[0])

    assert ["input", "E0101", "proven", "proven", "proven", "-", "-"] == cells(lines[4])


def test_a_column_that_no_stage_asked_is_left_out() -> None:
    lines = table(PIPELINE.files[0])

    assert "order" not in lines[2]
    assert "contract" in lines[2]


def test_many_functions_share_one_table_with_the_worst_of_them() -> None:
    lines = table(functions(40))

    assert f"{PATH}: 42 functions, the worst of them in each cell" == lines[0]
    assert ["input", "E0101", "U0002", "U0002", "U0002"] == cells(lines[4])
    assert ["@bad: E0101 at input", "@unclear: U0002 at input"] == lines[6:]


def test_a_verbose_table_is_about_one_function() -> None:
    lines = table(functions(1), context(command="passes", verbosity=1))

    assert [f"{PATH}: @f0", f"{PATH}: @bad", f"{PATH}: @unclear"] == [
        line for line in lines if line.startswith(PATH)
    ]


def test_a_function_is_named_with_the_first_stage_of_each_code() -> None:
    stages = (stage(Verdict.REFUTED, STALE), stage(Verdict.REFUTED, STALE, TWICE, name="after:x"))
    file = FileResult(PATH, (FunctionResult("sum", stages), FunctionResult("fine", stages[:0])))

    assert "@sum: E0101 at input, W0102 at after:x" == table(file)[-1]


def test_tables_of_long_pipelines_keep_to_the_width_of_the_terminal() -> None:
    stages = [stage(Verdict.REFUTED, STALE, asked=OF_LOOPS)]
    stages += [stage(Verdict.PROVEN, name=LONG, asked=(*OF_LOOPS, EQUIVALENCE))]
    file = FileResult(PATH, (FunctionResult("sum", tuple(stages)),))

    for columns in (80, 100, 200):
        lines = table(file, context(command="passes", columns=columns))
        names = "".join(cells(line)[0] for line in lines[5:-1])
        assert max(map(len, lines)) <= columns
        assert LONG.replace(" ", "") == names.replace(" ", "")


def test_a_fault_of_the_checker_is_in_a_column_of_its_own() -> None:
    from verify.driver import faulty

    lines = table(faulty(PATH, "trace").files[0])

    assert ["stage", "other"] == cells(lines[2])
    assert ["input", "U0004"] == cells(lines[4])
