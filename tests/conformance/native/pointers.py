"""Draws ops of the `llvm` dialect: pointers and what lies behind them, integers and floats."""

from __future__ import annotations

from tests.conformance.native.draft import Draft, Pointer
from tests.conformance.native.literals import bits_of_number, draw_bits, literal, size_of
from tests.conformance.native.program import PORTABLE

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
    text = f'"llvm.intr.memset"({name}, {value}, {length}) <{{isVolatile = false}}>'
    d.do(f"{text} : (!llvm.ptr, i8, i64) -> ()")
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


def bits(d: Draft) -> None:
    """A count of bits, the size of a number, or a value that is no poison."""
    kind = d.draw.choice(INTEGER_KINDS)
    match d.draw.randrange(4):
        case 0:
            d.put(f"llvm.intr.ctpop({d.value(kind)}) : ({kind}) -> {kind}", kind)
        case 1:
            flag, name = d.draw.choice(("false", "true")), d.draw.choice(("ctlz", "cttz"))
            value = d.quiet(f"llvm.or {d.value(kind)}, {d.constant(kind, 8)} : {kind}")
            value = d.value(kind) if flag == "false" else value
            text = f'"llvm.intr.{name}"({value}) <{{is_zero_poison = {flag}}}>'
            d.put(f"{text} : ({kind}) -> {kind}", kind)
        case 2:
            text = f'"llvm.intr.abs"({d.value(kind)}) <{{is_int_min_poison = false}}>'
            d.put(f"{text} : ({kind}) -> {kind}", kind)
        case _:
            kind = d.draw.choice(KINDS)
            d.put(f"llvm.freeze {d.value(kind)} : {kind}", kind)


def atomic(d: Draft) -> None:
    """An atomic op on a scalar on the stack."""
    kind = d.draw.choice(KINDS)
    names = ["xchg", "fadd", "fsub", "fmaximum", "fminimum"]
    if kind.startswith("i"):
        names = ["xchg", "add", "sub", "_and", "nand", "_or", "_xor", "max", "min", "umax", "umin"]
    place = d.quiet(f"llvm.alloca {d.constant('i64', 1)} x {kind} : (i64) -> !llvm.ptr")
    d.do(f"llvm.store {d.value(kind)}, {place} : {kind}, !llvm.ptr")
    for _ in range(d.draw.randint(1, 2)):
        name = d.draw.choice(names)
        text = f"llvm.atomicrmw {name} {place}, {d.value(kind)} seq_cst : !llvm.ptr, {kind}"
        d.put(text, kind)
    d.put(f"llvm.load {place} : !llvm.ptr -> {kind}", kind)


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


def more_floats(d: Draft) -> None:
    """A float op that is an intrinsic, or a cast that starts from a float."""
    kind = d.draw.choice(KINDS[4:])
    match d.draw.randrange(4):
        case 0:
            name = d.draw.choice(
                ("sqrt", "fabs", "ceil", "floor", "trunc", "round", "roundeven", "rint")
            )
            d.put(f"llvm.intr.{name}({d.value(kind)}) : ({kind}) -> {kind}", kind)
        case 1:
            name = d.draw.choice(("copysign", "maxnum", "minnum", "maximum", "minimum"))
            operands = f"{d.value(kind)}, {d.value(kind)}"
            d.put(f"llvm.intr.{name}({operands}) : ({kind}, {kind}) -> {kind}", kind)
        case 2:
            operands = f"{d.value(kind)}, {d.value(kind)}, {d.value(kind)}"
            d.put(f"llvm.intr.fma({operands}) : ({kind}, {kind}, {kind}) -> {kind}", kind)
        case _:
            target = d.draw.choice([k for k in KINDS[4:] if size_of(k) != size_of(kind)])
            name = "fpext" if size_of(target) > size_of(kind) else "fptrunc"
            d.put(f"llvm.{name} {d.value(kind)} : {kind} to {target}", target)


def to_integer(d: Draft) -> None:
    """A float as an integer, after it was brought between 0 and 100."""
    kind, target = d.draw.choice(KINDS[4:]), d.draw.choice(INTEGER_KINDS)
    value = d.value(kind)
    for name, limit in (("maxnum", 0.25), ("minnum", 100)):
        bound = d.constant(kind, bits_of_number(limit, kind))
        value = d.quiet(f"llvm.intr.{name}({value}, {bound}) : ({kind}, {kind}) -> {kind}")
    d.put(f"llvm.{d.draw.choice(('fptosi', 'fptoui'))} {value} : {kind} to {target}", target)


def constant(d: Draft) -> None:
    """A constant of the dialect itself."""
    kind = d.draw.choice(KINDS)
    if d.chance(30):
        d.put(f"llvm.mlir.zero : {kind}", kind)
    else:
        d.put(f"llvm.mlir.constant({literal(draw_bits(d.draw, kind), kind)}) : {kind}", kind)


def global_(d: Draft) -> None:
    """A constant global: a scalar or an array."""
    kind = d.draw.choice(KINDS)
    name = f"{d.prefix}l{len(d.globals)}"
    values = [literal(draw_bits(d.draw, kind), kind) for _ in range(d.draw.randint(1, 3))]
    held, value = kind, values[0]
    if len(values) > 1:
        held = f"!llvm.array<{len(values)} x {kind}>"
        elements = ", ".join(text.split(" :")[0] for text in values)
        value = f"dense<[{elements}]> : tensor<{len(values)}x{kind}>"
    d.globals.append(f"llvm.mlir.global internal constant @{name}({value}) : {held}")
    pointer = d.quiet(f"llvm.mlir.addressof @{name} : !llvm.ptr")
    place = d.draw.randrange(len(values))
    at = d.quiet(f"llvm.getelementptr {pointer}[{place}] : (!llvm.ptr) -> !llvm.ptr, {kind}")
    d.put(f"llvm.load {at} : !llvm.ptr -> {kind}", kind)


_CALLEE = """llvm.func internal @{name}(%p: !llvm.ptr, %x: {kind}, %n: i64) -> {kind}{features} {{
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant({step} : i64) : i64
  llvm.br ^head(%zero, %x : i64, {kind})
^head(%i: i64, %y: {kind}):
  %more = llvm.icmp "ult" %i, %n : i64
  llvm.cond_br %more, ^body, ^done
^body:
  %q = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %old = llvm.load %q {{alignment = 1 : i64}} : !llvm.ptr -> {kind}
  llvm.store %y, %q {{alignment = 1 : i64}} : {kind}, !llvm.ptr
  %new = llvm.{op} %old, %y : {kind}
  %next = llvm.add %i, %one : i64
  llvm.br ^head(%next, %new : i64, {kind})
^done:
  llvm.return %y : {kind}
}}"""


def call(d: Draft) -> None:
    """A call of a function of the dialect, which loops over bytes behind a pointer."""
    kind = d.draw.choice(INTEGER_KINDS)
    p = _pointer(d, size_of(kind))
    if p is None:
        return
    name = f"{d.prefix}f{len(d.globals)}"
    step, op = d.draw.randint(1, 5), d.draw.choice(BINARY)
    d.globals.append(_CALLEE.format(name=name, kind=kind, step=step, op=op, features=PORTABLE))
    room = d.constant("i64", p.room - size_of(kind) + 1)
    kinds = f"(!llvm.ptr, {kind}, i64) -> {kind}"
    d.put(f"llvm.call @{name}({p.name}, {d.value(kind)}, {room}) : {kinds}", kind)


POINTER_OPS = (
    alloca, element_pointer, element_pointer, load, load, store, store, move, integer, integer,
    float_op, resize, comparison, more_floats, more_floats, to_integer, constant, global_, call,
    bits, atomic,
)  # fmt: skip
