"""Custom syntax that upstream MLIR does not read, rewritten in place to what it reads.

Two kinds: ops of Enzyme's dialects, into generic form; and the `alignment(8)`, `alignment = 8` or
`<alignment = 8>` of newer printers, into an attribute. An op keeps its first column.
"""

import re

# Op -> the types of its operands: a number picks one of those written, the rest are as they are.
_OPERAND_TYPES: dict[str, tuple[int | str, ...]] = {
    "enzymexla.memcpy": (0, 1, "index"),
    "enzymexla.memcpy2d": (0, "index", 1, "index", "index", "index"),
    "enzymexla.memset": (0, 1, "index"),
    "enzyme.binomial_progress": (0, 0),
}
# Ops whose one written type is that of their result as well.
_SAME_TYPE_OPS = {"enzyme.binomial_progress"}
_TOKEN_TYPE = "!gpu.async.token"
_DIALECTS = ("enzymexla.mem", "llvm_ext.", "enzyme.")
_OP = re.compile(
    r"(?<![\w\"])(?P<op>enzymexla\.(?:memcpy2d|memcpy|memset)|enzyme\.(?:binomial_progress|fill_zero)"
    r"|llvm_ext\.\w+)(?P<async>\s+async)?\s*"
    r"(?:\[(?P<dependencies>[^\]\n]*)\])?\s*(?P<operands>%[^:{\n]*?)\s*"
    r"(?P<attributes>\{[^\n]*?\}(?=\s*:))?\s*:\s*(?P<rest>[^\n]+)"
)
_CALL = re.compile(
    r"(?<![\w\"])(?P<op>enzyme\.(?:autodiff|fwddiff|batch))\s+"
    r"(?P<callee>@[\w.$-]+|@\"[^\"\n]*\")\((?P<operands>[^()\n]*)\)(?:\s*\{(?P<attributes>[^\n]*?)\})?(?=\s*:\s*\()"
)
_ALIGNMENT = re.compile(
    r"(?P<op>(?:memref|vector)\.(?:load|store|alloc|masked\w*|gather|scatter)\b[^\n]*?)"
    r" alignment\((?P<value>\d+)\)(?P<more> \{)?"
)
_PLAIN_ALIGNMENT = re.compile(
    r"(?P<op>\bmemref\.(?:alloca?|realloc)\b[^\n{]*?) alignment = (?P<value>\d+)(?P<more> \{)?"
)
_PROPERTIES = re.compile(
    r"(?P<op>\bllvm\.(?:load|store) [^\n<:]*)"
    r"<(?P<entries>\w+ = [^\n]*?)>(?P<more> \{)?(?= :| ?[\w\"])"
)
_BARE_ALIGNMENT = re.compile(r"\balignment = (\d+)(?=,|$)")
_COMMA_OR_BRACKET = re.compile(r"->|[<(\[{]|[>)\]}]|,")
_BRACKET_OR_END = re.compile(r"->|\bloc\(|//|[<(\[{]|[>)\]}]")


def to_upstream_syntax(text: str) -> str:
    """`text` with the foreign syntax that is known here rewritten."""
    if any(dialect in text for dialect in _DIALECTS):
        text = _OP.sub(_generic_op, text)
    if "enzyme." in text:
        text = _CALL.sub(_generic_call, text)
    if " alignment(" in text:
        text = _ALIGNMENT.sub(_alignment_attribute, text)
    if " alignment = " in text:
        text = _PLAIN_ALIGNMENT.sub(_alignment_attribute, text)
    if "<alignment = " in text:
        text = _PROPERTIES.sub(_property_attributes, text)
    return text


def _generic_op(match: "re.Match[str]") -> str:
    written, rest = _cut_types(match["rest"])
    inputs, arrow, outputs = written.partition("->")
    op = match["op"]
    dependencies = _split(match["dependencies"] or "")
    operands = _split(match["operands"])
    types = _operand_types(op, _split(inputs.strip().strip("()") if arrow else inputs))
    if len(types) != len(operands):
        return match[0]
    if match["async"]:
        outputs = _TOKEN_TYPE
    elif op in _SAME_TYPE_OPS:
        outputs = types[0]
    types = [_TOKEN_TYPE] * len(dependencies) + types
    attributes = f" {match['attributes']}" if match["attributes"] else ""
    return (
        f'"{op}"({", ".join([*dependencies, *operands])}){attributes}'
        f" : ({', '.join(types)}) -> ({outputs.strip()}){_OP.sub(_generic_op, rest)}"
    )


def _operand_types(op: str, written: list[str]) -> list[str]:
    """The types of all operands, from those that the custom syntax writes; none if too few."""
    expected = _OPERAND_TYPES.get(op)
    if expected is None:
        return written
    if len(written) <= max(each for each in expected if isinstance(each, int)):
        return []
    return [written[each] if isinstance(each, int) else each for each in expected]


def _generic_call(match: "re.Match[str]") -> str:
    attributes = ", ".join(filter(None, [f"fn = {match['callee']}", match["attributes"]]))
    return f'"{match["op"]}"({match["operands"]}) {{{attributes}}}'


def _cut_types(text: str) -> tuple[str, str]:
    """The types at the front of `text`, and what follows them on their line."""
    depth = 0
    end = len(text)
    for match in _BRACKET_OR_END.finditer(text):
        token = match[0]
        if token == "->":
            continue
        if depth == 0 and token in {"loc(", "//", *">)]}"}:
            end = match.start()
            break
        depth += (token[-1] in "<([{") - (token in ">)]}")
    types = text[:end].rstrip()
    return types, text[len(types) :]


def _alignment_attribute(match: "re.Match[str]") -> str:
    end = ", " if match["more"] else "}"
    return f"{match['op']} {{alignment = {match['value']} : i64{end}"


def _property_attributes(match: "re.Match[str]") -> str:
    entries = _BARE_ALIGNMENT.sub(r"alignment = \1 : i64", match["entries"])
    end = ", " if match["more"] else "}"
    return f"{match['op']}{{{entries}{end}"


def _split(text: str) -> list[str]:
    """The items of a list, cut at the commas outside of brackets."""
    items: list[str] = []
    depth = begin = 0
    for match in _COMMA_OR_BRACKET.finditer(text):
        if match[0] == "," and depth == 0:
            items.append(text[begin : match.start()].strip())
            begin = match.end()
        elif match[0] != "->":
            depth += (match[0] in "<([{") - (match[0] in ">)]}")
    items.append(text[begin:].strip())
    return [item for item in items if item]
