"""Renderers by the name that `--format` takes; a module is loaded when its format is asked for."""

from collections.abc import Callable
from importlib import import_module

from verify.report.context import RenderContext
from verify.result import RunResult

Renderer = Callable[[RunResult, RenderContext], str]

_MODULES = {
    "text": "verify.report.text",
    "json": "verify.report.json",
    "sarif": "verify.report.sarif",
    "github": "verify.report.github",
    "junit": "verify.report.junit",
    "html": "verify.report.html",
}


def renderer(name: str) -> Renderer:
    """The function that renders a whole run in format `name`; its text ends with a line end."""
    return import_module(_MODULES[name]).render
