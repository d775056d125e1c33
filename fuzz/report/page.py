"""The report of a campaign: one page that needs nothing else, and the same as JSON beside it."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from fuzz.coverage import Coverage
from fuzz.judging import JUDGED
from fuzz.report.plot import plot
from fuzz.report.summary import summary_of
from fuzz.store import Store
from verify.report.style import clean

_TEMPLATE = Path(__file__).with_name("page.html.j2")
_MOST_LINES = 120
_MOST_FEATURES = 60


def write_report(store: Store, folder: Path) -> Path:
    """Write `<folder>/<campaign>/index.html` and `campaign.json`; gives the page's path."""
    summary = summary_of(store)
    texts = {row.id: row.text for row, _ in store.groups()}
    place = folder / re.sub(r"[^\w.-]+", "-", summary["campaign"])
    place.mkdir(parents=True, exist_ok=True)
    groups = [{**g, "text": texts[g["finding"]]} for g in summary["groups"]]
    data = {**summary, "groups": groups, "samples": store.samples()}
    (place / "campaign.json").write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    page = place / "index.html"
    page.write_text(_page(summary, groups, store), encoding="utf-8")
    return page


def _page(summary: dict[str, Any], groups: list[dict[str, Any]], store: Store) -> str:
    import jinja2

    environment = jinja2.Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined
    )
    template = environment.from_string(_TEMPLATE.read_text(encoding="utf-8"))
    samples = store.samples()
    shown = [{**g, "message": clean(g["message"]), "ir": _ir(g["text"])} for g in groups]
    page = template.render(
        campaign=summary,
        groups=[g for g in shown if g["blames"] == "compiler"],
        own=[g for g in shown if g["blames"] != "compiler"],
        plots=_plots(samples),
        features=_features(store),
        syntax_css=_syntax_css(),
    )
    return page.rstrip("\n") + "\n"


def _plots(samples: Sequence[tuple[float, int, int, int, int]]) -> list[dict[str, Any]]:
    """Rate, coverage and groups over time."""
    seconds = [s[0] for s in samples]
    rates = [
        (b[1] - a[1]) / max(b[0] - a[0], 0.001) for a, b in zip(samples, samples[5:], strict=False)
    ]
    lines = (
        ("programs judged a second", seconds[5:], rates),
        ("pairs of features seen", seconds, [float(s[2]) for s in samples]),
        ("groups of findings", seconds, [float(s[3]) for s in samples]),
    )
    return [
        {"title": title, "svg": plot(x, y), "last": f"{y[-1]:.0f}" if y else "-"}
        for title, x, y in lines
    ]


def _features(store: Store) -> list[tuple[str, list[tuple[str, int]]]]:
    """How many programs showed each feature, by dimension."""
    counts: dict[str, int] = {}
    coverage = Coverage()
    for row in store.programs("WHERE status = ?", (JUDGED,)):
        coverage.add(row.features)
        for feature in row.features:
            counts[feature] = counts.get(feature, 0) + 1
    dimensions: dict[str, list[tuple[str, int]]] = {}
    for feature, number in sorted(counts.items(), key=lambda pair: -pair[1]):
        dimension, _, value = feature.partition(":")
        if len(dimensions.setdefault(dimension, [])) < _MOST_FEATURES:
            dimensions[dimension].append((value, number))
    return sorted(dimensions.items())


def _ir(text: str) -> Any:
    """A program with its syntax marked."""
    from markupsafe import Markup
    from pygments import highlight

    lines = clean(text).strip("\n").splitlines()
    more = len(lines) - _MOST_LINES
    shown = "\n".join(lines[:_MOST_LINES]) + (f"\n// {more} more lines" if more > 0 else "")
    return Markup(highlight(shown, *_tools()).rstrip("\n"))


@lru_cache(maxsize=1)
def _tools() -> tuple[Any, Any]:
    from mlir_pygments import MLIRLexer
    from pygments.formatters import HtmlFormatter

    return MLIRLexer(stripnl=False, ensurenl=False), HtmlFormatter(nowrap=True)


def _syntax_css() -> Any:
    from markupsafe import Markup
    from pygments.formatters import HtmlFormatter

    rules: list[str] = []
    for style in ("default", "github-dark"):
        css = HtmlFormatter(style=style).get_style_defs("pre")
        rules.append("\n".join(line for line in css.splitlines() if line.startswith("pre .")))
    return Markup(f"{rules[0]}\n@media (prefers-color-scheme: dark) {{\n{rules[1]}\n}}")
