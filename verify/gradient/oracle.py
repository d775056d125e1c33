"""The oracle itself: differentiates a function in every variant, runs all, and compares."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import UnregisteredOp
from xdsl.ir import Operation

from verify.diagnostic import Location
from verify.gradient.result import (
    FAULTS,
    GradientResult,
    Options,
    VariantResult,
)
from verify.gradient.session import Session, open_session
from verify.gradient.signature import GradientUsageError, find_function, signature_of
from verify.gradient.variant_runs import run_variant
from verify.gradient.variants import reduced_to, schedule_of, variants_of
from verify.gradient.versions import versions
from verify.ir.module import ParsedModule
from verify.ir.names import dialect_name, op_name
from verify.ir.spans import file_location_of
from verify.semantics.machine import rule_for
from verify.semantics.views_by_name import is_checkpointed
from verify.toolchain.enzyme import is_installed

NO_ENZYME = "Enzyme is not installed: pip install 'verify-ir[enzyme]' on Python 3.11"
_DEVICE_DIALECTS = frozenset({"gpu", "async", "nvvm", "rocdl", "nvgpu"})


def check_gradient(
    module: ParsedModule, function: str | None = None, options: Options | None = None
) -> GradientResult:
    """Judge the gradients of one function of a module, which is left as it was.

    Without a name, the only function with a body is meant. Raises `GradientUsageError` where the
    function cannot be differentiated or run as it is asked, or Enzyme is not there.
    """
    options = options or Options()
    begin = time.perf_counter()
    if not is_installed():
        raise GradientUsageError(NO_ENZYME)
    found = find_function(module, function)
    _refuse_ops(found)
    signature = signature_of(found, options.activities)
    session = open_session(reduced_to(module, found), signature, options)
    variants = variants_of(found, options.schedules, options.sinks)
    results = tuple(run_variant(session, variant) for variant in variants)
    return GradientResult(
        path=module.path,
        function=signature.function,
        written=schedule_of(found) if len(variants) > 1 else "",
        activities={each.name: each.activity for each in signature.arguments},
        elements=tuple(session.names),
        samples=session.samples(),
        variants=results,
        tolerance=session.tolerance,
        seed=options.seed,
        location=_location(found),
        notes=tuple(_notes(session, results)),
        toolchains=versions(),
        seconds=time.perf_counter() - begin,
    )


def _refuse_ops(function: Operation) -> None:
    """Work on a device cannot be run here, nor what nobody knows."""
    for op in function.walk():
        if dialect_name(op) in _DEVICE_DIALECTS:
            raise GradientUsageError(f"`{op_name(op)}` cannot be run on the CPU")
        if isinstance(op, UnregisteredOp) and rule_for(op_name(op)) is None:
            raise GradientUsageError(f"what `{op_name(op)}` does is not known")


def _location(function: Operation) -> Location | None:
    """The first checkpointed loop, or else the function."""
    loops = [op for op in function.walk() if is_checkpointed(op)]
    place = file_location_of((loops or [function])[0].location)
    if place is None:
        return None
    return Location(place.filename.data, place.line.data, place.column.data)


def _notes(session: Session, results: Sequence[VariantResult]) -> Iterator[str]:
    if session.not_run:
        yield session.not_run
    elif session.prepared.reason:
        reason = session.prepared.reason
        yield f"the interpreter cannot tell whether the inputs are valid: {reason}"
    if len(results) == 1:
        yield "no loop of it is checkpointed"
    elif results[0].status in FAULTS:
        yield "Enzyme is at fault on it without checkpoints as well"
    reasons: dict[str, list[str]] = {}
    for each in results:
        if each.fallback:
            reasons.setdefault(each.fallback, []).append(each.variant.name)
    for reason, names in reasons.items():
        yield f"the interpreter ran {', '.join(names)}, which cannot be lowered: {reason}"
