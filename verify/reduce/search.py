"""The search for a smaller module: big pieces first, one edit kind after the other, until all stop.

The search is deterministic. Every module that is tried is read back through the frontend, so that
only valid ones are judged, and must be smaller than the best one so far.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp

from verify.ir.frontend import read_text
from verify.ir.module import ParsedModule
from verify.ir.printing import to_generic_text
from verify.reduce.edit import Edit
from verify.reduce.edits import EDITS
from verify.reduce.numbers import with_smaller_numbers
from verify.reduce.sensible import senseless_ops
from verify.reduce.size import Size, size_of

PATH = "<reduced>"


@dataclass(frozen=True, slots=True)
class Budget:
    """When a search ends by itself: after `seconds`, or after `tests` judged modules."""

    seconds: float = 300.0
    tests: int | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """A smaller module was found: what is left, and what it took so far."""

    text: str
    ops: int
    tests: int
    seconds: float
    edit: str


@dataclass(frozen=True, slots=True)
class Reduced:
    """The smallest module found, in generic form; `end` says what ended the search.

    `end` is `complete`, `time`, `tests` or `interrupted`; `tests` counts judged modules, and
    `refused` those that were not valid.
    """

    text: str
    ops_before: int
    ops: int
    tests: int
    refused: int
    seconds: float
    end: str


class NotInterestingError(ValueError):
    """There is nothing to keep: the module itself cannot be read, or is not interesting."""


class _StoppedError(Exception):
    """The budget is spent; carries the word for it."""


def reduce_module(
    text: str,
    is_interesting: Callable[[ParsedModule], bool],
    budget: Budget | None = None,
    *,
    progress: Callable[[Step], None] = lambda _step: None,
) -> Reduced:
    """The smallest module found on which `is_interesting` is true.

    `is_interesting` gets only modules that are valid and have no more ops than the first whose
    undefined behaviour is plain to see; an exception in it counts as no.
    An interrupt ends the search, and what was found so far is given back.
    """
    parsed = read_text(text, PATH)
    if parsed.module is None:
        raise NotInterestingError(parsed.errors[0].message)
    search = _Search(parsed.module, is_interesting, budget or Budget(), progress)
    return search.run()


class _Search:
    def __init__(
        self,
        module: ModuleOp,
        is_interesting: Callable[[ParsedModule], bool],
        budget: Budget,
        progress: Callable[[Step], None],
    ) -> None:
        self._is_interesting = is_interesting
        self._budget = budget
        self._progress = progress
        self._begin = time.perf_counter()
        self._seen: set[str] = set()
        self._tests = self._refused = 0
        self._module = module
        self._text = to_generic_text(module, locations=False)
        self._size = size_of(module, self._text)
        self._ops_before = self._size.ops
        self._senseless = senseless_ops(module)

    def run(self) -> Reduced:
        end = "complete"
        try:
            if self._judged(self._text) is None:
                raise NotInterestingError("what should be kept does not occur")
            self._to_the_end()
        except _StoppedError as stop:
            end = str(stop)
        except KeyboardInterrupt:
            end = "interrupted"
        seconds = time.perf_counter() - self._begin
        left = self._size.ops
        return Reduced(self._text, self._ops_before, left, self._tests, self._refused, seconds, end)

    def _to_the_end(self) -> None:
        """Go through all edits again and again until none of them finds anything."""
        before: Size | None = None
        while before != self._size:
            before = self._size
            for edit in EDITS:
                self._apply(edit)
            self._shrink_numbers()

    def _apply(self, edit: Edit) -> None:
        """One edit at all its sites, in ever smaller pieces."""
        size = len(edit.find(self._module)) if edit.is_joint else 1
        while size:
            begin = 0
            while begin < len(edit.find(self._module)):
                candidate = self._module.clone()
                sites = edit.find(candidate)[begin : begin + size]
                if not (edit.change(sites) and self._accept(candidate, edit.name)):
                    begin += size
            size //= 2

    def _accept(self, candidate: ModuleOp, name: str) -> bool:
        text = to_generic_text(candidate, locations=False)
        return self._accept_text(text, size_of(candidate, text), name)

    def _accept_text(self, text: str, size: Size, name: str) -> bool:
        """Keep a candidate that is smaller and still interesting."""
        if size >= self._size:
            return False
        parsed = self._judged(text)
        if parsed is None or parsed.module is None:
            return False
        self._module, self._text, self._size = parsed.module, text, size
        seconds = time.perf_counter() - self._begin
        self._progress(Step(text, size.ops, self._tests, seconds, name))
        return True

    def _judged(self, text: str) -> ParsedModule | None:
        """The module that `text` holds when it is new, valid and interesting."""
        if text in self._seen:
            return None
        self._check_budget()
        self._seen.add(text)
        parsed = read_text(text, PATH)
        if not is_valid(parsed) or self._makes_less_sense(parsed):
            self._refused += 1
            return None
        self._tests += 1
        try:
            return parsed if self._is_interesting(parsed) else None
        except Exception:  # noqa: BLE001 - another fault is not the one to keep
            return None

    def _makes_less_sense(self, parsed: ParsedModule) -> bool:
        return parsed.module is not None and senseless_ops(parsed.module) > self._senseless

    def _check_budget(self) -> None:
        if time.perf_counter() - self._begin > self._budget.seconds:
            raise _StoppedError("time")
        if self._budget.tests is not None and self._tests >= self._budget.tests:
            raise _StoppedError("tests")

    def _shrink_numbers(self) -> None:
        """Smaller numbers in the text, each time from the start."""
        was_found = True
        while was_found:
            was_found = any(self._try_number(text) for text in self._numbers())

    def _numbers(self) -> Iterator[str]:
        yield from with_smaller_numbers(self._text)

    def _try_number(self, text: str) -> bool:
        size = self._size.with_text(text)
        return self._accept_text(text, size, "numbers")


def is_valid(parsed: ParsedModule) -> bool:
    """Whether the frontend took the module; MLIR has verified it where MLIR read it."""
    if parsed.module is None:
        return False
    if parsed.frontend != "xdsl":
        return True
    try:
        parsed.module.verify()
    except Exception:  # noqa: BLE001 - verifiers of ops raise whatever they like
        return False
    return True
