"""Which programs a round of a campaign draws, from the seed and from what earlier rounds showed.

Rounds are planned `LAG` ahead, so that no worker waits for the slowest program of a round. The
plan of a round depends on the seed and on the rounds up to `LAG` before it alone: it is the same
however many workers there are and in whatever order they finish.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from fuzz.coverage import VERDICT, Coverage
from fuzz.recipes import FAMILIES, Draw, Edit, Recipe, choices_of, from_json
from fuzz.settings import Settings
from fuzz.tables import ProgramRow

ROUND = 60
LAG = 3
_MOST_PARENTS = 400
_MOST_PATCHES = 6
_FRESH, _CHANGED, _EDITED = 5, 4, 1


class Planner:
    """Grows with the rounds that are applied, in order."""

    def __init__(self, settings: Settings) -> None:
        """Nothing was seen yet."""
        self.settings = settings
        self.coverage = Coverage()
        self._parents: list[tuple[Recipe, tuple[str, ...]]] = []
        self._drawn: Counter[str] = Counter()
        self._new: Counter[str] = Counter()

    def apply(self, rows: Sequence[ProgramRow]) -> None:
        """Learn from a round that is complete."""
        for row in sorted(rows, key=lambda r: r.number):
            features = row.features
            if self.settings.is_steady:
                # What is put off depends on the machine, and with it what verdicts are known.
                features = tuple(f for f in features if not _is_timed(f))
            recipe = from_json(row.recipe)
            new = self.coverage.add(features)
            source = recipe.family if isinstance(recipe, Draw) else "files"
            self._drawn[source] += 1
            self._new[source] += min(new, 20)
            if new and isinstance(recipe, Draw):
                self._parents.append((recipe, features))
        if len(self._parents) > _MOST_PARENTS:
            rarest = sorted(self._parents, key=lambda p: self.coverage.rarest(p[1]))
            self._parents = rarest[: _MOST_PARENTS // 2]

    def plan(self, round_: int) -> list[Recipe]:
        """The recipes of one round; the files of the corpus come first, as they are."""
        draw = random.Random(f"{self.settings.seed}/round/{round_}")
        files = self.settings.corpus[round_ * ROUND : (round_ + 1) * ROUND]
        plain: list[Recipe] = [Edit(path, 0, 0, 0) for path in files]
        if self.settings.mode == "coverage":
            return plain
        first = round_ * ROUND
        return plain + [self._one(draw, first + i) for i in range(len(plain), ROUND)]

    def _one(self, draw: random.Random, number: int) -> Recipe:
        weights = [_FRESH, _CHANGED if self._parents else 0, _EDITED if self.settings.corpus else 0]
        way = draw.choices(["fresh", "changed", "edited"], weights)[0]
        if way == "edited":
            path = draw.choice(self.settings.corpus)
            return Edit(path, 0, draw.randrange(1 << 30), draw.choice([1, 1, 2, 3, 5]))
        if way == "changed":
            return self._child(draw)
        size = draw.choices([0.3, 0.6, 1.0], [5, 3, 2])[0]
        return Draw(self._family(draw), f"{self.settings.seed}/{number}", (), size)

    def _family(self, draw: random.Random) -> str:
        """A family, those more often whose programs show new pairs; none is left out."""
        weights = [1 + (1 + self._new[f]) / (1 + self._drawn[f]) for f in FAMILIES]
        return draw.choices(FAMILIES, weights)[0]

    def _child(self, draw: random.Random) -> Recipe:
        """A parent with rare pairs of features, with some of its choices drawn again."""
        some = [draw.choice(self._parents) for _ in range(4)]
        recipe, _ = min(some, key=lambda p: self.coverage.rarest(p[1]))
        assert isinstance(recipe, Draw)
        choices = max(choices_of(recipe), 2)
        first = draw.randrange(choices)
        length = draw.choice([1, 4, 20, choices])
        patches = (*recipe.patches, (first, length, draw.randrange(1 << 30)))
        return replace(recipe, patches=patches[-_MOST_PATCHES:])


def _is_timed(feature: str) -> bool:
    return feature.startswith((f"{VERDICT}:", "after:"))
