"""One variant from Enzyme to its status."""

from __future__ import annotations

import time
from dataclasses import replace

from verify.gradient.differences import gradient_in
from verify.gradient.differentiate import Differentiated, differentiate, pipeline_of, prepare
from verify.gradient.harness import gradient_slots, types_of
from verify.gradient.image import Bytes
from verify.gradient.judge import judge
from verify.gradient.native_runs import RunError
from verify.gradient.result import CRASH, NOT_RUN, WRONG, VariantResult
from verify.gradient.runners import Runnable, run
from verify.gradient.session import Session
from verify.gradient.variants import Variant
from verify.ir.printing import to_generic_text
from verify.toolchain.outcome import RunOptions


def run_variant(session: Session, variant: Variant) -> VariantResult:
    """Differentiate, run and judge; a text that Enzyme has seen before is not tried again."""
    options = session.options
    limits = RunOptions(options.timeout_s)
    blank = VariantResult(
        variant, NOT_RUN, "sink", pipeline=pipeline_of(session.signature, variant)
    )
    begin = time.perf_counter()
    prepared = prepare(session.module, variant, limits, options.period)
    if isinstance(prepared, Differentiated):
        return _not_compiled(blank, prepared)
    assert prepared.module is not None
    text = to_generic_text(prepared.module, locations=False)
    if text in session.known:
        return _same(session.known[text], blank)
    slots = gradient_slots(session.layout)
    types = types_of(session.layout, slots[0]), types_of(session.layout, slots[1])
    made = differentiate(prepared, session.signature, types, limits)
    blank = replace(blank, compile_s=time.perf_counter() - begin, step="differentiate")
    result = _not_compiled(blank, made)
    if made.module is not None:
        runnable = Runnable(made.module, made.function, session.layout, slots)
        result = _run(session, runnable, replace(blank, step="run"))
    session.known[text] = result
    return result


def _same(known: VariantResult, blank: VariantResult) -> VariantResult:
    message = known.message or f"the same program as in {known.variant.name}"
    return replace(
        known,
        variant=blank.variant,
        pipeline=blank.pipeline,
        message=message,
        compile_s=0.0,
        run_s=0.0,
    )


def _not_compiled(blank: VariantResult, made: Differentiated) -> VariantResult:
    found = made.diagnostic
    return replace(
        blank,
        status=made.status,
        message=made.message,
        code=found.code if found else "",
        location=found.location if found else None,
        stderr=made.stderr,
    )


def _run(session: Session, runnable: Runnable, blank: VariantResult) -> VariantResult:
    if session.not_run:
        return replace(blank, message=session.not_run)
    options = session.options
    begin = time.perf_counter()
    try:
        ran = run(runnable, session.prepared.images, options.runner, options.timeout_s)
    except RunError as error:
        return _not_run(error, replace(blank, run_s=time.perf_counter() - begin))
    seconds = time.perf_counter() - begin
    done = replace(blank, runner=ran.runner, fallback=ran.fallback, run_s=seconds, step="compare")
    return _judged(session, ran.images, done)


def _not_run(error: RunError, blank: VariantResult) -> VariantResult:
    """A gradient that dies is at fault; one that cannot be lowered is not."""
    if error.step == "run":
        message = f"the gradient {error.reason}" if error.has_died else error.reason
        return replace(blank, status=CRASH, message=message, stderr=error.stderr)
    message = f"the gradient cannot be run: {error.reason}"
    return replace(blank, step="lower", message=message, stderr=error.stderr)


def _judged(session: Session, images: Bytes, done: VariantResult) -> VariantResult:
    layout = session.layout
    gradients = [gradient_in(layout, image) for image in images]
    done = replace(done, gradients=tuple(tuple(map(float, each)) for each in gradients))
    if not all(layout.guards_hold(image) for image in images):
        return replace(done, status=WRONG, message="the gradient writes outside its arguments")
    if done.variant.name == "off" and session.plain is None:
        session.plain = gradients
    found = judge(gradients, session.slopes, session.plain, session.names, session.tolerance)
    if done.variant.name == "off" and found.status == WRONG:
        session.plain = None
    return replace(done, status=found.status, message=found.message, differences=found.differences)
