"""Programs of `fuzz.strategies.token_syntax` as MLIR text, with the lines of each statement."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from fuzz.strategies import token_syntax as s

Lines = dict[int, set[int]]
"""The lines of each statement, by its identity."""


def type_text(kind: s.Type) -> str:
    """A type as MLIR writes it."""
    if isinstance(kind, str):
        return kind
    space = f", {kind.space}" if kind.space else ""
    if kind.is_dense:
        return f"memref<{kind.size}xf32{space}>"
    offset = "?" if kind.offset is None else str(kind.offset)
    suffix = "" if offset == "0" else f", offset: {offset}"
    return f"memref<{kind.size}xf32, strided<[{kind.stride}]{suffix}>{space}>"


def render(program: s.Program) -> str:
    """A module as text."""
    return render_with_lines(program)[0]


def render_with_lines(program: s.Program) -> tuple[str, Lines]:
    """A module as text, and where its statements stand; a kernel's lines count for launches."""
    printer = _Printer()
    printer.module(program)
    return "\n".join(printer.lines) + "\n", printer.places


def _list(names: Sequence[str]) -> str:
    return ", ".join(f"%{n}" for n in names)


class _Printer:
    """Prints one module; `types` grows as values are defined."""

    def __init__(self) -> None:
        self.types: dict[str, s.Type] = {}
        self.lines: list[str] = []
        self.level = 0
        self.places: Lines = {}
        self.kernels: dict[str, tuple[s.Kernel, set[int]]] = {}
        self.callees: dict[tuple[str, int], tuple[str, list[s.Fill]]] = {}
        self.fresh = count()

    def emit(self, line: str) -> int:
        self.lines.append("  " * self.level + line)
        return len(self.lines)

    def text(self, name: str) -> str:
        return type_text(self.types[name])

    def unique(self, stem: str) -> str:
        return f"{stem}_{next(self.fresh)}"

    def module(self, program: s.Program) -> None:
        is_bare = not program.kernels
        self.emit("module {" if is_bare else "module attributes {gpu.container_module} {")
        self.level += 1
        if not is_bare:
            self.emit("gpu.module @kernels {")
            self.level += 1
            for kernel in program.kernels:
                self.kernel(kernel)
            self.level -= 1
            self.emit("}")
        self.function(program)
        for (kind, deps), (name, calls) in self.callees.items():
            self.callee(name, kind, deps, calls)
        self.level -= 1
        self.emit("}")

    def kernel(self, kernel: s.Kernel) -> None:
        inputs = ", ".join(f"%{p.name}: {type_text(p.type)}" for p in kernel.parameters)
        start = self.emit(f"gpu.func @{kernel.name}({inputs}) kernel {{")
        self.types |= {p.name: p.type for p in kernel.parameters}
        self.level += 1
        tid, bid = f"{kernel.name}_tid", f"{kernel.name}_bid"
        self.emit(f"%{tid} = gpu.thread_id x")
        self.emit(f"%{bid} = gpu.block_id x")
        ids = {"tid": tid, "bid": bid}
        for op in kernel.body:
            self.access(op, ids)
        self.emit("gpu.return")
        self.level -= 1
        self.kernels[kernel.name] = (kernel, set(range(start, self.emit("}") + 1)))

    def function(self, program: s.Program) -> None:
        self.types |= {p.name: p.type for p in program.parameters}
        given = dict(program.distinct)
        inputs = ", ".join(
            f"%{given.get(p.name, p.name)}: {type_text(p.type)}" for p in program.parameters
        )
        results = ", ".join(type_text(r.type) for r in program.returned)
        arrow = f" -> ({results})" if results else ""
        self.emit(f"func.func @f({inputs}){arrow} {{")
        self.level += 1
        for number in range(8):
            self.emit(f"%c{number} = arith.constant {number} : index")
        if program.distinct:
            kinds = ", ".join(self.text(n) for n, _ in program.distinct)
            names, raw = (_list([pair[i] for pair in program.distinct]) for i in (0, 1))
            self.emit(f"{names} = memref.distinct_objects {raw} : {kinds}")
        self.block(program.body)
        names = _list([r.name for r in program.returned])
        self.emit(f"return {names} : {results}" if names else "return")
        self.level -= 1
        self.emit("}")

    def block(self, body: Sequence[s.Statement]) -> None:
        for statement in body:
            getattr(self, f"on_{type(statement).__name__.lower()}")(statement)

    def nested(self, body: Sequence[s.Statement]) -> None:
        self.level += 1
        self.block(body)
        self.level -= 1

    def at(self, statement: s.Statement, line: int) -> None:
        self.places.setdefault(id(statement), set()).add(line)

    # Memory

    def place(self, place: s.Place, ids: dict[str, str] | None = None) -> str:
        """The name of an index, with the ops that compute it."""
        names = [(ids or {}).get(n, n) for n in place.names]
        if not names and ids is None:
            return f"c{place.constant}"
        if place.constant or not names:
            name = self.unique("k")
            self.emit(f"%{name} = arith.constant {place.constant} : index")
            names.append(name)
        while len(names) > 1:
            left, right = names.pop(), names.pop()
            names.append(self.unique("x"))
            self.emit(f"%{names[-1]} = arith.addi %{left}, %{right} : index")
        return names[0]

    def access(self, op: s.Load | s.Store, ids: dict[str, str] | None = None) -> None:
        index = self.place(op.place, ids)
        kind = self.text(op.memory)
        if isinstance(op, s.Load):
            self.types[op.name] = "f32"
            line = self.emit(f"%{op.name} = memref.load %{op.memory}[%{index}] : {kind}")
        else:
            line = self.emit(f"memref.store %{op.value}, %{op.memory}[%{index}] : {kind}")
        self.at(op, line)

    def on_load(self, st: s.Load) -> None:
        self.access(st)

    def on_store(self, st: s.Store) -> None:
        self.access(st)

    def on_subview(self, st: s.Subview) -> None:
        source = self.types[st.source]
        assert isinstance(source, s.MemType)
        self.types[st.name] = s.subview_type(source, st)
        offset = st.offset if isinstance(st.offset, int) else f"%{st.offset}"
        what = f"%{st.source}[{offset}] [{st.size}] [{st.stride}]"
        kinds = f"{self.text(st.source)} to {self.text(st.name)}"
        self.emit(f"%{st.name} = memref.subview {what} : {kinds}")

    # Device work

    def device(self, st: s.Device, op: str, rest: str, first: str = "") -> None:
        results = [n for n in (first, f"%{st.token}" if st.token else "") if n]
        if st.token:
            self.types[st.token] = s.TOKEN
        head = f"{', '.join(results)} = {op}" if results else op
        head += " async" if st.token else ""
        head += f" [{_list(st.deps)}]" if st.deps else ""
        self.at(st, self.emit(f"{head} {rest}"))

    def on_alloc(self, st: s.Alloc) -> None:
        self.types[st.name] = st.type
        self.device(st, "gpu.alloc", f"() : {type_text(st.type)}", f"%{st.name}")

    def on_dealloc(self, st: s.Dealloc) -> None:
        self.device(st, "gpu.dealloc", f"%{st.memory} : {self.text(st.memory)}")

    def on_copy(self, st: s.Copy) -> None:
        kinds = f"{self.text(st.target)}, {self.text(st.source)}"
        self.device(st, "gpu.memcpy", f"%{st.target}, %{st.source} : {kinds}")

    def on_fill(self, st: s.Fill) -> None:
        kind = self.text(st.memory)
        if st.is_called:
            self.call(st, kind)
            return
        self.device(st, "gpu.memset", f"%{st.memory}, %{st.value} : {kind}, f32")

    def call(self, st: s.Fill, kind: str) -> None:
        """A call of the function that fills buffers of this type."""
        name, calls = self.callees.setdefault(
            (kind, len(st.deps)), (f"fill{len(self.callees)}", [])
        )
        calls.append(st)
        self.types[st.token or ""] = s.TOKEN
        given = _list([st.memory, st.value, *st.deps])
        kinds = ", ".join([kind, "f32", *[s.TOKEN] * len(st.deps)])
        self.at(st, self.emit(f"%{st.token} = func.call @{name}({given}) : ({kinds}) -> {s.TOKEN}"))

    def callee(self, name: str, kind: str, count: int, calls: Sequence[s.Fill]) -> None:
        deps = [f"{name}_d{i}" for i in range(count)]
        parameters = [f"%{name}_m: {kind}", f"%{name}_v: f32", *(f"%{d}: {s.TOKEN}" for d in deps)]
        self.emit(f"func.func private @{name}({', '.join(parameters)}) -> {s.TOKEN} {{")
        after = f" [{_list(deps)}]" if deps else ""
        what = f"%{name}_m, %{name}_v : {kind}, f32"
        line = self.emit(f"  %{name}_t = gpu.memset async{after} {what}")
        self.emit(f"  return %{name}_t : {s.TOKEN}")
        self.emit("}")
        for st in calls:
            self.at(st, line)

    def on_launch(self, st: s.Launch) -> None:
        kernel, lines = self.kernels[st.kernel]
        pairs = zip(st.arguments, kernel.parameters, strict=True)
        given = ", ".join(
            f"%{f'c{a}' if isinstance(a, int) else a} : {type_text(p.type)}" for a, p in pairs
        )
        rest = f"@kernels::@{st.kernel} blocks in (%c{st.grid}, %c1, %c1) "
        rest += f"threads in (%c{st.block}, %c1, %c1) args({given})"
        self.device(st, "gpu.launch_func", rest)
        self.places[id(st)] |= lines

    # Tokens

    def on_wait(self, st: s.Wait) -> None:
        tokens = f" [{_list(st.tokens)}]" if st.tokens else ""
        self.at(st, self.emit(f"gpu.wait{tokens}"))

    def on_join(self, st: s.Join) -> None:
        self.types[st.name] = s.TOKEN
        tokens = f" [{_list(st.tokens)}]" if st.tokens else ""
        self.at(st, self.emit(f"%{st.name} = gpu.wait async{tokens}"))

    def on_await(self, st: s.Await) -> None:
        head = ""
        if st.name:
            self.types[st.name] = s.inner_type(self.types[st.value]) or ""
            head = f"%{st.name} = "
        self.at(st, self.emit(f"{head}async.await %{st.value} : {self.text(st.value)}"))

    def on_newgroup(self, st: s.NewGroup) -> None:
        size = f"c{st.size}" if isinstance(st.size, int) else st.size
        self.emit(f"%{st.name} = async.create_group %{size} : !async.group")

    def on_add(self, st: s.Add) -> None:
        name = self.unique("rank")
        kind = self.text(st.value)
        self.emit(f"%{name} = async.add_to_group %{st.value}, %{st.group} : {kind}")

    def on_awaitall(self, st: s.AwaitAll) -> None:
        self.at(st, self.emit(f"async.await_all %{st.group}"))

    def on_execute(self, st: s.Execute) -> None:
        self.types[st.token] = s.TASK
        self.types |= {r.name: s.value_type(type_text(r.type)) for r in st.results}
        names = _list([st.token, *(r.name for r in st.results)])
        head = f"{names} = async.execute"
        head += f" [{_list(st.deps)}]" if st.deps else ""
        if st.operands:
            given = ", ".join(f"%{o} as %{n}: {self.text(o)}" for o, n in st.operands)
            head += f" ({given})"
        for operand, name in st.operands:
            self.types[name] = s.inner_type(self.types[operand]) or ""
        if st.results:
            head += f" -> ({', '.join(self.text(r.name) for r in st.results)})"
        self.at(st, self.emit(f"{head} {{"))
        self.nested(st.body)
        self.terminator("async.yield", st.yields)
        self.emit("}")

    def terminator(self, op: str, names: Sequence[str]) -> None:
        kinds = f" {_list(names)} : {', '.join(map(self.text, names))}" if names else ""
        self.emit(f"  {op}{kinds}")

    # Control flow

    def on_if(self, st: s.If) -> None:
        self.types |= {r.name: r.type for r in st.results}
        if st.is_graph:
            self.diamond(st)
            return
        head = f"scf.if %{st.condition}"
        if st.results:
            kinds = ", ".join(type_text(r.type) for r in st.results)
            head = f"{_list([r.name for r in st.results])} = {head} -> ({kinds})"
        self.emit(f"{head} {{")
        self.nested(st.then)
        if st.results:
            self.terminator("scf.yield", st.then_yields)
        if st.other is not None:
            self.emit("} else {")
            self.nested(st.other)
            if st.results:
                self.terminator("scf.yield", st.other_yields)
        self.emit("}")

    def label(self, name: str, values: Sequence[tuple[str, s.Type]]) -> None:
        inner = ", ".join(f"%{n}: {type_text(t)}" for n, t in values)
        self.lines.append("  " * (self.level - 1) + f"^{name}{f'({inner})' if inner else ''}:")

    def target(self, label: str, names: Sequence[str]) -> str:
        if not names:
            return f"^{label}"
        return f"^{label}({_list(names)} : {', '.join(map(self.text, names))})"

    def diamond(self, st: s.If) -> None:
        then, other, end = (self.unique(n) for n in ("then", "else", "join"))
        direct = self.target(end, st.other_yields) if st.other is None else f"^{other}"
        self.emit(f"cf.cond_br %{st.condition}, ^{then}, {direct}")
        self.label(then, [])
        self.block(st.then)
        self.emit(f"cf.br {self.target(end, st.then_yields)}")
        if st.other is not None:
            self.label(other, [])
            self.block(st.other)
            self.emit(f"cf.br {self.target(end, st.other_yields)}")
        self.label(end, [(r.name, r.type) for r in st.results])

    def trips(self, st: s.Loop | s.Tangle) -> str:
        return f"c{st.trips}" if isinstance(st.trips, int) else st.trips

    def on_loop(self, st: s.Loop) -> None:
        self.types[st.counter] = "index"
        for value in st.carried:
            self.types[value.name] = self.types[value.result] = value.type
        getattr(self, f"loop_{st.kind}")(st)

    def loop_for(self, st: s.Loop) -> None:
        head = f"scf.for %{st.counter} = %c0 to %{self.trips(st)} step %c1"
        if st.carried:
            pairs = ", ".join(f"%{c.name} = %{c.initial}" for c in st.carried)
            kinds = ", ".join(type_text(c.type) for c in st.carried)
            results = _list([c.result for c in st.carried])
            head = f"{results} = {head} iter_args({pairs}) -> ({kinds})"
        self.emit(f"{head} {{")
        self.nested(st.body)
        if st.carried:
            self.terminator("scf.yield", st.yields)
        self.emit("}")

    def loop_while(self, st: s.Loop) -> None:
        """The counter is the first carried value."""
        kinds = ", ".join(["index", *(type_text(c.type) for c in st.carried)])
        initial = [f"%{st.counter} = %c0", *(f"%{c.name} = %{c.initial}" for c in st.carried)]
        ends = _list([f"{st.counter}_end", *(c.result for c in st.carried)])
        self.emit(f"{ends} = scf.while ({', '.join(initial)}) : ({kinds}) -> ({kinds}) {{")
        self.nested(st.before)
        names = [st.counter, *(c.name for c in st.carried)]
        go = f"{st.counter}_go"
        self.emit(f"  %{go} = arith.cmpi slt, %{st.counter}, %{self.trips(st)} : index")
        self.emit(f"  scf.condition(%{go}) {_list(names)} : {kinds}")
        self.emit("} do {")
        self.label(self.unique("do"), [(n, self.types[n]) for n in names])
        self.nested(st.body)
        self.step(st.counter, "  ")
        self.terminator("scf.yield", [f"{st.counter}_next", *st.yields])
        self.emit("}")

    def step(self, counter: str, indent: str = "") -> None:
        self.types[f"{counter}_next"] = "index"
        self.emit(f"{indent}%{counter}_next = arith.addi %{counter}, %c1 : index")

    def loop_head(self, st: s.Loop) -> None:
        """The head tests; where `is_direct` the exit uses the head's own values."""
        head, body, end = (self.unique(n) for n in ("head", "body", "exit"))
        self.emit(f"cf.br {self.target_from_zero(head, [c.initial for c in st.carried])}")
        self.label(head, [(st.counter, "index"), *((c.name, c.type) for c in st.carried)])
        self.block(st.before)
        out = [] if st.is_direct else [c.name for c in st.carried]
        self.test(st.counter, self.trips(st), f"^{body}", self.target(end, out))
        self.label(body, [])
        self.block(st.body)
        self.step(st.counter)
        self.emit(f"cf.br {self.target(head, [f'{st.counter}_next', *st.yields])}")
        self.label(end, [] if st.is_direct else [(c.result, c.type) for c in st.carried])

    def target_from_zero(self, label: str, names: Sequence[str]) -> str:
        self.types["c0"] = "index"
        return self.target(label, ["c0", *names])

    def test(self, counter: str, trips: str, yes: str, no: str) -> None:
        go = self.unique("go")
        self.emit(f"%{go} = arith.cmpi slt, %{counter}, %{trips} : index")
        self.emit(f"cf.cond_br %{go}, {yes}, {no}")

    def loop_tail(self, st: s.Loop) -> None:
        """The body runs first and tests last."""
        body, end = self.unique("body"), self.unique("exit")
        self.emit(f"cf.br {self.target_from_zero(body, [c.initial for c in st.carried])}")
        self.label(body, [(st.counter, "index"), *((c.name, c.type) for c in st.carried)])
        self.block(st.body)
        self.step(st.counter)
        following = f"{st.counter}_next"
        out = [] if st.is_direct else st.yields
        again = self.target(body, [following, *st.yields])
        self.test(following, self.trips(st), again, self.target(end, out))
        self.label(end, [] if st.is_direct else [(c.result, c.type) for c in st.carried])

    def on_tangle(self, st: s.Tangle) -> None:
        first, second, end = (self.unique(n) for n in ("first", "second", "exit"))
        self.types[st.counter] = self.types[f"{st.counter}_b"] = "index"
        for value, other in zip(st.carried, st.seconds, strict=True):
            self.types[value.name] = self.types[value.result] = self.types[other] = value.type
        start = [c.initial for c in st.carried]
        entries = f"{self.target_from_zero(first, start)}, {self.target_from_zero(second, start)}"
        self.emit(f"cf.cond_br %{st.condition}, {entries}")
        self.label(first, [(st.counter, "index"), *((c.name, c.type) for c in st.carried)])
        self.block(st.first)
        self.emit(f"cf.br {self.target(second, [st.counter, *st.first_yields])}")
        kinds = [c.type for c in st.carried]
        inner = [(f"{st.counter}_b", "index"), *zip(st.seconds, kinds, strict=True)]
        self.label(second, inner)
        self.block(st.second)
        self.step(f"{st.counter}_b")
        following = f"{st.counter}_b_next"
        again = self.target(first, [following, *st.second_yields])
        self.test(following, self.trips(st), again, self.target(end, st.second_yields))
        self.label(end, [(c.result, c.type) for c in st.carried])
