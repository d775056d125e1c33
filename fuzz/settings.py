"""What a campaign is told, kept in its store so that it can go on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

MODES = ("batch", "change", "prune", "coverage")
GRADIENT = "enzyme:enzyme-wrap"
"""Not run as a pass: the oracle `gradient` differentiates with it, and runs what comes out."""
ASYNC = "mlir:func.func(gpu-async-region)"
CONSUMER = (
    "mlir:builtin.module(func.func(gpu-async-region),gpu.module(convert-gpu-to-nvvm),gpu-to-llvm)"
)
"""What MLIR does with the result of `gpu-async-region` on its way to a runtime."""
_CHECKPOINTING = ("enzyme:sink-checkpoint-views", GRADIENT)
_GPU = ("enzyme:func.func(gpu-async-region)", ASYNC, CONSUMER)
_COMMON = (
    "mlir:canonicalize",
    "mlir:cse",
    "mlir:loop-invariant-code-motion",
    "mlir:convert-scf-to-cf",
    "mlir:fold-memref-alias-ops",
    "mlir:expand-strided-metadata",
    "mlir:finalize-memref-to-llvm",
    "mlir:gpu-kernel-outlining",
)
OTHER_MLIR = "mlir-opt-N:func.func(gpu-async-region)"
"""Stands for one target for each `mlir-opt` of another version that is installed."""
TARGETS = {
    "usual": (*_CHECKPOINTING, *_GPU, OTHER_MLIR),
    "checkpointing": _CHECKPOINTING,
    "gpu": (*_GPU, OTHER_MLIR),
    "common": _COMMON,
    "all": (*_CHECKPOINTING, *_GPU, OTHER_MLIR, *_COMMON),
}
"""Passes by the name of a set; those that are not installed are left out.

This project's own passes run beside them, as something to compare with.
"""
_PRICES = {CONSUMER: 3, **dict.fromkeys(_COMMON, 4)}
_OTHER_PRICE = 40
_PASSES_A_BUDGET = 4
_ORACLES_WITH_RUNS = ("equivalence", "replay", "rewriting")
"""Oracles that run programs, or prove more than the verdict: each takes about as long as that."""


def is_due(target: str, number: int, among: Sequence[str]) -> bool:
    """Whether the program of that number is for a target.

    Of several targets, those with a price get one program in so many, and not all the same one.
    """
    cheapest = min(_price(each) for each in among)
    return (number + among.index(target)) % max(_price(target) // cheapest, 1) == 0


def first_look_s(budget_s: float, targets: Sequence[str], oracles: Sequence[str]) -> float:
    """Seconds for the first look at a program: more where it has more passes or dear oracles."""
    passes = max(len(targets) / _PASSES_A_BUDGET, 1.0)
    return budget_s * (passes + sum(name in _ORACLES_WITH_RUNS for name in oracles))


def _price(target: str) -> int:
    return _OTHER_PRICE if target.startswith("mlir-opt-") else _PRICES.get(target, 1)


@dataclass(frozen=True, slots=True)
class Settings:
    """`count` and `time_s` end a campaign, whichever comes first; without both it goes on.

    A campaign with a count draws the same programs wherever it runs. `budget_s` is the time for a
    verdict and a few passes, of which `first_look_s` makes that after which a program is put off.
    """

    seed: int
    targets: tuple[str, ...]
    oracles: tuple[str, ...]
    count: int | None = None
    time_s: float | None = None
    mode: str = "batch"
    corpus: tuple[str, ...] = ()
    budget_s: float = 0.06
    jobs: int = 1
    engine: str = "local"
    scheduler: str = ""
    baseline: str = ""

    @property
    def is_steady(self) -> bool:
        """Whether what is drawn may depend on nothing but the seed."""
        return self.count is not None

    def to_plain(self) -> dict[str, Any]:
        """The settings as JSON takes them."""
        return asdict(self)

    @staticmethod
    def from_plain(plain: Mapping[str, Any]) -> Settings:
        """The settings that `to_plain` gave."""
        names = ("targets", "oracles", "corpus")
        given: dict[str, Any] = {**plain, **{name: tuple(plain[name]) for name in names}}
        return Settings(**given)


SHOWN = ("found", "gradient")
"""Folders of `corpus/` whose files show faults of real compilers: not what to look for again."""


def corpus_files(folder: Path | None) -> tuple[str, ...]:
    """The programs of a folder that are seeds.

    Without one those of `corpus/`, if it is there, but for those that show a compiler's fault.
    """
    root = Path("corpus") if folder is None else folder
    left_out = {root / name for name in SHOWN} if folder is None else set[Path]()
    paths = (path for path in root.rglob("*.mlir") if left_out.isdisjoint(path.parents))
    return tuple(sorted(path.as_posix() for path in paths))
