"""The command `toolchains`: which compilers are there, and their passes."""

import json
from typing import TYPE_CHECKING, Any

import click

from verify.cli.output import can_draw, write
from verify.report.style import Paint
from verify.report.table import Cell, render_table

if TYPE_CHECKING:
    from verify.toolchain.registry import ToolchainInfo


@click.command(short_help="List compilers and their passes.")
@click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", help="Default: text."
)
@click.option(
    "--mlir-opt",
    type=click.Path(),
    metavar="PATH[,PATH...]",
    help="The mlir-opt binary, or several, by path or name. Default: the newest found.",
)
@click.option("-v", "--verbose", is_flag=True, help="List the passes of each toolchain.")
def toolchains(form: str, mlir_opt: str | None, verbose: bool) -> None:
    """List the compilers whose passes can be run, with their versions."""
    from verify.toolchain.registry import toolchains as find_toolchains

    found = find_toolchains(mlir_opt)
    write(_to_json(found) if form == "json" else _to_text(found, verbose=verbose))


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
    lines = render_table(rows, is_unicode=can_draw(), paint=Paint())
    for each in found if verbose else []:
        lines += ["", f"{each.name}:", *(f"  {name}" for name in sorted(each.passes))]
    return "".join(f"{line}\n" for line in lines)
