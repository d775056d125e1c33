"""What a check has to say, as plain data; renderers turn it into text, JSON and the rest.

A span is 1-based in lines and columns; `end_column` is exclusive. A message starts in lower
case, has no final full stop and stands alone on one line; a `label` explains its span.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from verify.recipe import Recipe


@dataclass(frozen=True, slots=True)
class Location:
    """A place in a source file, or a stretch of one line when `end_column` is known."""

    file: str
    line: int
    column: int
    end_column: int | None = None


@dataclass(frozen=True, slots=True)
class Related:
    """A further place; `is_primary` ones get carets like the main span."""

    message: str
    location: Location | None
    is_primary: bool = False


@dataclass(frozen=True, slots=True)
class Counterexample:
    """Inputs and iterations that make a violation happen, in plain numbers.

    `accesses` holds one mapping an access: `op`, `capture`, `kind` (`read`, `write`, or `layout`
    where no byte is read), `iteration`, `bytes` (half-open `[first, end]`, from the start of the
    buffer, or nothing), `line`.
    """

    inputs: Mapping[str, Any] = field(default_factory=dict)
    iterations: Mapping[str, int] = field(default_factory=dict)
    accesses: tuple[Mapping[str, Any], ...] = ()
    schedule: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Replay:
    """What running the counterexample showed: `status` is `confirmed` or `not-run`."""

    device: str
    status: str
    expected: Any = None
    actual: Any = None


@dataclass(frozen=True, slots=True)
class PictureNode:
    """An op in a picture, in a lane and a row that count from 0.

    `where` says in a word which region the op is in; the conflicting ops are `is_marked`.
    """

    id: int
    lane: int
    row: int
    label: str
    line: int | None = None
    where: str = ""
    is_marked: bool = False


@dataclass(frozen=True, slots=True)
class PictureEdge:
    """`start` comes before `end`, both by id; an `is_partial` edge holds on some paths only.

    `kind` is `token`, `wait`, `program`, or `missing` for the order that is not there.
    """

    start: int
    end: int
    kind: str
    is_partial: bool = False


@dataclass(frozen=True, slots=True)
class Picture:
    """Happens-before around two ops: a lane for each task and each chain of tokens.

    There is one node a row, in program order. `label` says what the conflicting ops share,
    `left_out` how many related ops are not drawn.
    """

    lanes: tuple[str, ...]
    nodes: tuple[PictureNode, ...]
    edges: tuple[PictureEdge, ...]
    label: str = ""
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class BesideRow:
    """A line of the source beside one of the target.

    `mark` is a space where they are alike but for names, `~` where they differ, `-` and `+` where
    only the source or only the target has one.
    """

    mark: str
    left: str
    right: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding. `code` names an entry of `verify.codes`; severity and name follow from it.

    `notes` are sentences without a place, `help` is the one line that proposes a change,
    `decided_by` names the decider that settled the question (`--explain-proof`). `picture` is
    drawn by the formats that can, and `beside` shows a function before and after a pass. `checks`
    are those of `verify.checklist` that it is about, where the code does not tell. `recipe` runs
    the counterexample again and `bundle` is the file that holds it, if asked for.
    """

    code: str
    message: str
    function: str | None = None
    stage: str = "input"
    location: Location | None = None
    label: str = ""
    related: tuple[Related, ...] = ()
    notes: tuple[str, ...] = ()
    help: str | None = None
    counterexample: Counterexample | None = None
    replay: Replay | None = None
    decided_by: str = ""
    picture: Picture | None = None
    beside: tuple[BesideRow, ...] = ()
    checks: tuple[str, ...] = ()
    recipe: Recipe | None = field(default=None, compare=False, repr=False)
    bundle: str = field(default="", compare=False)
