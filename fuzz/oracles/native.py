"""This project's interpreter against MLIR's own lowering and LLVM's JIT, on drawn programs.

Checkpointed loops run plainly in both. Which runs are defined is for the reference to say, so a
run is compared even where the interpreter takes it for undefined.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fuzz.finding import CHECKER, Finding
from fuzz.references.memory import UndefinedError, encode
from fuzz.references.replay_verdicts import drawn
from fuzz.references.replays import Executor, Inputs
from fuzz.strategies import syntax as s
from fuzz.subject import Subject
from verify.model.analyse import functions_of
from verify.model.symbols import collect_symbols
from verify.replay.native_call import Interpreted, interpret
from verify.toolchain.native import (
    NativeArgument,
    NativeCall,
    NativeMemref,
    NativeOptions,
    NativeOutcome,
    NativeScalar,
    has_jit,
    run_native,
)

_TRIES = 12
_RUNS = 4
_SEED = 5


def judge(subject: Subject, _targets: Sequence[str]) -> Iterator[Finding]:
    """Runs that leave other bytes in memory than they do natively."""
    program = subject.program
    if not has_jit() or not isinstance(program, s.Program) or program.globals:
        return
    assert subject.parsed.module is not None
    ((name, op),) = functions_of(subject.parsed.module)
    calls = list(_calls(program, name))
    if not calls:
        return
    symbols = collect_symbols(subject.parsed.module)
    with subject.timed("native"):
        expected = [interpret(op, symbols, call) for call in calls]
        options = NativeOptions(timeout_s=subject.limits.pass_s)
        outcomes = run_native(subject.text, calls, options)
    for ours, theirs in zip(expected, outcomes, strict=True):
        if (words := _difference(ours, theirs)) is not None:
            yield Finding("native", "", "E0302", words, words.split(":")[0], CHECKER)
            return


def _calls(program: s.Program, name: str) -> Iterator[NativeCall]:
    """The first calls that the reference finds defined."""
    found = 0
    for inputs in drawn(program, _SEED, _TRIES):
        try:
            Executor(program, inputs).run()
        except UndefinedError:
            continue
        yield _call(program, name, inputs)
        found += 1
        if found == _RUNS:
            return


def _call(program: s.Program, name: str, inputs: Inputs) -> NativeCall:
    executor = Executor(program, inputs)
    arguments: list[NativeArgument] = []
    for parameter in program.parameters:
        kind, value = parameter.type, executor.argument(parameter)
        if isinstance(kind, s.MemType):
            strides = tuple(stride // value.unit for stride in value.strides)
            number = len(executor.blocks) - 1
            arguments.append(NativeMemref(number, 0, value.sizes, strides))
        else:
            content = bytes([value]) if kind == "i1" else encode(value, kind)
            arguments.append(NativeScalar(content))
    return NativeCall(name, [block.data for block in executor.blocks], arguments)


def _difference(ours: Interpreted, theirs: NativeOutcome) -> str | None:
    if theirs.status != "ran" or ours.status not in ("ran", "undefined"):
        return None
    if ours.status == "undefined":
        return f"a defined run counts as undefined: {ours.reason}"
    for number, (a, b) in enumerate(zip(ours.buffers, theirs.buffers, strict=True)):
        if a != b and not ours.nans[number]:
            at = next(i for i, (x, y) in enumerate(zip(a, b, strict=True)) if x != y)
            return f"memory differs: byte {at} of buffer {number} is {a[at]}, natively {b[at]}"
    return None
