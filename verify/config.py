"""Settings of a run: their defaults, the configuration file, and what overrides what.

A configuration file is `verify-ir.toml`, or `pyproject.toml` with a `[tool.verify-ir]` table. The
nearest one above the first input is used; a command-line option overrides its key.
"""

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

FORMATS = ("text", "json", "sarif", "github", "junit", "html")
REPLAY_FORMATS = ("text", "json")
ARGUMENTS = ("no-alias", "may-alias")
COLORS = ("auto", "always", "never")
DEVICES = ("auto", "cpu", "cuda")
JUDGES = ("every-stage", "last-stage")


class ConfigError(Exception):
    """A configuration file that cannot be used; the text starts with its `file:line:column`."""


@dataclass(frozen=True, slots=True)
class Options:
    """Every setting of a run, resolved; `jobs` 0 means as many as pay off.

    `mlir_opt` may be a list with commas. A pass of `mlir_opt_label` is one of that binary.
    """

    format: str = "text"
    arguments: str = "no-alias"
    solver_timeout_s: float = 5.0
    timeout_s: float = 60.0
    jobs: int = 0
    color: str = "auto"
    judge: str = "every-stage"
    strict: bool = False
    explain_proof: bool = False
    split_input_file: bool = False
    verify_diagnostics: bool = False
    emit_smt2: str | None = None
    mlir_opt: str | None = None
    mlir_opt_label: str = "mlir-opt"
    reproducers: str | None = None
    bundle: str | None = None
    device: str = "auto"
    verbosity: int = 0


@dataclass(frozen=True, slots=True)
class _Key:
    field: str
    expects: str
    accepts: Callable[[Any], bool]


def _choice(field: str, values: tuple[str, ...]) -> _Key:
    return _Key(field, "one of " + ", ".join(values), lambda value: value in values)


def _flag(field: str) -> _Key:
    return _Key(field, "true or false", lambda value: isinstance(value, bool))


def _number(field: str) -> _Key:
    def accepts(value: Any) -> bool:
        return isinstance(value, int | float) and not isinstance(value, bool) and value > 0

    return _Key(field, "a number of seconds above 0", accepts)


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


KEYS: Mapping[str, _Key] = {
    "format": _choice("format", FORMATS),
    "arguments": _choice("arguments", ARGUMENTS),
    "solver-timeout": _number("solver_timeout_s"),
    "timeout": _number("timeout_s"),
    "jobs": _Key("jobs", "a whole number, 0 or more", _is_count),
    "color": _choice("color", COLORS),
    "judge": _choice("judge", JUDGES),
    "strict": _flag("strict"),
    "explain-proof": _flag("explain_proof"),
    "split-input-file": _flag("split_input_file"),
    "device": _choice("device", DEVICES),
    "mlir-opt": _Key("mlir_opt", "a path, or several with commas", _is_text),
}


def resolve(given: Mapping[str, Any], settings: Mapping[str, Any]) -> Options:
    """The defaults, overlaid with a file's `settings`, overlaid with what the user has `given`."""
    chosen = {field: value for field, value in given.items() if value is not None}
    return replace(Options(), **{**settings, **chosen})


def find_config(start: Path) -> Path | None:
    """The configuration file nearest to `start`, in its folder or any folder above."""
    folder = start.resolve()
    for place in (folder, *folder.parents):
        own = place / "verify-ir.toml"
        if own.is_file():
            return own
        project = place / "pyproject.toml"
        if project.is_file() and "verify-ir" in _table_of(project, "tool"):
            return project
    return None


def load_config(path: Path) -> dict[str, Any]:
    """The settings in `path` by field name; a `ConfigError` names the place of the first fault."""
    table = _table_of(path, "tool").get("verify-ir", {}) if _is_project(path) else _parse(path)
    if not isinstance(table, dict):
        raise ConfigError(f"{_place(path, 'verify-ir')}: `tool.verify-ir` should be a table")
    return {KEYS[key].field: value for key, value in table.items() if _check(path, key, value)}


def _check(path: Path, key: str, value: Any) -> bool:
    if key not in KEYS:
        known = ", ".join(KEYS)
        raise ConfigError(f"{_place(path, key)}: unknown key `{key}`; known keys are {known}")
    if not KEYS[key].accepts(value):
        wanted = KEYS[key].expects
        raise ConfigError(f"{_place(path, key)}: `{key}` is {value!r} and should be {wanted}")
    return True


def _is_project(path: Path) -> bool:
    return path.name == "pyproject.toml"


def _table_of(path: Path, name: str) -> dict[str, Any]:
    table = _parse(path).get(name, {})
    return table if isinstance(table, dict) else {}


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}:1:1: cannot be read: {error}") from error


def _parse(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(_read(path))
    except tomllib.TOMLDecodeError as error:
        where = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
        line, column = where.groups() if where else ("1", "1")
        reason = re.sub(r" \(at .*\)$", "", str(error))
        raise ConfigError(f"{path}:{line}:{column}: invalid TOML: {reason}") from error


def _place(path: Path, key: str) -> str:
    """`file:line:column` of `key`, looked for inside the table that belongs to this tool."""
    inside = not _is_project(path)
    header = re.compile(r"^\s*\[\s*tool\s*\.\s*[\"']?verify-ir\b")
    named = re.compile(rf"^\s*(?:\[.*)?[\"']?(?P<key>{re.escape(key)})(?![\w-])")
    fallback = f"{path}:1:1"
    for number, line in enumerate(_read(path).splitlines(), start=1):
        if header.match(line):
            inside, fallback = True, f"{path}:{number}:1"
        elif line.lstrip().startswith("[") and _is_project(path):
            inside = False
        found = named.match(line) if inside else None
        if found:
            return f"{path}:{number}:{found.start('key') + 1}"
    return fallback
