"""The command `explain`: the page of a code or topic."""

import click

from verify.cli.output import wants_color, write
from verify.config import COLORS
from verify.report.pages import (
    TOPICS,
    UnknownCodeError,
    codes_with_pages,
    find_page,
    read_page,
)


@click.command(short_help="Print the page of a code.")
@click.argument("code", required=False)
@click.option("--color", type=click.Choice(COLORS), default="auto", help="Default: auto.")
def explain(code: str | None, color: str) -> None:
    """Print what CODE means, with an example; without CODE, list all codes.

    CODE is a code (E0101), its name (stale-snapshot), or a topic (gpu-async-region, reduce).
    """
    if code is None:
        write(_listing())
        return
    try:
        page = read_page(find_page(code))
    except UnknownCodeError as error:
        raise click.UsageError(f"{error}\n\n{_listing()}") from error
    write(_render(page) if wants_color(color) else page)


def _listing() -> str:
    width = max(len(code.name) for code in codes_with_pages())
    codes = [f"{code.code}  {code.name:<{width}}  {code.summary}\n" for code in codes_with_pages()]
    topics = [f"topic  {name:<{width}}  {about}\n" for name, about in TOPICS.items()]
    return "".join([*codes, *topics])


def _render(page: str) -> str:
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console(force_terminal=True)
    with console.capture() as capture:
        console.print(Markdown(page))
    return capture.get()
