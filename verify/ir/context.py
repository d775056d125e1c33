"""Which xDSL dialects stand for upstream ones, loaded when the first op or type needs them."""

from collections.abc import Callable
from functools import cache
from importlib import import_module

from xdsl.context import Context
from xdsl.ir import Dialect

# Dialect name -> (module, attribute); only those whose ops mirror MLIR's.
_UPSTREAM: dict[str, tuple[str, str]] = {
    "builtin": ("xdsl.dialects.builtin", "Builtin"),
    "affine": ("xdsl.dialects.affine", "Affine"),
    "arith": ("xdsl.dialects.arith", "Arith"),
    "bufferization": ("xdsl.dialects.bufferization", "Bufferization"),
    "cf": ("xdsl.dialects.cf", "Cf"),
    "complex": ("xdsl.dialects.complex", "Complex"),
    "func": ("xdsl.dialects.func", "Func"),
    "gpu": ("xdsl.dialects.gpu", "GPU"),
    "linalg": ("xdsl.dialects.linalg", "Linalg"),
    "llvm": ("xdsl.dialects.llvm", "LLVM"),
    "math": ("xdsl.dialects.math", "Math"),
    "memref": ("xdsl.dialects.memref", "MemRef"),
    "scf": ("xdsl.dialects.scf", "Scf"),
    "tensor": ("xdsl.dialects.tensor", "Tensor"),
    "ub": ("xdsl.dialects.ub", "UB"),
    "vector": ("xdsl.dialects.vector", "Vector"),
}


def make_context() -> Context:
    """A new context that knows the upstream dialects and lets unknown ones through."""
    context = Context(allow_unregistered=True)
    for name in _UPSTREAM:
        context.register_dialect(name, _loader(name))
    context.load_registered_dialect("builtin")
    return context


def dialect_loaders() -> dict[str, Callable[[], Dialect]]:
    """The upstream dialects that xDSL has, each imported when it is called for."""
    return {name: _loader(name) for name in _UPSTREAM}


@cache
def shared_context() -> Context:
    """The context that all reading in this process uses; unregistered ops get one class a name."""
    return make_context()


def _loader(name: str) -> Callable[[], Dialect]:
    module, attribute = _UPSTREAM[name]
    return lambda: getattr(import_module(module), attribute)
