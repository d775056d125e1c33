"""Work on the GPU for the family `whole`: launches, copies, fills, buffers, waits and streams."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.ir import Attribute, SSAValue

from fuzz.strategies.whole_casts import cast_to
from fuzz.strategies.whole_kernels import LOOSE, Kernel, kernel_of
from fuzz.strategies.whole_memory import extent_of, is_plain
from fuzz.strategies.whole_ops import Attributes, segments
from fuzz.strategies.whole_types import Mem, Ref, Work
from fuzz.strategies.whole_updates import forget
from fuzz.strategies.whole_writer import Writer

TOKEN = "!gpu.async.token"


def submit(
    w: Writer,
    name: str,
    reads: Sequence[int],
    writes: Sequence[int],
    operands: Callable[[Sequence[SSAValue]], tuple[Sequence[SSAValue], Attributes]],
    results: Sequence[Attribute | str] = (),
) -> list[SSAValue]:
    """A GPU op, which the host waits for or not, after all that is in its way.

    `reads` and `writes` are buffers; `operands` gives operands and attributes, from tokens.
    """
    is_async = w.flip(55)
    tokens = in_the_way(w, reads, writes, is_async=is_async)
    if is_async and not tokens and w.flip(70):
        tokens.append(w.op("gpu.wait", (), [TOKEN]).results[0])
    given, attributes = operands(tokens)
    made = w.op(name, given, [*results, *([TOKEN] if is_async else [])], attributes).results
    if is_async:
        _follow(w, made[-1], tokens, reads, writes)
    return list(made)


def in_the_way(
    w: Writer, reads: Sequence[int], writes: Sequence[int], *, is_async: bool
) -> list[SSAValue]:
    """The tokens that an op must depend on; what is not a token is awaited."""
    tokens: list[SSAValue] = []
    for work in [*w.scope.pending]:
        is_met = work.meets(reads, is_write=False) or work.meets(writes, is_write=True)
        if not is_met or w.flip(w.carelessness):
            continue
        if work.kind == "gpu" and is_async:
            tokens.append(work.token)
        else:
            w.await_(work)
    w.note(reads, is_write=False)
    w.note(writes, is_write=True)
    return tokens


def _follow(
    w: Writer,
    token: SSAValue,
    after: Sequence[SSAValue],
    reads: Sequence[int],
    writes: Sequence[int],
) -> None:
    """Put asynchronous work among the pending, in the place of what it came after."""
    before = [work for work in w.scope.pending if work.token in after]
    for work in before:
        if work not in w.scope.inherited:
            w.scope.pending.remove(work)
            reads, writes = [*work.reads, *reads], [*work.writes, *writes]
    w.scope.pending.append(Work(token, "gpu", tuple(reads), tuple(writes)))


def on_device(w: Writer, wanted: Callable[[Ref], bool] = is_plain) -> list[Ref]:
    """The memrefs that the GPU may touch."""
    return [r for r in w.scope.refs if w.is_on_device(r) and wanted(r)]


def allocate(w: Writer, kind: Mem | None = None) -> Ref:
    """`gpu.alloc`, at times shared with the host or in a space of its own, then a fill."""
    space = w.draw.choice(["1", "#gpu.address_space<global>"]) if not kind and w.flip(30) else ""
    shape = kind.shape if kind else (w.draw.choice([4, 4, 8]),)
    drawn = Mem("f32", shape, None, 0, space)
    is_shared = not space and w.flip(25)
    is_open = len(shape) == 1 and kind is None and w.flip(20)
    target = Mem("f32", (None,), None, 0, space) if is_open else drawn
    sizes = [w.constant(shape[0] or 0)] if is_open else []

    def operands(tokens: Sequence[SSAValue]) -> tuple[Sequence[SSAValue], Attributes]:
        shared = {"hostShared": "unit"} if is_shared else {}
        groups = segments(len(tokens), len(sizes), 0)
        return [*tokens, *sizes], {**shared, "operandSegmentSizes": groups}

    root = w.root(extent_of(drawn), "both" if is_shared else "device")
    value = submit(w, "gpu.alloc", (), (root,), operands, [target.type()])[0]
    ref = w.add(Ref(value, target, shape, (root,)))
    w.scope.owned.append(ref)
    set_all(w, ref)
    return ref


def set_all(w: Writer, ref: Ref) -> None:
    """`gpu.memset`."""
    value = w.scalar(ref.kind.element)
    submit(w, "gpu.memset", (), ref.roots, lambda tokens: ([*tokens, ref.value, value], {}))


def memset(w: Writer) -> None:
    """Fill a memref on the device."""
    fits = on_device(w, lambda r: is_plain(r) and not r.is_fixed)
    set_all(w, w.draw.choice(fits) if fits else allocate(w))


def memcpy(w: Writer) -> None:
    """Copy between two memrefs of one type, on the device or to and from the host."""
    fits = on_device(w, lambda r: is_plain(r) and r.has_elements and None not in r.sizes)
    one = w.draw.choice(fits) if fits else allocate(w)
    others = [
        r for r in w.scope.refs
        if (r.kind.element, r.sizes) == (one.kind.element, one.sizes)
        and not set(r.roots) & set(one.roots) and is_plain(r)
    ]  # fmt: skip
    other = w.draw.choice(others) if others else allocate(w, Mem(one.kind.element, one.sizes))
    source, target = (other, one) if other.is_fixed or w.flip(50) else (one, other)
    if target.is_fixed or source.kind.element != target.kind.element:
        return memset(w)
    submit(
        w, "gpu.memcpy", source.roots, target.roots,
        lambda tokens: ([*tokens, target.value, source.value], {}),
    )  # fmt: skip
    return None


def launch(w: Writer) -> None:
    """`gpu.launch_func`."""
    kernel = kernel_of(w)
    refs = _arguments(w, kernel)
    reads = [r for ref, here in zip(refs, kernel.reads, strict=True) if here for r in ref.roots]
    writes = [r for ref, here in zip(refs, kernel.writes, strict=True) if here for r in ref.roots]
    one, threads = w.constant(1), w.constant(kernel.threads)
    values = [w.constant(kernel.blocks), one, one, threads, one, one]
    values += [*(ref.value for ref in refs), w.scalar("f32")]
    stream = w.scope.scalars.get("!llvm.ptr", [])[-1:] if w.flip(15) else []

    def operands(tokens: Sequence[SSAValue]) -> tuple[Sequence[SSAValue], Attributes]:
        groups = segments(len(tokens), *([1] * 6), 0, 0, 0, 0, len(refs) + 1, len(stream))
        attributes = {"kernel": f"@kernels::@{kernel.name}", "operandSegmentSizes": groups}
        return [*tokens, *values, *stream], attributes

    if not stream:
        submit(w, "gpu.launch_func", reads, writes, operands)
        return
    in_the_way(w, reads, writes, is_async=False)
    w.op("gpu.launch_func", operands([])[0], (), operands([])[1])


def _arguments(w: Writer, kernel: Kernel) -> list[Ref]:
    """Memrefs for a kernel; what it writes is in one argument alone, but for careless ones."""
    refs: list[Ref] = []
    for kind, is_written in zip(kernel.kinds, kernel.writes, strict=True):
        before = [r for r, was in zip(refs, kernel.writes, strict=False) if was or is_written]
        taken = [] if w.flip(w.carelessness) else [root for r in before for root in r.roots]
        fits = [
            r for r in on_device(w)
            if _holds(r, kind, kernel.least) and not set(r.roots) & set(taken)
            and not (is_written and r.is_fixed)
        ]  # fmt: skip
        ref = w.draw.choice(fits[-4:]) if fits else allocate(w, Mem("f32", (kernel.least,)))
        refs.append(ref if ref.kind == kind else cast_to(w, ref, kind))
    return refs


def _holds(ref: Ref, kind: Mem, least: int) -> bool:
    """Whether a memref can be an argument of a type, perhaps through a cast."""
    if kind != LOOSE:
        return ref.kind == kind
    is_line = ref.kind.element == kind.element and len(ref.sizes) == 1 and not ref.kind.space
    return is_line and (ref.sizes[0] or 0) >= least and ref.is_spread


def wait(w: Writer) -> None:
    """`gpu.wait` for some work, or for all of it at once."""
    fits = [work for work in w.scope.pending if work.kind == "gpu"]
    mine = [work for work in fits if work not in w.scope.inherited]
    if len(mine) > 1 and w.flip(50):
        token = w.op("gpu.wait", [x.token for x in mine], [TOKEN]).results[0]
        _follow(w, token, [x.token for x in mine], [], [])
    elif fits:
        w.await_(w.draw.choice(fits))


def free_later(w: Writer) -> None:
    """`gpu.dealloc` behind what still uses the buffer."""
    fits = [r for r in w.scope.owned if w.is_on_device(r)]
    if not fits:
        return
    ref = w.draw.choice(fits)
    submit(w, "gpu.dealloc", (), ref.roots, lambda tokens: ([*tokens, ref.value], {}))
    forget(w, ref.roots)


def register(w: Writer) -> None:
    """Let the GPU touch a buffer of the host, by way of a memref without a rank."""
    ref = w.pick(lambda r: is_plain(r) and not w.is_on_device(r) and len(r.roots) == 1)
    if ref is None or w.scope.depth > 0:
        return
    middle = f"memref<*x{ref.kind.element}{', ' + ref.kind.space if ref.kind.space else ''}>"
    value = w.op("memref.cast", [ref.value], [middle]).results[0]
    w.op("gpu.host_register", [value])
    w.roots[ref.roots[0]].place = "both"


def chain(w: Writer) -> None:
    """A loop that hands a token on, each iteration behind the one before."""
    fits = on_device(w, lambda r: is_plain(r) and not r.is_fixed)
    ref = w.draw.choice(fits) if fits else allocate(w)
    in_the_way(w, (), ref.roots, is_async=False)
    first = w.op("gpu.wait", (), [TOKEN]).results[0]
    low, high, step = (w.constant(number) for number in (0, w.draw.randint(1, 3), 1))
    value = w.scalar(ref.kind.element)

    def body(arguments: Sequence[SSAValue]) -> None:
        operands = [arguments[1], ref.value, value]
        token = w.op("gpu.memset", operands, [TOKEN]).results[0]
        w.op("scf.yield", [token])

    region = w.region(["index", TOKEN], body)
    token = w.op("scf.for", [low, high, step, first], [TOKEN], {}, [region]).results[0]
    w.scope.pending.append(Work(token, "gpu", (), ref.roots))


GPU: dict[Callable[[Writer], None], int] = {
    launch: 5, memset: 2, memcpy: 2, wait: 2, free_later: 4, register: 2, chain: 1,
}  # fmt: skip
"""The productions, each with a weight."""
