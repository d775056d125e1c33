"""What a pass promises about its result, checked on the module before and after it.

A contract goes with the name of a pass, whoever implements it: this project
(`sink-checkpoint-views`) or a real compiler (`enzyme:sink-checkpoint-views`). A pipeline of several
passes that is run as one step has to keep at its end what each of them promises.
"""

import re
from collections.abc import Callable, Iterator

from xdsl.dialects.builtin import FileLineColLoc, ModuleOp, StringAttr
from xdsl.ir import Operation, SSAValue

from verify.diagnostic import Diagnostic, Location, Related
from verify.semantics.views_by_name import checkpointed_loops, op_name, sinkable_captures

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


def _no_view_is_captured(_: ModuleOp, target: ModuleOp, stage: str) -> Iterator[Diagnostic]:
    for loop in checkpointed_loops(target):
        for value in sinkable_captures(loop):
            yield _captured_view(loop, value, stage)


def _captured_view(loop: Operation, value: SSAValue, stage: str) -> Diagnostic:
    view = value.owner
    assert isinstance(view, Operation)
    name = f" `%{value.name_hint}`" if value.name_hint else ""
    return Diagnostic(
        code="E0103",
        message=f"`{op_name(loop)}` still captures the view{name} of `{op_name(view)}`",
        function=_function_of(loop),
        stage=stage,
        location=_place_of(loop),
        label="checkpointed loop",
        related=(Related("captured view", _place_of(view), is_primary=True),),
        help=f"derive the result of `{op_name(view)}` inside the loop",
    )


def _function_of(op: Operation) -> str | None:
    parent = op.parent_op()
    while parent is not None and not op_name(parent).endswith(".func"):
        parent = parent.parent_op()
    name = None if parent is None else parent.get_attr_or_prop("sym_name")
    return name.data if isinstance(name, StringAttr) else None


def _place_of(op: Operation) -> Location | None:
    match op.location:
        case FileLineColLoc(filename=file, line=line, column=column):
            return Location(file.data, line.data, column.data)
        case _:
            return None


_CONTRACTS: dict[str, _Contract] = {"sink-checkpoint-views": _no_view_is_captured}
