"""One program under judgement: what is known of it, found out once for all oracles.

Time is measured by part. A budget, in seconds of this process, may stop a judgement that takes
long: its program is put off.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

from xdsl.utils.exceptions import DiagnosticException

from verify.checks.options import CheckOptions
from verify.checks.run import check_module
from verify.ir.context import shared_context
from verify.ir.frontend import read_text
from verify.ir.module import ParsedModule
from verify.ir.names import op_name
from verify.ir.printing import to_generic_text
from verify.refine.equivalence import compare_modules
from verify.result import StageResult
from verify.semantics.views_by_name import is_checkpointed
from verify.toolchain.outcome import PassOutcome, RunOptions
from verify.toolchain.own import find
from verify.toolchain.registry import run_pass
from verify.verdict import Verdict

Stages = dict[str, StageResult]
_AGAIN_S = 0.005
_DEPTH = 12
# The solver's bindings, and conversations with compilers, are not to be left halfway.
_HARMED = ("/z3/", "/verify/toolchain/")


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds for a solver query, for a pass and, when given, for a whole judgement.

    `runs` bounds the runs of a program that is believed to be right.
    """

    solver_s: float = 2.0
    pass_s: float = 20.0
    budget_s: float | None = None
    runs: int = 12


class PutOffError(BaseException):
    """The judgement took longer than its budget; no part of it may catch this by chance."""


@dataclass(slots=True)
class Subject:
    """A program, its verdicts, and what passes make of it.

    `program` is what a drawn text was written from, for who knows its meaning.
    """

    text: str
    parsed: ParsedModule
    limits: Limits
    seconds: dict[str, float] = field(default_factory=dict[str, float])
    program: Any = None
    _input: Stages | None = None
    _outcomes: dict[str, PassOutcome] = field(default_factory=dict[str, PassOutcome])
    _after: dict[str, Stages] = field(default_factory=dict[str, Stages])
    _same: dict[tuple[str, str], Stages] = field(default_factory=dict[tuple[str, str], Stages])
    _own: dict[str, str | None] = field(default_factory=dict[str, str | None])
    _texts: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def options(self) -> CheckOptions:
        """What checks may take."""
        return CheckOptions(solver_timeout_s=self.limits.solver_s)

    def verdicts(self) -> Stages:
        """The program as it stands, function by function."""
        if self._input is None:
            assert self.parsed.module is not None
            with self.timed("verdict"):
                self._input = dict(check_module(self.parsed.module, self.options))
        return self._input

    def outcome(self, target: str) -> PassOutcome:
        """What a pass makes of it."""
        if target not in self._outcomes:
            with self.timed(f"pass {target}"):
                limits = RunOptions(self.limits.pass_s)
                self._outcomes[target] = run_pass(target, self.parsed, limits)
        return self._outcomes[target]

    def result_text(self, target: str) -> str | None:
        """The program after a pass in generic form, if there is one."""
        module = self.outcome(target).module
        if module is None or module.module is None:
            return None
        if target not in self._texts:
            self._texts[target] = to_generic_text(module.module, locations=False)
        return self._texts[target]

    def is_changed(self, target: str) -> bool:
        """Whether a pass changed the program."""
        assert self.parsed.module is not None
        if "" not in self._texts:
            self._texts[""] = to_generic_text(self.parsed.module, locations=False)
        return self.result_text(target) != self._texts[""]

    def own_text(self, name: str) -> str | None:
        """The program after a pass of this project, which may refuse it."""
        if name in self._own:
            return self._own[name]
        assert self.parsed.module is not None
        clone = self.parsed.module.clone()
        with self.timed(f"pass {name}"):
            try:
                find(name).apply(shared_context(), clone)
                self._own[name] = to_generic_text(clone, locations=False)
            except DiagnosticException:
                self._own[name] = None
        return self._own[name]

    def after(self, target: str) -> Stages:
        """The verdicts after a pass; equal results of two passes are checked once."""
        text = self.result_text(target)
        module = self.outcome(target).module
        if text is None or module is None or module.module is None:
            return {}
        if not self.is_changed(target):
            return self.verdicts()
        if text not in self._after:
            with self.timed("verdict after"):
                stage = f"after:{target}"
                self._after[text] = dict(check_module(module.module, self.options, stage))
        return self._after[text]

    def equivalence(self, target: str) -> Stages:
        """Whether a pass keeps what each function does."""
        text = self.result_text(target)
        module = self.outcome(target).module
        source = self.parsed.module
        if text is None or module is None or module.module is None or source is None:
            return {}
        if not self.is_changed(target):
            return {}
        if (text, "") not in self._same:
            with self.timed("equivalence"):
                found = compare_modules(
                    source, module.module, self.options, f"after:{target}", f"`{target}`"
                )
                self._same[text, ""] = dict(found)
        return self._same[text, ""]

    @contextmanager
    def timed(self, part: str) -> Generator[None]:
        """Add the time of a block to a part."""
        begin = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[part] = self.seconds.get(part, 0.0) + time.perf_counter() - begin


def subject_of(text: str, limits: Limits) -> Subject:
    """The subject of a text, which may be invalid."""
    begin = time.perf_counter()
    parsed = read_text(text, "program.mlir")
    return Subject(text, parsed, limits, {"read": time.perf_counter() - begin})


def wants(target: str, parsed: ParsedModule) -> bool:
    """Whether a program has anything for a pass to do."""
    assert parsed.module is not None
    if "sink-checkpoint-views" in target:
        return any(is_checkpointed(op) for op in parsed.module.walk())
    if "gpu-async-region" in target:
        return any(op_name(op).startswith("gpu.") for op in parsed.module.walk())
    return True


def verdict_of(stages: Stages) -> Verdict:
    """The worst verdict."""
    verdicts = {stage.verdict for stage in stages.values()}
    for worst in (Verdict.REFUTED, Verdict.UNDECIDED):
        if worst in verdicts:
            return worst
    return Verdict.PROVEN


@contextmanager
def budget(seconds: float | None) -> Generator[None]:
    """Raise `PutOffError` in a block that takes more of this process's time; main thread only."""
    if seconds is None:
        yield
        return
    before = signal.signal(signal.SIGVTALRM, _put_off)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds, _AGAIN_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _put_off(_number: int, frame: FrameType | None) -> None:
    """Raise where that does no harm; elsewhere the next signal tries again."""
    for _ in range(_DEPTH):
        if frame is None:
            break
        name = frame.f_code.co_filename
        if frame.f_code.co_name == "__del__" or any(part in name for part in _HARMED):
            return
        frame = frame.f_back
    raise PutOffError
