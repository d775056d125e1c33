"""The `gpu` dialect: what each op reads and writes, and what it waits for.

Source: the dialect's documentation. A kernel is one access set: its threads are taken one after
another, blocks first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.ir import Operation, Region, SSAValue

from verify.ir.names import attr, op_name, operand_segments, symbol_ref
from verify.semantics.func import declared_effects
from verify.semantics.machine import Machine, Value, rule
from verify.semantics.memref import require_same_shape
from verify.semantics.term import Number
from verify.semantics.types import UnsupportedError, is_memref, is_token, space_of

AXES = ("x", "y", "z")


@rule("gpu.terminator", "gpu.return", "gpu.module", "gpu.module_end", "gpu.yield")
def nothing(_: Machine, __: Operation) -> Sequence[Value]:
    return []


@rule("gpu.barrier")
def barrier(m: Machine, op: Operation) -> Sequence[Value]:
    m.barrier(op)
    return []


@rule("gpu.host_register", "gpu.host_unregister")
def host_register(_: Machine, __: Operation) -> Sequence[Value]:
    return []


@rule("gpu.wait")
def wait(m: Machine, op: Operation) -> Sequence[Value]:
    token = m.wait(op, [m.value(v) for v in op.operands])
    return [token] if op.results else []


def _device(
    m: Machine, op: Operation, tokens: Sequence[SSAValue], body: Callable[[], None]
) -> list[Value]:
    """Run the body of a GPU op; its token where it returns one."""
    token = m.device_op(op, [m.value(v) for v in tokens], body)
    return [token] if op.results and is_token(op.results[-1].type) else []


def _leading(op: Operation, operands: int) -> list[SSAValue]:
    """The asynchronous dependencies in front of a fixed number of operands."""
    return list(op.operands[: len(op.operands) - operands])


@rule("gpu.alloc")
def alloc(m: Machine, op: Operation) -> Sequence[Value]:
    segments = operand_segments(op)
    tokens, sizes = (segments[0], segments[1]) if len(segments) > 1 else ([], list(op.operands))
    kind = op.results[0].type
    space = space_of(kind)
    if not space and attr(op, "hostShared") is None:
        space = "device"
    buffer = m.allocate(op, kind, [m.number(s) for s in sizes], space)
    if len(op.results) == 1:
        m.device_op(op, [m.value(v) for v in tokens], lambda: None)
        return [buffer]
    return [buffer, *_device(m, op, tokens, lambda: m.begin_life(op, buffer))]


@rule("gpu.dealloc")
def dealloc(m: Machine, op: Operation) -> Sequence[Value]:
    buffer = m.value(op.operands[-1])
    return _device(m, op, _leading(op, 1), lambda: m.free(op, buffer))


@rule("gpu.memcpy")
def memcpy(m: Machine, op: Operation) -> Sequence[Value]:
    target, source = op.operands[-2:]
    to, origin = m.value(target), m.value(source)

    require_same_shape(m, origin, to, source.type)

    def body() -> None:
        m.write_all(op, to, m.read_all(op, origin), target.type)

    return _device(m, op, _leading(op, 2), body)


@rule("gpu.memset")
def memset(m: Machine, op: Operation) -> Sequence[Value]:
    target, value = op.operands[-2:]
    to, content = m.value(target), m.value(value)
    return _device(m, op, _leading(op, 2), lambda: m.write_all(op, to, content, target.type))


_IDS = ("thread_id", "block_id", "block_dim", "grid_dim", "cluster_id")


@rule(*(f"gpu.{name}" for name in (*_IDS, "lane_id", "global_id", "subgroup_id")))
def kernel_id(m: Machine, op: Operation) -> Sequence[Value]:
    name = op_name(op).removeprefix("gpu.")
    axis = str(attr(op, "dimension")).rpartition("dim ")[2].strip("<>")[-1:]
    known = m.thread_ids().get(f"{name} {axis}")
    if name == "global_id" and (ids := m.thread_ids()):
        first = m.algebra.multiply(ids[f"block_id {axis}"], ids[f"block_dim {axis}"])
        known = first + ids[f"thread_id {axis}"]
    return [m.unknown(op, op.results[0].type) if known is None else known]


@rule("gpu.launch_func")
def launch_func(m: Machine, op: Operation) -> Sequence[Value]:
    segments = operand_segments(op)
    symbol = symbol_ref(op, "kernel")
    if symbol is None:
        raise UnsupportedError("`gpu.launch_func` without a kernel")
    if len(segments) > 9 and segments[-1]:
        raise UnsupportedError("`gpu.launch_func` on an explicit stream")
    grid = [m.number(v) for group in segments[1:7] for v in group[:1]]
    operands = _kernel_operands(segments)
    kernel = m.function_named(op, symbol)
    arguments = [m.value(v) for v in operands]

    def body() -> None:
        if kernel is None or not kernel.regions or not kernel.regions[0].blocks:
            declared_effects(m, op, kernel, operands)
        else:
            launch(m, op, grid, kernel.regions[0], arguments)

    return _device(m, op, segments[0], body)


def _kernel_operands(segments: Sequence[Sequence[SSAValue]]) -> list[SSAValue]:
    """The kernel's own operands: the segment before the optional async object."""
    return list(segments[-2]) if len(segments) > 9 else list(segments[-1])


def launch(
    m: Machine,
    op: Operation,
    grid: Sequence[Number],
    region: Region,
    arguments: Sequence[Value],
    leading: int = 0,
) -> None:
    """Run a kernel body once a thread; `leading` block arguments are ids and dimensions."""
    if m.launch_compiled(op, region, grid, arguments):
        return
    bounds: list[tuple[Number, Number, Number]] = [(0, size, 1) for size in grid]
    extra = list(region.blocks[0].args)[leading + len(arguments) :]

    def body(point: Sequence[Number], _: Sequence[Value]) -> Sequence[Value]:
        ids = _ids(point, grid)
        first = [*point, *grid][:leading]
        with m.in_kernel(ids):
            local = [
                m.allocate(op, a.type, [], space_of(a.type)) for a in extra if is_memref(a.type)
            ]
            m.run_region(region, [*first, *arguments, *local])
        return []

    m.grid_loop(op, bounds, [], body)


def _ids(point: Sequence[Number], grid: Sequence[Number]) -> dict[str, Number]:
    names = [*(f"block_id {a}" for a in AXES), *(f"thread_id {a}" for a in AXES)]
    sizes = [*(f"grid_dim {a}" for a in AXES), *(f"block_dim {a}" for a in AXES)]
    return dict(zip([*names, *sizes], [*point, *grid], strict=True))


@rule("gpu.launch")
def launch_inline(m: Machine, op: Operation) -> Sequence[Value]:
    segments = operand_segments(op)
    grid = [m.number(v) for group in segments[1:7] for v in group[:1]]
    region = op.regions[0]
    return _device(m, op, segments[0], lambda: launch(m, op, grid, region, [], leading=12))
