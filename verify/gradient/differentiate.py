"""Enzyme's reverse mode on one variant of a function, and what became of it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from xdsl.ir import Attribute, Operation

from verify.diagnostic import Diagnostic
from verify.gradient.fill_zeros import fill_zeros
from verify.gradient.signature import Signature
from verify.gradient.variants import SINKS, Variant, marked
from verify.ir.module import ParsedModule
from verify.ir.names import dialect_name, op_name, symbol_name
from verify.toolchain.outcome import PassLimits, PassOutcome
from verify.toolchain.pipelines import split_pipelines
from verify.toolchain.registry import run_pass

GRADIENT_SUFFIX = "_gradient"
# Behind `enzyme-wrap`: caches become buffers, and Enzyme's own ops those of other dialects.
_LOWERING = (
    "canonicalize,remove-unnecessary-enzyme-ops,canonicalize,flatten-enzyme-caches,"
    "lower-enzyme-binomial-progress,lower-llvm-ext,canonicalize"
)
# For caches that are left after that; it refuses to see `enzyme.fill_zero`.
_CACHES = "convert-enzyme-to-memref,canonicalize"
_PASSES_BEFORE = re.compile(r"`enzyme:enzyme-wrap\{[^`]*`|`enzyme:sink-checkpoint-views`")
_STATUS_OF_CODE = {
    "E0304": "crash",
    "E0306": "crash",
    "E0301": "does-not-compile",
    "E0305": "does-not-compile",
}


@dataclass(frozen=True, eq=False, slots=True)
class Differentiated:
    """A module with the gradient `function`, or a `status` and `message` that say why not.

    `stderr` is what Enzyme printed.
    """

    module: ParsedModule | None
    function: str = ""
    status: str = ""
    message: str = ""
    failed_pass: str = ""
    diagnostic: Diagnostic | None = None
    stderr: str = ""
    seconds: float = 0.0


def prepare(
    module: ParsedModule, variant: Variant, options: PassLimits, period: int
) -> ParsedModule | Differentiated:
    """The module as it goes into Enzyme; a failure when the sinking pass does not give one.

    `period` is for loops that name none.
    """
    prepared = marked(module, variant, period)
    if not variant.sink:
        return prepared
    outcome = run_pass(SINKS[variant.sink], prepared, options)
    return outcome.module or _failure(outcome, SINKS[variant.sink])


def differentiate(
    prepared: ParsedModule,
    signature: Signature,
    types: tuple[list[Attribute], list[Attribute]],
    options: PassLimits,
) -> Differentiated:
    """The gradient of a prepared module; `types` are the operands and results it should have."""
    steps = [wrapping(signature), *split_pipelines(_LOWERING)]
    outcome, failed_pass = _run_steps(steps, prepared, options)
    if outcome.module is None:
        return _failure(outcome, failed_pass)
    fill_zeros(outcome.module)
    if _left_over(outcome.module):
        steps = split_pipelines(_CACHES)
        outcome, failed_pass = _run_steps(steps, outcome.module, options)
        if outcome.module is None:
            return _failure(outcome, failed_pass)
    return _checked(outcome, signature.function + GRADIENT_SUFFIX, types)


def wrapping(signature: Signature) -> str:
    """The pass that differentiates, with its options."""
    arguments = ",".join(f"enzyme_{each.activity}" for each in signature.arguments)
    results = ",".join(f"enzyme_{each.activity}" for each in signature.results)
    name = signature.function
    return (
        f"enzyme-wrap{{infn={name} outfn={name}{GRADIENT_SUFFIX} argTys={arguments} "
        f"retTys={results} mode=ReverseModeCombined}}"
    )


def pipeline_of(signature: Signature, variant: Variant) -> str:
    """The whole pipeline of a variant, as `verify-ir passes` takes it."""
    sink = [SINKS[variant.sink]] if variant.sink else []
    return ",".join([*sink, f"enzyme:{wrapping(signature)},{_LOWERING}"])


def _run_steps(
    steps: list[str], module: ParsedModule, options: PassLimits
) -> tuple[PassOutcome, str]:
    """All passes at once; when that fails, ever more of them, to find the pass that is to blame.

    What stands between two passes may be syntax that is not known here, which is no fault.
    """
    whole = run_pass("enzyme:" + ",".join(steps), module, options)
    if whole.module is not None or _is_unreadable(whole):
        return whole, "enzyme:" + ",".join(steps)
    for count, step in enumerate(steps, start=1):
        outcome = run_pass("enzyme:" + ",".join(steps[:count]), module, options)
        if outcome.module is None and not _is_unreadable(outcome):
            return outcome, f"enzyme:{step}"
    return whole, "enzyme:" + ",".join(steps)


def _is_unreadable(outcome: PassOutcome) -> bool:
    return any(each.code == "U0002" for each in outcome.diagnostics)


def _failure(outcome: PassOutcome, failed_pass: str) -> Differentiated:
    first = outcome.diagnostics[0]
    return Differentiated(
        None,
        status=_STATUS_OF_CODE.get(first.code, "not-run"),
        message=_PASSES_BEFORE.sub(f"`{_short(failed_pass)}`", first.message, count=1),
        failed_pass=failed_pass,
        diagnostic=first,
        stderr=outcome.stderr,
        seconds=outcome.seconds,
    )


def _short(failed_pass: str) -> str:
    """A pass without its options."""
    return failed_pass.partition("{")[0]


def _checked(
    outcome: PassOutcome, name: str, types: tuple[list[Attribute], list[Attribute]]
) -> Differentiated:
    """The gradient, when it is there, has the form that it should have, and nothing is left."""
    assert outcome.module is not None
    assert outcome.module.module is not None
    functions = {symbol_name(op): op for op in outcome.module.module.body.block.ops}
    function = functions.get(name)
    if function is None:
        message = f"there is no function `@{name}` in the result"
    elif (found := _types(function)) != types:
        shown = ", ".join(map(str, found[0])), ", ".join(map(str, found[1]))
        message = f"the gradient has the unexpected type ({shown[0]}) -> ({shown[1]})"
    elif left := _left_over(outcome.module):
        message = f"`{left}` is left in the gradient"
    else:
        return Differentiated(outcome.module, name, stderr=outcome.stderr, seconds=outcome.seconds)
    return Differentiated(None, status="does-not-compile", message=message, stderr=outcome.stderr)


def _types(function: Operation) -> tuple[list[Attribute], list[Attribute]]:
    block = function.regions[0].blocks[0]
    last = function.regions[0].blocks[-1].last_op
    results = [value.type for value in last.operands] if last is not None else []
    return [value.type for value in block.args], results


def _left_over(module: ParsedModule) -> str | None:
    assert module.module is not None
    names = (op_name(op) for op in module.module.walk() if dialect_name(op) == "enzyme")
    return next(names, None)
