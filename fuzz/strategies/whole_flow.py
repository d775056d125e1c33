"""Unstructured control flow for the family `whole`: diamonds, switches and cycles of blocks."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.ir import Attribute, Block, Region, SSAValue

from fuzz.strategies.whole_handles import branch, flag, joined, two_refs
from fuzz.strategies.whole_ops import segments
from fuzz.strategies.whole_types import Index
from fuzz.strategies.whole_updates import close
from fuzz.strategies.whole_writer import Writer


def _jump(w: Writer, target: Block, values: Sequence[SSAValue] = ()) -> None:
    w.op("cf.br", values, (), {}, (), [target])


def _side(w: Writer, block: Block, target: Block, values: Sequence[SSAValue]) -> None:
    """A block of statements that ends in a jump."""
    with w.inside(block):
        w.statements(w.draw.randint(0, 2))
        close(w)
        _jump(w, target, values)


def diamond(w: Writer) -> None:
    """Two blocks that meet again, with one of two memrefs; one may be missing."""
    if not w.may_branch:
        return if_value(w)
    refs = two_refs(w)
    kinds: list[Attribute | str] = [refs[0].kind.type()]
    condition = flag(w)
    if w.flip(20):
        end = w.new_block(kinds)
        branch(w, condition, end, [refs[0].value], [refs[1].value])
    else:
        sides = [w.new_block(), w.new_block()]
        end = w.new_block(kinds)
        attributes = {"operandSegmentSizes": segments(1, 0, 0)}
        w.op("cf.cond_br", [condition], (), attributes, (), sides)
        for side, ref in zip(sides, refs, strict=True):
            _side(w, side, end, [ref.value])
    w.block = end
    w.add(joined(end.args[0], refs))
    return None


def if_value(w: Writer) -> None:
    """Blocks inside an `scf.execute_region`, where the function cannot have more."""

    def body(_: Sequence[SSAValue]) -> None:
        w.may_branch = True
        diamond(w)
        close(w)
        w.op("scf.yield", [w.scalar("f32")])

    region: Region = w.region([], body)
    w.keep("f32", w.op("scf.execute_region", (), ["f32"], {}, [region]).results[0])


def switch(w: Writer) -> None:
    """A `cf.switch` of three ways."""
    if not w.may_branch:
        return if_value(w)
    index = w.draw.choice(w.scope.indices).value if w.scope.indices else w.constant(1)
    chosen = w.op("arith.index_cast", [index], ["i32"]).results[0]
    values = [w.scalar("f32") for _ in range(3)]
    ways = [w.new_block() for _ in values]
    end = w.new_block(["f32"])
    attributes = {
        "case_values": "dense<[0, 2]> : vector<2xi32>", "case_operand_segments": "array<i32: 0, 0>",
        "operandSegmentSizes": segments(1, 0, 0),
    }  # fmt: skip
    w.op("cf.switch", [chosen], (), attributes, (), ways)
    for way, value in zip(ways, values, strict=True):
        with w.inside(way):
            w.statements(w.draw.randint(0, 1))
            close(w)
            _jump(w, end, [value])
    w.block = end
    w.keep("f32", end.args[0])
    return None


def cycle(w: Writer) -> None:
    """A loop of blocks with a counter."""
    if not w.may_branch:
        return if_value(w)
    first, step, limit = w.constant(0), w.constant(1), w.draw.randint(1, 3)
    high = w.constant(limit)
    head, body, end = w.new_block(["index"]), w.new_block(), w.new_block()
    _jump(w, head, [first])
    with w.inside(head):
        operands = [head.args[0], high]
        go = w.op("arith.cmpi", operands, ["i1"], {"predicate": "2 : i64"}).results[0]
        attributes = {"operandSegmentSizes": segments(1, 0, 0)}
        w.op("cf.cond_br", [go], (), attributes, (), [body, end])
    with w.inside(body):
        w.scope.indices.append(Index(head.args[0], limit))
        w.statements(w.draw.randint(1, 3))
        close(w)
        after = w.op("arith.addi", [head.args[0], step], ["index"]).results[0]
        _jump(w, head, [after])
    w.block = end
    return None


def assertion(w: Writer) -> None:
    """A `cf.assert` that holds."""
    value = w.constant(w.draw.randint(0, 3))
    truth = w.op("arith.cmpi", [value, w.constant(4)], ["i1"], {"predicate": "6 : i64"})
    w.op("cf.assert", truth.results, (), {"msg": '"small"'})


FLOW: dict[Callable[[Writer], None], int] = {diamond: 3, switch: 1, cycle: 2, assertion: 1}
"""The productions, each with a weight."""
