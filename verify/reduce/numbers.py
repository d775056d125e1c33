"""Smaller numbers in the text of a module: sizes, strides, bounds, steps, constants, attributes.

A number that stands for one thing mostly stands in many places (the size of a buffer is in its
type and in every view), so that all places are changed together first, and then one by one.
"""

import re
from collections.abc import Iterator

# Not a part of a name, of a type such as `i32`, or of a floating-point number.
_NUMBER = re.compile(r"(?<![\w.%#^@\"+-])-?\d+(?![\w.\"])|(?<=[<x])\d+(?=x)")
_SMALL = 2
_DYNAMIC = -(2**63)


def with_smaller_numbers(text: str) -> Iterator[str]:
    """Texts in which some numbers are smaller, the greatest numbers first."""
    found = sorted({int(match) for match in _NUMBER.findall(text)}, key=lambda n: (-abs(n), n))
    for number in found:
        for smaller in _smaller(number):
            yield _NUMBER.sub(lambda m, n=number, s=smaller: _swap(m, n, s), text)
    for match in _NUMBER.finditer(text):
        for smaller in _smaller(int(match[0])):
            yield f"{text[: match.start()]}{smaller}{text[match.end() :]}"


def _smaller(number: int) -> list[int]:
    """What to try in place of a number, the smallest first; 0 and 1 are as small as can be."""
    if -_SMALL < number < _SMALL or number == _DYNAMIC:
        return [] if number >= 0 else [1]
    sizes = [1, 2, 4, abs(number) // 2, abs(number) - 1]
    return [size for size in dict.fromkeys(sizes) if 0 < size < abs(number)]


def _swap(match: "re.Match[str]", number: int, smaller: int) -> str:
    return str(smaller) if int(match[0]) == number else match[0]
