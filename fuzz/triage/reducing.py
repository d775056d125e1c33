"""Makes the program of a finding smaller: first by drawing it again, then piece by piece."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, replace

from fuzz.recipes import Draw, Edit, from_json, text_of
from fuzz.triage.aim import Aim, Holds, aim_of, groups_on, named_aim
from fuzz.triage.task import PARTIAL, REDUCED, WHOLE, Task
from verify.ir.frontend import read_text
from verify.reduce.search import (
    PATH,
    Budget,
    NotInterestingError,
    Reduced,
    Step,
    reduce_module,
)
from verify.reduce.written import readable
from verify.toolchain.stacks import without_names

_SIZES = (0.1, 0.2, 0.4, 0.7)
_NOT_ALONE = "it does not show on its program alone"
_SHARE = 0.15
"""Of the time, for drawing again."""


@dataclass(frozen=True, slots=True)
class Smaller:
    """The smallest program found, and how it was come by; `why` tells what ended the search."""

    text: str
    state: str
    why: str = ""
    ops_before: int = 0
    ops: int = 0
    tests: int = 0
    is_shown: bool = True


def smaller(task: Task, tell: Callable[[str], None]) -> Smaller:
    """The smallest program found in the time of the task; `tell` gets each one on the way."""
    begin = time.monotonic()
    found = _search(task, tell, begin, aim_of)
    if task.code != "E0304" or _is_same_crash(task, found):
        return found
    # Bare stacks take other ends of a process for the same, or the same one for others.
    left = task.seconds - (time.monotonic() - begin)
    again = _search(replace(task, seconds=max(left, task.seconds / 2)), tell, begin, named_aim)
    return again if again.is_shown else found


def _is_same_crash(task: Task, found: Smaller) -> bool:
    return found.state != WHOLE and task.group in groups_on(task, found.text).groups


def _search(
    task: Task,
    tell: Callable[[str], None],
    begin: float,
    choose: Callable[[Task], Aim | None],
) -> Smaller:
    is_bare = task.code == "E0304" and choose is aim_of
    with without_names() if is_bare else nullcontext():
        aim = choose(task)
        if aim is None:
            return Smaller(task.text, WHOLE, _NOT_ALONE, is_shown=False)
        start = _drawn_smaller(task, aim.holds, begin)
        tell(start)
        left = max(task.seconds - (time.monotonic() - begin), 1.0)
        try:
            return _reduced(start, aim, left, tell)
        except NotInterestingError as error:
            return Smaller(start, WHOLE, f"it does not show in generic form: {error}")


def _reduced(start: str, aim: Aim, seconds: float, tell: Callable[[str], None]) -> Smaller:
    def progress(step: Step) -> None:
        tell(readable(step.text)[0])

    found = reduce_module(start, aim.holds, Budget(seconds), progress=progress)
    found, holds = _on_right(found, aim, seconds)
    text = _readable(found.text, holds)
    is_complete = found.end == "complete"
    why = "" if is_complete else f"the search was cut short: {found.end}"
    state = REDUCED if is_complete else PARTIAL
    return Smaller(text, state, why, found.ops_before, found.ops, found.tests)


def _on_right(found: Reduced, aim: Aim, seconds: float) -> tuple[Reduced, Holds]:
    """The search from a program without a fault of its own, where one was met on the way."""
    holds = aim.holds_on_right
    if holds is None or not aim.right or holds(read_text(found.text, PATH)):
        return found, aim.holds
    left = max(seconds - found.seconds, 1.0)
    again = reduce_module(aim.right[-1], holds, Budget(left))
    again = replace(
        again, ops_before=found.ops_before, tests=found.tests + again.tests,
        seconds=found.seconds + again.seconds,
    )  # fmt: skip
    return again, holds


def _readable(generic: str, holds: Holds) -> str:
    """The most readable form that shows it."""
    for printed in readable(generic):
        text = "".join(f"{line.rstrip()}\n" for line in printed.strip("\n").splitlines())
        parsed = read_text(text, "program.mlir")
        if parsed.module is not None and holds(parsed):
            return text
    return generic


def _drawn_smaller(task: Task, holds: Holds, begin: float) -> str:
    """The shortest program that the recipe gives with fewer patches or edits, or a smaller size."""
    best = task.text
    for text in _redrawn(task):
        if time.monotonic() - begin > _SHARE * task.seconds:
            break
        parsed = read_text(text, "program.mlir") if len(text) < len(best) else None
        if parsed is not None and parsed.module is not None and holds(parsed):
            best = text
    return best


def _redrawn(task: Task) -> Iterator[str]:
    recipe = from_json(task.recipe) if task.recipe else None
    if isinstance(recipe, Edit):
        for edits in range(recipe.edits):
            yield text_of(replace(recipe, edits=edits), task.base)
    if not isinstance(recipe, Draw):
        return
    sizes = (recipe.size, *(s for s in _SIZES if s < recipe.size))
    for size in sizes:
        for kept in range(len(recipe.patches) + 1):
            yield text_of(replace(recipe, size=size, patches=recipe.patches[:kept]))
