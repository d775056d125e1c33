"""A picture as inline SVG: lanes from left to right, program order from top to bottom.

Edges run in the gaps between lanes and along the rows of the nodes that they lead to. There is one
node a row, so no edge crosses a node.
"""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from verify.diagnostic import Picture, PictureEdge, PictureNode
from verify.report.style import clean

_TEMPLATE = Path(__file__).with_name("picture.svg.j2")
_WIDTH, _HEIGHT = 122, 36
_GAP, _STEP = 34, 50
_LEFT, _TOP = 12, 34
_LABEL_ROW = 44
_LONGEST_NAME = 18
# Edges of different kinds meet a node at different heights.
_NUDGES = {"program": -9, "token": 0, "wait": 0, "missing": 9}
LEGEND = {
    "token": "token: the lower one starts after the upper one",
    "wait": "wait: the task stops until it is done",
    "program": "program order",
    "partial": "on some paths only",
    "missing": "nothing orders these",
}


@dataclass(frozen=True, slots=True)
class _Line:
    kind: str
    is_partial: bool
    path: str


class _Layout:
    """Where nodes stand; a free row in front of the later op of the pair takes the label."""

    def __init__(self, picture: Picture) -> None:
        self.nodes = {node.id: node for node in picture.nodes}
        missing = [edge for edge in picture.edges if edge.kind == "missing"]
        self.label_row = max((self.nodes[edge.end].row for edge in missing), default=0)
        self.label_x = 0
        self.slots: dict[int, int] = {}
        rows = 1 + max((node.row for node in picture.nodes), default=0)
        self.width = _LEFT * 2 + len(picture.lanes) * (_WIDTH + _GAP)
        self.height = _TOP + rows * _STEP + _LABEL_ROW

    def left(self, lane: int) -> int:
        """The left side of a lane."""
        return _LEFT + lane * (_WIDTH + _GAP)

    def middle(self, node: PictureNode) -> int:
        """The height of a node's middle."""
        shift = _LABEL_ROW if node.row >= self.label_row else 0
        return _TOP + shift + node.row * _STEP + _HEIGHT // 2

    def gap(self, lane: int) -> int:
        """A fresh track in the gap right of a lane."""
        slot = self.slots.get(lane, 0)
        self.slots[lane] = slot + 1
        return self.left(lane) + _WIDTH + 8 + slot % 4 * 6


def render_picture(picture: Picture) -> Any:
    """The drawing as markup for an HTML page."""
    from markupsafe import Markup

    layout = _Layout(picture)
    lines = [_Line(e.kind, e.is_partial, _path(picture, layout, e)) for e in picture.edges]
    order = ("program", "token", "wait", "missing")
    text = _template().render(
        layout=layout,
        lanes=[(clean(name), layout.left(n) + _WIDTH // 2) for n, name in enumerate(picture.lanes)],
        boxes=[_box(layout, node) for node in picture.nodes],
        lines=sorted(lines, key=lambda line: order.index(line.kind)),
        notes=_label(picture, layout),
        legend=_legend(picture),
        left_out=picture.left_out,
        summary=summary(picture),
        size=(_WIDTH, _HEIGHT),
    )
    return Markup(text)


@lru_cache(maxsize=1)
def _template() -> Any:
    import jinja2

    environment = jinja2.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    return environment.from_string(_TEMPLATE.read_text(encoding="utf-8"))


def summary(picture: Picture) -> str:
    """The picture in a sentence, for those who do not see it."""
    pair = [clean(say_node(node)) for node in picture.nodes if node.is_marked]
    told = f": {clean(picture.label)}" if picture.label else ""
    return f"no token or wait orders {' and '.join(pair)}{told}"


def say_node(node: PictureNode) -> str:
    """A node in words."""
    return f"{node.label} (line {node.line})" if node.line is not None else node.label


def _box(layout: _Layout, node: PictureNode) -> dict[str, Any]:
    name = clean(node.label)
    cut = (
        name
        if len(name) <= _LONGEST_NAME
        else f"{name[: _LONGEST_NAME - 1]}\N{HORIZONTAL ELLIPSIS}"
    )
    place = [f"line {node.line}"] if node.line is not None else []
    return {
        "x": layout.left(node.lane),
        "y": layout.middle(node) - _HEIGHT // 2,
        "name": cut,
        "full": clean(say_node(node)),
        "place": " \N{MIDDLE DOT} ".join([*place, *([clean(node.where)] if node.where else [])]),
        "is_marked": node.is_marked,
    }


def _label(picture: Picture, layout: _Layout) -> dict[str, Any]:
    """The label of the missing order: its lines and the plate that they stand on."""
    lines = ["nothing orders these", *([_shared(picture)] if picture.label else [])]
    width = max(172, 16 + 7 * max(map(len, lines)))
    x = min(max(layout.label_x, width // 2 + 2), max(layout.width - width // 2 - 2, width // 2 + 2))
    y = _TOP + layout.label_row * _STEP - 9
    return {"lines": lines, "x": x, "y": y, "width": width, "height": 6 + 16 * len(lines)}


def _shared(picture: Picture) -> str:
    return clean(picture.label).replace("`", "")


def _legend(picture: Picture) -> list[tuple[str, str]]:
    kinds = {edge.kind for edge in picture.edges}
    kinds |= {"partial" for edge in picture.edges if edge.is_partial}
    return [(kind, text) for kind, text in LEGEND.items() if kind in kinds]


def _path(picture: Picture, layout: _Layout, edge: PictureEdge) -> str:
    start, end = layout.nodes[edge.start], layout.nodes[edge.end]
    if start.lane == end.lane and _is_next(picture, start, end) and edge.kind != "missing":
        x = layout.left(start.lane) + _WIDTH // 2
        top, bottom = layout.middle(start) + _HEIGHT // 2, layout.middle(end) - _HEIGHT // 2
        return f"M{x} {top}V{bottom - 2}"
    return _around(layout, edge, start, end)


def _is_next(picture: Picture, start: PictureNode, end: PictureNode) -> bool:
    between = range(start.row + 1, end.row)
    return start.row < end.row and not any(
        node.lane == start.lane and node.row in between for node in picture.nodes
    )


def _around(layout: _Layout, edge: PictureEdge, start: PictureNode, end: PictureNode) -> str:
    """Out at a side, along the gap beside the lane, and in at the side of the other node."""
    goes_left = end.lane < start.lane
    track = layout.gap(start.lane - 1 if goes_left else start.lane)
    out = layout.left(start.lane) + (0 if goes_left else _WIDTH)
    enters_right = end.lane <= start.lane
    into = layout.left(end.lane) + (_WIDTH + 2 if enters_right else -2)
    nudge = _NUDGES[edge.kind]
    from_y, to_y = layout.middle(start) + nudge, layout.middle(end) + nudge
    layout.label_x = track if edge.kind == "missing" else layout.label_x
    return f"M{out} {from_y}H{track}V{to_y}H{into}"
