"""The command `fuzz mutants`."""

import json
import os
import sys
import time
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import click

from verify.cli.exits import INTERRUPTED, REFUTED
from verify.cli.output import check_writable, write

_EXITS = """\b
Exit status:
    0  every mutant was killed
    1  one survived
    2  wrong usage
  130  interrupted; what is known is written
"""


@click.command(epilog=_EXITS, short_help="Measure the fuzzer with faulty passes and rules.")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option(
    "--count", type=click.IntRange(min=1), default=2000, metavar="N",
    help="Programs for each mutant at most. Default: 2000.",
)  # fmt: skip
@click.option(
    "--time", "time_s", type=click.FloatRange(min=0, min_open=True), default=300.0, metavar="S",
    help="Seconds for each mutant at most. Default: 300.",
)  # fmt: skip
@click.option("--seed", type=click.IntRange(min=0), default=0, metavar="N", help="Default: 0.")
@click.option(
    "-j", "--jobs", type=click.IntRange(min=1), metavar="N", help="Processes. Default: all cores."
)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text")
@click.option("--list", "only_list", is_flag=True, help="Only list the mutants with their faults.")
@click.option(
    "-o", "--output", type=click.Path(file_okay=False), metavar="DIR",
    help="Also write DIR/mutants.json and DIR/mutants.md.",
)  # fmt: skip
def mutants(names: tuple[str, ...], form: str, only_list: bool, **given: Any) -> int:
    """Draw programs until an oracle finds each mutant out.

    A mutant is a pass, a rule of what an op means or a part of the checker with one fault. NAME
    is a mutant or a pattern such as `sink/*`; without one all are hunted. What the code without
    the fault says of the same program does not count.
    """
    from fuzz.mutants import load

    chosen = _chosen(names)
    if only_list:
        write("".join(f"{name}: {load(name).fault}\n" for name in chosen))
        return 0
    return _hunt(chosen, form, **given)


def _chosen(names: tuple[str, ...]) -> list[str]:
    from fuzz.mutants import names as all_names

    known = all_names()
    for pattern in names:
        if not any(fnmatch(name, pattern) for name in known):
            raise click.UsageError(f"there is no mutant `{pattern}`; --list names them")
    return [n for n in known if not names or any(fnmatch(n, p) for p in names)]


def _hunt(
    chosen: list[str],
    form: str,
    *,
    count: int,
    time_s: float,
    seed: int,
    jobs: int | None,
    output: str | None,
) -> int:
    from fuzz.mutation.hunt import Hunt, Limits, hunt_all
    from fuzz.mutation.report import line_of, to_json, to_markdown, to_text

    check_writable(None, output)
    limits, processes = Limits(count, time_s, seed), jobs or os.cpu_count() or 1
    begin = time.monotonic()
    number = 0

    def tell(hunt: Hunt) -> None:
        nonlocal number
        number += 1
        sys.stderr.write(f"{number}/{len(chosen)} {line_of(hunt)}\n")
        sys.stderr.flush()

    hunts, is_interrupted = hunt_all(chosen, limits, processes, tell)
    seconds = time.monotonic() - begin
    plain = json.dumps(to_json(hunts, limits, seconds, processes), indent=1) + "\n"
    if output is not None:
        folder = Path(output)
        write(plain, str(folder / "mutants.json"))
        write(to_markdown(hunts, limits, seconds, processes), str(folder / "mutants.md"))
    write(plain if form == "json" else to_text(hunts, seconds))
    if is_interrupted:
        return INTERRUPTED
    return REFUTED if any(hunt.first is None for hunt in hunts) else 0
