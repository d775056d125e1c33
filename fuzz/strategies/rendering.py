"""Programs of `fuzz.strategies.syntax` as MLIR text."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from fuzz.strategies import syntax as s

ATTRIBUTE = "{enzyme.enable_checkpointing = true}"
_OPS = {"add": "addi", "sub": "subi", "mul": "muli", "rem": "remui", "div": "divui", "min": "minsi"}
_AFFINE_OPS = {"add": "+", "sub": "-", "mul": "*", "rem": "mod", "div": "floordiv"}


def render(program: s.Program, name: str = "f") -> str:
    """A function as text, after its globals."""
    return "\n".join([*render_globals(program), render_function(program, name)]) + "\n"


def render_globals(program: s.Program) -> list[str]:
    """One line a global."""
    return [
        f'memref.global "private" @{symbol} : {type_text(kind)} = uninitialized'
        for symbol, kind in program.globals
    ]


def render_function(program: s.Program, name: str) -> str:
    """The function alone."""
    return _Printer(program).function(name)


def type_text(kind: str | s.MemType) -> str:
    """A type as MLIR writes it."""
    if isinstance(kind, str):
        return kind
    shape = "".join(f"{_dim(d)}x" for d in kind.shape)
    if kind.layout is None:
        return f"memref<{shape}{kind.element}>"
    strides = ", ".join(map(_dim, kind.layout.strides))
    offset = "" if kind.layout.offset == 0 else f", offset: {_dim(kind.layout.offset)}"
    return f"memref<{shape}{kind.element}, strided<[{strides}]{offset}>>"


def _dim(number: s.Dim) -> str:
    return "?" if number is None else str(number)


class _Printer:
    """Prints one function; `types` grows as values are defined."""

    def __init__(self, program: s.Program) -> None:
        self.program = program
        self.types: dict[str, str | s.MemType] = {p.name: p.type for p in program.parameters}
        self.lines: list[str] = []
        self.level = 1
        self.fresh = count()

    def emit(self, line: str) -> None:
        self.lines.append("  " * self.level + line)

    def name(self, op: str, hint: str = "t") -> str:
        """Emit an op and give its result a new name."""
        result = f"%{hint}_{next(self.fresh)}"
        self.emit(f"{result} = {op}")
        return result

    def function(self, name: str) -> str:
        given = ", ".join(f"%{p.name}: {type_text(p.type)}" for p in self.program.parameters)
        self.block(self.program.body)
        return "\n".join([f"func.func @{name}({given}) {{", *self.lines, "  return", "}"])

    def block(self, statements: Sequence[s.Stmt]) -> None:
        for statement in statements:
            getattr(self, f"on_{type(statement).__name__.lower()}")(statement)

    def nested(self, statements: Sequence[s.Stmt]) -> None:
        self.level += 1
        self.block(statements)
        self.level -= 1

    def memory(self, name: str) -> s.MemType:
        kind = self.types[name]
        assert isinstance(kind, s.MemType)
        return kind

    def typed(self, name: str) -> str:
        return f"%{name} : {type_text(self.types[name])}"

    # Values

    def index(self, ix: s.Ix) -> str:
        match ix:
            case s.Const(value):
                return self.name(f"arith.constant {value} : index", "c")
            case s.Var(name):
                return f"%{name}"
            case s.Bin(op, left, right):
                a, b = self.index(left), self.index(right)
                return self.name(f"arith.{_OPS[op]} {a}, {b} : index")
            case s.DimOf(memory, position):
                place = self.index(s.Const(position))
                return self.name(f"memref.dim %{memory}, {place} : {self.text(memory)}")

    def text(self, name: str) -> str:
        return type_text(self.types[name])

    def places(self, indices: Sequence[s.Ix]) -> str:
        return ", ".join([self.index(i) for i in indices])

    def mixed(self, numbers: Sequence[int | s.Ix]) -> str:
        return ", ".join([str(n) if isinstance(n, int) else self.index(n) for n in numbers])

    def truth(self, condition: s.Condition) -> str:
        match condition:
            case s.Flag(name):
                return f"%{name}"
            case s.Compare(predicate, left, right):
                a, b = self.index(left), self.index(right)
                return self.name(f"arith.cmpi {predicate}, {a}, {b} : index", "p")

    def mix(self, value: s.Mix) -> str:
        element = value.element
        total = self.bias(value.bias, element)
        for part in value.parts:
            term = f"%{part}"
            if element.startswith("f"):
                half = self.name(f"arith.constant 5.0e-01 : {element}", "h")
                term = self.name(f"arith.mulf {term}, {half} : {element}")
            add = "addf" if element.startswith("f") else "addi"
            total = self.name(f"arith.{add} {total}, {term} : {element}")
        return total

    def bias(self, bias: s.Ix, element: str) -> str:
        if isinstance(bias, s.Const):
            text = f"{bias.value}.0" if element.startswith("f") else str(bias.value)
            return self.name(f"arith.constant {text} : {element}", "k")
        number = self.index(bias)
        if element == "index":
            return number
        if not element.startswith("f"):
            return self.name(f"arith.index_cast {number} : index to {element}")
        whole = self.name(f"arith.index_cast {number} : index to i32")
        return self.name(f"arith.sitofp {whole} : i32 to {element}")

    # Accesses

    def on_load(self, st: s.Load) -> None:
        self.types[st.name] = self.memory(st.memory).element
        if st.is_affine:
            places = ", ".join(map(affine_text, st.indices))
            self.emit(f"%{st.name} = affine.load %{st.memory}[{places}] : {self.text(st.memory)}")
            return
        places = self.places(st.indices)
        self.emit(f"%{st.name} = memref.load %{st.memory}[{places}] : {self.text(st.memory)}")

    def on_loadindex(self, st: s.LoadIndex) -> None:
        self.types[st.name] = "index"
        element = self.memory(st.memory).element
        places = self.places(st.indices)
        value = self.name(f"memref.load %{st.memory}[{places}] : {self.text(st.memory)}")
        if element != "index":
            value = self.name(f"arith.index_cast {value} : {element} to index")
        zero_or_bound = self.index(s.Const(st.bound))
        op = "remui" if st.bound else "addi"
        self.emit(f"%{st.name} = arith.{op} {value}, {zero_or_bound} : index")

    def on_store(self, st: s.Store) -> None:
        value = self.mix(st.value)
        if st.is_affine:
            places = ", ".join(map(affine_text, st.indices))
            self.emit(f"affine.store {value}, %{st.memory}[{places}] : {self.text(st.memory)}")
            return
        places = self.places(st.indices)
        self.emit(f"memref.store {value}, %{st.memory}[{places}] : {self.text(st.memory)}")

    def on_copy(self, st: s.Copy) -> None:
        kinds = f"{self.text(st.source)} to {self.text(st.target)}"
        self.emit(f"memref.copy %{st.source}, %{st.target} : {kinds}")

    def on_fill(self, st: s.Fill) -> None:
        value = self.mix(st.value)
        self.emit(f"linalg.fill ins({value} : {st.value.element}) outs({self.typed(st.memory)})")

    # Views

    def define(self, view: s.View, text: str) -> None:
        kind = s.result_type(view, self.memory(view.source))
        source = self.text(view.source)
        self.types[view.name] = kind
        word = "into" if isinstance(view, s.Collapse | s.Expand) else "to"
        self.emit(f"%{view.name} = memref.{text} : {source} {word} {type_text(kind)}")

    def on_subview(self, st: s.Subview) -> None:
        lists = "".join(f" [{self.mixed(n)}]" for n in (st.offsets, st.sizes, st.strides))
        self.define(st, f"subview %{st.source}{lists}")

    def on_cast(self, st: s.Cast) -> None:
        self.define(st, f"cast %{st.source}")

    def on_viewbytes(self, st: s.ViewBytes) -> None:
        shift = self.index(st.shift)
        sizes = self.mixed([n for n in st.shape if not isinstance(n, int)])
        self.define(st, f"view %{st.source}[{shift}][{sizes}]")

    def on_collapse(self, st: s.Collapse) -> None:
        dims = ", ".join(map(str, range(len(self.memory(st.source).shape))))
        self.define(st, f"collapse_shape %{st.source} [[{dims}]]")

    def on_expand(self, st: s.Expand) -> None:
        dims = ", ".join(map(str, range(len(st.shape))))
        shape = ", ".join(map(str, st.shape))
        self.define(st, f"expand_shape %{st.source} [[{dims}]] output_shape [{shape}]")

    def on_transpose(self, st: s.Transpose) -> None:
        dims = [f"d{d}" for d in range(len(self.memory(st.source).shape))]
        order = f"({', '.join(dims)}) -> ({', '.join(reversed(dims))})"
        self.define(st, f"transpose %{st.source} {order}")

    def on_reinterpret(self, st: s.Reinterpret) -> None:
        offset = self.mixed([st.offset])
        sizes, strides = self.mixed(st.sizes), self.mixed(st.strides)
        text = f"to offset: [{offset}], sizes: [{sizes}], strides: [{strides}]"
        self.define(st, f"reinterpret_cast %{st.source} {text}")

    def on_choose(self, st: s.Choose) -> None:
        condition = self.truth(st.condition)
        kind = self.text(st.first)
        self.types[st.name] = self.types[st.first]
        if not st.is_branch:
            values = f"{condition}, %{st.first}, %{st.second}"
            self.emit(f"%{st.name} = arith.select {values} : {kind}")
            return
        self.emit(f"%{st.name} = scf.if {condition} -> ({kind}) {{")
        self.emit(f"  scf.yield %{st.first} : {kind}")
        self.emit("} else {")
        self.emit(f"  scf.yield %{st.second} : {kind}")
        self.emit("}")

    def on_alloc(self, st: s.Alloc) -> None:
        self.types[st.name] = st.type
        sizes = self.places(st.sizes)
        self.emit(f"%{st.name} = memref.alloc({sizes}) : {type_text(st.type)}")

    def on_getglobal(self, st: s.GetGlobal) -> None:
        self.types[st.name] = st.type
        self.emit(f"%{st.name} = memref.get_global @{st.symbol} : {type_text(st.type)}")

    # Control flow

    def on_if(self, st: s.If) -> None:
        self.emit(f"scf.if {self.truth(st.condition)} {{")
        self.nested(st.then)
        if st.other:
            self.emit("} else {")
            self.nested(st.other)
        self.emit("}")

    def on_loop(self, st: s.Loop) -> None:
        self.types[st.counter] = "index"
        for value in st.carried:
            self.types[value.name] = value.type
            self.types[value.result] = value.type
        getattr(self, "loop_" + st.kind.replace(".", "_"))(st)

    def results(self, st: s.Loop) -> str:
        return "".join(f"%{c.result}, " for c in st.carried)[:-2] + " = " if st.carried else ""

    def carried(self, st: s.Loop) -> str:
        if not st.carried:
            return ""
        pairs = ", ".join(f"%{c.name} = %{c.initial}" for c in st.carried)
        return f" iter_args({pairs}) -> ({', '.join(type_text(c.type) for c in st.carried)})"

    def body(self, st: s.Loop, terminator: str) -> None:
        self.nested(st.body)
        if st.carried:
            names = ", ".join(f"%{name}" for name in st.yields)
            terminator += f" {names} : {', '.join(type_text(c.type) for c in st.carried)}"
        self.emit(f"  {terminator}")
        self.emit("}" + (f" {ATTRIBUTE}" if st.is_checkpointed else ""))

    def loop_scf_for(self, st: s.Loop) -> None:
        low, high, step = self.index(st.low), self.index(st.high), self.index(st.step)
        head = f"scf.for %{st.counter} = {low} to {high} step {step}{self.carried(st)} {{"
        self.emit(self.results(st) + head)
        self.body(st, "scf.yield")

    def loop_affine_for(self, st: s.Loop) -> None:
        low, high = affine_text(st.low), affine_text(st.high)
        step = affine_text(st.step)
        head = f"affine.for %{st.counter} = {low} to {high} step {step}{self.carried(st)} {{"
        self.emit(self.results(st) + head)
        self.body(st, "affine.yield")

    def loop_scf_parallel(self, st: s.Loop) -> None:
        low, high, step = self.index(st.low), self.index(st.high), self.index(st.step)
        self.emit(f"scf.parallel (%{st.counter}) = ({low}) to ({high}) step ({step}) {{")
        self.body(st, "scf.reduce")

    def loop_scf_forall(self, st: s.Loop) -> None:
        low, high, step = self.index(st.low), self.index(st.high), self.index(st.step)
        self.emit(f"scf.forall (%{st.counter}) = ({low}) to ({high}) step ({step}) {{")
        self.nested(st.body)
        self.emit("}" + (f" {ATTRIBUTE}" if st.is_checkpointed else ""))

    def loop_affine_parallel(self, st: s.Loop) -> None:
        low, high = _symbolic(st.low), _symbolic(st.high)
        step = affine_text(st.step)
        self.emit(f"affine.parallel (%{st.counter}) = ({low}) to ({high}) step ({step}) {{")
        self.nested(st.body)
        self.emit("}" + (f" {ATTRIBUTE}" if st.is_checkpointed else ""))

    def loop_scf_while(self, st: s.Loop) -> None:
        """The counter is the first carried value; a name of each value serves both regions."""
        low, high, step = self.index(st.low), self.index(st.high), self.index(st.step)
        kinds = ", ".join(["index", *(type_text(c.type) for c in st.carried)])
        initial = [f"%{st.counter} = {low}", *(f"%{c.name} = %{c.initial}" for c in st.carried)]
        ends = ", ".join([f"%{st.counter}_end", *(f"%{c.result}" for c in st.carried)])
        self.emit(f"{ends} = scf.while ({', '.join(initial)}) : ({kinds}) -> ({kinds}) {{")
        self.nested(st.before)
        names = [st.counter, *(c.name for c in st.carried)]
        test = f"%{st.counter}_go"
        self.emit(f"  {test} = arith.cmpi slt, %{st.counter}, {high} : index")
        self.emit(f"  scf.condition({test}) {', '.join('%' + n for n in names)} : {kinds}")
        self.emit("} do {")
        given = ["index", *(type_text(c.type) for c in st.carried)]
        block = ", ".join(f"%{n}: {t}" for n, t in zip(names, given, strict=True))
        self.emit(f"^bb0({block}):")
        self.nested(st.body)
        self.emit(f"  %{st.counter}_next = arith.addi %{st.counter}, {step} : index")
        values = ", ".join([f"%{st.counter}_next", *(f"%{n}" for n in st.yields)])
        self.emit(f"  scf.yield {values} : {kinds}")
        self.emit("}" + (f" attributes {ATTRIBUTE}" if st.is_checkpointed else ""))


def affine_text(ix: s.Ix) -> str:
    """An affine expression."""
    match ix:
        case s.Const(value):
            return str(value)
        case s.Var(name):
            return f"%{name}"
        case s.Bin(op, left, right):
            return f"({affine_text(left)} {_AFFINE_OPS[op]} {affine_text(right)})"
        case _:
            raise ValueError("the size of a memref is no affine expression")


def _symbolic(ix: s.Ix) -> str:
    return f"symbol(%{ix.name})" if isinstance(ix, s.Var) else affine_text(ix)
