"""Taking `loc(...)` out of an input, so that places are where the reader of the file looks.

Every removed character becomes a blank, so that all other text keeps its line and column.
"""

import re

# Strings and comments are matched first, so that what they contain is left alone. Aliases of
# locations are kept: once nothing refers to them they have no effect.
_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|(?<![\w.$#@!%])loc\(|[()]')
_NOT_NEWLINE = re.compile(r"[^\n]")


def blank_locations(text: str) -> str:
    """`text` with each `loc(...)` that follows an op or argument blanked out."""
    if "loc(" not in text:
        return text
    out: list[str] = []
    begin = copied = depth = 0
    for match in _TOKEN.finditer(text):
        token = match[0]
        if depth == 0:
            if token == "loc(" and not _is_alias(text, match.start()):
                begin, depth = match.start(), 1
        elif token in {"loc(", "("}:
            depth += 1
        elif token == ")":
            depth -= 1
            if depth == 0:
                out += (text[copied:begin], _NOT_NEWLINE.sub(" ", text[begin : match.end()]))
                copied = match.end()
    out.append(text[copied:])
    return "".join(out)


def _is_alias(text: str, start: int) -> bool:
    return text[text.rfind("\n", 0, start) + 1 : start].rstrip().endswith("=")
