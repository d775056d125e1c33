"""What is differentiated: the arguments and results of a function, and which of them count.

An *activity* is Enzyme's: `dup` for memory with a shadow beside it, `active` for a float whose
derivative is a result, `const` for what is not differentiated.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from xdsl.dialects import builtin
from xdsl.ir import Attribute, Operation

from verify.diagnostic import Location
from verify.ir.module import ParsedModule
from verify.ir.names import attr, op_name, symbol_name
from verify.replay.arguments import raw_element
from verify.semantics.types import Element, UnsupportedError, element_of, is_pointer, layout_of

ACTIVITIES = ("dup", "active", "const")
_PLAIN_NAME = re.compile(r"[\w.$-]+")
_FLOATS = ("f64", "f32", "f16", "bf16")


class GradientUsageError(ValueError):
    """A function that cannot be differentiated or run as it is asked.

    The text says why; `location` is the function or the op that is in the way, where known.
    """

    def __init__(self, message: str, location: Location | None = None) -> None:
        """Keep the place beside the text."""
        super().__init__(message)
        self.location = location


@dataclass(frozen=True, slots=True)
class Value:
    """An argument or a result: `name` is as the source spells it, `form` how it is held.

    `form` is `memref`, `pointer` or `scalar`; `element` is what is in the memory, or the scalar.
    """

    name: str
    kind: Attribute
    form: str
    element: Element
    activity: str

    @property
    def is_active(self) -> bool:
        """Whether a derivative belongs to it."""
        return self.activity != "const"


@dataclass(frozen=True, slots=True)
class Signature:
    """A function's arguments and results, in order."""

    function: str
    arguments: tuple[Value, ...]
    results: tuple[Value, ...]


def find_function(module: ParsedModule, name: str | None) -> Operation:
    """The function called `name`; without a name, the only one that has a body."""
    assert module.module is not None
    bodies = [op for op in module.module.body.block.ops if _is_defined(op)]
    names = [symbol_name(op) or "" for op in bodies]
    if name is not None:
        wanted = name.removeprefix("@")
        if wanted in names:
            return bodies[names.index(wanted)]
        raise GradientUsageError(f"there is no `func.func @{wanted}` with a body; {_listed(names)}")
    if len(bodies) == 1:
        return bodies[0]
    if not bodies:
        raise GradientUsageError("there is no `func.func` with a body")
    raise GradientUsageError(f"name one with --function; {_listed(names)}")


def functions_of(module: ParsedModule) -> list[str]:
    """The names of all functions with a body, in order."""
    assert module.module is not None
    return [symbol_name(op) or "" for op in module.module.body.block.ops if _is_defined(op)]


def signature_of(function: Operation, activities: Mapping[str, str] | None = None) -> Signature:
    """The signature with its activities; `activities` overrides them by name or by position."""
    name = symbol_name(function) or ""
    if not _PLAIN_NAME.fullmatch(name):
        raise GradientUsageError(f"Enzyme's options cannot hold the name `@{name}`")
    behind = raw_element(function)
    given = dict(activities or {})
    arguments = [
        _argument(position, value.type, value.name_hint, behind, given)
        for position, value in enumerate(function.regions[0].blocks[0].args)
    ]
    if given:
        unknown = ", ".join(f"`{key}`" for key in given)
        raise GradientUsageError(f"`@{name}` has no argument {unknown}")
    results = [_result(position, kind) for position, kind in enumerate(_result_types(function))]
    signature = Signature(name, tuple(arguments), tuple(results))
    _require_floats(signature)
    return signature


def _is_defined(op: Operation) -> bool:
    return op_name(op) == "func.func" and has_body(op)


def has_body(op: Operation) -> bool:
    """Whether the op is a function that is defined and not only declared."""
    is_function = op_name(op) in ("func.func", "llvm.func")
    return is_function and bool(op.regions) and bool(op.regions[0].blocks)


def _listed(names: list[str]) -> str:
    return "there are: " + ", ".join(f"`@{each}`" for each in names) if names else "there is none"


def _argument(
    position: int,
    kind: Attribute,
    hint: str | None,
    behind: Element | None,
    given: dict[str, str],
) -> Value:
    name = f"%{hint}" if hint else f"%{position}"
    form, element = _form(kind, f"argument `{name}`", behind)
    own = _default_activity(form, element)
    for key in (str(position), name, name.removeprefix("%")):
        own = _checked(given.pop(key), own, name, form) if key in given else own
    return Value(name, kind, form, element, own)


def _form(kind: Attribute, what: str, behind: Element | None) -> tuple[str, Element]:
    """How a value of a type is held, and its element; raises where it cannot be held."""
    try:
        if isinstance(kind, builtin.MemRefType):
            form, element = "memref", layout_of(kind).element
        elif is_pointer(kind):
            form, element = "pointer", behind or Element("i8", "int", 8)
        else:
            form, element = "scalar", element_of(kind)
    except UnsupportedError as error:
        raise GradientUsageError(f"{what} cannot be given a value: {error}") from None
    is_number = element.kind in ("int", "index") and element.bits <= 64
    if not is_number and element.name not in _FLOATS:
        raise GradientUsageError(f"{what} cannot be given a value of type `{kind}`")
    return form, element


def _default_activity(form: str, element: Element) -> str:
    if element.kind != "float":
        return "const"
    return "active" if form == "scalar" else "dup"


def _checked(wanted: str, default: str, name: str, form: str) -> str:
    """An activity that was asked for, when the argument can have it."""
    activity = wanted.removeprefix("enzyme_")
    if activity not in ACTIVITIES:
        known = ", ".join(ACTIVITIES)
        raise GradientUsageError(f"there is no activity `{wanted}`; there are: {known}")
    if activity not in ("const", default):
        raise GradientUsageError(f"`{name}` is a {form} and cannot be `{activity}`")
    return activity


def _result_types(function: Operation) -> list[Attribute]:
    kind = attr(function, "function_type")
    return list(kind.outputs) if isinstance(kind, builtin.FunctionType) else []


def _result(position: int, kind: Attribute) -> Value:
    name = f"result {position}"
    form, element = _form(kind, name, None)
    if form != "scalar":
        raise GradientUsageError(f"{name} is a {form}; only numbers can be returned")
    return Value(name, kind, form, element, _default_activity(form, element))


def _require_floats(signature: Signature) -> None:
    name = signature.function
    if not any(each.is_active for each in signature.arguments):
        raise GradientUsageError(f"`@{name}` has no float argument to differentiate by")
    if any(each.is_active for each in signature.results):
        return
    if not any(each.activity == "dup" for each in signature.arguments):
        raise GradientUsageError(f"`@{name}` has no float result, and no memory to write one to")
