"""Programs that apply every op of one type to 64 numbers, or pairs, or triples of them."""

from __future__ import annotations

from dataclasses import dataclass, field

from fuzz.strategies import kernel_scalars as ops
from fuzz.strategies.kernel_values import FLOATS, INTEGERS, ODD, bits_of
from tests.cuda.differential import Program, program_of

WHOLE = (*INTEGERS, *ODD, "index")
KINDS = (*WHOLE, *FLOATS)
COUNT = 64


@dataclass(slots=True)
class Table:
    """The lines of a kernel; each op's result is a row of integers or of floats."""

    kind: str
    lines: list[str] = field(default_factory=list)
    rows: list[str] = field(default_factory=list)

    def add(self, text: str, kind: str) -> None:
        """One op with its result type."""
        number = len(self.rows)
        self.rows.append(text)
        self.lines.append(f"%r{number} = {text}")
        self.keep(number, kind)

    def keep(self, number: int, kind: str) -> None:
        """Store a result in its row: the number itself, whatever its width."""
        name, wide = f"%r{number}", "f64" if kind in FLOATS else "i64"
        if kind in FLOATS and kind != "f64":
            self.lines.append(f"{name}w = arith.extf {name} : {kind} to f64")
        elif kind != wide:
            cast = {"index": "index_cast", "i1": "extui"}.get(kind, "extsi")
            self.lines.append(f"{name}w = arith.{cast} {name} : {kind} to i64")
        value = name if kind == wide else f"{name}w"
        target = "%floats" if wide == "f64" else "%integers"
        self.lines.append(f"%row{number} = arith.constant {number} : index")
        self.lines.append(
            f"memref.store {value}, {target}[%row{number}, %i] : memref<?x{COUNT}x{wide}>"
        )


def table_of(kind: str) -> Table:
    """Every op on numbers of one type."""
    table = Table(kind)
    if kind in FLOATS:
        _floats(table, kind)
    else:
        _integers(table, kind)
    return table


def _integers(table: Table, kind: str) -> None:
    for name in ops.ANY_OPERANDS:
        table.add(f"arith.{name} %x, %y : {kind}", kind)
    table.lines.append(f"%one = arith.constant 1 : {kind}")
    table.lines.append(f"%width = arith.constant {bits_of(kind)} : {kind}")
    table.lines += [
        f"%minus = arith.constant -1 : {kind}",
        f"%odd = arith.ori %y, %one : {kind}",
        f"%flag = arith.cmpi eq, %odd, %minus : {kind}",
        f"%divisor = arith.select %flag, %one, %odd : {kind}",
    ]
    table.lines.append(f"%amount = arith.remui %y, %width : {kind}")
    for name in ops.DIVISIONS:
        table.add(f"arith.{name} %x, %divisor : {kind}", kind)
    for name in ops.SHIFTS:
        table.add(f"arith.{name} %x, %amount : {kind}", kind)
    for name in ops.PREDICATES:
        table.add(f"arith.cmpi {name}, %x, %y : {kind}", "i1")
    for name in ("ctpop", "ctlz", "cttz", "absi"):
        table.add(f"math.{name} %x : {kind}", kind)
    if kind == "index":
        for to in INTEGERS:
            table.add(f"arith.index_cast %x : index to {to}", to)
    else:
        _casts(table, kind)


def _casts(table: Table, kind: str) -> None:
    for name in ("index_cast", "index_castui"):
        table.add(f"arith.{name} %x : {kind} to index", "index")
    for to in ("i1", *INTEGERS, *ODD):
        if bits_of(to) < bits_of(kind):
            table.add(f"arith.trunci %x : {kind} to {to}", to)
        elif bits_of(to) > bits_of(kind):
            table.add(f"arith.extsi %x : {kind} to {to}", to)
            table.add(f"arith.extui %x : {kind} to {to}", to)
    for to in FLOATS:
        table.add(f"arith.sitofp %x : {kind} to {to}", to)
        table.add(f"arith.uitofp %x : {kind} to {to}", to)
        if bits_of(to) == bits_of(kind):
            table.add(f"arith.bitcast %x : {kind} to {to}", to)


def _floats(table: Table, kind: str) -> None:
    table.lines += [
        f"%nan = arith.cmpf uno, %y, %y : {kind}",
        f"%number = arith.select %nan, %x, %y : {kind}",
        f"%also = arith.cmpf uno, %number, %number : {kind}",
        f"%zero = arith.constant 0.0 : {kind}",
        f"%real = arith.select %also, %zero, %number : {kind}",
    ]
    for name in ops.FLOAT_BINARY:
        table.add(f"arith.{name} %x, %y : {kind}", kind)
    table.add(f"arith.negf %x : {kind}", kind)
    table.add(f"math.copysign %x, %real : {kind}", kind)
    for name in ops.EXACT_MATH:
        table.add(f"math.{name} %x : {kind}", kind)
    table.add(f"math.fma %x, %y, %z : {kind}", kind)
    for name in ops.FLOAT_PREDICATES:
        table.add(f"arith.cmpf {name}, %x, %y : {kind}", "i1")
    for name in ("isnan", "isinf", "isfinite"):
        table.add(f"math.{name} %x : {kind}", "i1")
    for to in FLOATS:
        if bits_of(to) != bits_of(kind):
            name = "extf" if bits_of(to) > bits_of(kind) else "truncf"
            table.add(f"arith.{name} %x : {kind} to {to}", to)
    for to in (*INTEGERS, *ODD):
        for name in ("fptosi", "fptoui"):
            low, high = ops.bounds(name, bits_of(to))
            fit = f"%{name}_{to}"
            table.lines += [
                f"{fit}_low = arith.constant {low} : {kind}",
                f"{fit}_high = arith.constant {high} : {kind}",
                f"{fit}_up = arith.maxnumf %x, {fit}_low : {kind}",
                f"{fit} = arith.minnumf {fit}_up, {fit}_high : {kind}",
            ]
            table.add(f"arith.{name} {fit} : {kind} to {to}", to)
    whole = f"i{bits_of(kind)}"
    table.add(f"arith.bitcast %real : {kind} to {whole}", whole)


def program(table: Table) -> Program:
    """The program of a table; its function gives three arguments of numbers, two of results."""
    kind, rows = table.kind, len(table.rows)
    given = f"memref<{COUNT}x{kind}>"
    wide = [f"memref<?x{COUNT}x{k}>" for k in ("i64", "f64")]
    held = [f"memref<{rows}x{COUNT}x{k}>" for k in ("i64", "f64")]
    loads = "\n".join(f"%{v} = memref.load %{v}s[%i] : {given}" for v in "xyz")
    body = "\n".join(table.lines)
    casts = "\n".join(
        f"%{n}w = memref.cast %{n} : {a} to {b}" for n, a, b in zip("ab", held, wide, strict=True)
    )
    return program_of(f"""
module attributes {{gpu.container_module}} {{
gpu.module @kernels {{
  gpu.func @kernel(%xs: {given}, %ys: {given}, %zs: {given},
                   %integers: {wide[0]}, %floats: {wide[1]}) kernel {{
    %i = gpu.thread_id x
    {loads}
    {body}
    gpu.return
  }}
}}
func.func @main(%x: {given}, %y: {given}, %z: {given}, %a: {held[0]}, %b: {held[1]}) {{
  %one = arith.constant 1 : index
  %n = arith.constant {COUNT} : index
  {casts}
  gpu.launch_func @kernels::@kernel blocks in (%one, %one, %one) threads in (%n, %one, %one)
    args(%x : {given}, %y : {given}, %z : {given}, %aw : {wide[0]}, %bw : {wide[1]})
  return
}}
}}
""")


def row_of(table: Table, words: str) -> str:
    """The op whose result a difference is about."""
    element = int(words.partition("element ")[2].partition(":")[0])
    return table.rows[min(element // COUNT, len(table.rows) - 1)]
