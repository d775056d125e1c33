"""How a finding of the oracle `gradient` is shown: it is about a pipeline with its options."""

from __future__ import annotations

from collections.abc import Iterator

from fuzz.finding import Finding
from fuzz.triage.task import Evidence
from verify.gradient.differentiate import pipeline_of
from verify.gradient.signature import GradientUsageError, signature_of
from verify.gradient.variants import Variant
from verify.ir.frontend import read_text
from verify.model.analyse import functions_of
from verify.semantics.views_by_name import checkpointed_loops

COMMAND = "gradient {} --samples 1"
_DIED = "it died in:"
_SINK = "sink-checkpoint-views"


def is_gradient(finding: Finding) -> bool:
    """Whether no single pass shows the finding."""
    return finding.oracle == "gradient"


def evidence_of_gradient(finding: Finding) -> Evidence:
    """What the oracle said; a run of the bare pass would show something else."""
    said, _, frames = finding.detail.partition(_DIED)
    notes = tuple(line.strip() for line in said.splitlines() if line.strip())
    stack = tuple(line.strip() for line in frames.splitlines() if line.strip())
    return Evidence(finding.message, finding.code, notes, stack=stack)


def compiler_commands(finding: Finding, text: str) -> Iterator[str]:
    """Enzyme's own command for each function with checkpoints, options and all."""
    parsed = read_text(text, "program.mlir")
    form = finding.message.removeprefix("gradient ").partition(":")[0]
    if parsed.module is None:
        return
    if form == "off":
        yield "# without `enzyme.enable_checkpointing`:"
    for _, function in functions_of(parsed.module):
        if not checkpointed_loops(function):
            continue
        try:
            signature = signature_of(function)
        except GradientUsageError:
            continue
        passes = pipeline_of(signature, Variant()).removeprefix("enzyme:")
        before = f"{_SINK}," if form == "sunk" else ""
        pipeline = f"builtin.module({before}{passes})"
        yield f"enzymexlamlir-opt program.mlir --pass-pipeline='{pipeline}'"
