"""MLIR pipeline text: where it may be cut, and how a pass is nested in its anchor op."""

import re

_OPENING, _CLOSING = "([{<", ")]}>"
_ANCHORED = re.compile(r"(?:builtin\.module|any)\s*\(.*\)", re.DOTALL)
_NESTED = re.compile(r"(?P<anchor>[\w]+\.[\w.]+|any)\s*\((?P<inner>.*)\)", re.DOTALL)
_RESTRICTED = re.compile(r"restricted to '([\w.]+)' on a PassManager intended to run on")


def split_pipelines(text: str) -> list[str]:
    """The passes of a comma-separated list; commas in brackets or quotes do not separate."""
    items: list[str] = []
    depth = begin = 0
    quote = ""
    for index, character in enumerate(text):
        if quote:
            quote = "" if character == quote else quote
        elif character in "\"'":
            quote = character
        elif character in _OPENING:
            depth += 1
        elif character in _CLOSING:
            depth -= 1
        elif character == "," and depth == 0:
            items.append(text[begin:index].strip())
            begin = index + 1
    items.append(text[begin:].strip())
    return [item for item in items if item]


def single_passes(pipeline: str) -> list[str]:
    """The passes of a pipeline one by one, each in the ops that it is nested in."""
    found: list[str] = []
    for element in split_pipelines(strip_module(pipeline)):
        nested = _NESTED.fullmatch(element)
        if nested is None or _closes_early(element):
            found.append(element)
        else:
            inner = single_passes(nested["inner"])
            found += [f"{nested['anchor']}({each})" for each in inner] or [element]
    return found


def strip_module(pipeline: str) -> str:
    """The pipeline without one outer `builtin.module(...)`."""
    pipeline = pipeline.strip()
    if not _ANCHORED.fullmatch(pipeline) or _closes_early(pipeline):
        return pipeline
    return pipeline[pipeline.index("(") + 1 : -1].strip()


def anchor_in_module(element: str) -> str:
    """One pass as a pipeline on a module."""
    return f"builtin.module({strip_module(element)})"


def nest_in(anchor: str, element: str) -> str:
    """One pass as a pipeline on a module whose ops of kind `anchor` it visits."""
    return f"builtin.module({anchor}({strip_module(element)}))"


def wanted_anchor(message: str) -> str | None:
    """The op that a pass wants to be nested in, by MLIR's error message."""
    match = _RESTRICTED.search(message)
    return match[1] if match else None


def _closes_early(pipeline: str) -> bool:
    """Whether the first bracket closes before the end, as in `any(a),any(b)`."""
    return len(split_pipelines(pipeline)) > 1
