"""Tables in plain text: box drawing where the terminal can show it, ASCII elsewhere."""

from collections.abc import Sequence

from verify.report.style import Paint, width

_UNICODE = ("─", "│", ("┌", "┬", "┐"), ("├", "┼", "┤"), ("└", "┴", "┘"))
_ASCII = ("-", "|", ("+", "+", "+"), ("+", "+", "+"), ("+", "+", "+"))

Cell = str | tuple[str, str]


def render_table(rows: Sequence[Sequence[Cell]], *, is_unicode: bool, paint: Paint) -> list[str]:
    """Lines of a table whose first row is the head; a cell is a text or a (style, text) pair."""
    line, bar, top, middle, bottom = _UNICODE if is_unicode else _ASCII
    columns = [max(width(_text(cell)) for cell in column) for column in zip(*rows, strict=True)]

    def rule(ends: tuple[str, str, str]) -> str:
        return ends[0] + ends[1].join(line * (size + 2) for size in columns) + ends[2]

    def row(cells: Sequence[Cell]) -> str:
        padded = [_pad(cell, size, paint) for cell, size in zip(cells, columns, strict=True)]
        return f"{bar} " + f" {bar} ".join(padded) + f" {bar}"

    body = [row(cells) for cells in rows[1:]]
    return [rule(top), row(rows[0]), rule(middle), *body, rule(bottom)]


def _text(cell: Cell) -> str:
    return cell if isinstance(cell, str) else cell[1]


def _pad(cell: Cell, size: int, paint: Paint) -> str:
    text = _text(cell)
    shown = text if isinstance(cell, str) else paint(cell[0], text)
    return shown + " " * (size - width(text))
