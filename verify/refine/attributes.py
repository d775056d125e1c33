"""What the attributes of an op say: those that are part of its meaning, and its promises."""

from __future__ import annotations

from xdsl.ir import Operation

from verify.ir.names import all_attrs

PROMISES = frozenset({"overflowFlags", "exact", "isExact", "nonNeg", "isDisjoint", "inbounds"})
_NO_MEANING = frozenset(
    {"overflowFlags", "exact", "inbounds", "noWrapFlags", "alignment", "nontemporal"}
)


def promises_of(op: Operation) -> list[tuple[str, str]]:
    """Attributes that make a result undefined where they do not hold (`nsw`, say)."""
    given = ((name, str(value)) for name, value in all_attrs(op) if name in PROMISES)
    return [(name, value) for name, value in given if "none" not in value and "0 :" not in value]


def attributes_of(op: Operation) -> tuple[tuple[str, str], ...]:
    """The attributes that are part of an op's meaning, as text."""
    return tuple(
        sorted(
            (name, str(value))
            for name, value in all_attrs(op)
            if name not in _NO_MEANING and not name.endswith("SegmentSizes") and "." not in name
        )
    )
