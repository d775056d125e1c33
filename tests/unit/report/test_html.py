from dataclasses import replace
from html.parser import HTMLParser

from tests.unit.report.samples import CHECKED, PIPELINE, STALE, context, stage
from tests.unit.report.snapshots import assert_snapshot
from verify.report.html import render
from verify.result import FileResult, FunctionResult, RunResult
from verify.verdict import Verdict

VOID = {"meta", "br", "hr", "img", "link", "input"}


class Balance(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.links += [value or "" for name, value in attrs if name in ("src", "href")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_is_as_published() -> None:
    page = render(CHECKED, context())

    assert_snapshot("check.html", page)


def test_the_page_is_well_formed_and_needs_nothing_from_outside() -> None:
    for run in (CHECKED, PIPELINE, RunResult(())):
        balance = Balance()
        balance.feed(render(run, context()))

        assert [] == balance.open
        assert [] == balance.links


def test_texts_cannot_bring_markup_into_the_page() -> None:
    odd = replace(STALE, message="<script>", related=(), notes=("<b>",), label="<i>")
    function = FunctionResult("<u>", (stage(Verdict.REFUTED, odd),))

    page = render(RunResult((FileResult("<p>.mlir", (function,)),)), context())

    assert not any(tag in page for tag in ("<script>", "<b>", "<i>", "<u>", "<p>.mlir"))


def test_the_page_says_when_a_run_was_interrupted() -> None:
    assert "interrupted before the end" in render(CHECKED, context(is_interrupted=True))
