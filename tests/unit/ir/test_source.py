import io
import sys

import pytest

from verify.diagnostic import Location
from verify.ir.source import SourceError, SourceText, decode_source, read_source, split_source


def test_a_byte_order_mark_and_windows_line_ends_leave_places_right():
    source = decode_source("f", b"\xef\xbb\xbfa\r\n  b")

    assert source.line(1) == "a"
    assert source.line(2) == "  b"
    assert source.line(3) == ""


@pytest.mark.parametrize(
    ("content", "line", "column"),
    [(b"\xff\xfea", 1, 1), (b"a\nb\xe9", 2, 2), (b"a\0", 1, 2), ("é\n é".encode() + b"\xc3", 2, 3)],
)
def test_bytes_that_are_no_text_are_refused_with_their_place(
    content: bytes, line: int, column: int
):
    with pytest.raises(SourceError) as caught:
        decode_source("f", content)

    assert caught.value.diagnostic.code == "E0001"
    assert caught.value.diagnostic.location == Location("f", line, column)


def test_standard_input_is_read_as_bytes(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"x\r\ny")))

    assert read_source("-").text == "x\ny"


def test_chunks_keep_their_line_numbers():
    text = "a\n// -----\n\n// only a comment\n// -----\nb\nc\n"

    chunks = split_source(SourceText("f", text))

    assert [
        chunk.split("\n").index(name) + 1 for chunk, name in zip(chunks, "ab", strict=True)
    ] == [
        1,
        6,
    ]


def test_a_banner_of_dashes_does_not_split():
    text = "// ---------- title\n// -----// IR Dump\na\n"

    assert split_source(SourceText("f", text)) == [text]


def test_a_marker_with_a_title_splits_when_asked():
    assert len(split_source(SourceText("f", "a\n// ----- t\nb"), has_titles=True)) == 2


def test_columns_count_characters_where_mlir_counts_bytes():
    source = SourceText("f", "é é x")

    assert source.column_of_byte(1, len("é é ".encode()) + 1) == 5
