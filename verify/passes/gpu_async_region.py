"""Make the synchronous GPU ops of a function asynchronous, chained by tokens.

`form=today` does what MLIR 22's `gpu-async-region` does, as seen from its results: one chain of
tokens a block, then waits deferred across `async.execute`, then tokens split among their users. It
repeats the faults of the real pass that leave valid IR: a wait is deferred past the users of the
other values of an `async.execute`, and a token with more than two users is not split among all. It
does not repeat those that crash or break the IR (the files `gpu_async_region_*` of the corpus).

`form=first` is the first version of that pass as its public review shows it: one current token for
the whole function. The ops in a region are visited before the op that holds it, so the token in
front of an `scf.if` is used up inside it, and on the path around it nothing waits. An op whose
effects are those of its regions counts as free of effects in that version, since the ops in the
regions are visited themselves. It has no deferral. The new token is the last result here; the
first version made it the first one, which only fits ops without other results.

Both forms assume that nothing is asynchronous yet and refuse what does not fit. The real pass of
today accepts tokens that are there, and chains them up with its own, so that a token may be waited
for twice; `existing=thread` does the same.
"""

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint
from xdsl.utils.exceptions import PassFailedException

from verify.diagnostic import Diagnostic
from verify.ir.names import op_name, symbol_name
from verify.ir.spans import op_location
from verify.passes.gpu_async_effects import has_effects, is_recursive, is_terminator, stops_the_host
from verify.passes.gpu_async_execute import OperandLists, defer_waits, split_tokens
from verify.passes.gpu_async_ops import (
    LAUNCH,
    WAIT,
    add_dependency,
    blocks_inner_first,
    functions_with_body,
    insert_wait,
    is_async_op,
    make_async,
    token_of,
)
from verify.semantics.views_by_name import inner_first

_FORMS = ("today", "first")
_EXISTING = ("refuse", "thread")


class PreconditionError(PassFailedException):
    """The function holds an op that the pass does not accept; `diagnostic` is the E0301."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


@dataclass(frozen=True)
class GpuAsyncRegionPass(ModulePass):
    """Thread tokens through the GPU ops of each `func.func` directly in the module.

    `form` is `today` or `first`; `existing` says what becomes of waits and asynchronous ops that
    are there already: `refuse`, or `thread` as the real pass does.
    """

    name: ClassVar[str] = "gpu-async-region"

    form: str = "today"
    existing: str = "refuse"

    def __post_init__(self) -> None:
        _check_choice("form", self.form, _FORMS)
        _check_choice("existing", self.existing, _EXISTING)
        if self.form == "first" and self.existing != "refuse":
            raise ValueError("`existing=thread` goes with `form=today` only")

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite every function of the module `op`."""
        for function in functions_with_body(op):
            if self.form == "first":
                _first_form(function)
            else:
                _form_of_today(function, is_strict=self.existing == "refuse")


def _check_choice(name: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        wanted = " or ".join(f"`{choice}`" for choice in choices)
        raise ValueError(f"`{name}` is {wanted}, not `{value}`")


def _form_of_today(function: Operation, *, is_strict: bool) -> None:
    for block in blocks_inner_first(function):
        _thread_through(block, is_strict=is_strict)
    lists = OperandLists(function)
    defer_waits(function, lists)
    split_tokens(function, lists)


def _thread_through(block: Block, *, is_strict: bool) -> None:
    token: SSAValue | None = None
    last = block.last_op
    for op in list(block.ops):
        _require_synchronous(op, is_strict=is_strict)
        if op_name(op) == WAIT:
            if token is not None:
                add_dependency(op, token)
            token = token_of(op)
        elif is_async_op(op):
            token = _chain(op, token)
        elif token is not None and stops_the_host(op):
            insert_wait(InsertPoint.before(op), op, [token])
            token = None
    if token is not None and last is not None:
        insert_wait(InsertPoint.at_end(block), last, [token])


def _first_form(function: Operation) -> None:
    token: SSAValue | None = None
    for op in list(inner_first(function)):
        if op is function:
            break
        _require_synchronous(op, is_strict=True)
        if is_async_op(op):
            token = _chain(op, token)
        elif token is not None and _stopped_the_host_first(op):
            insert_wait(InsertPoint.before(op), op, [token])
            token = None


def _stopped_the_host_first(op: Operation) -> bool:
    """As `stops_the_host`, in the version that left the effects of regions to their own ops."""
    return is_terminator(op) or (not is_recursive(op) and has_effects(op))


def _chain(op: Operation, token: SSAValue | None) -> SSAValue:
    """Run the op after `token`, or after a new one; returns the token of the op."""
    if token is None:
        token = insert_wait(InsertPoint.before(op), op, [], is_async=True).results[0]
    add_dependency(op, token)
    made = token_of(make_async(op))
    assert made is not None
    return made


def _require_synchronous(op: Operation, *, is_strict: bool) -> None:
    name = op_name(op)
    if name == LAUNCH:
        raise _refusal(op, f"`{LAUNCH}` has to be outlined", "run `gpu-kernel-outlining` first")
    if not is_async_op(op):
        return
    if is_strict and name == WAIT:
        raise _refusal(op, f"`{WAIT}` is there already", "give the pass a synchronous function")
    if is_strict and token_of(op) is not None:
        raise _refusal(op, f"`{name}` is asynchronous already", "give the pass a synchronous op")
    if op.regions:
        raise _refusal(op, f"`{name}` has regions", "only ops without regions can be made async")


def _refusal(op: Operation, message: str, remedy: str) -> PreconditionError:
    parent = op.parent_op()
    while parent is not None and op_name(parent) != "func.func":
        parent = parent.parent_op()
    function = symbol_name(parent) if parent is not None else None
    place = op_location(op)
    return PreconditionError(
        Diagnostic("E0301", message, function=function, location=place, help=remedy)
    )
