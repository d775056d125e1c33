"""The command `toolchains`: which compilers are there, and their passes."""

import json
import sys
from typing import TYPE_CHECKING, Any

import click

from verify.report.style import Paint
from verify.report.table import Cell, render_table

if TYPE_CHECKING:
    from verify.toolchain.registry import ToolchainInfo


@click.command()
@click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", help="Default: text."
)
@click.option("-v", "--verbose", is_flag=True, help="List the passes of each toolchain.")
def toolchains(form: str, verbose: bool) -> None:
    """List the compilers whose passes can be run, with their versions."""
    from verify.toolchain.registry import toolchains as find_toolchains

    found = list(find_toolchains())
    sys.stdout.write(_to_json(found) if form == "json" else _to_text(found, verbose=verbose))


def _to_json(found: "list[ToolchainInfo]") -> str:
    entries: list[dict[str, Any]] = [
        {
            "name": each.name,
            "version": each.version or None,
            "available": each.available,
            "reason": each.reason or None,
            "passes": sorted(each.passes),
        }
        for each in found
    ]
    return json.dumps({"toolchains": entries}, indent=1) + "\n"


def _to_text(found: "list[ToolchainInfo]", *, verbose: bool) -> str:
    rows: list[list[Cell]] = [["name", "version", "available", "passes"]]
    for each in found:
        state = "yes" if each.available else f"no: {each.reason or 'not found'}"
        rows.append([each.name, each.version or "-", state, str(len(each.passes))])
    encoding = sys.stdout.encoding or "ascii"
    can_draw = sys.stdout.isatty() and encoding.lower().startswith("utf")
    lines = render_table(rows, is_unicode=can_draw, paint=Paint())
    for each in found if verbose else []:
        lines += ["", f"{each.name}:", *(f"  {name}" for name in sorted(each.passes))]
    return "".join(f"{line}\n" for line in lines)
