"""MLIR programs of any size for the benchmarks."""

from __future__ import annotations

ATTRIBUTE = "{enzyme.enable_checkpointing = true}"
WINDOW = "memref<8xf32, strided<[1], offset: ?>>"


def function(name: str, arguments: str, *lines: str) -> str:
    """A function that returns nothing."""
    body = "\n".join(f"  {line}" for line in lines)
    return f"func.func @{name}({arguments}) {{\n{body}\n  return\n}}\n"


def _work(count: int) -> list[str]:
    """Float arithmetic on `%x` that ends in `%w`."""
    lines = [f"  %w0 = arith.addf %x, %x {_FAST}"]
    lines += [f"  %w{i} = arith.mulf %w{i - 1}, %x {_FAST}" for i in range(1, count - 1)]
    return [*lines, f"  %w = arith.addf %w{count - 2}, %x {_FAST}"]


_FAST = ": f32"

# First view, second view, the number of iterations, and where the second view is used.
SHAPES: dict[str, tuple[str, str, str, str]] = {
    "interval": (
        "memref.subview %m[0] [8] [1] : memref<?xf32> to memref<8xf32, strided<[1]>>",
        "memref.subview %m[8] [64] [1] : memref<?xf32> to memref<64xf32, strided<[1], offset: 8>>",
        "%c8",
        "%i",
    ),
    "gcd": (
        "memref.subview %m[0] [%n] [2] : memref<?xf32> to memref<?xf32, strided<[2]>>",
        "memref.subview %m[1] [%n] [2] : memref<?xf32> to memref<?xf32, strided<[2], offset: 1>>",
        "%n",
        "%i",
    ),
    "window": (
        "memref.subview %m[0] [%n] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>",
        "memref.subview %m[%n] [%n] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>",
        "%n",
        "%i",
    ),
    "z3": (
        "memref.subview %m[0] [%k] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>",
        "memref.subview %m[0] [%k] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>",
        "%n",
        "%j",
    ),
    "refuted": (
        "memref.subview %m[0] [%n] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>",
        "memref.subview %m[2] [%n] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: 2>>",
        "%n",
        "%i",
    ),
}


def thirty_ops(shape: str, name: str = "f") -> str:
    """A function of 30 ops with one checkpointed loop that captures two views of one buffer."""
    first, second, upper, place = SHAPES[shape]
    kinds = [text.partition(" to ")[2] for text in (first, second)]
    return function(
        name,
        "%m: memref<?xf32>, %n: index, %k: index",
        "%c0 = arith.constant 0 : index",
        "%c1 = arith.constant 1 : index",
        "%c8 = arith.constant 8 : index",
        f"%a = {first}",
        f"%b = {second}",
        f"scf.for %i = %c0 to {upper} step %c1 {{",
        f"  %x = memref.load %a[%i] : {kinds[0]}",
        *_work(17),
        "  %j = arith.addi %i, %n : index",
        f"  %y = memref.load %b[{place}] : {kinds[1]}",
        "  %z = arith.addf %w, %y : f32",
        f"  memref.store %z, %b[{place}] : {kinds[1]}",
        f"}} {ATTRIBUTE}",
    )


def captures(count: int, *, is_symbolic: bool) -> str:
    """A loop that reads and writes `count` disjoint windows of one buffer."""
    lines = ["%c0 = arith.constant 0 : index", "%c1 = arith.constant 1 : index"]
    for k in range(count):
        if is_symbolic:
            lines.append(f"%d{k} = arith.constant {8 * k} : index")
            lines.append(f"%o{k} = arith.addi %off, %d{k} : index")
            lines.append(f"%v{k} = memref.subview %m[%o{k}] [8] [1] : memref<?xf32> to {WINDOW}")
        else:
            fixed = f"memref<8xf32, strided<[1], offset: {8 * k}>>".replace(", offset: 0", "")
            lines.append(f"%s{k} = memref.subview %m[{8 * k}] [8] [1] : memref<?xf32> to {fixed}")
            lines.append(f"%v{k} = memref.cast %s{k} : {fixed} to {WINDOW}")
    lines += ["scf.for %i = %c0 to %n step %c1 {"]
    for k in range(count):
        lines.append(f"  %x{k} = memref.load %v{k}[%i] : {WINDOW}")
        lines.append(f"  memref.store %x{k}, %v{k}[%c0] : {WINDOW}")
    return function("f", "%m: memref<?xf32>, %n: index, %off: index", *lines, f"}} {ATTRIBUTE}")


def views(count: int) -> str:
    """A chain of `count` views, of which the last and the buffer are captured."""
    lines = ["%c0 = arith.constant 0 : index", "%c1 = arith.constant 1 : index"]
    kind = "memref<?xf32>"
    source = "%m"
    strided = "memref<?xf32, strided<[1], offset: ?>>"
    for k in range(count):
        lines.append(f"%v{k} = memref.subview {source}[%o] [%n] [1] : {kind} to {strided}")
        source, kind = f"%v{k}", strided
    lines += [
        "scf.for %i = %c0 to %n step %c1 {",
        f"  %x = memref.load {source}[%i] : {kind}",
        "  memref.store %x, %other[%i] : memref<?xf32>",
        f"}} {ATTRIBUTE}",
    ]
    arguments = "%m: memref<?xf32>, %other: memref<?xf32>, %o: index, %n: index"
    return function("f", arguments, *lines)


def nest(depth: int) -> str:
    """`depth` loops, the outermost checkpointed, around accesses to two halves of a buffer."""
    half = "memref<?xf32, strided<[1], offset: ?>>"
    lines = [
        "%c0 = arith.constant 0 : index",
        "%c1 = arith.constant 1 : index",
        f"%a = memref.subview %m[0] [%n] [1] : memref<?xf32> to {half.replace(', offset: ?', '')}",
        f"%b = memref.subview %m[%n] [%n] [1] : memref<?xf32> to {half}",
    ]
    lines += [f"scf.for %i{d} = %c0 to %n step %c1 {{" for d in range(depth)]
    last = f"%i{depth - 1}"
    lines += [
        f"%x = memref.load %a[{last}] : {half.replace(', offset: ?', '')}",
        f"memref.store %x, %b[{last}] : {half}",
    ]
    lines += ["}" for _ in range(depth - 1)] + [f"}} {ATTRIBUTE}"]
    return function("f", "%m: memref<?xf32>, %n: index", *lines)


def file_of(count: int) -> str:
    """`count` functions of 30 ops, of every shape that is proven, in turn."""
    shapes = ("interval", "gcd", "window", "z3")
    return "".join(thirty_ops(shapes[k % 4], f"f{k}") for k in range(count))


def asynchronous(count: int, buffers: int = 50) -> str:
    """`count` asynchronous fills and copies of `buffers` buffers, in order, and one wait."""
    kind = "memref<64xf32, 1>"
    lines = [f"%b{i} = memref.alloc() : {kind}" for i in range(buffers)]
    last: dict[int, str] = {}
    for i in range(count):
        target, source = i % buffers, (i * 7 + 3) % buffers
        deps = ", ".join(dict.fromkeys(last[b] for b in (target, source) if b in last))
        after = f" [{deps}]" if deps else ""
        if i % 3 == 0 or target == source:
            lines.append(f"%t{i} = gpu.memset async{after} %b{target}, %x : {kind}, f32")
        else:
            names = f"%b{target}, %b{source} : {kind}, {kind}"
            lines.append(f"%t{i} = gpu.memcpy async{after} {names}")
            last[source] = f"%t{i}"
        last[target] = f"%t{i}"
    return function("chain", "%x: f32", *lines, f"gpu.wait [{', '.join(last.values())}]")
