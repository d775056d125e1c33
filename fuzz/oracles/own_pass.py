"""A real pass must give what this project's own pass of that name gives, op for op."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fuzz.finding import Finding
from fuzz.subject import Subject
from verify.ir.names import dialect_name
from verify.ir.printing import to_generic_text
from verify.passes.contracts import passes_in
from verify.toolchain.outcome import RunOptions
from verify.toolchain.registry import run_pass

_IDLE = "strip-debuginfo"
OWN = ("sink-checkpoint-views", "gpu-async-region")


def judge(subject: Subject, targets: Sequence[str]) -> Iterator[Finding]:
    """Real passes that give something else; where either gives nothing there is no question."""
    for target in targets:
        names = passes_in(target.partition(":")[2]) if ":" in target else []
        if len(names) != 1 or names[0] not in OWN:
            continue
        if target.startswith("mlir") and _has_foreign_ops(subject):
            continue
        own, real = subject.own_text(names[0]), subject.result_text(target)
        if own is None or real is None or own == real:
            continue
        own = _printed_by(target, subject, names[0]) or own
        if own == real:
            continue
        ours, theirs = _first_difference(own, real)
        yield Finding(
            "own-pass",
            target,
            "E0302",
            f"`{target}` gives `{theirs}` where `{names[0]}` gives `{ours}`",
            f"{_op(ours)} | {_op(theirs)}",
            detail=f"own: {ours}\nreal: {theirs}",
        )


def _has_foreign_ops(subject: Subject) -> bool:
    """Whether there are ops that upstream MLIR does not know, and this project does."""
    assert subject.parsed.module is not None
    return any(dialect_name(op).startswith("enzyme") for op in subject.parsed.module.walk())


def _printed_by(target: str, subject: Subject, name: str) -> str | None:
    """The own result as the toolchain of a real pass prints it: it may write ops otherwise."""
    module = subject.outcome(name).module
    if module is None or module.module is None:
        return None
    toolchain = target.partition(":")[0]
    with subject.timed("own pass again"):
        printed = run_pass(f"{toolchain}:{_IDLE}", module, RunOptions(subject.limits.pass_s)).module
    if printed is None or printed.module is None:
        return None
    return to_generic_text(printed.module, locations=False)


def _first_difference(a: str, b: str) -> tuple[str, str]:
    first, second = a.splitlines(), b.splitlines()
    pairs = zip(first, second, strict=False)
    found = next(((x, y) for x, y in pairs if x != y), None)
    if found is None:
        longer = first if len(first) > len(second) else second
        extra = longer[min(len(first), len(second))]
        found = (extra, "nothing") if longer is first else ("nothing", extra)
    return found[0].strip(), found[1].strip()


def _op(line: str) -> str:
    return line.partition('"')[2].partition('"')[0] or "block"
