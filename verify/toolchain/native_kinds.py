"""What native code makes of the types in a signature: scalars, pointers and memref descriptors."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

_POINTER_BYTES = 8
_FLOAT_BITS = {"f16": 16, "bf16": 16, "f32": 32, "f64": 64}


@dataclass(frozen=True, slots=True)
class Kind:
    """A type: `name` is `scalar`, `pointer` or `memref`; `size` is that of one element."""

    name: str
    size: int
    rank: int = 0

    @property
    def places(self) -> tuple[int, int]:
        """Bytes that a result of this kind takes, and how it is aligned."""
        if self.name == "memref":
            return _POINTER_BYTES * (3 + 2 * self.rank), _POINTER_BYTES
        return self.size, self.size


def result_places(kinds: Sequence[Kind]) -> tuple[list[int], int]:
    """Where each of several results lies in the struct that a function returns, and its size."""
    places: list[int] = []
    end = 0
    for kind in kinds:
        size, alignment = kind.places
        end += -end % alignment
        places.append(end)
        end += size
    return places, end


def kinds_of(ir: Any, function: Any) -> tuple[list[Kind], list[Kind]]:
    """The kinds of the arguments and results of a `func.func` or `llvm.func`.

    Raises `ValueError` for a type that cannot be passed.
    """
    signature = ir.TypeAttr(function.attributes["function_type"]).value
    if function.operation.name == "func.func":
        kind = ir.FunctionType(signature)
        inputs, results = [str(t) for t in kind.inputs], [str(t) for t in kind.results]
    else:
        inputs, results = _llvm_signature(str(signature))
    return [kind_of(text) for text in inputs], [kind_of(text) for text in results]


def _llvm_signature(text: str) -> tuple[list[str], list[str]]:
    found = re.fullmatch(r"!llvm\.func<(.*?) \((.*)\)>", text)
    if found is None:
        raise ValueError(f"a function of type `{text}`")
    inputs = [part.strip() for part in found[2].split(",") if part.strip()]
    return inputs, [] if found[1] == "void" else [found[1]]


def kind_of(text: str) -> Kind:
    """The kind of a type in MLIR's own spelling."""
    if text.startswith("memref<") and not text.startswith("memref<*"):
        shape = re.match(r"memref<((?:(?:\d+|\?)x)*)([^,>]*)", text)
        assert shape is not None
        return Kind("memref", _bytes_of(shape[2], text), shape[1].count("x"))
    if text.removeprefix("!llvm.").startswith("ptr"):
        return Kind("pointer", _POINTER_BYTES)
    return Kind("scalar", _bytes_of(text, text))


def _bytes_of(element: str, whole: str) -> int:
    bits = 64 if element == "index" else _FLOAT_BITS.get(element)
    if bits is None:
        integer = re.fullmatch(r"i(\d+)", element)
        if integer is None or int(integer[1]) > 64:
            raise ValueError(f"a value of type `{whole}` cannot be passed")
        bits = int(integer[1])
    return 1 << ((bits + 7) // 8 - 1).bit_length()
