"""The forms in which a module is given to a compiler of another version, likeliest first."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import ModuleOp

from verify.ir.names import op_name
from verify.ir.printing import to_custom_text, to_generic_text


class Forms:
    """Generic form, then custom syntax, which changes less between versions but costs more.

    What is learnt about one module is used for the next: custom syntax goes first where an op
    is in it that occurred only in modules whose generic form was refused.
    """

    def __init__(self) -> None:
        """Nothing is known yet."""
        self._read: set[str] = set()
        self._refused: set[str] = set()

    def of(self, module: ModuleOp) -> Iterator[tuple[str, bool]]:
        """Each form with whether it is the generic one."""
        names = {op_name(op) for op in module.walk()}
        is_generic_first = names.isdisjoint(self._refused - self._read)
        for is_generic in (is_generic_first, not is_generic_first):
            text = to_generic_text(module) if is_generic else to_custom_text(module)
            if text is not None:
                yield text, is_generic

    def learn(self, module: ModuleOp, *, is_read: bool) -> None:
        """Remember whether the generic form of a module was read."""
        names = {op_name(op) for op in module.walk()}
        if is_read:
            self._read |= names
        else:
            self._refused |= names
