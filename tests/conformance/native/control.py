"""Draws control flow: loops, branches and calls, of `scf`, `affine`, `cf` and `func`."""

from __future__ import annotations

from collections.abc import Callable

from tests.conformance.native.draft import Draft
from tests.conformance.native.literals import INTEGERS, SCALARS
from tests.conformance.native.program import Statement
from tests.conformance.native.scalars import SCALAR_OPS
from tests.conformance.native.views import load, on_stack, store

Body = Callable[[Draft], None]


def carried(d: Draft) -> list[tuple[str, str, str]]:
    """Zero to two values that a loop carries: their names inside, types and initial values."""
    kinds = [d.kind() for _ in range(d.draw.randint(0, 2))]
    return [(d.fresh(), kind, d.value(kind)) for kind in kinds]


def yielded(d: Draft, op: str, kinds: list[str], first: str = "") -> str:
    """A terminator that hands on a value of each type."""
    names = ", ".join([*([first] if first else []), *(d.value(kind) for kind in kinds)])
    return f"{op} {names} : {', '.join(kinds)}" if kinds else op


def results_of(d: Draft, kinds: list[str]) -> tuple[str, list[tuple[str, str]]]:
    """The left side of an op with results of these types, and the results."""
    if not kinds:
        return "", []
    name = d.fresh()
    if len(kinds) == 1:
        return f"{name} = ", [(name, kinds[0])]
    return f"{name}:{len(kinds)} = ", [(f"{name}#{i}", k) for i, k in enumerate(kinds)]


def arrow(kinds: list[str]) -> str:
    """The result types of an op with regions."""
    return f" -> ({', '.join(kinds)})" if kinds else ""


def bound(d: Draft) -> str:
    """A small upper bound."""
    if d.chance(50):
        return d.index(d.draw.randint(0, 5))
    return d.quiet(f"arith.remui {d.value('index')}, {d.index(6)} : index")


def for_(d: Draft, body: Body) -> None:
    """A counted loop that carries values."""
    values = carried(d)
    kinds = [kind for _, kind, _ in values]
    lower, upper, step = (
        d.index(d.draw.choice((0, 0, 1, -2))),
        bound(d),
        d.index(d.draw.randint(1, 3)),
    )
    iv = d.fresh("i")
    pairs = ", ".join(f"{name} = {initial}" for name, _, initial in values)
    given = f" iter_args({pairs}){arrow(kinds)}" if values else ""
    left, results = results_of(d, kinds)
    with d.block((iv, "index"), *((name, kind) for name, kind, _ in values)) as inner:
        body(d)
        end = yielded(d, "scf.yield", kinds)
    head = f"{left}scf.for {iv} = {lower} to {upper} step {step}{given} {{"
    d.whole([head, inner, f"  {end}\n}}"], *results)


def while_(d: Draft, body: Body) -> None:
    """A loop that counts and goes on while another condition holds as well."""
    values = carried(d)
    kinds = ["index", *(kind for _, kind, _ in values)]
    counter, after = d.fresh("i"), d.fresh("i")
    pairs = ", ".join(f"{name} = {initial}" for name, _, initial in values)
    start, limit = d.index(0), bound(d)
    left, results = results_of(d, kinds)
    types = ", ".join(kinds)
    with d.block((counter, "index"), *((name, kind) for name, kind, _ in values)) as before:
        body(d)
        going = d.quiet(f"arith.cmpi slt, {counter}, {limit} : index")
        if d.chance(50):
            going = d.quiet(f"arith.andi {going}, {d.value('i1')} : i1")
        handed = ", ".join([counter, *(d.value(kind) for kind in kinds[1:])])
    names = [(d.fresh(), kind) for kind in kinds[1:]]
    with d.block((after, "index"), *names) as inside:
        body(d)
        next_ = d.quiet(f"arith.addi {after}, {d.index(1)} : index")
        back = ", ".join([next_, *(d.value(kind) for kind in kinds[1:])])
    given = ", ".join(f"{name}: {kind}" for name, kind in ((after, "index"), *names))
    initial = f"{counter} = {start}" + (f", {pairs}" if pairs else "")
    d.whole(
        [
            f"{left}scf.while ({initial}) : ({types}) -> ({types}) {{",
            before,
            f"  scf.condition({going}) {handed} : {types}\n}} do {{\n^bb0({given}):",
            inside,
            f"  scf.yield {back} : {types}\n}}",
        ],
        *results,
    )


def if_(d: Draft, body: Body) -> None:
    """A branch that gives values."""
    kinds = [d.kind() for _ in range(d.draw.randint(0, 2))]
    condition = d.value("i1")
    left, results = results_of(d, kinds)
    parts: list[str | list[Statement]] = [f"{left}scf.if {condition}{arrow(kinds)} {{"]
    ends = ["} else {", "}"] if kinds or d.chance(50) else ["}"]
    for end in ends:
        with d.block() as inner:
            body(d)
            last = yielded(d, "scf.yield", kinds)
        parts += [inner, f"  {last}\n{end}"]
    d.whole(parts, *results)


def switch(d: Draft, body: Body) -> None:
    """A choice by an index."""
    kinds = [d.kind() for _ in range(d.draw.randint(0, 2))]
    flag = d.quiet(f"arith.remui {d.value('index')}, {d.index(4)} : index")
    left, results = results_of(d, kinds)
    given = f" -> {', '.join(kinds)}" if kinds else ""
    parts: list[str | list[Statement]] = [f"{left}scf.index_switch {flag}{given}"]
    for case in ("case 0", "case 2", "default"):
        with d.block() as inner:
            body(d)
            last = yielded(d, "scf.yield", kinds)
        parts += [f"{case} {{", inner, f"  {last}\n}}"]
    d.whole(parts, *results)


def parallel(d: Draft, body: Body) -> None:
    """A parallel loop, run in order, with a reduction at times."""
    kind = d.kind(INTEGERS)
    x, y = d.fresh("i"), d.fresh("i")
    upper, inner_upper = bound(d), d.index(d.draw.randint(1, 2))
    zero, one = d.index(0), d.index(1)
    bounds = f"({zero}, {zero}) to ({upper}, {inner_upper}) step ({one}, {one})"
    head = f"scf.parallel ({x}, {y}) = {bounds}"
    initial = d.value(kind)
    has_reduction = d.chance(50)
    with d.block((x, "index"), (y, "index")) as inner:
        body(d)
        term = d.value(kind)
    if not has_reduction:
        d.whole([f"{head} {{", inner, "  scf.reduce\n}"])
        return
    a, b, sum_, result = (d.fresh() for _ in range(4))
    name = d.draw.choice(("addi", "xori", "maxsi", "minui", "muli"))
    tail = (
        f"  scf.reduce({term} : {kind}) {{\n  ^bb0({a}: {kind}, {b}: {kind}):\n"
        f"    {sum_} = arith.{name} {a}, {b} : {kind}\n"
        f"    scf.reduce.return {sum_} : {kind}\n  }}\n}}"
    )
    d.whole([f"{result} = {head} init ({initial}) -> {kind} {{", inner, tail], (result, kind))


def forall(d: Draft, body: Body) -> None:
    """A loop over a grid."""
    x, y = d.fresh("i"), d.fresh("i")
    upper = bound(d)
    with d.block((x, "index"), (y, "index")) as inner:
        body(d)
    head = f"scf.forall ({x}, {y}) in ({upper}, {d.draw.randint(1, 3)}) {{"
    if d.chance(40):
        head = f"scf.forall ({x}, {y}) = (1, 0) to ({upper}, 5) step (1, 2) {{"
    d.whole([head, inner, "}"])


def blocks(d: Draft, body: Body) -> None:
    """Unstructured control flow: a choice of blocks that meet again."""
    kind = d.kind()
    n = d.fresh("b")[1:]
    left, right, end = f"^{n}_left", f"^{n}_right", f"^{n}_end"
    condition, early = d.value("i1"), d.value(kind)
    with d.block() as first:
        body(d)
        a = d.value(kind)
    incoming, merged, result = d.fresh(), d.fresh(), d.fresh()
    with d.block((incoming, kind)) as second:
        body(d)
        b = d.value(kind)
    if d.chance(60) or "#" in early:
        fork = f"cf.cond_br {condition}, {left}, {right}({early} : {kind})"
    else:
        flag = d.quiet(f"arith.trunci {d.value('i64')} : i64 to i8")
        fork = (
            f"cf.switch {flag} : i8, [\n    default: {end}({early} : {kind}),\n"
            f"    0: {left},\n    1: {right}({early} : {kind}),\n    -1: {left}\n  ]"
        )
    last = f"  scf.yield {merged} : {kind}"
    onward = f"cf.br {right}({a} : {kind})" if d.chance(50) else f"cf.br {end}({a} : {kind})"
    d.whole(
        [
            f"{result} = scf.execute_region -> {kind} {{\n  {fork}\n{left}:",
            first,
            f"  {onward}\n{right}({incoming}: {kind}):",
            second,
            f"  cf.br {end}({b} : {kind})\n{end}({merged}: {kind}):\n{last}\n}}",
        ],
        (result, kind),
    )


def cycle(d: Draft, body: Body) -> None:
    """A loop of blocks."""
    kind = d.kind()
    n = d.fresh("b")[1:]
    head, inside, done = f"^{n}_head", f"^{n}_body", f"^{n}_done"
    limit, initial = bound(d), d.value(kind)
    i, x, more, next_, result = d.fresh("i"), d.fresh(), d.fresh(), d.fresh("i"), d.fresh()
    with d.block((i, "index"), (x, kind)) as inner:
        body(d)
        y = d.value(kind)
    zero, one = d.index(0), d.index(1)
    before = (
        f"{result} = scf.execute_region -> {kind} {{\n"
        f"  cf.br {head}({zero}, {initial} : index, {kind})\n"
        f"{head}({i}: index, {x}: {kind}):\n"
        f"  {more} = arith.cmpi slt, {i}, {limit} : index\n"
        f"  cf.cond_br {more}, {inside}, {done}\n{inside}:"
    )
    after = (
        f"  {next_} = arith.addi {i}, {one} : index\n"
        f"  cf.br {head}({next_}, {y} : index, {kind})\n{done}:\n  scf.yield {x} : {kind}\n}}"
    )
    d.whole([before, inner, after], (result, kind))


def scope(d: Draft, _: Body) -> None:
    """Straight code at whose end what it put on the stack is gone.

    MLIR 22.1.8 lowers neither one that gives an `index` nor one with a loop or a branch inside.
    """
    kind = d.kind([k for k in SCALARS if k != "index"])
    result = d.fresh()
    with d.block() as inner:
        on_stack(d)
        for __ in range(d.draw.randint(1, 4)):
            d.draw.choice((load, store, *SCALAR_OPS))(d)
        last = d.value(kind)
    d.whole(
        [
            f"{result} = memref.alloca_scope -> ({kind}) {{",
            inner,
            f"  memref.alloca_scope.return {last} : {kind}\n}}",
        ],
        (result, kind),
    )


def call(d: Draft, _: Body) -> None:
    """A call of another function of the module."""
    if not d.callees:
        return
    callee = d.draw.choice(d.callees)
    operands = ", ".join(d.value(kind) for kind in callee.takes)
    left, results = results_of(d, list(callee.gives))
    kinds = f"({', '.join(callee.takes)}) -> ({', '.join(callee.gives)})"
    d.whole([f"{left}func.call @{callee.name}({operands}) : {kinds}"], *results)


CONTROL_OPS = (
    for_,
    for_,
    while_,
    if_,
    if_,
    switch,
    parallel,
    forall,
    blocks,
    cycle,
    scope,
    call,
    call,
)
