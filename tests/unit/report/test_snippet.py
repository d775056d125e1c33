from verify.diagnostic import Diagnostic, Location, Related
from verify.report.snippet import render_snippets
from verify.report.sources import Sources
from verify.report.style import Paint


def snippet(text: str, diagnostic: Diagnostic) -> str:
    return "\n".join(render_snippets(diagnostic, Sources({"f": text}), Paint()))


def finding(line: int, column: int, end: int | None = None, label: str = "", *related: Related):
    return Diagnostic(
        "E0101", "m", location=Location("f", line, column, end), label=label, related=related
    )


def test_a_span_without_an_end_covers_the_word_at_its_start() -> None:
    shown = snippet("%a = memref.load %b[%c]", finding(1, 6))

    assert shown.splitlines()[3] == "  |      ^^^^^^^^^^^"


def test_labels_on_one_line_stand_below_each_other_from_right_to_left() -> None:
    also = Related("left", Location("f", 1, 1, 3), is_primary=True)
    more = Related("middle", Location("f", 1, 4, 6))

    assert (
        snippet("aa bb cc", finding(1, 7, 9, "right", also, more))
        == """\
 --> f:1:7
  |
1 | aa bb cc
  | ^^ -- ^^ right
  | |  |
  | |  middle
  | left"""
    )


def test_two_labels_of_one_span_are_both_shown() -> None:
    also = Related("second", Location("f", 1, 1, 3), is_primary=True)

    assert snippet("aa bb", finding(1, 1, 3, "first", also)).splitlines()[3:] == [
        "  | ^^ second",
        "  | |",
        "  | first",
    ]


def test_distant_lines_are_joined_by_an_ellipsis_and_near_ones_by_the_line_between() -> None:
    text = "\n".join(f"line{number}" for number in range(1, 13))
    near = Related("near", Location("f", 3, 1))
    far = Related("far", Location("f", 12, 1))

    assert (
        snippet(text, finding(1, 1, None, "here", near, far))
        == """\
  --> f:1:1
   |
 1 | line1
   | ^^^^^ here
 2 | line2
 3 | line3
   | ----- near
...
12 | line12
   | ------ far"""
    )


def test_tabs_and_wide_characters_take_the_columns_that_they_have() -> None:
    assert snippet('\t"測試"(%a)', finding(1, 7, 9, "arg")).splitlines()[2:4] == [
        '1 |     "測試"(%a)',
        "  |            ^^ arg",
    ]


def test_very_long_lines_are_cut_around_the_marks() -> None:
    shown = snippet("x" * 5000 + " %here " + "y" * 5000, finding(1, 5002, 5007, "it"))

    code, marks = shown.splitlines()[2:4]
    assert code.startswith("1 | ...xxx")
    assert code.endswith("yyy...")
    assert len(code) < 180
    assert code[marks.index("^") : marks.rindex("^") + 1] == "%here"


def test_a_place_behind_the_end_of_its_line_is_marked_at_the_end() -> None:
    assert snippet("ab", finding(1, 99, 120, "end")).splitlines()[3] == "  |   ^ end"


def test_a_place_in_an_unreadable_file_is_only_named() -> None:
    shown = render_snippets(
        Diagnostic(
            "E0101",
            "m",
            location=Location("gone", 3, 4),
            related=(Related("there", Location("gone", 5, 6)),),
        ),
        Sources(),
        Paint(),
    )

    assert [" --> gone:3:4", "  = note: there (gone:5:6)"] == shown


def test_places_in_two_files_get_a_snippet_each() -> None:
    sources = Sources({"f": "one", "g": "two"})
    also = Related("other", Location("g", 1, 1))

    shown = render_snippets(finding(1, 1, None, "", also), sources, Paint())

    assert [line for line in shown if "f:" in line or "g:" in line] == [" --> f:1:1", " ::: g:1:1"]


def test_a_finding_without_a_place_has_no_snippet() -> None:
    assert [] == render_snippets(Diagnostic("E0304", "m"), Sources(), Paint())


def test_lines_are_counted_by_line_feeds_only() -> None:
    sources = Sources({"f": "\ufeffa\r\nb\x0bc\u2028d\ne"})

    assert ["a", "b\x0bc\u2028d", "e", None] == [sources.line("f", n) for n in (1, 2, 3, 4)]


def test_sources_come_from_the_disk_when_not_given(tmp_path) -> None:
    (tmp_path / "x.mlir").write_text("first\nsecond\n")

    assert "second" == Sources().line(str(tmp_path / "x.mlir"), 2)


def test_long_lines_of_wide_characters_are_cut_by_columns() -> None:
    shown = snippet("測" * 300 + " %here " + "試" * 300, finding(1, 302, 307, "it"))

    code, marks = shown.splitlines()[2:4]
    assert code.startswith("1 | ...測")
    assert marks.index("^") == len("1 | ...") + 2 * code.count("測") + 1


def test_combining_characters_take_no_column() -> None:
    assert snippet("e\u0301 %x", finding(1, 4, 6)).splitlines()[3] == "  |   ^^"
