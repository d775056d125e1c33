"""Custom syntax that upstream MLIR does not read, rewritten in place to what it reads.

Two kinds: the copies of Enzyme's `enzymexla` dialect, into generic form; and the `alignment(8)` or
`<alignment = 8>` of newer printers, into an attribute. An op keeps its first column.
"""

import re

# Op -> the types of its operands: a number picks one of those written, the rest are as they are.
_OPERAND_TYPES: dict[str, tuple[int | str, ...]] = {
    "enzymexla.memcpy": (0, 1, "index"),
    "enzymexla.memcpy2d": (0, "index", 1, "index", "index", "index"),
    "enzymexla.memset": (0, 1, "index"),
}
_TOKEN_TYPE = "!gpu.async.token"
_COPY = re.compile(
    r"(?<![\w\"])(?P<op>enzymexla\.(?:memcpy2d|memcpy|memset))(?P<async>\s+async)?\s*"
    r"(?:\[(?P<dependencies>[^\]\n]*)\])?\s*(?P<operands>%[^:{\n]*?)\s*(?P<attributes>\{[^\n]*\})?"
    r"\s*:\s*(?P<types>[^\n]+?)(?=[ \t]*(?:loc\(|//|$))",
    re.MULTILINE,
)
_ALIGNMENT = re.compile(
    r"(?P<op>(?:memref|vector)\.(?:load|store|alloc|masked\w*|gather|scatter)\b[^\n]*?)"
    r" alignment\((?P<value>\d+)\)(?P<more> \{)?"
)
_PROPERTIES = re.compile(
    r"(?P<op>\bllvm\.(?:load|store) [^\n<:]*)"
    r"<(?P<entries>\w+ = [^\n]*?)>(?P<more> \{)?(?= :| ?[\w\"])"
)
_BARE_ALIGNMENT = re.compile(r"\balignment = (\d+)(?=,|$)")
_COMMA_OR_BRACKET = re.compile(r"->|[<(\[{]|[>)\]}]|,")


def to_upstream_syntax(text: str) -> str:
    """`text` with the foreign syntax that is known here rewritten."""
    if "enzymexla.mem" in text:
        text = _COPY.sub(_generic_copy, text)
    if " alignment(" in text:
        text = _ALIGNMENT.sub(_alignment_attribute, text)
    if "<alignment = " in text:
        text = _PROPERTIES.sub(_property_attributes, text)
    return text


def _generic_copy(match: "re.Match[str]") -> str:
    written = _split(match["types"])
    expected = _OPERAND_TYPES[match["op"]]
    if len(written) <= max(each for each in expected if isinstance(each, int)):
        return match[0]
    dependencies = _split(match["dependencies"] or "")
    operands = [*dependencies, *_split(match["operands"])]
    types = [_TOKEN_TYPE] * len(dependencies)
    types += [written[each] if isinstance(each, int) else each for each in expected]
    attributes = f" {match['attributes']}" if match["attributes"] else ""
    results = _TOKEN_TYPE if match["async"] else ""
    return (
        f'"{match["op"]}"({", ".join(operands)}){attributes} : ({", ".join(types)}) -> ({results})'
    )


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
