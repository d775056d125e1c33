"""A line over time as SVG, with no script."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

WIDTH, HEIGHT, LEFT, BOTTOM = 320, 120, 44, 18
_MOST_POINTS = 300


def plot(x: Sequence[float], y: Sequence[float]) -> Any:
    """The picture of `y` over the seconds `x`; empty where there is nothing to draw."""
    from markupsafe import Markup

    if len(x) < 2:
        return Markup("")
    step = max(1, len(x) // _MOST_POINTS)
    points = list(zip(x, y, strict=True))
    points = [*points[::step], points[-1]]
    end, top = max(x[-1], 0.001), max([*y, 0.001])
    wide, high = WIDTH - LEFT - 6, HEIGHT - BOTTOM - 8
    places = [(LEFT + wide * a / end, 8 + high * (1 - b / top)) for a, b in points]
    line = " ".join(f"{a:.1f},{b:.1f}" for a, b in places)
    base = 8 + high
    area = f"{LEFT},{base} {line} {places[-1][0]:.1f},{base}"
    minutes = f"{end / 60:.0f} min" if end >= 120 else f"{end:.0f} s"
    return Markup(
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="up to {top:.0f}">'
        f'<polygon class="area" points="{area}"/><polyline class="line" points="{line}"/>'
        f'<line class="axis" x1="{LEFT}" y1="{base}" x2="{WIDTH - 6}" y2="{base}"/>'
        f'<text x="{LEFT - 4}" y="14" text-anchor="end">{top:.0f}</text>'
        f'<text x="{LEFT - 4}" y="{base}" text-anchor="end">0</text>'
        f'<text x="{WIDTH - 6}" y="{HEIGHT - 4}" text-anchor="end">{minutes}</text></svg>'
    )
