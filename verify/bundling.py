"""Bundles of what a check found: which module, which pass cures it, which versions."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from verify.codes import Severity, severity_of
from verify.diagnostic import Diagnostic

if TYPE_CHECKING:
    from verify.ir.module import ParsedModule
    from verify.replay.bundle.manifest import Bundle

_SINK, _ASYNC = "sink-checkpoint-views", "gpu-async-region"


def default_pass(code: str) -> str:
    """The pass that is meant to cure what a code stands for."""
    return _ASYNC if code.startswith("E02") else _SINK


def with_bundles(
    folder: str,
    diagnostics: Iterable[Diagnostic],
    module: "ParsedModule",
    source: "ParsedModule | None" = None,
) -> tuple[Diagnostic, ...]:
    """The diagnostics of `module`, each error that can be run again with the name of its bundle.

    `source` is what a pass made the module of.
    """
    return tuple(_bundled(folder, each, module, source) for each in diagnostics)


def _bundled(
    folder: str, diagnostic: Diagnostic, module: "ParsedModule", source: "ParsedModule | None"
) -> Diagnostic:
    from verify.replay.bundle.write import write_bundle

    recipe = diagnostic.recipe
    if recipe is None or severity_of(diagnostic.code) is not Severity.ERROR:
        return diagnostic
    is_pair = recipe.kind == "difference"
    if is_pair and source is None:
        return diagnostic
    path = write_bundle(Path(folder), make_bundle(diagnostic, module, source if is_pair else None))
    return replace(diagnostic, bundle=str(path))


def make_bundle(
    diagnostic: Diagnostic, module: "ParsedModule", source: "ParsedModule | None" = None
) -> "Bundle":
    """The bundle of one finding in `module`; with a `source`, both are run and compared."""
    from verify.ir.printing import to_generic_text
    from verify.replay.bundle.manifest import Bundle

    assert diagnostic.recipe is not None
    assert module.module is not None
    text = to_generic_text(module.module)
    if source is not None and source.module is not None:
        parts = to_generic_text(source.module), text, None
        cure = None
    else:
        cure = default_pass(diagnostic.code)
        after = _after(cure, module)
        parts = text, None, after
        cure = cure if after else None
    return Bundle(
        _finding(diagnostic, module.path),
        diagnostic.recipe,
        *parts,
        cure,
        _values(diagnostic),
        _versions(),
        _kernels(module),
    )


def _kernels(module: "ParsedModule") -> dict[str, str]:
    """The kernels of a module as CUDA C++, as far as they have that form."""
    from verify.ir.names import op_name
    from verify.model.symbols import collect_symbols
    from verify.replay.cuda.kernel import print_kernel
    from verify.semantics.types import UnsupportedError

    assert module.module is not None
    symbols = collect_symbols(module.module)
    found: dict[str, str] = {}
    for number, op in enumerate(module.module.walk()):
        if op_name(op) not in ("gpu.func", "gpu.launch"):
            continue
        with suppress(UnsupportedError):
            kernel = print_kernel(op, symbols)
            found[f"{kernel.name}_{number}"] = kernel.text
    return found


def _after(spec: str, module: "ParsedModule") -> str | None:
    """What the pass makes of a module, if it takes it."""
    from verify.ir.printing import to_generic_text
    from verify.toolchain.registry import run_pass

    outcome = run_pass(spec, module)
    if outcome.module is None or outcome.module.module is None:
        return None
    return to_generic_text(outcome.module.module)


def _finding(diagnostic: Diagnostic, path: str) -> dict[str, object]:
    from verify.report.json import diagnostic_to_json

    told = diagnostic_to_json(diagnostic)
    kept = ("code", "name", "message", "stage", "location", "counterexample")
    return {
        **{key: told[key] for key in kept},
        "function": diagnostic.function or "?",
        "path": path,
    }


def _values(diagnostic: Diagnostic) -> dict[str, object]:
    from verify.report.phrases import plain

    replay = diagnostic.replay
    if replay is None:
        return {}
    return {"expected": plain(replay.expected), "actual": plain(replay.actual)}


def _versions() -> dict[str, str]:
    import platform
    from importlib import metadata

    from verify import __version__

    found = {"verify-ir": __version__, "python": platform.python_version()}
    return {**found, **{name: metadata.version(name) for name in ("numpy", "xdsl")}}
