from dataclasses import replace

from tests.unit.report.samples import (
    ASSUMED,
    CHECKED,
    OPEN,
    PATH,
    PIPELINE,
    STALE,
    TWICE,
    context,
    stage,
)
from tests.unit.report.snapshots import assert_snapshot
from verify.diagnostic import Diagnostic, Related
from verify.report.text import render
from verify.result import FileResult, FunctionResult, RunResult
from verify.verdict import Verdict


def test_check_shows_findings_then_a_line_for_each_function() -> None:
    assert_snapshot("check.txt", render(CHECKED, context()))


def test_verbose_check_shows_notes_with_their_codes_and_proofs() -> None:
    assert_snapshot("check-verbose.txt", render(CHECKED, context(verbosity=1, shows_proof=True)))


def test_quiet_check_shows_findings_only() -> None:
    text = render(CHECKED, context(verbosity=-1))

    assert "error[E0101]" in text
    assert "proven" not in text
    assert "more about" not in text


def test_passes_shows_an_ascii_table_and_what_each_pass_cured() -> None:
    assert_snapshot("passes.txt", render(PIPELINE, context(command="passes")))


def test_passes_draws_boxes_and_colours_on_a_capable_terminal() -> None:
    drawn = render(PIPELINE, context(command="passes", is_unicode=True, is_color=True))

    assert_snapshot("passes-terminal.txt", drawn)


def test_a_finding_is_shown_once_however_many_stages_have_it() -> None:
    text = render(PIPELINE, context(command="passes"))

    assert 1 == text.count("error[E0101]")


def test_the_command_for_the_cure_is_left_out_where_it_cannot_be_run() -> None:
    from_stdin = FileResult("-", CHECKED.files[0].functions)

    assert "= try:" not in render(RunResult((from_stdin,)), context())
    assert "= try:" not in render(PIPELINE, context(command="passes"))


def test_the_command_for_the_cure_names_the_file_of_a_module_quoted() -> None:
    split = FileResult("a b.mlir#2", CHECKED.files[0].functions)

    text = render(RunResult((split,)), context())

    command = "verify-ir passes 'a b.mlir' -p sink-checkpoint-views --split-input-file"
    assert f"= try: {command}\n" in text


def test_strict_says_that_warnings_count_as_errors() -> None:
    function = FunctionResult("sum", (stage(Verdict.PROVEN, TWICE),))
    run = RunResult((FileResult(PATH, (function,)),))

    text = render(run, context(is_strict=True))

    assert "1 proven, 1 warning as errors (--strict)" in text


def test_an_interrupted_run_says_so() -> None:
    assert "\ninterrupted; 3 functions" in render(CHECKED, context(is_interrupted=True))


def test_a_module_without_functions_has_nothing_to_check() -> None:
    text = render(RunResult((FileResult("empty.mlir"),)), context())

    assert text.startswith("empty.mlir: no function to check\n")
    assert "0 functions in 1 module: nothing to check (0.00 s)\n" in text


def test_findings_of_a_whole_module_stand_under_its_name() -> None:
    failed = FunctionResult("", (stage(Verdict.REFUTED, replace(OPEN, code="E0304")),))
    run = RunResult((FileResult(PATH, (failed,)),))

    assert f"{PATH}: module: refuted (E0304)\n" in render(run, context())


def test_control_characters_in_messages_do_not_reach_the_terminal() -> None:
    evil = replace(STALE, message="a\x1b[2Jb", related=(), notes=("c\x07",), label="d\x1b")
    function = FunctionResult("sum\x1b", (stage(Verdict.REFUTED, evil, ASSUMED),))

    text = render(RunResult((FileResult("p\x1b.mlir", (function,)),)), context())

    assert "\x1b" not in text
    assert "\x07" not in text


def test_long_notes_are_indented_and_cut_unless_verbose() -> None:
    note = "it printed:\n" + "\n".join(f"line {number}" for number in range(20))
    died = Diagnostic("E0304", "`x` died", notes=(note,))
    run = RunResult((FileResult(PATH, (FunctionResult("", (stage(Verdict.REFUTED, died),)),)),))

    text = render(run, context())

    assert "  = note: it printed:\n          line 0\n" in text
    assert "\n          ... 9 more lines, shown with -v\n" in text
    assert "line 19" in render(run, context(verbosity=1))


def test_a_pipeline_that_ended_early_says_where() -> None:
    failed = stage(Verdict.REFUTED, replace(OPEN, code="E0304"), name="after:x")
    functions = FunctionResult("f", (stage(Verdict.PROVEN),)), FunctionResult("", (failed,))

    text = render(RunResult((FileResult(PATH, functions),)), context(command="passes"))

    assert "\nthe pipeline ended at `x`\n" in text
    assert "1 function in 1 module: 1 not followed to the end (0.00 s)\n" in text


def test_a_related_sentence_without_a_place_is_a_note() -> None:
    finding = replace(OPEN, related=(Related("somewhere", None),))
    function = FunctionResult("f", (stage(Verdict.UNDECIDED, finding),))

    assert "  = note: somewhere\n" in render(RunResult((FileResult(PATH, (function,)),)), context())
