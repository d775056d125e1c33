"""What a campaign is told, kept in its store so that it can go on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

MODES = ("batch", "change", "prune", "coverage")
TARGETS = (
    "enzyme:sink-checkpoint-views",
    "enzyme:func.func(gpu-async-region)",
    "mlir:func.func(gpu-async-region)",
)
"""The passes of a campaign that names none; those that are not installed are left out.

This project's own passes run beside them, as something to compare with.
"""


@dataclass(frozen=True, slots=True)
class Settings:
    """`count` and `time_s` end a campaign, whichever comes first; without both it goes on.

    A campaign with a count draws the same programs wherever it runs. `budget_s` is the time after
    which a program is put off for later.
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


def corpus_files(folder: Path | None) -> tuple[str, ...]:
    """The programs of a folder that are seeds; without one, those of `corpus/` if it is there."""
    root = Path("corpus") if folder is None else folder
    return tuple(sorted(path.as_posix() for path in root.rglob("*.mlir")))
