"""Gradients as one JSON document of schema `verify-ir/gradient/v1`; numbers are exact."""

import json
from typing import Any

from verify.cli.gradient_run import GradientOutcome
from verify.diagnostic import Location
from verify.gradient.result import GradientResult, Sample, VariantResult
from verify.gradient.versions import versions
from verify.report.json import diagnostic_to_json
from verify.report.phrases import plain

SCHEMA = "verify-ir/gradient/v1"


def to_json(outcome: GradientOutcome) -> str:
    """The document, indented by one column a level."""
    document = {
        "schema": SCHEMA,
        "path": outcome.path,
        "errors": [diagnostic_to_json(error) for error in outcome.errors],
        "refused": [
            {
                "path": each.path,
                "function": each.function or None,
                "location": _location(each.location),
                "reason": each.reason,
            }
            for each in outcome.refusals
        ],
        "functions": [_function(result) for result in outcome.results],
        "interrupted": outcome.is_interrupted,
        "toolchains": versions(),
    }
    return json.dumps(plain(document), indent=1, allow_nan=False) + "\n"


def _function(result: GradientResult) -> dict[str, Any]:
    return {
        "path": result.path,
        "name": result.function,
        "location": _location(result.location),
        "written": result.written or None,
        "activities": result.activities,
        "elements": result.elements,
        "tolerance": result.tolerance,
        "seed": result.seed,
        "samples": [_sample(sample) for sample in result.samples],
        "variants": [_variant(variant) for variant in result.variants],
        "notes": result.notes,
        "seconds": round(result.seconds, 6),
    }


def _location(place: Location | None) -> dict[str, Any] | None:
    return {"file": place.file, "line": place.line, "column": place.column} if place else None


def _sample(sample: Sample) -> dict[str, Any]:
    return {
        "inputs": sample.inputs,
        "seeds": sample.seeds,
        "finite_differences": sample.expected,
        "uncertainty": sample.uncertainty,
    }


def _variant(result: VariantResult) -> dict[str, Any]:
    """`gradient` is that of the first sample, `gradients` those of all."""
    return {
        "name": result.variant.name,
        "checkpointing": result.variant.checkpointing,
        "schedule": result.variant.schedule or None,
        "status": result.status,
        "step": result.step,
        "message": result.message,
        "code": result.code or None,
        "location": _location(result.location),
        "gradient": result.gradients[0] if result.gradients else None,
        "gradients": result.gradients,
        "differences": [
            {
                "sample": each.sample,
                "element": each.element,
                "expected": each.expected,
                "actual": each.actual,
            }
            for each in result.differences
        ],
        "pipeline": result.pipeline,
        "stderr": result.stderr,
        "runner": result.runner or None,
        "fallback": result.fallback or None,
        "compile_seconds": round(result.compile_s, 6),
        "run_seconds": round(result.run_s, 6),
    }
