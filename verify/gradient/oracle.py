"""The oracle itself: differentiates a function in every variant, runs all, and compares."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence

from xdsl.dialects.builtin import SymbolRefAttr, UnregisteredOp
from xdsl.ir import Operation

from verify.diagnostic import Location
from verify.gradient.result import (
    FAULTS,
    GradientResult,
    Options,
    VariantResult,
)
from verify.gradient.session import Session, open_session
from verify.gradient.signature import (
    GradientUsageError,
    find_function,
    has_body,
    signature_of,
)
from verify.gradient.variant_runs import run_variant
from verify.gradient.variants import reduced_to, schedule_of, variants_of
from verify.gradient.versions import versions
from verify.ir.module import ParsedModule
from verify.ir.names import attr, dialect_name, op_name, symbol_name
from verify.ir.spans import op_location
from verify.semantics.machine import rule_for
from verify.semantics.views_by_name import is_checkpointed
from verify.toolchain.enzyme import is_installed

NO_ENZYME = "Enzyme is not installed: pip install 'verify-ir[enzyme]' on Python 3.11"
_DEVICE_DIALECTS = frozenset({"gpu", "async", "nvvm", "rocdl", "nvgpu"})


def check_gradient(
    module: ParsedModule,
    function: str | None = None,
    options: Options | None = None,
    progress: Callable[[str], None] = lambda _line: None,
) -> GradientResult:
    """Judge the gradients of one function of a module, which is left as it was.

    Without a name, the only function with a body is meant. `progress` gets a line about each step
    before it begins. Raises `GradientUsageError` where the function cannot be differentiated or
    run as it is asked, or Enzyme is not there.
    """
    options = options or Options()
    begin = time.perf_counter()
    if not is_installed():
        raise GradientUsageError(NO_ENZYME)
    found = find_function(module, function)
    try:
        session = _opened(module, found, options, progress)
    except GradientUsageError as error:
        raise GradientUsageError(str(error), error.location or op_location(found)) from None
    variants = variants_of(found, options.schedules, options.sinks)
    results: list[VariantResult] = []
    for number, variant in enumerate(variants, start=1):
        progress(f"@{session.signature.function}: {variant.name} ({number} of {len(variants)})")
        results.append(run_variant(session, variant))
        if options.stops_at_fault and results[0].status in FAULTS:
            break
    return GradientResult(
        path=module.path,
        function=session.signature.function,
        written=schedule_of(found) if len(variants) > 1 else "",
        activities={each.name: each.activity for each in session.signature.arguments},
        elements=tuple(session.names),
        samples=session.samples(),
        variants=tuple(results),
        tolerance=session.tolerance,
        seed=options.seed,
        location=_location(found),
        notes=tuple(_notes(session, results, is_plain=len(variants) == 1)),
        toolchains=versions(),
        seconds=time.perf_counter() - begin,
    )


def _opened(
    module: ParsedModule, found: Operation, options: Options, progress: Callable[[str], None]
) -> Session:
    """The session of a function that can be run."""
    reduced = reduced_to(module, found)
    _refuse_ops(reduced)
    signature = signature_of(found, options.activities)
    progress(f"@{signature.function}: finite differences")
    return open_session(reduced, signature, options)


def _refuse_ops(reduced: ParsedModule) -> None:
    """Work on a device cannot be run here, nor what nobody knows, nor what has no body."""
    assert reduced.module is not None
    bodies = {symbol_name(op) for op in reduced.module.body.block.ops if has_body(op)}
    for op in reduced.module.walk():
        name, callee = op_name(op), attr(op, "callee")
        if dialect_name(op) in _DEVICE_DIALECTS:
            reason = f"`{name}` cannot be run on the CPU"
        elif isinstance(op, UnregisteredOp) and rule_for(name) is None:
            reason = f"what `{name}` does is not known"
        elif isinstance(callee, SymbolRefAttr) and callee.root_reference.data not in bodies:
            reason = f"`@{callee.root_reference.data}` is called and has no body"
        else:
            continue
        raise GradientUsageError(reason, op_location(op))


def _location(function: Operation) -> Location | None:
    """The first checkpointed loop, or else the function."""
    loops = [op for op in function.walk() if is_checkpointed(op)]
    return op_location((loops or [function])[0])


def _notes(session: Session, results: Sequence[VariantResult], *, is_plain: bool) -> Iterator[str]:
    if session.not_run:
        yield session.not_run
    elif session.prepared.reason:
        reason = session.prepared.reason
        yield f"the interpreter cannot tell whether the inputs are valid: {reason}"
    if is_plain:
        yield "no loop of it is checkpointed"
    elif results[0].status in FAULTS:
        yield "Enzyme is at fault on it without checkpoints as well"
    reasons: dict[str, list[str]] = {}
    for each in results:
        if each.fallback:
            reasons.setdefault(each.fallback, []).append(each.variant.name)
    for reason, names in reasons.items():
        yield f"the interpreter ran {', '.join(names)}, which cannot be lowered: {reason}"
