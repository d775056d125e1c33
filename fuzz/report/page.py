"""The report of a campaign: one page that needs nothing else, and the same as JSON beside it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fuzz.coverage import Coverage
from fuzz.finding import COMPILER
from fuzz.judging import JUDGED
from fuzz.report.causes import cause_data, plain_name, shown_cause, write_causes
from fuzz.report.listing import syntax_css
from fuzz.report.plot import plot
from fuzz.report.summary import summary_of
from fuzz.store import Store
from fuzz.triage.causes import causes_in

_TEMPLATE = Path(__file__).with_name("page.html.j2")
_MOST_FEATURES = 60


def write_report(store: Store, folder: Path) -> Path:
    """Write `<folder>/<campaign>/`: `index.html`, `campaign.json` and a folder for each cause.

    Gives the path of the page.
    """
    causes = causes_in(store)
    summary = summary_of(store, causes)
    texts = {row.id: row.text for row, _ in store.groups()}
    place = folder / plain_name(summary["campaign"])
    place.mkdir(parents=True, exist_ok=True)
    groups = [{**g, "text": texts[g["finding"]]} for g in summary["groups"]]
    found = [cause_data(cause) for cause in causes]
    data = {**summary, "causes": found, "groups": groups, "samples": store.samples()}
    (place / "campaign.json").write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    files = write_causes(place, causes, summary["campaign"])
    shown = [shown_cause(cause, files[cause.name], store.path.name) for cause in causes]
    page = place / "index.html"
    page.write_text(_page(summary, shown, store), encoding="utf-8")
    return page


def _page(summary: dict[str, Any], causes: list[dict[str, Any]], store: Store) -> str:
    import jinja2

    environment = jinja2.Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined
    )
    template = environment.from_string(_TEMPLATE.read_text(encoding="utf-8"))
    page = template.render(
        campaign=summary,
        causes=[c for c in causes if c["blames"] == COMPILER],
        own=[c for c in causes if c["blames"] != COMPILER],
        has_pictures=any(c["picture"] for c in causes),
        plots=_plots(store.samples()),
        features=_features(store),
        syntax_css=syntax_css(),
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
