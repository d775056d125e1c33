"""Does a target do what its source does: same results, same memory, same calls, on every input?

Functions are compared by name: their normal forms; where these differ, or cannot be found, a run
on data that is not known, which is exact where control depends on no input; and last runs of both
on the same inputs, which can show a difference but never that there is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, islice

from xdsl.ir import Operation

from verify.checklist import EQUIVALENCE
from verify.checks.context import Context, input_values, make_context
from verify.checks.options import CheckOptions
from verify.diagnostic import Counterexample, Diagnostic, Related, Replay
from verify.ir.names import attr, op_name, symbol_ref
from verify.ir.spans import op_location
from verify.model.analyse import Analysis, functions_of
from verify.model.symbols import collect_symbols
from verify.recipe import Recipe
from verify.refine.compare import mismatch
from verify.refine.events import Summary
from verify.refine.fixed import Fixed, distinct_cases
from verify.refine.normal import NormalMachine
from verify.refine.suspicion import suspicious
from verify.refine.terms import Interner
from verify.refine.unrolled import UnrolledMachine
from verify.replay.inputs import Inputs
from verify.replay.recipes import plain_value, write_recipe
from verify.replay.schedule import Trace, apart, run_schedule
from verify.replay.scheduler import Scheduler
from verify.result import NoRun, ProofRecord, StageResult
from verify.semantics.algebra import UndefinedBehaviourError
from verify.semantics.types import UnsupportedError
from verify.smt.solver import Solver
from verify.verdict import Verdict

NAME = "equivalence"
RUNS = 40
MOST_STEPS = 20_000
# A function that does not end on some inputs seldom tells on others what they are worth.
MOST_UNFINISHED = 8
CALLS = frozenset({"func.call", "llvm.call"})


@dataclass(frozen=True, slots=True)
class Difference:
    """A run in which the two come apart."""

    inputs: Inputs
    source: Trace
    target: Trace
    what: str
    expected: object
    actual: object


def compare_modules(
    source: Operation,
    target: Operation,
    options: CheckOptions,
    stage: str,
    by: str,
    *,
    no_runs: Mapping[str, NoRun] | None = None,
) -> list[tuple[str, StageResult]]:
    """The equivalence of each function of `source` with its namesake in `target`.

    `by` names what made the target of the source. A private function that is called is part of
    what its callers do, and a pass may use what they pass: alone it can be proven only. `no_runs`
    are functions of the source that the caller knows to have no run; where they are undefined,
    whatever the target does is right.
    """
    question = _Question(source, target, options, stage, by)
    question.no_runs = no_runs or {}
    called = _callees(source)
    found = [
        (name, question.result(name, op))
        if name not in called or not _is_private(op)
        else (name, question.if_proven(name, op))
        for name, op in functions_of(source)
        if name in question.targets or not _is_private(op)
    ]
    return [(name, result) for name, result in found if result is not None]


def agreement(source: Operation, target: Operation, name: str, options: CheckOptions) -> str | None:
    """What proves that one function does the same in two modules, if something does."""
    code, decider = _Question(source, target, options, "input", "the target").proof(name)
    return decider if code is None else None


def by_runs(
    source: Operation, target: Operation, name: str, options: CheckOptions
) -> Difference | None:
    """An input on which one function of two modules does different things, if a run shows one."""
    question = _Question(source, target, options, "input", "the target")
    return question.difference(name)


def _signature(op: Operation) -> tuple[list[str], str]:
    """The types of the arguments of a function, and its own."""
    arguments = [str(a.type) for a in op.regions[0].blocks[0].args]
    return arguments, str(attr(op, "function_type"))


def _is_private(op: Operation) -> bool:
    """Whether nothing outside the module can call a function; kernels are called by launches."""
    is_kernel = op.name == "gpu.func" or attr(op, "kernel") is not None
    return is_kernel or "private" in str(attr(op, "sym_visibility"))


def _callees(module: Operation) -> set[str]:
    """The functions that others in a module call."""
    calls = {op: symbol_ref(op, "callee") for op in module.walk() if op_name(op) in CALLS}
    return {
        name
        for name, function in functions_of(module)
        for op, callee in calls.items()
        if callee == name and not function.is_ancestor(op)
    }


class _Question:
    """Two modules."""

    def __init__(
        self, source: Operation, target: Operation, options: CheckOptions, stage: str, by: str
    ) -> None:
        self.options, self.stage, self.by = options, stage, by
        self.analysis = Analysis(source, may_alias=options.may_alias)
        self.symbols = (collect_symbols(source), collect_symbols(target))
        self.runs: list[Trace] = []
        self.assumed_no_alias = False
        self.no_runs: Mapping[str, NoRun] = {}
        self.sources = dict(functions_of(source))
        self.targets = dict(functions_of(target))

    def if_proven(self, name: str, source: Operation) -> StageResult | None:
        """Proven, or nothing."""
        target = self.targets[name]
        if _signature(source) != _signature(target) or self._decided(name)[0] is not None:
            return None
        return self.result(name, source)

    def result(self, name: str, source: Operation) -> StageResult:
        """Proven, refuted with E0302, or open with a reason."""
        target = self.targets.get(name)
        if target is None:
            return self._open(name, source, "U0003", f"`@{name}` is gone after {self.by}")
        if _signature(source) != _signature(target):
            words = f"{self.by} changes what `@{name}` is given or gives"
            return self._open(name, target, "U0002", words)
        code, why = self._decided(name)
        if code is None:
            proof = (ProofRecord(NAME, why),)
            notes = self._notes(name, source)
            return StageResult(self.stage, Verdict.PROVEN, notes, proof, (EQUIVALENCE,))
        found = None if name in self.no_runs else self.difference(name)
        if found is not None:
            diagnostic = self._changed(name, source, target, found)
            return StageResult(self.stage, Verdict.REFUTED, (diagnostic,), asked=(EQUIVALENCE,))
        words = f"{self.by} may change what `@{name}` does: {why}, and {self._tried(name)}"
        return self._open(name, target, code, words)

    def _tried(self, name: str) -> str:
        """What was tried on an open question, and how far it reaches."""
        if name in self.no_runs:
            return "the source goes on forever"
        if not self.runs:
            return "no run of the source could be used"
        cases = distinct_cases(self.runs)
        same = sum(self._agree(name, case)[0] is None for case in cases)
        if not same:
            return "no run shows it"
        choices = f"{same} of {len(cases)} choices of sizes and scalars"
        return f"no run shows it; on all data it does the same for {choices}"

    def _notes(self, name: str, op: Operation) -> tuple[Diagnostic, ...]:
        if not self.assumed_no_alias:
            return ()
        words = "function arguments are assumed not to overlap"
        return (Diagnostic("N0001", words, name, self.stage, op_location(op)),)

    def _decided(self, name: str) -> tuple[str | None, str]:
        """The same as `proof`, but where each run of the source is undefined all is right."""
        code, why = self.proof(name)
        empty = self.no_runs.get(name)
        if code is not None and empty and not empty.is_endless:
            return None, "no run"
        return code, why

    def proof(self, name: str) -> tuple[str | None, str]:
        """No code and the decider where two forms agree; else a code and why they do not."""
        code, why = self._agree(name)
        if code is None:
            return None, "normal form"
        is_same = self._agree(name, Fixed({}, {}))[0] is None
        return (None, "symbolic data") if is_same else (code, why)

    def _forms(self, name: str, fixed: Fixed | None) -> tuple[Summary, Summary]:
        interner = Interner()
        source, target = (
            self._machine(symbols, interner, fixed).summary(functions[name])
            for symbols, functions in zip(self.symbols, (self.sources, self.targets), strict=True)
        )
        return source, target

    def _suspicious(self, name: str) -> Iterator[Inputs]:
        try:
            forms = self._forms(name, None)
        except (UnsupportedError, UndefinedBehaviourError, RecursionError):
            return
        yield from suspicious(*forms)

    def _agree(self, name: str, fixed: Fixed | None = None) -> tuple[str | None, str]:
        """No code where the normal forms, or the ends of both on fixed inputs, are the same."""
        try:
            forms = self._forms(name, fixed)
        except UnsupportedError as error:
            return "U0002", str(error)
        except (UndefinedBehaviourError, RecursionError) as error:
            return "U0003", str(error)
        solver = Solver(self.options.solver_timeout_s, self.options.emit_smt2)
        self.assumed_no_alias = any(form.assumed_no_alias for form in forms)
        found = mismatch(forms[0], forms[1], solver)
        return (None, "") if found is None else ("U0003", found.what)

    def _machine(
        self, symbols: Mapping[str, Operation], interner: Interner, fixed: Fixed | None
    ) -> NormalMachine:
        may_alias = self.options.may_alias
        if fixed is None:
            return NormalMachine(symbols, interner, may_alias=may_alias)
        return UnrolledMachine(symbols, interner, may_alias=may_alias, fixed=fixed)

    def difference(self, name: str) -> Difference | None:
        """Inputs on which the two come apart; where the source is undefined, anything is right."""
        self.runs, left = [], MOST_UNFINISHED
        for inputs in chain(self._suspicious(name), _inputs(self._context(name))):
            first = self._run(0, name, inputs)
            if first.status == "ran":
                self.runs.append(first)
                second = self._run(1, name, inputs)
                found = apart(first, second)
                if found is not None:
                    return Difference(inputs, first, second, *found)
                left -= second.status == "too-long"
            left -= first.status == "too-long"
            if left <= 0:
                break
        return None

    def _run(self, side: int, name: str, inputs: Inputs) -> Trace:
        function = (self.sources, self.targets)[side][name]
        return run_schedule(
            function, self.symbols[side], inputs, Scheduler(), MOST_STEPS, like=self.sources[name]
        )

    def _context(self, name: str) -> Context:
        model = self.analysis.function(self.sources[name])
        return make_context(model, self.analysis.symbols, self.options, self.stage)

    def _open(self, name: str, op: Operation, code: str, message: str) -> StageResult:
        asked = (EQUIVALENCE,)
        place = op_location(op)
        diagnostic = Diagnostic(code, message, name, self.stage, place, checks=asked)
        return StageResult(self.stage, Verdict.UNDECIDED, (diagnostic,), asked=asked)

    def _changed(
        self,
        name: str,
        source: Operation,
        target: Operation,
        found: Difference,
    ) -> Diagnostic:
        trace, context = found.source, self._context(name)
        inputs = input_values(found.inputs, context, trace.arguments, trace.initial)
        return Diagnostic(
            "E0302",
            f"{self.by} changes what `@{name}` does: {found.what}",
            name,
            self.stage,
            op_location(target),
            "differs from the source on some input",
            (Related("the source", op_location(source)),),
            counterexample=Counterexample(inputs),
            replay=Replay(
                "cpu", "confirmed", plain_value(found.expected), plain_value(found.actual)
            ),
            decided_by="replay",
            recipe=self._recipe(source, found),
        )

    def _recipe(self, source: Operation, found: Difference) -> Recipe | None:
        """How to run both again, where that is asked for."""
        if not self.options.recipes:
            return None
        evidence = {
            "what": found.what,
            "expected": plain_value(found.expected),
            "actual": plain_value(found.actual),
        }
        return write_recipe("difference", source, self.symbols[0], found.inputs, {}, evidence)


def _inputs(context: Context) -> Iterator[Inputs]:
    yield from islice(context.search.candidates(None), RUNS)
    yield from context.search.tight(RUNS)
    yield from context.search.uniform()
