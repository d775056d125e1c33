"""What a pass promises about its result, checked on the module before and after it.

A contract goes with the name of a pass, whoever implements it: this project
(`sink-checkpoint-views`) or a real compiler (`enzyme:sink-checkpoint-views`). A pipeline of several
passes that is run as one step has to keep at its end what each of them promises.
"""

import re
from collections.abc import Callable, Iterator

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from verify.diagnostic import Diagnostic, Related
from verify.ir.names import op_name, symbol_name
from verify.ir.spans import op_location, value_location, value_name
from verify.semantics.views_by_name import checkpointed_loops, sinkable_captures

_Contract = Callable[[ModuleOp, ModuleOp, str], Iterator[Diagnostic]]

_OPTIONS = re.compile(r"\{[^{}]*\}")
_NAME = re.compile(r"[\w-]+(?=\s*(?:,|\)|$))")


def passes_in(spec: str) -> list[str]:
    """The passes of the pipeline `spec` in order, without toolchain, nesting and options."""
    return _NAME.findall(_OPTIONS.sub("", spec))


def check_contract(
    spec: str, source_module: ModuleOp, target_module: ModuleOp, stage: str
) -> tuple[Diagnostic, ...]:
    """What is wrong with `target_module` as the result of the pipeline `spec` on `source_module`.

    Passes without a contract have nothing to answer for.
    """
    return tuple(
        diagnostic
        for name in dict.fromkeys(passes_in(spec))
        if name in _CONTRACTS
        for diagnostic in _CONTRACTS[name](source_module, target_module, stage)
    )


def contract_subjects(spec: str, target_module: ModuleOp) -> frozenset[str]:
    """The functions of which a pass of the pipeline `spec` promises anything."""
    if not any(name in _CONTRACTS for name in passes_in(spec)):
        return frozenset()
    return frozenset(filter(None, map(_function_of, checkpointed_loops(target_module))))


def _no_view_is_captured(_: ModuleOp, target: ModuleOp, stage: str) -> Iterator[Diagnostic]:
    for loop in checkpointed_loops(target):
        for value in sinkable_captures(loop):
            yield _captured_view(loop, value, stage)


def _captured_view(loop: Operation, value: SSAValue, stage: str) -> Diagnostic:
    view = value.owner
    assert isinstance(view, Operation)
    return Diagnostic(
        code="E0103",
        message=f"`{op_name(loop)}` still captures the view `{value_name(value)}`",
        function=_function_of(loop),
        stage=stage,
        location=op_location(loop),
        label="checkpointed loop",
        related=(Related(f"view by `{op_name(view)}`", value_location(value), is_primary=True),),
        help=f"derive the result of `{op_name(view)}` inside the loop",
    )


def _function_of(op: Operation) -> str | None:
    parent = op.parent_op()
    while parent is not None and not op_name(parent).endswith(".func"):
        parent = parent.parent_op()
    return None if parent is None else symbol_name(parent)


_CONTRACTS: dict[str, _Contract] = {"sink-checkpoint-views": _no_view_is_captured}
