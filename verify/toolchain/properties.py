"""Properties of ops that MLIR's Python bindings do not list, read off the generic form.

The bindings know properties that are attributes. They miss those of unregistered ops, and flags
that an op stores as plain numbers, such as the `inbounds` of `llvm.getelementptr`.
"""

import re

# Registered ops with such flags, and the names of these.
HIDING_OPS = frozenset(
    f"llvm.{name}" for name in ("add", "getelementptr", "mul", "shl", "sub", "trunc")
)
FLAGS = frozenset({"noWrapFlags", "overflowFlags"})

_HEAD = re.compile(r'^ *(?:%[^"\n]*= )?"[^"\n]+"\([^)\n]*\)(?:\[[^\]\n]*\])?( <\{)?', re.MULTILINE)
_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|->|[<({\[]|[>)}\]]|,')

Pairs = list[tuple[str, str]]


def properties_of_ops(generic: str) -> list[Pairs]:
    """Names and texts of the properties of each op, in the order of printing.

    `generic` is without aliases; each op then begins a line, with its properties on that line.
    """
    heads = _HEAD.finditer(generic)
    return [_pairs(generic, head.end()) if head[1] else [] for head in heads]


def _pairs(text: str, begin: int) -> Pairs:
    """The entries of a dictionary whose first one starts at `begin`."""
    pairs: Pairs = []
    depth = 0
    for match in _TOKEN.finditer(text, begin):
        token = match[0]
        if token in "<({[":
            depth += 1
        elif token in ">)}]":
            depth -= 1
        if depth < 0 or (depth == 0 and token == ","):
            name, equals, value = text[begin : match.start()].partition(" = ")
            pairs.append((name.strip().strip('"'), value.strip() if equals else "unit"))
            begin = match.end()
        if depth < 0:
            break
    return pairs
