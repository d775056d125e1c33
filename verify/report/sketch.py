"""A picture in plain characters: a column for each lane, program order from top to bottom.

Each edge has a row of its own in front of the op that it leads to, with `+` in the lane that it
comes from; `...` marks an edge that holds on some paths only. The lane of the missing order
carries `x`.
"""

from verify.diagnostic import Picture, PictureEdge, PictureNode
from verify.report.style import Paint, clean, width

_GAP = 3
_KINDS = {"token": "token", "wait": "wait", "program": "issued after"}


def render_sketch(picture: Picture, paint: Paint) -> list[str]:
    """The lines of the drawing."""
    return _Sketch(picture, paint).render()


class _Sketch:
    def __init__(self, picture: Picture, paint: Paint) -> None:
        self.picture = picture
        self.paint = paint
        self.nodes = {node.id: node for node in picture.nodes}
        self.starts = _columns(picture)
        self.latest: dict[int, PictureNode] = {}

    def render(self) -> list[str]:
        lanes = zip(self.starts, map(clean, self.picture.lanes), strict=True)
        lines = [_place(list(lanes))]
        for node in sorted(self.picture.nodes, key=lambda each: each.row):
            edges = [edge for edge in self.picture.edges if edge.end == node.id]
            drawn = [line for edge in edges if (line := self._edge(edge, node))]
            lines += [self._bars(), *drawn] if drawn or node.lane in self.latest else []
            lines.append(self._node(node))
            self.latest[node.lane] = node
        if self.picture.left_out:
            lines.append(f"({self.picture.left_out} more not drawn)")
        return lines

    def _bars(self) -> str:
        return _place([(self.starts[lane], "|") for lane in self.latest])

    def _node(self, node: PictureNode) -> str:
        text = _say(node)
        end = self.starts[node.lane] + width(text)
        lanes = [lane for lane in self.latest if lane != node.lane]
        bars = [(self.starts[lane], "|") for lane in lanes]
        line = _place([*bars, (self.starts[node.lane], text)])
        if not node.is_marked:
            return line
        begin = self.starts[node.lane]
        return f"{line[:begin]}{self.paint('error', line[begin:end])}{line[end:]}"

    def _edge(self, edge: PictureEdge, node: PictureNode) -> str:
        """The row of an edge; nothing for one down its own lane from the op right above."""
        start = self.nodes[edge.start]
        is_missing = edge.kind == "missing"
        if start.lane == node.lane and not is_missing:
            is_next = self.latest.get(node.lane) is start and not edge.is_partial
            return "" if is_next else self._remark(edge, start, node)
        if edge.kind == "program":
            return ""
        line = self._arrow(edge, start, node)
        return f"{line}   {self._told(edge, start)}"

    def _remark(self, edge: PictureEdge, start: PictureNode, node: PictureNode) -> str:
        if edge.kind == "program":
            return ""
        return f"{self._bars()}   {self._told(edge, start)}"

    def _told(self, edge: PictureEdge, start: PictureNode) -> str:
        if edge.kind == "missing":
            shared = f": {clean(self.picture.label)}" if self.picture.label else ""
            return self.paint("error", f"nothing orders these{shared}")
        some = ", on some paths only" if edge.is_partial else ""
        return f"{_KINDS[edge.kind]} of {clean(start.label)}{_line(start)}{some}"

    def _arrow(self, edge: PictureEdge, start: PictureNode, node: PictureNode) -> str:
        begin, end = self.starts[start.lane], self.starts[node.lane]
        low, high = min(begin, end), max(begin, end)
        tail, fill = _strokes(edge)
        shaft = "".join(fill[(at - begin) % len(fill)] for at in range(low + 1, high))
        arrow = f"{tail}{shaft}>" if begin < end else f"<{shaft}{tail}"
        arrow = arrow if high > low else tail
        bars = [(self.starts[lane], "|") for lane in self.latest]
        line = _place([*((at, bar) for at, bar in bars if not low <= at <= high), (low, arrow)])
        if edge.kind != "missing":
            return line
        return f"{line[:low]}{self.paint('error', line[low : high + 1])}{line[high + 1 :]}"


def _strokes(edge: PictureEdge) -> tuple[str, str]:
    """The end of an arrow and what its shaft is made of."""
    if edge.kind == "missing":
        return "x", "x "
    return "+", ". " if edge.is_partial else "-"


def _columns(picture: Picture) -> list[int]:
    """Where each lane starts: the lanes before it are as wide as what stands in them."""
    starts = [0]
    for lane, name in enumerate(picture.lanes):
        texts = [clean(name), *(_say(node) for node in picture.nodes if node.lane == lane)]
        starts.append(starts[-1] + max(map(width, texts)) + _GAP)
    return starts[:-1]


def _say(node: PictureNode) -> str:
    where = f", {clean(node.where)}" if node.where else ""
    line = f" ({node.line}{where})" if node.line is not None else ""
    return f"{clean(node.label)}{line}"


def _line(node: PictureNode) -> str:
    return f" in line {node.line}" if node.line is not None else ""


def _place(pieces: list[tuple[int, str]]) -> str:
    """Texts at their columns."""
    line = ""
    for column, text in sorted(pieces):
        line += " " * (column - width(line)) + text
    return line
