"""One program judged under one mutant, or by the code as it is."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from fuzz import mutants, oracles
from fuzz.finding import Finding
from fuzz.mutants import Kind
from fuzz.recipes import Draw, program_of, text_of
from fuzz.subject import Limits, PutOffError, Subject, budget, subject_of, wants
from verify.toolchain.registry import toolchains

TWIN = "own-pass"
"""The oracle that compares a pass with a real one of the same name."""
SIZES = (0.3, 0.6, 0.3, 1.0)
_DEAR = ("reference", "replay", "invariants")
_BUDGET_S = 1.0
_LIMITS = Limits(solver_s=0.1, pass_s=10.0, runs=8)


@dataclass(frozen=True, slots=True)
class Trial:
    """A program by its number; `mutant` is empty for the code as it is."""

    mutant: str
    kind: str
    families: tuple[str, ...]
    seed: int
    number: int

    @property
    def recipe(self) -> Draw:
        """The program: families take turns, and small ones are more frequent."""
        family = self.families[self.number % len(self.families)]
        size = SIZES[self.number // len(self.families) % len(SIZES)]
        return Draw(family, f"{self.seed}/{self.number}", (), size)


def judge(trial: Trial) -> list[Finding] | None:
    """What all oracles of the kind say of the program; `None` where that took too long."""
    recipe = trial.recipe
    subject = subject_of(text_of(recipe), _LIMITS)
    subject.program = program_of(recipe)
    if subject.parsed.module is None:
        return []
    found: list[Finding] = []
    try:
        with budget(_BUDGET_S):
            for name in _oracles(trial):
                found += _asked(name, subject, mutants.KINDS[trial.kind])
    except PutOffError:
        return found or None
    return found


def _oracles(trial: Trial) -> tuple[str, ...]:
    kind = mutants.KINDS[trial.kind]
    is_spared = trial.recipe.family == "checkpointed" and trial.number % kind.dear > 0
    return tuple(name for name in kind.oracles if not (is_spared and name in _DEAR))


def _asked(name: str, subject: Subject, kind: Kind) -> Iterator[Finding]:
    targets = _there(kind.twins) if name == TWIN else kind.targets
    wanted = [target for target in targets if wants(target, subject.parsed)]
    try:
        yield from oracles.load(name)(subject, wanted)
    except Exception as error:  # noqa: BLE001 - code with a fault may fail in any way
        frames = traceback.extract_tb(error.__traceback__)
        words = f"{type(error).__name__}: {str(error).split(chr(10), 1)[0]} in {frames[-1].name}"
        yield Finding("crash", "", "E0304", f"an exception ends it: {words}", words)


def _there(targets: tuple[str, ...]) -> list[str]:
    known = {each.name for each in toolchains() if each.available}
    return [target for target in targets if target.partition(":")[0] in known]


def trial_from_plain(plain: dict[str, Any]) -> Trial:
    """The trial that `asdict` made plain."""
    given: dict[str, Any] = {**plain, "families": tuple(plain["families"])}
    return Trial(**given)
