"""This project's own passes, by name. A pass is imported when it is first asked for."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xdsl.passes import ModulePass

_PASSES = {
    "gpu-async-region": ("verify.passes.gpu_async_region", "GpuAsyncRegionPass"),
    "sink-checkpoint-views": ("verify.passes.sink_checkpoint_views", "SinkCheckpointViewsPass"),
}


class UnknownPassError(KeyError):
    """There is no pass of this name; `known` lists those that exist."""

    def __init__(self, name: str, known: list[str]) -> None:
        super().__init__(name)
        self.name = name
        self.known = known

    def __str__(self) -> str:
        return f"unknown pass `{self.name}`; the known passes are {', '.join(self.known)}"


def names() -> list[str]:
    """The names of all passes, sorted."""
    return sorted(_PASSES)


def load(name: str) -> "type[ModulePass]":
    """The pass class called `name`."""
    try:
        module, class_name = _PASSES[name]
    except KeyError:
        raise UnknownPassError(name, names()) from None
    return getattr(import_module(module), class_name)
