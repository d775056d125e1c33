"""Draws scalar ops of `arith` and `math`, kept away from what is undefined most of the time."""

from __future__ import annotations

from tests.conformance.native.draft import Draft
from tests.conformance.native.literals import FLOATS, INTEGERS, SCALARS, bits_of_number

WIDE = [k for k in INTEGERS if k != "i1"]
PLAIN = (
    "addi", "subi", "muli", "andi", "ori", "xori", "minsi", "maxsi", "minui", "maxui",
)  # fmt: skip
DIVISIONS = ("divsi", "divui", "remsi", "remui", "floordivsi", "ceildivsi", "ceildivui")
SHIFTS = ("shli", "shrsi", "shrui")
INTEGER_PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
FLOAT_PREDICATES = (
    "false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord",
    "ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true",
)  # fmt: skip
FLOAT_BINARY = (
    "arith.addf", "arith.subf", "arith.mulf", "arith.divf", "arith.remf", "arith.maximumf",
    "arith.minimumf", "arith.maxnumf", "arith.minnumf", "math.copysign",
)  # fmt: skip
FLOAT_UNARY = (
    "arith.negf", "math.absf", "math.sqrt", "math.ceil", "math.floor", "math.trunc",
    "math.roundeven", "math.round",
)  # fmt: skip
INEXACT_UNARY = (
    "rsqrt", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "asin",
    "acos", "atan", "sinh", "cosh", "tanh", "cbrt",
)  # fmt: skip
INEXACT_BINARY = ("powf", "atan2")


def arithmetic(d: Draft) -> None:
    """An integer op of two operands."""
    kind = d.kind(INTEGERS)
    name = d.draw.choice(PLAIN)
    d.put(f"arith.{name} {d.value(kind)}, {d.value(kind)} : {kind}", kind)


def division(d: Draft) -> None:
    """A division by an odd number, which is small and positive half of the time."""
    kind = d.kind(WIDE)
    divisor = d.value(kind)
    if d.chance(50):
        divisor = d.quiet(f"arith.andi {divisor}, {d.constant(kind, 7)} : {kind}")
    if d.chance(97):
        divisor = d.quiet(f"arith.ori {divisor}, {d.constant(kind, 1)} : {kind}")
    d.put(f"arith.{d.draw.choice(DIVISIONS)} {d.value(kind)}, {divisor} : {kind}", kind)


def shift(d: Draft) -> None:
    """A shift by less than the width."""
    kind = d.kind(WIDE)
    mask = d.constant(kind, SCALARS[kind] - 1)
    amount = d.quiet(f"arith.andi {d.value(kind)}, {mask} : {kind}")
    d.put(f"arith.{d.draw.choice(SHIFTS)} {d.value(kind)}, {amount} : {kind}", kind)


def extended(d: Draft) -> None:
    """An op that gives a second result for what does not fit."""
    kind = d.kind([k for k in WIDE if k != "index"])
    name = d.draw.choice(("addui_extended", "mulsi_extended", "mului_extended"))
    second = "i1" if name == "addui_extended" else kind
    result = d.fresh()
    kinds = f"{kind}, i1" if name == "addui_extended" else kind
    text = f"{result}:2 = arith.{name} {d.value(kind)}, {d.value(kind)} : {kinds}"
    d.whole([text], (f"{result}#0", kind), (f"{result}#1", second))


def comparison(d: Draft) -> None:
    """A comparison of two integers or two floats."""
    if d.chance(50):
        kind, name, predicates = d.kind(INTEGERS), "cmpi", INTEGER_PREDICATES
    else:
        kind, name, predicates = d.kind(FLOATS), "cmpf", FLOAT_PREDICATES
    predicate = d.draw.choice(predicates)
    a = d.value(kind)
    b = a if d.chance(15) else d.value(kind)
    d.put(f"arith.{name} {predicate}, {a}, {b} : {kind}", "i1")


def choice(d: Draft) -> None:
    """One of two scalars."""
    kind = d.kind()
    d.put(f"arith.select {d.value('i1')}, {d.value(kind)}, {d.value(kind)} : {kind}", kind)


def resize(d: Draft) -> None:
    """A cast between integers."""
    source = d.kind(INTEGERS)
    target = d.kind([k for k in INTEGERS if k != source])
    if "index" in (source, target):
        name = d.draw.choice(("index_cast", "index_castui"))
    elif SCALARS[source] > SCALARS[target]:
        name = "trunci"
    else:
        name = d.draw.choice(("extsi", "extui"))
    d.put(f"arith.{name} {d.value(source)} : {source} to {target}", target)


def float_op(d: Draft) -> None:
    """A float op that is rounded once."""
    kind = d.kind(FLOATS)
    if d.chance(65):
        name = d.draw.choice(FLOAT_BINARY)
        d.put(f"{name} {d.value(kind)}, {d.value(kind)} : {kind}", kind)
    elif d.chance(70):
        d.put(f"{d.draw.choice(FLOAT_UNARY)} {d.value(kind)} : {kind}", kind)
    else:
        d.put(f"math.fma {d.value(kind)}, {d.value(kind)}, {d.value(kind)} : {kind}", kind)


def classification(d: Draft) -> None:
    """Whether a float is finite or not a number; MLIR does not lower `isinf`."""
    kind = d.kind(FLOATS)
    name = d.draw.choice(("isnan", "isfinite"))
    d.put(f"math.{name} {d.value(kind)} : {kind}", "i1")


def reinterpretation(d: Draft) -> None:
    """The bits of a scalar as another one of the same width."""
    source = d.kind([k for k in SCALARS if k not in ("i1", "i8", "index")])
    others = [k for k in SCALARS if SCALARS[k] == SCALARS[source] and k not in (source, "index")]
    target = d.draw.choice(others)
    name = d.draw.choice(("arith.bitcast", "llvm.bitcast"))
    d.put(f"{name} {d.value(source)} : {source} to {target}", target)


def bits(d: Draft) -> None:
    """A count of bits, or the size of a number."""
    kind = d.kind([k for k in WIDE if k != "index"])
    name = d.draw.choice(("ctpop", "ctlz", "cttz", "absi"))
    d.put(f"math.{name} {d.value(kind)} : {kind}", kind)


def float_cast(d: Draft) -> None:
    """A cast between floats of different widths."""
    source = d.kind(FLOATS)
    target = d.kind([k for k in FLOATS if FLOATS[k] != FLOATS[source]])
    name = "extf" if FLOATS[source] < FLOATS[target] else "truncf"
    d.put(f"arith.{name} {d.value(source)} : {source} to {target}", target)


def from_integer(d: Draft) -> None:
    """An integer as a float."""
    source, target = d.kind([k for k in INTEGERS if k != "index"]), d.kind(FLOATS)
    name = d.draw.choice(("sitofp", "uitofp"))
    d.put(f"arith.{name} {d.value(source)} : {source} to {target}", target)


def to_integer(d: Draft) -> None:
    """A float as an integer, after it was brought into the range of its type."""
    source = d.kind(FLOATS)
    target = d.kind([k for k in WIDE if k != "index"])
    is_signed = d.chance(50)
    largest = min((1 << (SCALARS[target] - is_signed)) - 1, 60000)
    low = -largest if is_signed else -0.75
    value = d.value(source)
    if d.chance(97):
        for name, limit in (("maxnumf", low), ("minnumf", largest * 0.98)):
            bound = d.constant(source, bits_of_number(limit, source))
            value = d.quiet(f"arith.{name} {value}, {bound} : {source}")
    name = "fptosi" if is_signed else "fptoui"
    d.put(f"arith.{name} {value} : {source} to {target}", target)


def inexact(d: Draft) -> None:
    """A function of `math` that is not rounded to the nearest; nothing else uses it."""
    if d.depth:
        return
    kind = d.kind(FLOATS)
    name = d.draw.choice((*INEXACT_UNARY, *INEXACT_BINARY))
    operands = f"{d.value(kind)}, {d.value(kind)}" if name in INEXACT_BINARY else d.value(kind)
    d.inexact.append((d.quiet(f"math.{name} {operands} : {kind}"), kind, name))


SCALAR_OPS = (
    arithmetic, arithmetic, arithmetic, division, shift, extended, comparison, comparison, choice,
    resize, float_op, float_op, float_op, classification, float_cast, from_integer, to_integer,
    inexact, reinterpretation, bits,
)  # fmt: skip
