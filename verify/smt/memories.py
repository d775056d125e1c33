"""Whether two views can be of one memory at all."""

from __future__ import annotations

from verify.semantics.values import View


def relation(one: View, other: View) -> str:
    """`same`, `distinct`, `assumed` (distinct by assumption on arguments), `placed`, `unknown`."""
    if _are_marked(one, other):
        return "distinct"
    first, second = one.memory, other.memory
    if (first.family or first) is (second.family or second):
        return "unknown" if first.kind == "unknown" and first.name == "any memory" else "same"
    kinds = {first.kind, second.kind}
    if "unknown" in kinds:
        return "unknown"
    if "alloc" in kinds or kinds == {"global"}:
        return "distinct"
    if first.address is None or second.address is None:
        return "assumed"
    return "placed"


def _are_marked(one: View, other: View) -> bool:
    """Whether `memref.distinct_objects` tells two views apart."""
    marks = dict(one.objects)
    return any(marks.get(group, number) != number for group, number in other.objects)
