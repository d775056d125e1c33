"""What the host does with streams and events after `gpu-to-llvm`: none may be used after its end.

The runtime ends a stream or an event with a call; a second call with it uses what is no more. The
pass lowers each wait to such an end, and relies on tokens that are waited for once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from xdsl.ir import Block, Operation, SSAValue

from fuzz.finding import Finding, from_diagnostic
from fuzz.subject import Subject, is_lowering
from verify.diagnostic import Diagnostic
from verify.ir.names import dialect_name, op_name, symbol_ref

_ENDS = frozenset({"mgpuStreamDestroy", "mgpuEventDestroy"})
_HAS_TOKENS = re.compile(r"!gpu\.async\.token|gpu\.wait|gpu\.\w+ async")
_CAST = "builtin.unrealized_conversion_cast"
_LOOPS = frozenset({"scf.for", "scf.while", "scf.parallel", "scf.forall", "affine.for"})


def judge(subject: Subject, targets: Sequence[str]) -> Iterator[Finding]:
    """The first use after an end, where the tokens are all of `gpu-async-region`'s making.

    Of tokens that the program had itself, `gpu-to-llvm` assumes that each is waited for once.
    """
    if _HAS_TOKENS.search(subject.text):
        return
    for target in targets:
        result = subject.outcome(target).module
        if not is_lowering(target) or result is None or result.module is None:
            continue
        told: set[str] = set()
        for op in result.module.walk():
            for message in _misused(op):
                if message not in told:
                    told.add(message)
                    yield from_diagnostic(Diagnostic("E0302", message), "streams", target)


def _misused(end: Operation) -> Iterator[str]:
    callee = symbol_ref(end, "callee") if op_name(end) == "llvm.call" else None
    if callee not in _ENDS or len(end.operands) != 1:
        return
    thing = "a stream" if "Stream" in callee else "an event"
    value = _origin(end.operands[0])
    if _repeats(end, value):
        yield f"`{callee}` in a loop ends {thing} that was made outside of it"
    for use in _uses(value):
        if use is not end and _comes_after(use, end, value):
            yield f"{thing} is used after `{callee}` has ended it"
            break


def _origin(value: SSAValue) -> SSAValue:
    while isinstance(value.owner, Operation) and op_name(value.owner) == _CAST:
        value = value.owner.operands[0]
    return value


def _uses(value: SSAValue) -> Iterator[Operation]:
    """The calls of the runtime and the launches that a stream or an event is given to."""
    for use in value.uses:
        if op_name(use.operation) == _CAST:
            yield from _uses(use.operation.results[0])
        elif dialect_name(use.operation) == "gpu" or _is_of_runtime(use.operation):
            yield use.operation


def _is_of_runtime(op: Operation) -> bool:
    return (symbol_ref(op, "callee") or "").startswith("mgpu")


def _ancestors(op: Operation) -> Iterator[Operation]:
    current: Operation | None = op
    while current is not None:
        yield current
        current = current.parent_op()


def _block_of(value: SSAValue) -> Block | None:
    return value.owner.parent if isinstance(value.owner, Operation) else value.owner


def _repeats(end: Operation, value: SSAValue) -> bool:
    """Whether a loop runs the end again and the making not."""
    home = _block_of(value)
    for op in _ancestors(end):
        if op.parent is home:
            return False
        parent = op.parent_op()
        if parent is not None and op_name(parent) in _LOOPS:
            return True
    return False


def _comes_after(use: Operation, end: Operation, value: SSAValue) -> bool:
    """Whether a use may run after the end, in the innermost region that holds both."""
    places = {op.parent.parent: op for op in _ancestors(end) if op.parent is not None}
    for later in _ancestors(use):
        earlier = places.get(later.parent.parent) if later.parent is not None else None
        if earlier is None or earlier.parent is None or later.parent is None:
            continue
        if earlier is later:
            return False
        if earlier.parent is later.parent and earlier.is_before_in_block(later):
            return True
        return later.parent in _reached(earlier.parent, _block_of(value))
    return False


def _reached(start: Block, home: Block | None) -> set[Block]:
    """The blocks that follow, until the value is made anew."""
    found: set[Block] = set()
    waiting = list(start.last_op.successors) if start.last_op is not None else []
    while waiting:
        block = waiting.pop()
        if block in found or block is home:
            continue
        found.add(block)
        waiting += block.last_op.successors if block.last_op is not None else []
    return found
