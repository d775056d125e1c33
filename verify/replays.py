"""Counterexamples run concretely: before a pass, and on the same inputs after it.

What comes out is one JSON document of schema `verify-ir/replay/v1`; renderers make text of it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from verify.bundling import default_pass, with_bundles
from verify.codes import Severity, severity_of
from verify.config import Options
from verify.diagnostic import Diagnostic
from verify.driver import check_options
from verify.result import StageResult
from verify.verdict import Verdict

if TYPE_CHECKING:
    from verify.ir.module import ParsedModule
    from verify.replay.arrays import Arrays
    from verify.replay.bundle.manifest import Bundle
    from verify.replay.plans import Manner
    from verify.replay.rerun import Rerun, Subject

SCHEMA = "verify-ir/replay/v1"
DRAWN_INPUTS = 4


@dataclass(frozen=True, slots=True)
class Wish:
    """What a user asks for: `spec` is a pass, `function` narrows to one function."""

    options: Options
    manner: "Manner"
    arrays: "Arrays"
    spec: str | None = None
    function: str | None = None


@dataclass(slots=True)
class ModuleReplays:
    """The replays of one module."""

    path: str
    findings: list[dict[str, Any]] = field(default_factory=list)
    others: list[dict[str, Any]] = field(default_factory=list)
    functions: list[str] = field(default_factory=list)
    bundles: list[str] = field(default_factory=list)


def replay_module(parsed: "ParsedModule", wish: Wish) -> ModuleReplays:
    """Run every counterexample of a module, and what else can be replayed on drawn inputs."""
    from verify.checks.run import check_module

    assert parsed.module is not None
    options = check_options(wish.options, recipes=True)
    stages = _Stages(parsed, wish)
    found = ModuleReplays(parsed.path)
    for name, result in check_module(parsed.module, options):
        if wish.function is not None and name != wish.function.removeprefix("@"):
            continue
        found.functions.append(name)
        diagnostics = _refuted(result)
        if folder := wish.options.bundle:
            written = with_bundles(folder, diagnostics, parsed)
            found.bundles += [each.bundle for each in written]
        found.findings += [stages.finding(each) for each in diagnostics]
        if not diagnostics and (other := stages.other(name, result)):
            found.others.append(other)
    return found


def _refuted(result: StageResult) -> list[Diagnostic]:
    return [
        each
        for each in result.diagnostics
        if each.recipe is not None and severity_of(each.code) is Severity.ERROR
    ]


class _Stages:
    """One module before and after passes; each pass runs once."""

    def __init__(self, parsed: "ParsedModule", wish: Wish) -> None:
        self.parsed, self.wish = parsed, wish
        self._after: dict[str, tuple[Any, str]] = {}

    def finding(self, diagnostic: Diagnostic) -> dict[str, Any]:
        """One counterexample before and after a pass."""
        from verify.replay.forced import force
        from verify.replay.rerun import rerun, subject_of
        from verify.report.json import diagnostic_to_json

        recipe = diagnostic.recipe
        assert recipe is not None
        assert self.parsed.module is not None
        subject = subject_of(self.parsed.module, recipe, self.wish.arrays.watched())
        before = rerun(subject, recipe, self.wish.manner)
        streams = force(replace(subject, arrays=self.wish.arrays), recipe)
        attempts = _attempts(diagnostic, self.wish.arrays.device)
        told = diagnostic_to_json(diagnostic)
        spec = self.wish.spec or default_pass(diagnostic.code)
        return {
            "path": self.parsed.path,
            **{key: told[key] for key in ("code", "name", "message", "function", "location")},
            "counterexample": told["counterexample"],
            "kind": recipe.kind,
            "before": before.plain(),
            "streams": streams and streams.plain(),
            "attempts": attempts,
            **self._cured(subject, spec, diagnostic),
        }

    def _cured(self, subject: "Subject", spec: str, diagnostic: Diagnostic) -> dict[str, Any]:
        """What the pass makes of it: `after`, or `why` there is none."""
        from verify.ir.names import op_name
        from verify.replay.rerun import rerun_after, same_function

        assert diagnostic.recipe is not None
        module, why = self._module_after(spec)
        after = None
        if module is not None:
            kind = op_name(subject.function)
            target = same_function(module, subject.name, kind, self.wish.arrays.watched())
            why = "" if target else f"`@{subject.name}` is gone"
            after = target and rerun_after(target, diagnostic.recipe, self.wish.manner)
        return {"pass": spec, "after": after and after.plain(), "why": why}

    def _module_after(self, spec: str) -> tuple[Any, str]:
        if spec not in self._after:
            self._after[spec] = _run(spec, self.parsed, self.wish.options)
        return self._after[spec]

    def other(self, name: str, result: StageResult) -> dict[str, Any] | None:
        """A function without a counterexample, replayed on inputs that are drawn."""
        from verify.model.analyse import functions_of
        from verify.model.symbols import collect_symbols
        from verify.replay.rerun import Subject

        module = self.parsed.module
        assert module is not None
        op = dict(functions_of(module)).get(name)
        if op is None:
            return None
        subject = Subject(module, op, collect_symbols(module), arrays=self.wish.arrays.watched())
        runs = [run.plain() for run in _drawn(subject, self.wish)]
        if not runs:
            return None
        verdict = result.verdict.value
        return {"path": self.parsed.path, "function": name, "verdict": verdict, "runs": runs}


def _attempts(diagnostic: Diagnostic, device: str) -> list[dict[str, Any]]:
    """Copies out of memory of another space, where that is what the finding is about."""
    from verify.replay.attempts import attempts_for

    recipe = diagnostic.recipe
    if recipe is None or recipe.kind != "space":
        return []
    return [each.plain() for each in attempts_for(device, str(recipe.evidence["real"]))]


def _drawn(subject: "Subject", wish: Wish) -> Iterator["Rerun"]:
    from verify.replay.inputs import Inputs
    from verify.replay.rerun import has_replays, has_tokens, in_many_orders, replayed

    may_alias = wish.options.arguments == "may-alias"
    for seed in range(DRAWN_INPUTS):
        inputs = Inputs(seed, scale=1 + seed % 3)
        if may_alias:
            return
        if has_replays(subject.function):
            yield replayed(subject, inputs, manner=wish.manner)
        if has_tokens(subject.function):
            yield in_many_orders(subject, inputs)


def _run(spec: str, parsed: "ParsedModule", options: Options) -> tuple[Any, str]:
    """The module after the passes of a spec, or why there is none."""
    from verify.toolchain.registry import run_pass, steps_of

    for step in steps_of(spec):
        outcome = run_pass(step, parsed, options)
        if outcome.module is None or outcome.module.module is None:
            errors = [*outcome.diagnostics, *(outcome.module.errors if outcome.module else ())]
            why = errors[0].message if errors else "it gives no module"
            return None, why
        parsed = outcome.module
    return parsed.module, ""


def verdict_of(modules: list[ModuleReplays], *, last_only: bool = False) -> Verdict:
    """Refuted when some read differs; undecided when a counterexample could not be run again."""
    findings = [each for module in modules for each in module.findings]
    if any(_is_bad(each, last_only=last_only) for each in findings):
        return Verdict.REFUTED
    runs = [run for module in modules for each in module.others for run in each["runs"]]
    if any(run["rows"] for run in runs):
        return Verdict.REFUTED
    is_open = any(not each["before"]["shows"] for each in findings)
    others = [each["verdict"] for module in modules for each in module.others]
    is_open |= any(verdict != Verdict.PROVEN.value for verdict in others)
    return Verdict.UNDECIDED if is_open else Verdict.PROVEN


def _is_bad(finding: dict[str, Any], *, last_only: bool) -> bool:
    after = finding["after"]
    if last_only and after is not None:
        return bool(after["rows"])
    return bool(finding["before"]["rows"]) or bool(after and after["rows"])


def bundle_document(
    bundle: "Bundle", result: dict[str, Any], path: str, seconds: float
) -> tuple[dict[str, Any], Verdict]:
    """The document of one bundle that was run here or elsewhere, and its verdict."""
    kept = ("code", "name", "message", "function", "location", "counterexample")
    finding = {
        "path": path,
        **{key: bundle.finding[key] for key in kept},
        "kind": bundle.recipe.kind,
        **{key: result[key] for key in ("before", "after", "streams", "attempts")},
        "pass": bundle.cure,
        "why": "" if bundle.cure else "the bundle holds no pass that takes it",
    }
    verdict = Verdict.REFUTED if result["before"]["rows"] else Verdict.UNDECIDED
    document = {
        "schema": SCHEMA,
        "verdict": verdict.value,
        **{key: result[key] for key in ("device", "device_name", "note", "schedule", "layout")},
        "findings": [finding],
        "others": [],
        "bundles": [],
        "agrees_with_cpu": result["agrees_with_cpu"],
        "versions": {"made": dict(bundle.versions), "run": result["versions"]},
        "seconds": seconds,
    }
    return document, verdict
