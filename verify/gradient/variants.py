"""The ways to differentiate one function: how its checkpointed loops are marked, and what sinks.

The marks of a loop are Enzyme's attributes: whether it is checkpointed at all, how many iterations
a segment has (for the binomial schedule: how many snapshots there may be), and whether that
schedule is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.dialects import builtin
from xdsl.ir import Operation

from verify.ir.module import ParsedModule
from verify.ir.names import has_attr, int_attr, set_attr, symbol_name
from verify.semantics.views_by_name import CHECKPOINT_ATTRIBUTE, is_checkpointed

SCHEDULES = ("default", "periodic", "binomial")
AS_WRITTEN = "as-written"
SINKS = {"enzyme": "enzyme:sink-checkpoint-views", "own": "sink-checkpoint-views"}
PERIOD_ATTRIBUTE = "enzyme.checkpoint_period"
BINOMIAL_ATTRIBUTE = "enzyme.binomial_checkpointing"
_MARKS = (CHECKPOINT_ATTRIBUTE, PERIOD_ATTRIBUTE, BINOMIAL_ATTRIBUTE)


@dataclass(frozen=True, slots=True)
class Variant:
    """One way: `schedule` is empty where nothing is checkpointed, `sink` where nothing is sunk."""

    schedule: str = ""
    sink: str = ""

    @property
    def name(self) -> str:
        """`off`, `on:SCHEDULE`, `sunk:SCHEDULE`, or `own-sunk:SCHEDULE` with our own pass."""
        if not self.schedule:
            return "off"
        form = {"": "on", "enzyme": "sunk", "own": "own-sunk"}[self.sink]
        return f"{form}:{self.schedule}"

    @property
    def checkpointing(self) -> str:
        """What is done about checkpoints: `off`, `on`, or `on-after-PASS`."""
        if not self.schedule:
            return "off"
        return f"on-after-{SINKS[self.sink]}" if self.sink else "on"


def variants_of(
    function: Operation, schedules: Sequence[str], sinks: Sequence[str]
) -> list[Variant]:
    """Every variant of a function; only `off` where none of its loops is checkpointed."""
    if not any(is_checkpointed(op) for op in function.walk()):
        return [Variant()]
    wanted = list(dict.fromkeys(schedules))
    same = schedule_of(function)
    if AS_WRITTEN in wanted and same != AS_WRITTEN and same in wanted:
        wanted.remove(AS_WRITTEN)
    return [
        Variant(),
        *(Variant(schedule, sink) for sink in ("", *sinks) for schedule in wanted),
    ]


def schedule_of(function: Operation) -> str:
    """Which of the schedules the function is written with, `as-written` for a mixture."""
    for schedule in SCHEDULES:
        if all(_has_marks(loop, schedule) for loop in _loops(function)):
            return schedule
    return AS_WRITTEN


def marked(module: ParsedModule, variant: Variant, period: int) -> ParsedModule:
    """A copy whose checkpointed loops are marked for the variant; loops keep their own periods."""
    assert module.module is not None
    copy = module.module.clone()
    for loop in _loops(copy):
        if not variant.schedule:
            _unmark(loop, _MARKS)
        elif variant.schedule != AS_WRITTEN:
            _mark(loop, variant.schedule, int_attr(loop, PERIOD_ATTRIBUTE) or period)
    return ParsedModule(module.path, module.source, copy)


def reduced_to(module: ParsedModule, function: Operation) -> ParsedModule:
    """A copy with nothing but the function and the symbols that it needs."""
    assert module.module is not None
    ops = {symbol_name(op): op for op in module.module.body.block.ops}
    needed: dict[Operation, None] = {}
    waiting = [function]
    while waiting:
        op = waiting.pop()
        if op in needed:
            continue
        needed[op] = None
        waiting += [ops[name] for name in _references(op) if name in ops]
    kept = [op.clone() for op in ops.values() if op in needed]
    return ParsedModule(module.path, module.source, builtin.ModuleOp(kept))


def _loops(root: Operation) -> list[Operation]:
    return [op for op in root.walk() if is_checkpointed(op)]


def _references(root: Operation) -> Iterator[str]:
    for op in root.walk():
        for value in (*op.properties.values(), *op.attributes.values()):
            if isinstance(value, builtin.SymbolRefAttr):
                yield value.root_reference.data


def _mark(loop: Operation, schedule: str, period: int) -> None:
    _unmark(loop, (PERIOD_ATTRIBUTE, BINOMIAL_ATTRIBUTE))
    if schedule != "default":
        set_attr(loop, PERIOD_ATTRIBUTE, builtin.IntegerAttr(period, 64))
    if schedule == "binomial":
        set_attr(loop, BINOMIAL_ATTRIBUTE, builtin.UnitAttr())


def _unmark(loop: Operation, names: Sequence[str]) -> None:
    for name in names:
        loop.attributes.pop(name, None)
        loop.properties.pop(name, None)


def _has_marks(loop: Operation, schedule: str) -> bool:
    has_period = int_attr(loop, PERIOD_ATTRIBUTE) is not None
    is_binomial = has_attr(loop, BINOMIAL_ATTRIBUTE)
    return has_period == (schedule != "default") and is_binomial == (schedule == "binomial")
