"""One function on both carriers: a concrete run, and the terms of the symbolic machine beside it.

The symbolic machine covers a run when its result can equal the concrete one on the same inputs;
it is exact there when it can equal nothing else.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import z3
from hypothesis import HealthCheck, settings
from xdsl.ir import Operation

from verify.ir.frontend import read_text
from verify.model.analyse import Analysis, functions_of
from verify.model.symbolic import SymbolicMachine
from verify.replay.concrete import ConcreteMachine
from verify.replay.inputs import Inputs
from verify.semantics import term as t
from verify.semantics.term import Condition
from verify.semantics.values import View, Views
from verify.smt.encode import Encoder

SCALE = int(os.environ.get("VERIFY_IR_EXAMPLES", "1"))
"""How many times the usual number of examples is drawn."""


def examples(count: int) -> settings:
    """Settings for `count` derandomized examples, times `VERIFY_IR_EXAMPLES`."""
    return settings(
        max_examples=count * SCALE,
        derandomize=SCALE == 1,
        deadline=None,
        database=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )


@dataclass(slots=True)
class Program:
    """A function of a module, run once on terms; arguments are free variables."""

    module: Operation
    function: Operation
    machine: SymbolicMachine
    arguments: list[Any]
    results: Sequence[Any]

    @property
    def symbols(self) -> dict[str, Operation]:
        """The functions and globals of the module."""
        return self.machine.symbols


def read(text: str) -> Operation:
    """The module of an MLIR text that must be readable."""
    parsed = read_text(text)
    if parsed.module is None:
        raise ValueError(f"{parsed.errors[0]}\n{text}")
    return parsed.module


def programs(text: str, *, may_alias: bool = False) -> dict[str, Program]:
    """Every function of a text, run on terms."""
    module = read(text)
    return {name: _program(module, op, may_alias=may_alias) for name, op in functions_of(module)}


def _program(module: Operation, function: Operation, *, may_alias: bool) -> Program:
    analysis = Analysis(module, may_alias=may_alias)
    machine = SymbolicMachine(module, analysis.symbols, may_alias=may_alias)
    region = function.regions[0]
    arguments = [
        analysis._argument(machine, value, i)[0] for i, value in enumerate(region.blocks[0].args)
    ]
    results = machine.run_region(region, arguments)
    return Program(module, function, machine, arguments, results)


def run_concretely(
    program: Program, inputs: Inputs, machine: ConcreteMachine | None = None
) -> tuple[list[Any], Sequence[Any]]:
    """Arguments and results of a concrete run; errors of the machine pass through."""
    if machine is None:
        machine = ConcreteMachine(program.symbols, inputs)
    region = program.function.regions[0]
    arguments = [machine.argument(i, v) for i, v in enumerate(region.blocks[0].args)]
    return arguments, machine.run_region(region, arguments)


class Question:
    """Conditions on the terms of one program, to be asked for a solution."""

    def __init__(self, *conditions: Condition) -> None:
        self.conditions = list(conditions)

    def answer(self, *more: Condition) -> str:
        """`sat`, `unsat` or `unknown`, with more conditions for this once."""
        encoder = Encoder()
        for condition in (*self.conditions, *more):
            encoder.require(condition, {})
        solver = z3.Solver()
        solver.set("timeout", 20_000)
        solver.add(encoder.constraints)
        return str(solver.check())


def same(symbolic: Any, concrete: Any) -> Condition:
    """The condition that a symbolic value is a concrete one; `True` for what is not followed."""
    if isinstance(concrete, View):
        return _same_view(symbolic, concrete)
    if isinstance(symbolic, bool | t.Cond):
        return symbolic if concrete else t.negation(symbolic)
    if isinstance(symbolic, int | t.Lin):
        return t.equal(symbolic, int(concrete))
    return True


def _same_view(symbolic: Any, concrete: View) -> Condition:
    assert isinstance(symbolic, Views), symbolic
    return t.any_of(
        t.all_of([condition, *_equal_parts(view, concrete)])
        for condition, view in symbolic.choices
        if same_memory(view.memory, concrete.memory)
    )


def _equal_parts(view: View, concrete: View) -> Iterator[Condition]:
    yield t.equal(view.offset, concrete.offset)
    yield t.equal(view.base, concrete.base)
    yield from view.assumed
    assert (view.sizes is None) == (concrete.sizes is None)
    pairs = zip(view.sizes or (), concrete.sizes or (), strict=True)
    yield from (t.equal(a, b) for a, b in pairs)
    for size, a, b in zip(concrete.sizes or (), view.strides, concrete.strides, strict=True):
        if isinstance(size, int) and size > 1:
            yield t.equal(a, b)


def same_memory(memory: Any, buffer: Any) -> bool:
    """Whether a symbolic memory may stand for a buffer."""
    if memory.kind == "argument":
        return buffer.name in (f"argument {memory.origin}", "arguments")
    if memory.kind == "global":
        return buffer.name == f"@{memory.name}"
    return memory.kind == "unknown" or buffer.name == "allocation"


def about(program: Program, arguments: Sequence[Any]) -> Question:
    """A question about the runs of `program` on these concrete arguments."""
    pairs = zip(program.arguments, arguments, strict=True)
    return Question(*(same(symbolic, concrete) for symbolic, concrete in pairs))


def coverage(program: Program, arguments: Sequence[Any], results: Sequence[Any]) -> list[str]:
    """For each result, `sat` when the terms can give it; the path conditions must hold too."""
    question = about(program, arguments)
    question.conditions.extend(program.machine.conditions)
    pairs = zip(program.results, results, strict=True)
    return [question.answer(same(symbolic, concrete)) for symbolic, concrete in pairs]


def precision(program: Program, arguments: Sequence[Any], results: Sequence[Any]) -> list[str]:
    """For each result, `unsat` when the terms can give nothing else."""
    question = about(program, arguments)
    pairs = zip(program.results, results, strict=True)
    return [question.answer(t.negation(same(symbolic, concrete))) for symbolic, concrete in pairs]


def scalars(*values: int) -> Inputs:
    """Inputs whose arguments are these integers."""
    return Inputs(scalars=dict(enumerate(values)))
