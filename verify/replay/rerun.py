"""Running a recipe on a module, be it the one that it was written for or what a pass made of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from xdsl.ir import Operation

from verify.ir.names import op_name, symbol_name
from verify.model.symbols import collect_symbols
from verify.recipe import Recipe
from verify.replay.arrays import CPU, Arrays
from verify.replay.inputs import Inputs
from verify.replay.plans import USUAL, Manner
from verify.replay.recipes import RecipeError, inputs_of, op_numbered, plain_value
from verify.replay.rows import (
    Row,
    difference_evidence,
    difference_row,
    divergence_evidence,
    divergence_row,
    fits,
    space_row,
)
from verify.replay.run import run_function
from verify.replay.schedule import (
    Difference,
    Pair,
    Trace,
    apart,
    compare,
    inverted,
    run_schedule,
)
from verify.replay.scheduler import PROGRAM_ORDER, Order
from verify.semantics.types import is_token
from verify.semantics.views_by_name import is_checkpointed

MOST_STEPS = 20_000
DRAWN_ORDERS = 8


@dataclass(frozen=True, slots=True)
class Rerun:
    """What came of running a recipe.

    `status` is `ran`, or why there was no run: `undefined`, `unsupported` or `too-long`, with a
    `reason`. `shows` says whether what the recipe speaks of was seen; `tried` counts the replays
    or orders, `reads` the reads that were compared.
    """

    status: str
    reason: str = ""
    rows: tuple[Row, ...] = ()
    shows: bool = False
    tried: int = 0
    reads: int = 0

    def plain(self) -> dict[str, Any]:
        """All of it in JSON's own types."""
        return {
            "status": self.status,
            "reason": self.reason,
            "shows": self.shows,
            "tried": self.tried,
            "reads": self.reads,
            "rows": [row.plain() for row in self.rows],
        }


@dataclass(frozen=True, slots=True)
class Subject:
    """A function to run, in its module, on the arrays of a device."""

    module: Operation
    function: Operation
    symbols: dict[str, Operation]
    ops: list[Operation] = field(default_factory=list)
    arrays: Arrays = CPU

    @property
    def name(self) -> str:
        """The symbol of the function."""
        return symbol_name(self.function) or "?"


def subject_of(module: Operation, recipe: Recipe, arrays: Arrays = CPU) -> Subject:
    """What a recipe speaks of in the module that it was written for."""
    ops = list(module.walk())
    function = op_numbered(ops, recipe.function)
    if function is None or not function.regions or not function.regions[0].blocks:
        raise RecipeError("the recipe names no function with a body")
    return Subject(module, function, collect_symbols(module), ops, arrays)


def rerun(subject: Subject, recipe: Recipe, manner: Manner = USUAL) -> Rerun:
    """Run a recipe as it was written, or its replays in another manner."""
    inputs = inputs_of(recipe)
    if recipe.kind == "checkpoint":
        return _checkpoint(subject, inputs, recipe, manner)
    if recipe.kind == "schedule":
        return _schedule(subject, inputs, recipe)
    if recipe.kind == "space":
        return space_faults(subject, inputs, recipe.evidence)
    raise RecipeError(f"there is no kind `{recipe.kind}` of recipe that one module is enough for")


def rerun_pair(subject: Subject, target: Subject, recipe: Recipe) -> Rerun:
    """Run a source and its target on the inputs of a recipe."""
    inputs = inputs_of(recipe)
    expected, actual = (_trace(each, inputs, PROGRAM_ORDER) for each in (subject, target))
    found = apart(expected, actual) if expected.status == "ran" else None
    if found is None:
        return Rerun(expected.status, expected.reason, tried=1, reads=len(expected.reads))
    what, first, second = found
    values = {"what": what, "expected": plain_value(first), "actual": plain_value(second)}
    row = Row(
        "difference", subject.name, what, expected=values["expected"], actual=values["actual"]
    )
    return Rerun("ran", "", (row,), fits(recipe.evidence, values), 1, len(expected.reads))


def _checkpoint(subject: Subject, inputs: Inputs, recipe: Recipe, manner: Manner) -> Rerun:
    shifted = recipe.settings.get("shifted")
    given = recipe.settings.get("layout_ops")
    if not isinstance(shifted, bool) or not isinstance(given, list):
        raise RecipeError("`shifted` or `layout_ops` is missing from the settings")
    layout_ops = frozenset(op for n in given if (op := op_numbered(subject.ops, n)))
    evidence = _with_ops(recipe.evidence, subject)
    if manner != USUAL:
        evidence = {k: evidence.get(k) for k in ("loop", "op", "kind")}
    return replayed(
        subject, inputs, evidence, shifted=shifted, layout_ops=layout_ops, manner=manner
    )


def replayed(
    subject: Subject,
    inputs: Inputs,
    evidence: Mapping[str, Any] | None = None,
    *,
    shifted: bool = False,
    layout_ops: frozenset[Operation] = frozenset(),
    manner: Manner = USUAL,
) -> Rerun:
    """Every checkpointed loop of a run replayed from every segment."""
    outcome = run_function(
        subject.function,
        subject.symbols,
        inputs,
        shifted=shifted,
        layout_ops=layout_ops,
        manner=manner,
        arrays=subject.arrays,
    )
    seen = outcome.observation
    rows = tuple(divergence_row(subject.name, each) for each in seen.divergences)
    shows = evidence is not None and any(
        fits(evidence, divergence_evidence(each)) for each in seen.divergences
    )
    tried = sum(seen.iterations.values())
    return Rerun(outcome.status, outcome.reason, rows, shows, tried, seen.reads)


def space_faults(subject: Subject, inputs: Inputs, evidence: Mapping[str, Any]) -> Rerun:
    """Snapshots that are taken as if their memory lay in another space."""
    outcome = run_function(subject.function, subject.symbols, inputs, arrays=subject.arrays)
    wanted = _with_ops(evidence, subject) if evidence else {}
    rows: list[Row] = []
    shows = False
    for loop, value, named, real in outcome.observation.space_faults:
        shows |= fits(wanted, {"loop": loop, "named": named, "real": real})
        rows.append(space_row(subject.name, loop, value, named, real))
    tried = sum(outcome.observation.iterations.values())
    return Rerun(outcome.status, outcome.reason, tuple(rows), shows, tried)


def _schedule(subject: Subject, inputs: Inputs, recipe: Recipe) -> Rerun:
    order = order_of(subject, recipe)
    evidence = _with_ops(recipe.evidence, subject)
    pair = pair_of(subject, recipe.settings.get("pair"))
    expected = _trace(subject, inputs, PROGRAM_ORDER)
    actual = _trace(subject, inputs, order)
    found = compare(expected, actual)
    turned = None if pair is None else inverted(expected, actual, pair)
    found += [] if turned is None else [turned]
    rows = tuple(difference_row(subject.name, each) for each in found)
    shows = any(fits(evidence, difference_evidence(each)) for each in found)
    return Rerun(expected.status, expected.reason, rows, shows, 1, len(expected.reads))


def order_of(subject: Subject, recipe: Recipe) -> Order:
    """The order of asynchronous work that a recipe asks for."""
    settings = recipe.settings
    seed, is_lazy = settings.get("seed"), settings.get("is_lazy")
    if not isinstance(is_lazy, bool) or isinstance(seed, bool) or not isinstance(seed, int | None):
        raise RecipeError("`is_lazy` or `seed` is missing from the settings")
    late, early = (op_numbered(subject.ops, settings.get(key)) for key in ("late", "early"))
    return Order(late, is_lazy, early, seed)


def pair_of(subject: Subject, given: Any) -> Pair | None:
    """The two accesses that ran the other way round, from the settings of a recipe."""
    if given is None:
        return None
    if not isinstance(given, list) or len(given) != 4:
        raise RecipeError("`pair` should hold two accesses")
    first, first_event, second, second_event = (op_numbered(subject.ops, n) for n in given)
    if first is None or second is None:
        raise RecipeError("`pair` should hold two accesses")
    return Pair(first, first_event, second, second_event)


def _trace(subject: Subject, inputs: Inputs, order: Order) -> Trace:
    return run_schedule(
        subject.function,
        subject.symbols,
        inputs,
        order.scheduler(),
        MOST_STEPS,
        arrays=subject.arrays,
    )


def program_order(subject: Subject, inputs: Inputs, arrays: Arrays | None = None) -> Trace:
    """A run in program order, on other arrays where they are given."""
    return _trace(replace(subject, arrays=arrays or subject.arrays), inputs, PROGRAM_ORDER)


def _with_ops(evidence: Mapping[str, Any], subject: Subject) -> dict[str, Any]:
    """Evidence with the ops that its numbers stand for."""
    ops = {k: op_numbered(subject.ops, evidence.get(k)) for k in ("op", "loop") if k in evidence}
    return {**evidence, **ops}


def rerun_after(subject: Subject, recipe: Recipe, manner: Manner = USUAL) -> Rerun:
    """Run the same inputs on what a pass made of the function: every segment, many orders."""
    inputs = inputs_of(recipe)
    if recipe.kind == "space":
        return space_faults(subject, inputs, {})
    if recipe.kind == "checkpoint":
        shifted = recipe.settings.get("shifted") is True
        layout_ops = frozenset(subject.function.walk() if recipe.settings.get("layout_ops") else ())
        return replayed(subject, inputs, shifted=shifted, layout_ops=layout_ops, manner=manner)
    return in_many_orders(subject, inputs)


def in_many_orders(subject: Subject, inputs: Inputs) -> Rerun:
    """A run in program order against each op late, all late, all but one late, and draws."""
    expected = _trace(subject, inputs, PROGRAM_ORDER)
    found: list[Difference] = []
    count = 0
    for order in orders_of(subject):
        count += 1
        known = [difference_evidence(each) for each in found]
        more = compare(expected, _trace(subject, inputs, order))
        found += [each for each in more if difference_evidence(each) not in known]
    rows = tuple(difference_row(subject.name, each) for each in found)
    return Rerun(expected.status, expected.reason, rows, bool(rows), count, len(expected.reads))


def orders_of(subject: Subject) -> Iterator[Order]:
    """Orders in which asynchronous work of a function is run."""
    work = [op for op in subject.function.walk() if any(is_token(r.type) for r in op.results)]
    work = [op for op in work if op_name(op) != "gpu.wait"]
    yield from (Order(late=op) for op in work)
    yield Order(is_lazy=True)
    yield from (Order(is_lazy=True, early=op) for op in work)
    yield from (Order(seed=seed) for seed in range(DRAWN_ORDERS))


def same_function(module: Operation, name: str, kind: str, arrays: Arrays = CPU) -> Subject | None:
    """The function of a name in another module; `kind` is the op that it was."""
    symbols = collect_symbols(module)
    found = [
        op
        for op in module.walk()
        if op_name(op) == kind and symbol_name(op) == name and op.regions and op.regions[0].blocks
    ]
    return Subject(module, found[0], symbols, arrays=arrays) if found else None


def has_replays(function: Operation) -> bool:
    """Whether a function has a checkpointed loop of its own."""
    return any(is_checkpointed(op) for op in function.walk())


def has_tokens(function: Operation) -> bool:
    """Whether a function has asynchronous work."""
    return any(is_token(r.type) for op in function.walk() for r in op.results)
