"""Functions of one program for the family `whole`, and calls between them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from xdsl.ir import Attribute, Block, Region

from fuzz.strategies.whole_casts import cast_to
from fuzz.strategies.whole_handles import joined
from fuzz.strategies.whole_memory import is_plain, new_buffer
from fuzz.strategies.whole_ops import make_op
from fuzz.strategies.whole_types import Mem, Ref
from fuzz.strategies.whole_updates import close
from fuzz.strategies.whole_writer import Writer

LINE = Mem("f32", (None,), (None,), None)
_FOUR = Mem("f32", (4,))
_MOST = 3


@dataclass(frozen=True, slots=True)
class Callee:
    """A function: its memrefs, which of them it reads and writes, which it gives back, if any.

    Without a `size`, it takes memrefs with an element at least.
    """

    name: str
    kind: Mem
    reads: tuple[bool, ...]
    writes: tuple[bool, ...]
    given: tuple[int, ...]

    @property
    def least(self) -> int:
        """How many elements it counts on."""
        return self.kind.shape[0] or 1


def callee_of(w: Writer) -> Callee:
    """A function of the program, or a new one, which calls none but those before it."""
    known = w.module.callees
    if len(known) >= _MOST or w.place != "host" or (known and w.flip(50)):
        return w.draw.choice(known) if known else _written(w, _FOUR)
    return _written(w, w.draw.choice([LINE, LINE, _FOUR]))


def _written(outer: Writer, kind: Mem) -> Callee:
    count = outer.draw.randint(1, 2)
    kinds: list[Attribute] = [kind.type() for _ in range(count)]
    scalar = outer.scalar("f32").type
    block = Block(arg_types=[*kinds, scalar])
    region = Region(block)
    w = Writer(outer.draw, outer.module, block)
    w.kinds, w.left, w.carelessness = outer.kinds, 4, outer.carelessness
    w.place = "callee"
    w.keep("f32", block.args[count])
    sizes = (kind.shape[0],)
    refs = [w.add(Ref(v, kind, sizes, (w.root(None, "host"),))) for v in block.args[:count]]
    with w.recorded() as touched:
        w.statements(w.draw.randint(1, 3))
    returned = _given_back(w, refs, kind)
    w.block.add_op(make_op("func.return", [r.value for r in returned], (), {}))
    result = ", ".join(str(kind.type()) for _ in returned)
    inputs = ", ".join(str(k) for k in (*kinds, scalar))
    name = f"h{len(outer.module.callees)}"
    attributes = {
        "sym_name": f'"{name}"', "sym_visibility": '"private"',
        "function_type": f"({inputs}) -> ({result})",
    }  # fmt: skip
    outer.module.functions.append(make_op("func.func", (), (), attributes, [region]))
    reads, writes = (
        tuple(ref.roots[0] in roots for ref in refs) for roots in (touched.reads, touched.writes)
    )
    given = tuple(i for r in returned for i, ref in enumerate(refs) if ref.roots[0] in r.roots)
    callee = Callee(name, kind, reads, writes, given)
    outer.module.callees.append(callee)
    return callee


def _given_back(w: Writer, refs: list[Ref], kind: Mem) -> list[Ref]:
    """The memref that a function returns: an argument or a view of one, or none."""
    roots = [ref.roots[0] for ref in refs]
    fits = [r for r in w.scope.refs if r.kind == kind and all(x in roots for x in r.roots)]
    returned = [w.draw.choice(fits)] if fits and w.flip(50) else []
    close(w)
    return returned


def call(w: Writer) -> None:
    """`func.call`, whose result lies in one of its arguments."""
    callee = callee_of(w)
    refs: list[Ref] = []
    for is_written in callee.writes:
        fits = w.fitting(lambda r, x=is_written: _holds(r, callee) and not (x and r.is_fixed))
        ref = w.draw.choice(fits[-4:]) if fits else new_buffer(w, _FOUR)
        refs.append(ref if ref.kind == callee.kind else cast_to(w, ref, callee.kind))
    for ref, is_read, is_written in zip(refs, callee.reads, callee.writes, strict=True):
        if is_read:
            w.touch(ref, is_write=False)
        if is_written:
            w.touch(ref, is_write=True)
    operands = [*(ref.value for ref in refs), w.scalar("f32")]
    kinds = [callee.kind.type()] if callee.given else []
    results = w.op("func.call", operands, kinds, {"callee": f"@{callee.name}"}).results
    if results:
        back = joined(results[0], [refs[i] for i in callee.given])
        size = callee.kind.shape
        w.add(Ref(results[0], callee.kind, size, back.roots, back.is_fixed))


def _holds(ref: Ref, callee: Callee) -> bool:
    if ref.kind == callee.kind:
        return True
    is_line = is_plain(ref) and ref.kind.element == "f32" and len(ref.sizes) == 1
    return is_line and callee.kind == LINE and ref.has_elements and not ref.kind.space


CALLS: dict[Callable[[Writer], None], int] = {call: 4}
"""The productions, each with a weight."""
