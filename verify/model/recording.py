"""Accesses to memory as the symbolic machine records them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import Operation

from verify.model import placing, tasks
from verify.model.dense import Spread
from verify.model.memory import Access, Content, Defined, Place
from verify.semantics import term as t
from verify.semantics.term import Condition, Number, Var
from verify.semantics.values import View

if TYPE_CHECKING:
    from verify.model.symbolic import SymbolicMachine


def record(
    m: SymbolicMachine,
    op: Operation,
    place: Place,
    *,
    is_write: bool,
    is_modelled: bool = True,
    lifetime: str = "",
) -> None:
    """Note one access at the present place of the program."""
    conditions = (*m.conditions, *t.conjuncts(place.condition))
    if False in conditions:
        return
    if False in place.inside:
        m.defined.append(Defined(conditions, (False,), tuple(m.loops)))
        return
    inside = (*place.inside, *placing.in_allocation(place))
    m.note_layout(op, place.address)
    for part in conditions:
        m.note_layout(op, part)
    event, done = tasks.actor(m)
    issued = m.order.issued
    m.accesses.append(
        Access(
            op,
            is_write,
            place.view,
            place.address,
            place.size,
            tuple(c for c in conditions if c is not True),
            tuple(c for c in inside if c is not True),
            tuple(m.loops),
            tuple(m.positions),
            is_modelled,
            tuple(m.calls),
            place.content,
            place.idle,
            event,
            issued & ~done.every,
            issued & ~done.last,
            lifetime,
            place.whole,
            m.site,
        )
    )
    tasks.after_access(m)


def any_element(
    m: SymbolicMachine,
    view: View,
    whole: Spread | None,
    condition: Condition,
    content: Content | None,
) -> Place:
    """Some element of a view, of which `whole` are all bytes, at indices that are fresh.

    That there is one is a condition of the access, not something to assume: a view may be empty.
    """
    if view.sizes is None or view.element is None:
        byte = m.fresh("byte", None, None)
        return Place(view, byte, 1, condition, view.assumed, content=content)
    exists = [condition]
    indices: list[Number] = []
    address = view.offset
    for size, stride in zip(view.sizes, view.strides, strict=True):
        high = size - 1 if isinstance(size, int) else None
        index = Var("element", 0, high, m.scope)
        if high is None:
            exists.append(t.less(index.term(), size))
        elif high < 0:
            exists.append(False)
        indices.append(index.term())
        address = address + m.algebra.multiply(index.term(), stride)
    condition = t.all_of(exists)
    size = view.element.size
    return Place(view, address, size, condition, view.assumed, tuple(indices), whole, content)
