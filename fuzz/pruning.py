"""The smallest corpus that still shows every pair of features a campaign has seen."""

from __future__ import annotations

from pathlib import Path

from fuzz.coverage import Pair, pairs_of
from fuzz.judging import JUDGED
from fuzz.recipes import from_json, source_of, text_of
from fuzz.store import Store


def chosen(store: Store) -> tuple[list[tuple[int, str]], int]:
    """Numbers and recipes of programs that together show all pairs, and how many pairs those are.

    Greedy: the program with the most pairs that are still missing comes next. A program that
    shows nothing which the others do not is left out at the end.
    """
    seen = {
        row.number: (row.recipe, frozenset(pairs_of(row.features)))
        for row in store.programs("WHERE status = ?", (JUDGED,))
    }
    missing: set[Pair] = set().union(*(pairs for _, pairs in seen.values()))
    total = len(missing)
    order: list[int] = []
    left = dict(seen)
    while missing and left:
        best = max(left, key=lambda n: (len(left[n][1] & missing), -n))
        missing -= left.pop(best)[1]
        order.append(best)
        if len(order) % 50 == 0:
            left = {n: v for n, v in left.items() if v[1] & missing}
    return [(n, seen[n][0]) for n in _needed(order, {n: seen[n][1] for n in order})], total


def _needed(order: list[int], pairs: dict[int, frozenset[Pair]]) -> list[int]:
    counts: dict[Pair, int] = {}
    for number in order:
        for pair in pairs[number]:
            counts[pair] = counts.get(pair, 0) + 1
    kept: list[int] = []
    for number in order:
        if all(counts[pair] > 1 for pair in pairs[number]):
            for pair in pairs[number]:
                counts[pair] -= 1
        else:
            kept.append(number)
    return kept


def write_corpus(store: Store, folder: Path) -> tuple[int, int]:
    """Write those programs to a folder; gives how many, and how many pairs they show."""
    programs, pairs = chosen(store)
    folder.mkdir(parents=True, exist_ok=True)
    seeds = store.seeds()
    for number, line in programs:
        recipe = from_json(line)
        text = text_of(recipe, seeds.get(source_of(recipe), ""))
        (folder / f"program_{number:06}.mlir").write_text(text, encoding="utf-8")
    return len(programs), pairs
