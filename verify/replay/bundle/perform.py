"""Running a bundle: before and after its pass, on a device, and on the CPU to compare."""

from __future__ import annotations

import platform
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from verify.ir.generic_text import GenericTextError, read_generic_text
from verify.ir.names import op_name
from verify.replay.arrays import CPU, Arrays
from verify.replay.attempts import attempts_for, is_confirmed
from verify.replay.bundle.manifest import RESULT_SCHEMA, Bundle, BundleError
from verify.replay.forced import DIFFERS, ends_as_on_cpu, force
from verify.replay.plans import USUAL, Manner
from verify.replay.recipes import RecipeError
from verify.replay.rerun import (
    Rerun,
    Subject,
    rerun,
    rerun_after,
    rerun_pair,
    same_function,
    subject_of,
)
from verify.report.phrases import say_attempt, say_streams


def perform(
    bundle: Bundle, name: str, arrays: Arrays = CPU, manner: Manner = USUAL
) -> dict[str, Any]:
    """The result of a bundle whose identity is `name`, in JSON's own types."""
    begin = time.perf_counter()
    try:
        before, after = _both(bundle, arrays.watched(), manner)
        streams = force(_subject(bundle, arrays), bundle.recipe)
        ends_alike = ends_as_on_cpu(_subject(bundle, arrays), bundle.recipe)
        cpu = before if arrays.device == "cpu" else _both(bundle, CPU, manner)[0]
    except BundleError:
        raise
    except (RecipeError, GenericTextError) as error:
        raise BundleError(str(error)) from error
    except Exception as error:
        what = f"{type(error).__name__}: {error}".split("\n", 1)[0][:200]
        raise BundleError(f"its IR cannot be run: {what}") from error
    attempts = []
    if bundle.recipe.kind == "space":
        attempts = attempts_for(arrays.device, str(bundle.recipe.evidence.get("real", "")))
        before = replace(before, shows=before.shows and is_confirmed(attempts))
    return {
        "schema": RESULT_SCHEMA,
        "bundle": name,
        "device": arrays.device,
        "device_name": arrays.name,
        "note": arrays.note,
        "schedule": str(manner.plan),
        "layout": manner.layout,
        "versions": versions(arrays),
        "reproduced": before.shows,
        "before": before.plain(),
        "after": None if after is None else after.plain(),
        "streams": None if streams is None else streams.plain(),
        "attempts": [each.plain() for each in attempts],
        "agrees_with_cpu": _agree(cpu, before, streams) and ends_alike,
        "cpu_rows": [row.plain() for row in cpu.rows],
        "seconds": round(time.perf_counter() - begin, 6),
    }


def _agree(cpu: Rerun, device: Rerun, streams: Rerun | None) -> bool:
    """Whether a device shows what the CPU does, row by row, and ends alike in program order."""
    is_apart = streams is not None and streams.status == DIFFERS
    return cpu.rows == device.rows and cpu.status == device.status and not is_apart


def versions(arrays: Arrays) -> dict[str, str]:
    """What the run depends on."""
    found = {"python": platform.python_version(), "numpy": np.__version__}
    if arrays.device == "cuda":
        found["cupy"] = str(arrays.module.__version__)
    return found


def _subject(bundle: Bundle, arrays: Arrays) -> Subject:
    return subject_of(read_generic_text(bundle.module), bundle.recipe, arrays)


def _both(bundle: Bundle, arrays: Arrays, manner: Manner) -> tuple[Rerun, Rerun | None]:
    subject = _subject(bundle, arrays)
    if bundle.recipe.kind == "difference":
        target = _other(bundle.target, subject, arrays)
        if target is None:
            raise BundleError("there is no target to hold against the source")
        return rerun_pair(subject, target, bundle.recipe), None
    target = _other(bundle.after, subject, arrays)
    after = target and rerun_after(target, bundle.recipe, manner)
    return rerun(subject, bundle.recipe, manner), after


def _other(text: str | None, subject: Subject, arrays: Arrays) -> Subject | None:
    """The same function in another module of the bundle."""
    if text is None:
        return None
    module = read_generic_text(text)
    found = same_function(module, subject.name, op_name(subject.function), arrays)
    if found is None:
        raise BundleError(f"`@{subject.name}` is not in the other module")
    return found


def say_result(bundle: Bundle, result: Mapping[str, Any]) -> list[str]:
    """A few lines for a person."""
    finding, before, after = bundle.finding, result["before"], result["after"]
    place = finding["location"]
    where = f"{place['file']}:{place['line']}" if place else finding["path"]
    seen = "reproduced" if result["reproduced"] else "not reproduced"
    lines = [
        f"{finding['code']} in `@{finding['function']}`, {where}: {finding['message']}",
        f"  {seen} on {result['device_name']} ({len(before['rows'])} differ, {before['status']})",
    ]
    lines += [f"  {_say_row(row)}" for row in before["rows"][:8]]
    lines += [f"  {say_attempt(each)}" for each in result["attempts"]]
    if result["streams"] is not None:
        lines.append(f"  {say_streams(result['streams'])}")
    if after is not None:
        left = "none differs" if not after["rows"] else f"{len(after['rows'])} differ"
        lines.append(f"  after `{bundle.cure}`: {left} ({after['status']})")
    return [line.encode("unicode_escape").decode() for line in lines]


def _say_row(row: Mapping[str, Any]) -> str:
    where = "" if row["segment"] is None else f"replay from {row['segment']}, "
    iteration = "" if row["iteration"] is None else f"iteration {row['iteration']}, "
    place = "" if row["line"] is None else f" of line {row['line']}"
    op = row["op"] or row["kind"]
    return f"{where}{iteration}{op}{place}: expected {row['expected']}, got {row['actual']}"
