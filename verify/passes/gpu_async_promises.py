"""What `gpu-async-region` promises about its result.

Nothing here is about memory: whether a token is waited for on every path, and before the accesses
that need it, is for the token checks (E0201 to E0204) to say.
"""

from collections.abc import Iterator

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from verify.ir.names import op_name
from verify.passes.gpu_async_ops import (
    EXECUTE,
    WAIT,
    functions_with_body,
    is_async_op,
    token_of,
    token_value_type,
)
from verify.semantics.views_by_name import inner_first


def broken_promises(module: ModuleOp) -> Iterator[tuple[Operation, str]]:
    """Each op of the module's functions that breaks a promise, and how it does."""
    for function in functions_with_body(module):
        for op in inner_first(function):
            if (reason := _broken_by(op)) is not None:
                yield op, reason


def _broken_by(op: Operation) -> str | None:
    name = op_name(op)
    if name == EXECUTE:
        return _unshared(op)
    if not is_async_op(op):
        return None
    token = token_of(op)
    if token is None:
        return None if name == WAIT else f"`{name}` is still synchronous"
    users = {use.operation for use in token.uses}
    if not users:
        return f"nothing waits for the token of `{name}`"
    return f"the token of `{name}` has several users" if len(users) > 1 else None


def _unshared(execute: Operation) -> str | None:
    shared = any(
        result.type == token_value_type() and result.has_more_than_one_use()
        for result in execute.results
    )
    return f"a token that `{EXECUTE}` yields has several users" if shared else None
