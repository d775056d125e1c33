"""One program under judgement: what is known of it, found out once for all oracles.

Time is measured by part. A budget, in seconds of this process, may stop a judgement that takes
long: its program is put off.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from types import CodeType, FrameType
from typing import Any

from xdsl.ir import Operation
from xdsl.utils.exceptions import DiagnosticException

from fuzz.settings import GRADIENT
from verify.checks.options import LITTLE, CheckOptions, Effort
from verify.checks.run import check_module
from verify.diagnostic import Diagnostic
from verify.ir.context import shared_context
from verify.ir.frontend import read_text
from verify.ir.module import ParsedModule
from verify.ir.names import op_name
from verify.ir.printing import to_generic_text
from verify.ir.sharing import Shared, sharing
from verify.refine.equivalence import compare_modules
from verify.result import StageResult
from verify.semantics.views_by_name import is_checkpointed
from verify.toolchain.outcome import PassOutcome, RunOptions
from verify.toolchain.own import find
from verify.toolchain.pipelines import split_pipelines, strip_module
from verify.toolchain.registry import run_pass
from verify.verdict import Verdict

Stages = dict[str, StageResult]
_STEPWISE = "mlir:"
_AGAIN_S = 0.005
_DEPTH = 12
# The solver's bindings, and conversations with compilers, are not to be left halfway.
_HARMED = ("/z3/", "/verify/toolchain/")
# A module that is left halfway, such as the rules of a dialect, is missing until the process ends.
_IMPORT = "<frozen importlib"


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds for a solver query, for a pass and, when given, for a whole judgement.

    `runs` bounds the runs of a program that is believed to be right. `is_quick` leaves it at few
    runs to confirm a suspicion.
    """

    solver_s: float = 2.0
    pass_s: float = 20.0
    budget_s: float | None = None
    runs: int = 12
    is_quick: bool = False


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
    targets: tuple[str, ...] = ()
    program: Any = None
    _input: Stages | None = None
    _outcomes: dict[str, PassOutcome] = field(default_factory=dict[str, PassOutcome])
    _after: dict[str, Stages] = field(default_factory=dict[str, Stages])
    _same: dict[tuple[str, str], Stages] = field(default_factory=dict[tuple[str, str], Stages])
    _own: dict[str, str | None] = field(default_factory=dict[str, str | None])
    _texts: dict[Operation, str] = field(default_factory=dict[Operation, str])
    _shared: Shared = field(default_factory=Shared)

    @property
    def options(self) -> CheckOptions:
        """What checks may take."""
        effort = LITTLE if self.limits.is_quick else Effort()
        return CheckOptions(solver_timeout_s=self.limits.solver_s, effort=effort)

    def verdicts(self) -> Stages:
        """The program as it stands, function by function."""
        if self._input is None:
            assert self.parsed.module is not None
            with self.timed("verdict"):
                self._input = dict(check_module(self.parsed.module, self.options))
        return self._input

    def outcome(self, target: str) -> PassOutcome:
        """What a pass makes of it; the last of several goes on from what those before it made."""
        if target not in self._outcomes:
            before, last = last_pass(target)
            given = self.outcome(before) if before else PassOutcome(self.parsed)
            if given.module is None or given.module.module is None:
                self._outcomes[target] = replace(given, module=None)
            else:
                with self.timed(f"pass {last}"), sharing(self._shared):
                    limits = RunOptions(self.limits.pass_s)
                    self._outcomes[target] = run_pass(last, given.module, limits)
        return self._outcomes[target]

    def complaints(self, target: str) -> tuple[Diagnostic, ...]:
        """Why a target gave nothing, unless another target, which stands in front, did so."""
        before = last_pass(target)[0]
        while before:
            if before in self.targets and self.outcome(before).module is None:
                return ()
            before = last_pass(before)[0]
        return self.outcome(target).diagnostics

    def last_given(self, target: str) -> tuple[str, ParsedModule]:
        """The pass of a target that ran last, which may have failed, and what it was given."""
        before, last = last_pass(target)
        given = self.outcome(before).module if before else self.parsed
        return (last, given) if given is not None else self.last_given(before)

    def result_text(self, target: str) -> str | None:
        """The program after a pass in generic form, if there is one."""
        module = self.outcome(target).module
        if module is None or module.module is None:
            return None
        return self._text(module.module)

    def _text(self, module: Operation) -> str:
        """A module in generic form; it stays as it is while the program is judged."""
        if module not in self._texts:
            self._texts[module] = to_generic_text(module, locations=False)
        return self._texts[module]

    def is_changed(self, target: str) -> bool:
        """Whether a pass changed the program."""
        if is_lowering(target):
            return self.outcome(target).module is not None
        assert self.parsed.module is not None
        return self.result_text(target) != self._text(self.parsed.module)

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
        if is_lowering(target):
            return {}
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
        if is_lowering(target):
            return {}
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


def subject_of(text: str, limits: Limits, targets: Sequence[str] = ()) -> Subject:
    """The subject of a text, which may be invalid; `targets` are the passes that are judged."""
    begin = time.perf_counter()
    parsed = read_text(text, "program.mlir")
    seconds = {"read": time.perf_counter() - begin}
    return Subject(text, parsed, limits, seconds, tuple(targets))


def last_pass(target: str) -> tuple[str, str]:
    """A pipeline of MLIR's bindings as what stands before its last pass, if anything, and that."""
    if not target.startswith(_STEPWISE):
        return "", target
    *before, last = split_pipelines(strip_module(target.removeprefix(_STEPWISE)))
    return (_STEPWISE + ",".join(before) if before else ""), _STEPWISE + last


def is_lowering(target: str) -> bool:
    """Whether it ends in calls of a runtime, of which no verdict is asked."""
    return "to-llvm" in last_pass(target)[1]


def wants(target: str, parsed: ParsedModule) -> bool:
    """Whether a program has anything for a pass to do."""
    assert parsed.module is not None
    if target == GRADIENT:
        return False  # the oracle `gradient` sees to it
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
    depth = 0
    while frame is not None:
        code = frame.f_code
        if code.co_filename.startswith(_IMPORT) or (depth < _DEPTH and _is_harmed(code)):
            return
        frame, depth = frame.f_back, depth + 1
    raise PutOffError


def _is_harmed(code: CodeType) -> bool:
    return code.co_name == "__del__" or any(part in code.co_filename for part in _HARMED)
