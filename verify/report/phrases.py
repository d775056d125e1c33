"""Sentences for counterexamples, replays and counts, in plain numbers."""

import math
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from verify.codes import Severity, severity_of
from verify.diagnostic import Counterexample, Diagnostic, Replay
from verify.report.style import clean

_LONGEST_LIST = 8
_LONGEST_SCHEDULE = 12


def plain(value: Any) -> Any:
    """`value` with only JSON's own types: NumPy scalars unwrapped, NaN and infinities spelled."""
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item) for item in value]
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    return str(value)


def say_value(value: Any) -> str:
    """A value as a person writes it; long lists are cut."""
    simple = plain(value)
    if isinstance(simple, list):
        shown = ", ".join(say_value(item) for item in simple[:_LONGEST_LIST])
        return f"[{shown}, ...]" if len(simple) > _LONGEST_LIST else f"[{shown}]"
    if isinstance(simple, bool):
        return str(simple).lower()
    return clean(str(simple))


def say_counterexample(counterexample: Counterexample) -> str:
    """Inputs, iterations and accesses as one sentence, in the order in which they happen."""
    parts = [f"{_say_name(name)} = {say_value(value)}" for name, value in _items(counterexample)]
    previous: Any = None
    for access in counterexample.accesses:
        parts.append(_say_access(access, is_same=access.get("bytes") == previous))
        previous = access.get("bytes")
    if counterexample.schedule:
        parts.append(f"ops run in the order {_say_schedule(counterexample.schedule)}")
    return "; ".join(parts) if parts else "any input"


def _say_schedule(steps: Sequence[Mapping[str, Any]]) -> str:
    """The ops of a schedule; a stretch that repeats itself is told once, and a long list is cut."""
    told = [_say_step(step) for step in steps]
    shown: list[str] = []
    while told:
        size = next((n for n in range(1, 5) if told[:n] == told[n : 2 * n]), 0)
        times = 1
        while size and told[size * times : size * (times + 1)] == told[:size]:
            times += 1
        stretch = ", ".join(told[: size or 1])
        shown.append(f"{stretch} ({times} times)" if size else stretch)
        told = told[(size or 1) * times :]
    cut = ", ..." if len(shown) > _LONGEST_SCHEDULE else ""
    return ", ".join(shown[:_LONGEST_SCHEDULE]) + cut


def _say_step(step: Mapping[str, Any]) -> str:
    line = step.get("line")
    name = clean(str(step.get("op", "an op")))
    return f"`{name}` of line {line}" if line is not None else f"`{name}`"


def _say_name(name: str) -> str:
    """A value's name in back-ticks; in `sizes of %row`, only the value."""
    shown = clean(name)
    return re.sub(r"%\S+", lambda found: f"`{found[0]}`", shown) if " " in shown else f"`{shown}`"


def _items(counterexample: Counterexample) -> list[tuple[str, Any]]:
    """Inputs, and iterations too when no access tells them."""
    items = list(counterexample.inputs.items())
    if not counterexample.accesses:
        items += counterexample.iterations.items()
    return items


def _say_access(access: Mapping[str, Any], *, is_same: bool) -> str:
    kind = str(access.get("kind", "access"))
    if kind == "layout":
        return f"{_say_who(access)} relies on where memory lies, in `{clean(str(access['op']))}`"
    verb = {"read": "reads", "write": "writes"}.get(kind, kind)
    what = "it" if is_same and access.get("bytes") else say_bytes(access.get("bytes"))
    through = f" through `{clean(str(access['capture']))}`" if access.get("capture") else ""
    return f"{_say_who(access)} {verb} {what}{through}"


def _say_who(access: Mapping[str, Any]) -> str:
    iteration = access.get("iteration")
    if iteration is not None:
        return f"iteration {say_value(iteration)}"
    return f"`{access['op']}`" if access.get("op") else "the program"


def say_bytes(span: Sequence[int] | None) -> str:
    """Half-open `[first, end)` as `byte 3` or `bytes 0 to 7`, last one included."""
    if not span:
        return "memory"
    first, end = span[0], span[1]
    return f"byte {first}" if end - first == 1 else f"bytes {first} to {end - 1}"


def say_replay(replay: Replay) -> str:
    """What the concrete run showed."""
    if replay.status != "confirmed":
        return f"{replay.status.replace('-', ' ')} ({replay.device})"
    if replay.expected is None and replay.actual is None:
        return f"{replay.status} ({replay.device})"
    expected, actual = say_value(replay.expected), say_value(replay.actual)
    return f"expected {expected}, got {actual} ({replay.device}, {replay.status})"


def say_attempt(attempt: Mapping[str, Any]) -> str:
    """How an attempt to copy memory of another space ended."""
    what = clean(attempt["memory"] or "memory of another space")
    simulated = " (simulated)" if attempt["device"] == "cpu" else ""
    ends = {
        "signal": "ended with {}",
        "error": "failed: {}",
        "copied": "succeeded",
        "not-run": "was not attempted: {}",
    }
    end = ends[attempt["end"]].format(clean(attempt["detail"]))
    return f"a copy of {what}{simulated} in a child process {end}"


def say_streams(run: Mapping[str, Any]) -> str:
    """What an order of asynchronous work that was forced on the streams of a device showed."""
    if run["status"] != "ran":
        return f"forced on streams: no run ({clean(run['reason'])})"
    if not run["rows"]:
        return "forced on streams: nothing differs"
    return "forced on streams: " + ", ".join(_say_forced(row) for row in run["rows"])


def _say_forced(row: Mapping[str, Any]) -> str:
    expected, actual = (clean(say_value(row[key])) for key in ("expected", "actual"))
    return f"{clean(row['kind'])} {actual}, not {expected}"


def say_evidence(diagnostic: Diagnostic) -> Iterator[tuple[str, str]]:
    """Labelled sentences behind a finding: notes, counterexample, replay and help.

    A counterexample that holds for any input, and a replay that only says that it was made, are
    left out of warnings, where nothing goes wrong.
    """
    for note in diagnostic.notes:
        yield "note", clean(note)
    is_error = severity_of(diagnostic.code) is Severity.ERROR
    if diagnostic.counterexample and (is_error or diagnostic.counterexample.accesses):
        yield "counterexample", say_counterexample(diagnostic.counterexample)
    if diagnostic.replay and (is_error or diagnostic.replay.expected is not None):
        yield "replay", say_replay(diagnostic.replay)
    if diagnostic.help:
        yield "help", clean(diagnostic.help)


def count(number: int, noun: str) -> str:
    """`1 file`, `2 files`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def say_try(diagnostic: Diagnostic, path: str) -> str | None:
    """The command that shows the cure of a captured view, where the help line speaks of sinking."""
    fits = diagnostic.code in ("E0101", "W0102") and "sink" in (diagnostic.help or "")
    if not fits or diagnostic.stage != "input" or path.startswith(("-", "<")):
        return None
    file, separator, _ = path.rpartition("#")
    flag = " --split-input-file" if separator else ""
    return f"verify-ir passes {shlex.quote(clean(file or path))} -p sink-checkpoint-views{flag}"
