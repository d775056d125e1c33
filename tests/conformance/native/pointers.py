"""Draws ops of the `llvm` dialect: pointers and what lies behind them, integers and floats."""

from __future__ import annotations

from tests.conformance.native.draft import Draft, Pointer
from tests.conformance.native.literals import size_of

KINDS = ("i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64")
INTEGER_KINDS = KINDS[:4]
BINARY = ("add", "sub", "mul", "and", "or", "xor")
INTRINSICS = ("smax", "smin", "umax", "umin")
DIVISIONS = ("sdiv", "udiv", "srem", "urem")
SHIFTS = ("shl", "ashr", "lshr")
FLOAT_BINARY = ("fadd", "fsub", "fmul", "fdiv", "frem")


def _pointer(d: Draft, room: int) -> Pointer | None:
    found = [p for p in d.scope.pointers if p.room >= room]
    return d.draw.choice(found) if found else None


def alloca(d: Draft) -> None:
    """Bytes on the stack, all of them set."""
    count = d.draw.randint(1, 6)
    kind = d.draw.choice(KINDS)
    number = d.constant("i64", count)
    size = count * size_of(kind)
    name = d.quiet(f"llvm.alloca {number} x {kind} : (i64) -> !llvm.ptr")
    length = d.constant("i64", size)
    value = d.value("i8")
    d.do(
        f'"llvm.intr.memset"({name}, {value}, {length}) <{{isVolatile = false}}> : (!llvm.ptr, i8, i64) -> ()'
    )
    d.scope.pointers.append(Pointer(name, size))


def element_pointer(d: Draft) -> None:
    """A pointer to an element of an array or a member of a struct."""
    p = _pointer(d, 8)
    if p is None:
        return
    if d.chance(40):
        kind = d.draw.choice(KINDS)
        unit = size_of(kind)
        count = p.room // unit
        at = d.quiet(f"llvm.urem {d.value('i64')}, {d.constant('i64', count)} : i64")
        name = d.quiet(f"llvm.getelementptr {p.name}[{at}] : (!llvm.ptr, i64) -> !llvm.ptr, {kind}")
        d.scope.pointers.append(Pointer(name, unit))
    elif p.room >= 24:
        member = d.draw.randint(0, 2)
        place = (0, 4, 16)[member]
        inner = d.draw.randint(0, 3) if member == 1 else 0
        struct = "!llvm.struct<(i8, array<4 x i16>, f64)>"
        index = f"0, {member}" + (f", {inner}" if member == 1 else "")
        place = (0, 2 + 2 * inner, 16)[member]
        name = d.quiet(f"llvm.getelementptr {p.name}[{index}] : (!llvm.ptr) -> !llvm.ptr, {struct}")
        d.scope.pointers.append(Pointer(name, p.room - place))
    else:
        name = d.quiet(f"llvm.getelementptr {p.name}[4] : (!llvm.ptr) -> !llvm.ptr, i8")
        d.scope.pointers.append(Pointer(name, p.room - 4))


def load(d: Draft) -> None:
    """Read through a pointer."""
    kind = d.draw.choice(KINDS)
    p = _pointer(d, size_of(kind))
    if p is not None:
        d.put(f"llvm.load {p.name} {{alignment = 1 : i64}} : !llvm.ptr -> {kind}", kind)


def store(d: Draft) -> None:
    """Write through a pointer."""
    kind = d.draw.choice(KINDS)
    p = _pointer(d, size_of(kind))
    if p is not None:
        d.do(f"llvm.store {d.value(kind)}, {p.name} {{alignment = 1 : i64}} : {kind}, !llvm.ptr")


def move(d: Draft) -> None:
    """Copy bytes."""
    a, b = _pointer(d, 4), _pointer(d, 4)
    if a is None or b is None:
        return
    size = d.constant("i64", d.draw.randint(0, min(a.room, b.room)))
    name = d.draw.choice(("memcpy", "memmove", "memmove"))
    d.do(
        f'"llvm.intr.{name}"({a.name}, {b.name}, {size}) <{{isVolatile = false}}>'
        " : (!llvm.ptr, !llvm.ptr, i64) -> ()"
    )


def integer(d: Draft) -> None:
    """An integer op."""
    kind = d.draw.choice(INTEGER_KINDS)
    a, b = d.value(kind), d.value(kind)
    match d.draw.randrange(4):
        case 0:
            d.put(f"llvm.{d.draw.choice(BINARY)} {a}, {b} : {kind}", kind)
        case 1:
            name = d.draw.choice(INTRINSICS)
            d.put(f"llvm.intr.{name}({a}, {b}) : ({kind}, {kind}) -> {kind}", kind)
        case 2:
            low = d.quiet(f"llvm.and {b}, {d.constant(kind, 7)} : {kind}")
            odd = d.quiet(f"llvm.or {low}, {d.constant(kind, 1)} : {kind}")
            d.put(f"llvm.{d.draw.choice(DIVISIONS)} {a}, {odd} : {kind}", kind)
        case _:
            amount = d.quiet(f"llvm.and {b}, {d.constant(kind, 8 * size_of(kind) - 1)} : {kind}")
            d.put(f"llvm.{d.draw.choice(SHIFTS)} {a}, {amount} : {kind}", kind)


def float_op(d: Draft) -> None:
    """A float op."""
    kind = d.draw.choice(KINDS[4:])
    if d.chance(75):
        d.put(f"llvm.{d.draw.choice(FLOAT_BINARY)} {d.value(kind)}, {d.value(kind)} : {kind}", kind)
    else:
        d.put(f"llvm.fneg {d.value(kind)} : {kind}", kind)


def resize(d: Draft) -> None:
    """A cast between integers, or of one to a float."""
    source, target = d.draw.sample(INTEGER_KINDS, 2)
    if d.chance(25):
        target = d.draw.choice(KINDS[4:])
        name = d.draw.choice(("sitofp", "uitofp"))
    elif size_of(source) > size_of(target):
        name = "trunc"
    else:
        name = d.draw.choice(("sext", "zext"))
    d.put(f"llvm.{name} {d.value(source)} : {source} to {target}", target)


def comparison(d: Draft) -> None:
    """A comparison, and a choice by it."""
    if d.chance(60):
        kind = d.draw.choice(INTEGER_KINDS)
        predicate = d.draw.choice(
            ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
        )
        flag = d.put(f'llvm.icmp "{predicate}" {d.value(kind)}, {d.value(kind)} : {kind}', "i1")
    else:
        kind = d.draw.choice(KINDS[4:])
        predicate = d.draw.choice(
            ("oeq", "ogt", "olt", "one", "ord", "ueq", "uge", "ule", "une", "uno")
        )
        flag = d.put(f'llvm.fcmp "{predicate}" {d.value(kind)}, {d.value(kind)} : {kind}', "i1")
    d.put(f"llvm.select {flag}, {d.value(kind)}, {d.value(kind)} : i1, {kind}", kind)


POINTER_OPS = (
    alloca, element_pointer, element_pointer, load, load, store, store, move, integer, integer,
    float_op, resize, comparison,
)  # fmt: skip
