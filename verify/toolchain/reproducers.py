"""What a compiler died on, kept in a file that shows it again."""

import re
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from verify.toolchain.outcome import PassOutcome

_DIED = frozenset({"E0304", "E0306"})


def keep_reproducer(
    outcome: PassOutcome, spec: str, folder: str, command: str = "-p PASS"
) -> PassOutcome:
    """Write the text that a pass died on to a file in `folder`, and say so in its diagnostic.

    `command` holds the options of `verify-ir passes` that run the pass.
    """
    if not outcome.text or not any(each.code in _DIED for each in outcome.diagnostics):
        return outcome
    name = re.sub(r"[^\w.-]+", "-", spec).strip("-")[:60]
    digest = sha256(f"{spec}\n{outcome.text}".encode()).hexdigest()[:12]
    path = Path(folder, f"{name}-{digest}.mlir")
    path.parent.mkdir(parents=True, exist_ok=True)
    what = outcome.diagnostics[0].message.splitlines()[0]
    path.write_text(f"// {what}\n// verify-ir passes FILE {command}\n{outcome.text}\n")
    kept = tuple(
        replace(each, notes=(*each.notes, f"a reproducer is in {path}"))
        if each.code in _DIED
        else each
        for each in outcome.diagnostics
    )
    return replace(outcome, diagnostics=kept)
