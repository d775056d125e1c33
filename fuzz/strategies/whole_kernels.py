"""Kernels for the family `whole`: what each thread writes is its own, but for careless ones."""

from __future__ import annotations

from dataclasses import dataclass, replace

from xdsl.ir import Attribute, Block, Region, SSAValue

from fuzz.strategies.whole_memory import combined, load_from, store_to
from fuzz.strategies.whole_ops import make_op
from fuzz.strategies.whole_types import Index, Mem, Ref
from fuzz.strategies.whole_views import lane
from fuzz.strategies.whole_writer import Touched, Writer

LOOSE = Mem("f32", (None,), (None,), None)
_SHARED = "#gpu.address_space<workgroup>"
_MOST = 3


@dataclass(frozen=True, slots=True)
class Kernel:
    """A kernel: the types of its memrefs, which of them it reads and writes, and its threads."""

    name: str
    kinds: tuple[Mem, ...]
    reads: tuple[bool, ...]
    writes: tuple[bool, ...]
    blocks: int
    threads: int

    @property
    def least(self) -> int:
        """The size that each memref must have."""
        return self.blocks * self.threads


def kernel_of(w: Writer) -> Kernel:
    """A kernel of the program, or a new one."""
    known = w.module.known
    if len(known) >= _MOST or (known and w.flip(50)):
        return w.draw.choice(known)
    blocks, threads = w.draw.choice([(1, 4), (2, 2), (4, 1), (1, 2), (2, 4)])
    kinds = tuple(
        LOOSE if w.flip(50) else Mem("f32", (blocks * threads,))
        for _ in range(w.draw.randint(1, 2))
    )
    name = f"k{len(known)}"
    kernel = _written(w, Kernel(name, kinds, (), (), blocks, threads))
    known.append(kernel)
    return kernel


def _written(outer: Writer, kernel: Kernel) -> Kernel:
    has_shared = outer.flip(20)
    types: list[Attribute] = [kind.type() for kind in kernel.kinds]
    scalar = outer.scalar("f32").type
    shared = Mem("f32", (kernel.threads,), None, 0, _SHARED)
    block = Block(arg_types=[*types, scalar, *([shared.type()] if has_shared else [])])
    region = Region(block)
    w = Writer(outer.draw, outer.module, block)
    w.kinds, w.place, w.left = outer.kinds, "kernel", 5
    w.carelessness = outer.carelessness
    w.keep("f32", block.args[len(types)])
    refs = [_argument(w, v, k, kernel) for v, k in zip(block.args, kernel.kinds, strict=False)]
    with w.recorded() as touched:
        _body(w, kernel, refs)
        if has_shared:
            _through_shared(w, Ref(block.args[-1], shared, shared.shape, (_local(w),)))
    w.op("gpu.return")
    kinds = ", ".join(str(kind) for kind in (*types, scalar))
    attributes = {
        "sym_name": f'"{kernel.name}"', "function_type": f"({kinds}) -> ()", "gpu.kernel": "unit",
        "workgroup_attributions": f"{int(has_shared)} : i64",
    }  # fmt: skip
    outer.module.kernels.append(make_op("gpu.func", (), (), attributes, [region]))
    return _told(kernel, refs, touched)


def _told(kernel: Kernel, refs: list[Ref], touched: Touched) -> Kernel:
    reads, writes = (
        tuple(ref.roots[0] in roots for ref in refs) for roots in (touched.reads, touched.writes)
    )
    return replace(kernel, reads=reads, writes=writes)


def _argument(w: Writer, value: SSAValue, kind: Mem, kernel: Kernel) -> Ref:
    root = w.root(None, "device")
    return w.add(Ref(value, kind, (kernel.least,), (root,)))


def _local(w: Writer) -> int:
    return w.root(None, "device")


def _body(w: Writer, kernel: Kernel, refs: list[Ref]) -> None:
    """Some statements around a store to the lane of the thread."""
    thread = Index(_id(w, "thread_id"), kernel.threads)
    block = Index(_id(w, "block_id"), kernel.blocks)
    width = w.constant(kernel.threads)
    first = w.op("arith.muli", [block.value, width], ["index"]).results[0]
    place = w.op("arith.addi", [first, thread.value], ["index"]).results[0]
    w.scope.indices += [thread, block, Index(place, kernel.least)]
    target = w.draw.choice(refs)
    if not w.flip(w.carelessness):
        others = [replace(r, is_fixed=True) for r in w.scope.refs if r.roots != target.roots]
        w.scope.refs = others
        target = lane(w, target, place)
    w.statements(w.draw.randint(0, 2))
    store_to(w, target)
    w.statements(w.draw.randint(0, 1))


def _through_shared(w: Writer, ref: Ref) -> None:
    """Hand a value to another thread of the block."""
    thread = _id(w, "thread_id")
    w.op("memref.store", [combined(w, "f32"), ref.value, thread])
    w.op("gpu.barrier")
    load_from(w, ref)


def _id(w: Writer, name: str) -> SSAValue:
    return w.op(f"gpu.{name}", (), ["index"], {"dimension": "#gpu<dim x>"}).results[0]
