"""Faulty versions of the passes, of what ops mean and of the checker, one file a fault.

A file's docstring says the fault in its first line and then why somebody would write it. Its
`apply` replaces a function, a method or a rule, so a mutant is the real code with one fault. The
folder is the kind of the mutant. A file may name the `FAMILIES` of programs that it is about.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias

from xdsl.ir import Operation

from verify.semantics.machine import RULES, Machine, Rule, Value, rule_for

_FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Kind:
    """What a folder of mutants is about.

    `families` are the programs, `targets` the passes that are run, `twins` real passes of the
    same name to compare with, `oracles` who judges, in this order. Verdicts on checkpointed loops
    are dear: one program in `dear` is asked for them.
    """

    title: str
    families: tuple[str, ...]
    targets: tuple[str, ...]
    twins: tuple[str, ...]
    oracles: tuple[str, ...]
    dear: int = 1


_PASS = ("output", "refusal", "contract", "equivalence", "own-pass", "invariants")
_RULES = ("reference", "replay", "invariants", "equivalence")
KINDS = {
    "sink": Kind(
        "the pass sink-checkpoint-views", ("checkpointed",), ("sink-checkpoint-views",),
        ("enzyme:sink-checkpoint-views",), _PASS, dear=4,
    ),
    "async_region": Kind(
        "the pass gpu-async-region", ("synchronous",), ("gpu-async-region",),
        ("mlir:func.func(gpu-async-region)",), _PASS,
    ),
    "semantics": Kind(
        "what ops mean", ("checkpointed", "tokens", "synchronous"),
        ("gpu-async-region",), (), ("native", *_RULES), dear=4,
    ),
    "checker": Kind(
        "the checker and the replay", ("checkpointed", "tokens", "synchronous"),
        ("gpu-async-region",), (), _RULES,
    ),
}  # fmt: skip
"""The kinds of mutants by their folders."""

Change: TypeAlias = Callable[[Machine, Operation, Rule], Sequence[Value]]
"""A faulty rule, which is given the right one."""


class Patch:
    """Replaces parts of modules and classes, and puts them back."""

    def __init__(self) -> None:
        """Nothing is replaced yet."""
        self._undo: list[Callable[[], None]] = []

    def get(self, owner: Any, name: str) -> Any:
        """What a module or class calls `name`, its private parts included."""
        return vars(owner)[name]

    def set(self, owner: Any, name: str, new: Any) -> Any:
        """Replace what a module or class calls `name`; returns what it was."""
        old = vars(owner)[name]
        setattr(owner, name, new)
        self._undo.append(lambda: setattr(owner, name, old))
        return old

    def rule(self, name: str, change: Change) -> None:
        """Replace the rule of the op called `name`."""
        right = rule_for(name)
        if right is None:
            raise KeyError(name)
        RULES[name] = lambda m, op: change(m, op, right)
        self._undo.append(lambda: RULES.__setitem__(name, right))

    def undo(self) -> None:
        """Put everything back."""
        while self._undo:
            self._undo.pop()()


@dataclass(frozen=True, slots=True)
class Mutant:
    """One fault: `name` is `kind/file`, `fault` and `reason` come from the file's docstring."""

    name: str
    fault: str
    reason: str
    families: tuple[str, ...]
    apply: Callable[[Patch], None]

    @property
    def kind(self) -> Kind:
        """What it is about."""
        return KINDS[self.name.partition("/")[0]]

    @contextmanager
    def applied(self) -> Generator[None]:
        """The fault is there in a block."""
        patch = Patch()
        try:
            self.apply(patch)
            yield
        finally:
            patch.undo()


def names() -> list[str]:
    """All mutants, kind by kind."""
    return [
        f"{kind}/{path.stem}"
        for kind in KINDS
        for path in sorted((_FOLDER / kind).glob("*.py"))
        if path.stem != "__init__"
    ]


def load(name: str) -> Mutant:
    """The mutant called `kind/file`."""
    kind, _, file = name.partition("/")
    module = import_module(f"fuzz.mutants.{kind}.{file}")
    fault, _, reason = (module.__doc__ or "").partition("\n")
    families: tuple[str, ...] = getattr(module, "FAMILIES", KINDS[kind].families)
    return Mutant(name, fault.strip().rstrip("."), " ".join(reason.split()), families, module.apply)
