"""Reads MLIR text into xDSL modules, through MLIR's own parser where there is one.

The frontends, best first: `mlir` (the Python bindings in a worker process), `mlir-opt` (a
binary that prints the generic form) and `xdsl` (xDSL's own parser). `auto` takes the first
that is installed; when that one refuses a text, the refusal is the answer.
"""

from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from typing import Any

from verify.diagnostic import Diagnostic, Location
from verify.ir.foreign_syntax import to_upstream_syntax
from verify.ir.locations import blank_locations
from verify.ir.module import ParsedModule
from verify.ir.sharing import current
from verify.ir.source import SourceText, split_source
from verify.toolchain.channel import Header
from verify.toolchain.flatten import TEXT_ITSELF
from verify.toolchain.worker import Reply, Worker, WorkerDiedError, WorkerError

# xDSL is imported inside the functions: `warm_up` must start the worker before that.

__all__ = ["ParsedModule", "mlir_worker", "module_of_reply", "read_modules", "read_text", "warm_up"]

READ_TIMEOUT_S = 300.0
MAX_NESTING = 1000


@cache
def has_bindings() -> bool:
    """Whether MLIR's Python bindings are installed, found out without loading them."""
    try:
        return find_spec("mlir._mlir_libs") is not None and find_spec("mlir.ir") is not None
    except ModuleNotFoundError:
        return False


@cache
def mlir_worker() -> Worker:
    """The worker that holds MLIR's Python bindings, one for this process."""
    return Worker("verify.toolchain.serve_mlir")


def warm_up() -> None:
    """Start the worker, so that it gets ready while other modules load; returns at once."""
    if has_bindings():
        mlir_worker().start()


def read_modules(
    source: SourceText, *, split: bool = False, frontend: str = "auto"
) -> list[ParsedModule]:
    """Every module of `source`, in order; an unreadable one brings its errors instead.

    A file is split wherever it has a line that is just `// -----`; with `split`, text may
    follow the marker on its line.
    """
    source.register()
    read = _frontend(frontend)
    chunks = split_source(source, has_titles=split)
    if len(chunks) == 1:
        return [read(source, chunks[0], source.path)]
    return [read(source, chunk, f"{source.path}#{k}") for k, chunk in enumerate(chunks, 1)]


def read_text(text: str, path: str = "<text>", *, frontend: str = "auto") -> ParsedModule:
    """The module of a text that is no file; convenient in tests and for generated programs."""
    source = SourceText(path, text).register()
    return _frontend(frontend)(source, text, path)


def read_printed(text: str, source: SourceText, path: str) -> ParsedModule:
    """The module that a compiler printed, with the locations it wrote, which are `source`'s."""
    if has_bindings():
        return _read_in_worker(text, source, path, own_places=False)
    result = _read_with_xdsl(source, text, path)
    if not result.errors:
        return result
    places = [error.location for error in result.errors]
    items: list[dict[str, Any]] = [
        {"message": error.message, "place": place and (TEXT_ITSELF, place.line, place.column)}
        for error, place in zip(result.errors, places, strict=True)
    ]
    return _refused({"errors": items}, text, source, path, "xdsl")


def module_of_reply(reply: Reply, source: SourceText, path: str) -> ParsedModule:
    """The module that the bindings worker sent; refused when it is nested too deep for xDSL."""
    from verify.ir.build import allow_nesting, build_module
    from verify.ir.refusals import resolve_place

    deepest = reply.header["deepest"]
    if deepest is not None:
        message = f"the op is nested {MAX_NESTING} regions deep; at most that many are read"
        error = Diagnostic("E0001", message, location=resolve_place(deepest, source))
        return ParsedModule(path, source, None, (error,), "mlir")
    shared = current()
    key = (tuple(reply.header["strings"]), reply.blob, path)
    if shared is not None and key in shared.modules:
        return shared.modules[key]
    allow_nesting(reply.header["depth"])
    module = build_module(reply.header["strings"], reply.blob, source)
    built = ParsedModule(path, source, module, (), "mlir")
    if shared is not None:
        shared.modules[key] = built
    return built


def _frontend(name: str) -> Callable[[SourceText, str, str], ParsedModule]:
    if name == "auto":
        name = _best_frontend()
    if name not in _FRONTENDS:
        known = ", ".join(_FRONTENDS)
        raise ValueError(f"there is no frontend `{name}`; there are: auto, {known}")
    return _FRONTENDS[name]


def _best_frontend() -> str:
    if has_bindings():
        return "mlir"
    from verify.toolchain.binaries import newest_binary

    return "mlir-opt" if newest_binary() else "xdsl"


def _read_with_bindings(source: SourceText, text: str, path: str) -> ParsedModule:
    return _read_in_worker(blank_locations(text), source, path)


def _read_in_worker(
    text: str, source: SourceText, path: str, *, own_places: bool = True
) -> ParsedModule:
    """Parse in the worker; without `own_places`, places in `text` itself mean nothing."""
    arguments = {"file": source.path if own_places else None, "max_depth": MAX_NESTING}
    text = to_upstream_syntax(text)
    try:
        reply = _call_twice("read", arguments, text.encode())
    except WorkerError as error:
        place = Location(source.path, 1, 1) if own_places else None
        return ParsedModule(path, source, None, (_reader_failed(error, place),), "mlir")
    if "errors" in reply.header:
        return _refused(reply.header, None if own_places else text, source, path, "mlir")
    return module_of_reply(reply, source, path)


def _refused(
    header: Header, printed: str | None, source: SourceText, path: str, frontend: str
) -> ParsedModule:
    """What was refused, in the text that a compiler `printed` or else in that of `source`."""
    from verify.ir.foreign_places import places_in_source
    from verify.ir.refusals import refusal_diagnostics

    if printed is not None:
        errors = places_in_source(header["errors"], printed, "the printed text")
        header = {**header, "errors": errors}
    return ParsedModule(path, source, None, refusal_diagnostics(header, source), frontend)


def _call_twice(method: str, arguments: dict[str, Any], content: bytes) -> Reply:
    """Call the worker, and once more when it died: it may have been killed from outside."""
    try:
        return mlir_worker().call(method, arguments, content, timeout_s=READ_TIMEOUT_S)
    except WorkerDiedError:
        return mlir_worker().call(method, arguments, content, timeout_s=READ_TIMEOUT_S)


def _reader_failed(error: WorkerError, place: Location | None) -> Diagnostic:
    """The text made the reader itself fail, which no valid text should."""
    words = tuple(error.stderr.strip().splitlines()[-5:])
    message = f"MLIR's reader {error.reason} on this input"
    return Diagnostic("E0001", message, location=place, notes=words)


def _read_with_mlir_opt(source: SourceText, text: str, path: str) -> ParsedModule:
    from verify.toolchain.mlir_opt import read_generic

    return read_generic(blank_locations(text), source, path, READ_TIMEOUT_S)


def _read_with_xdsl(source: SourceText, text: str, path: str) -> ParsedModule:
    from verify.ir.xdsl_text import read_with_xdsl

    return read_with_xdsl(source, text, path)


_FRONTENDS = {
    "mlir": _read_with_bindings,
    "mlir-opt": _read_with_mlir_opt,
    "xdsl": _read_with_xdsl,
}
