"""Whole programs: views, loops, GPU work, tasks, blocks and calls, mixed in one function.

`build` gives a module of xDSL ops, valid by construction and mostly defined: accesses are in
bounds, buffers have something in them, nothing is used once it is freed, and work is awaited
before its memory is used again. One program in five is careless about the last.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Block, Operation, Region

from fuzz.strategies.whole_calls import CALLS
from fuzz.strategies.whole_casts import CASTS
from fuzz.strategies.whole_danger import DANGER
from fuzz.strategies.whole_flow import FLOW
from fuzz.strategies.whole_gpu import GPU
from fuzz.strategies.whole_handles import HANDLES
from fuzz.strategies.whole_inline import INLINE
from fuzz.strategies.whole_loops import LOOPS
from fuzz.strategies.whole_memory import MEMORY, draw_kind, extent_of
from fuzz.strategies.whole_ops import make_op
from fuzz.strategies.whole_parallel import PARALLEL
from fuzz.strategies.whole_pointers import POINTERS
from fuzz.strategies.whole_tasks import TASKS
from fuzz.strategies.whole_types import Index, Mem, Ref
from fuzz.strategies.whole_updates import UPDATES, close
from fuzz.strategies.whole_views import WINDOWS
from fuzz.strategies.whole_writer import Module, Writer
from verify.ir.attributes import parse_attribute, parse_type
from verify.ir.printing import to_generic_text

Table = Mapping[Callable[[Writer], None], int]
_GROUPS: tuple[tuple[str, Table, int], ...] = (
    ("memory", MEMORY, 10),
    ("updates", UPDATES, 5),
    ("windows", WINDOWS, 6),
    ("casts", CASTS, 6),
    ("handles", HANDLES, 3),
    ("loops", LOOPS, 6),
    ("parallel", PARALLEL, 3),
    ("danger", DANGER, 3),
    ("flow", FLOW, 2),
    ("calls", CALLS, 2),
    ("gpu", {**GPU, **INLINE}, 5),
    ("tasks", TASKS, 4),
    ("pointers", POINTERS, 8),
)
_NESTING = ("loops", "parallel", "tasks", "flow", "danger")
_IN_KERNELS = ("memory", "windows", "loops")
_IN_CALLEES = ("memory", "windows", "casts", "handles", "loops", "parallel", "updates", "danger")
_RAISED = ("memory", "windows", "casts", "handles", "loops", "parallel")


def build(draw: random.Random) -> ModuleOp:
    """Draw one program."""
    kinds: list[Attribute] = [
        parse_type(text) for text in ("index", "index", "f32", "f64", "i1", "!llvm.ptr")
    ]
    buffers = [_argument_kind(draw) for _ in range(draw.randint(1, 2))]
    block = Block(arg_types=[*kinds, *(kind.type() for kind in buffers)])
    w = Writer(draw, Module(), block)
    w.kinds = _tables(draw)
    w.carelessness = 40 if draw.random() < 0.2 else 0
    w.checkpointed = draw.choice([5, 45, 90])
    w.left = draw.randint(4, 16)
    region = Region(block)
    _arguments(w, buffers)
    w.focus = w.draw.choice([None, *range(len(w.roots))])
    while w.left > 0:
        w.statements(1)
    close(w)
    w.op("func.return")
    return _module(w, region)


def render(program: ModuleOp) -> str:
    """The program in generic form."""
    return to_generic_text(program, locations=False)


def _argument_kind(draw: random.Random) -> Mem:
    """The type of an argument: lines of floats mostly, some of them strided or of open size."""
    how = draw.choices(["line", "open", "strided", "any"], [6, 2, 1, 2])[0]
    if how == "any":
        return draw_kind(Writer(draw, Module(), Block()))
    if how == "strided":
        return Mem("f32", (draw.randint(2, 4),), (draw.choice([None, 2]),), draw.choice([None, 1]))
    return Mem("f32", (None if how == "open" else draw.choice([4, 8]),))


def _arguments(w: Writer, buffers: list[Mem]) -> None:
    values = w.block.args
    w.scope.indices += [Index(values[0], None, is_affine=True), Index(values[1], None)]
    for place, kind in ((2, "f32"), (3, "f64"), (4, "i1"), (5, "!llvm.ptr")):
        w.keep(kind, values[place])
    for kind, value in zip(buffers, values[6:], strict=True):
        is_dense = kind.strides is None and kind.is_static
        extent = extent_of(kind) if is_dense else None
        root = w.root(extent, w.draw.choice(["host", "both", "both"]))
        w.add(Ref(value, kind, kind.shape, (root,)))


def _tables(draw: random.Random) -> dict[tuple[str, bool], Table]:
    """What each place draws from; a program leaves out some groups, so that others meet."""
    named = {name: (table, weight) for name, table, weight in _GROUPS}
    left_out = {name for name, _, _ in _GROUPS[3:] if draw.random() < 0.4}
    if draw.random() < 0.5:
        left_out.add("pointers")
    host = [name for name in named if name not in left_out]
    places: dict[str, Sequence[str]] = {
        "host": host, "task": host, "kernel": _IN_KERNELS, "callee": _IN_CALLEES,
        "raised": _RAISED,
    }  # fmt: skip
    tables: dict[tuple[str, bool], Table] = {}
    for place, names in places.items():
        for is_deep in (False, True):
            some = [named[n] for n in names if not (is_deep and n in _NESTING)]
            tables[place, is_deep] = _merged(some)
    return tables


def _merged(groups: list[tuple[Table, int]]) -> Table:
    merged: dict[Callable[[Writer], None], int] = {}
    for table, weight in groups:
        total = sum(table.values())
        merged.update({f: max(1, 1000 * weight * n // total) for f, n in table.items()})
    return merged


def _module(w: Writer, region: Region) -> ModuleOp:
    kinds = ", ".join(str(value.type) for value in region.blocks[0].args)
    attributes = {"sym_name": '"f"', "function_type": f"({kinds}) -> ()"}
    main = make_op("func.func", (), (), attributes, [region])
    ops: list[Operation] = [*w.module.globals]
    container: dict[str, Attribute] = {}
    if w.module.kernels:
        inner = Region(Block(w.module.kernels))
        ops.append(make_op("gpu.module", (), (), {"sym_name": '"kernels"'}, [inner]))
        container["gpu.container_module"] = parse_attribute("unit")
    return ModuleOp([*ops, *w.module.functions, main], container)
