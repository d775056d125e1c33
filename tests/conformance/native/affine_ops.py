"""Draws `affine` ops. Their operands are loop counters and what the function begins with."""

from __future__ import annotations

from tests.conformance.native.control import Body, arrow, carried, results_of, yielded
from tests.conformance.native.draft import Draft
from tests.conformance.native.program import Statement
from tests.conformance.native.views import pick


def operands(d: Draft) -> tuple[str, str]:
    """Two values that affine ops may use."""
    return _operand(d), _operand(d)


def _operand(d: Draft) -> str:
    known = d.scope.affine
    return d.draw.choice(known) if known else d.index(d.draw.randint(0, 4))


def expression(d: Draft, a: str, b: str, depth: int = 2) -> str:
    """An affine expression."""
    if depth == 0 or d.chance(20):
        return d.draw.choice((a, b, str(d.draw.randint(-3, 7))))
    left = expression(d, a, b, depth - 1)
    match d.draw.choice(("+", "-", "*", "mod", "floordiv", "ceildiv")):
        case "+" | "-" as op:
            return f"({left} {op} {expression(d, a, b, depth - 1)})"
        case "*":
            return f"({left} * {d.draw.randint(-3, 4)})"
        case op:
            return f"({left} {op} {d.draw.randint(1, 5)})"


def apply(d: Draft) -> None:
    """A map of one or more results."""
    a, b = operands(d)
    name = d.draw.choice(("apply", "apply", "min", "max"))
    count = 1 if name == "apply" else d.draw.randint(1, 3)
    bodies = ", ".join(expression(d, "d0", "d1") for _ in range(count))
    result = d.put(f"affine.{name} affine_map<(d0, d1) -> ({bodies})>({a}, {b})", "index")
    if name == "apply" and not d.depth:
        d.scope.affine.append(result)


def load(d: Draft) -> None:
    """Read or write an element at places that maps give."""
    m = pick(d)
    if m is None or not all(m.sizes):
        return
    places: list[str] = []
    for size in m.sizes:
        a, b = operands(d)
        places.append(f"{expression(d, a, b)} mod {size}")
    where = f"{m.name}[{', '.join(places)}] : {m.kind}"
    if d.chance(50):
        d.put(f"affine.load {where}", m.element)
    else:
        d.do(f"affine.store {d.value(m.element)}, {where}")


def indices(d: Draft) -> None:
    """Several indices as one, or the other way round."""
    if d.chance(50):
        a, b = d.value("index"), d.value("index")
        basis = d.index(d.draw.randint(1, 5)) if d.chance(40) else str(d.draw.randint(1, 5))
        d.put(f"affine.linearize_index [{a}, {b}] by ({basis}) : index", "index")
        return
    name = d.fresh()
    basis = f"{d.draw.randint(1, 5)}, {d.draw.randint(1, 5)}"
    text = f"{name}:3 = affine.delinearize_index {d.value('index')} into ({basis})"
    d.whole([f"{text} : index, index, index"], *((f"{name}#{i}", "index") for i in range(3)))


def for_(d: Draft, body: Body) -> None:
    """A counted loop with bounds of maps."""
    values = carried(d)
    kinds = [kind for _, kind, _ in values]
    (a, b), iv = operands(d), d.fresh("i")
    lower = d.draw.choice(
        ("0", "-1", f"max affine_map<(d0, d1) -> (d0 mod 3, d1 mod 2 - 1)>({a}, {b})")
    )
    upper = d.draw.choice(("3", f"min affine_map<(d0, d1) -> (d0 mod 5, d1 mod 3 + 2)>({a}, {b})"))
    pairs = ", ".join(f"{name} = {initial}" for name, _, initial in values)
    given = f" iter_args({pairs}){arrow(kinds)}" if values else ""
    left, results = results_of(d, kinds)
    with d.block((iv, "index"), *((name, kind) for name, kind, _ in values)) as inner:
        d.scope.affine += [iv, iv]
        body(d)
        end = yielded(d, "affine.yield", kinds)
    head = f"{left}affine.for {iv} = {lower} to {upper} step {d.draw.randint(1, 2)}{given} {{"
    d.whole([head, inner, f"  {end}\n}}" if kinds else "}"], *results)


def if_(d: Draft, body: Body) -> None:
    """A branch on an integer set."""
    a, b = operands(d)
    kinds = [d.kind() for _ in range(d.draw.randint(0, 1))]
    parts = [expression(d, "d0", "d1") for _ in range(d.draw.randint(1, 2))]
    constraints = ", ".join(f"{part} {d.draw.choice(('>=', '>=', '=='))} 0" for part in parts)
    left, results = results_of(d, kinds)
    pieces: list[str | list[Statement]] = [
        f"{left}affine.if affine_set<(d0, d1) : ({constraints})>({a}, {b}){arrow(kinds)} {{"
    ]
    for end in ("} else {", "}") if kinds or d.chance(50) else ("}",):
        with d.block() as inner:
            body(d)
            last = yielded(d, "affine.yield", kinds)
        pieces += [inner, f"  {last}\n{end}" if kinds else end]
    d.whole(pieces, *results)


def parallel(d: Draft, body: Body) -> None:
    """A parallel loop, run in order."""
    a, _ = operands(d)
    x, y = d.fresh("i"), d.fresh("i")
    with d.block((x, "index"), (y, "index")) as inner:
        d.scope.affine += [x, y]
        body(d)
    upper = d.draw.choice(("3", f"min(3, {a} mod 4)"))
    d.whole([f"affine.parallel ({x}, {y}) = (0, -1) to ({upper}, 1) step (1, 2) {{", inner, "}"])


AFFINE_OPS = (apply, apply, load, load, load, indices)
AFFINE_CONTROL = (for_, for_, if_, parallel)
