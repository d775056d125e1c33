"""E0106: what a body asks of the layout of a capture."""

from tests.unit.checks.checking import ROW, codes, finding, function
from verify.report.phrases import say_counterexample


def asserted(alignment: int) -> str:
    body = f"%a = memref.assume_alignment %m, {alignment} : {ROW}\n"
    return function(f"%m: {ROW}", "", body + f"memref.store %f, %a[%c0] : {ROW}")


def test_an_alignment_that_every_copy_has_may_be_asserted() -> None:
    assert [] == codes(asserted(4))
    assert ["E0106"] == codes(asserted(64))


def test_what_is_asked_of_a_layout_reads_no_byte() -> None:
    found = finding(asserted(64), "E0106").counterexample

    assert found is not None
    assert [("layout", None)] == [(a["kind"], a["bytes"]) for a in found.accesses]
    assert say_counterexample(found).endswith(
        "iteration 0 relies on where memory lies, in `memref.assume_alignment`"
    )
