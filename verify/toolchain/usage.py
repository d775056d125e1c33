"""Wording of usage errors about pipelines that a compiler does not take."""

import re
from collections.abc import Iterable
from difflib import get_close_matches

from verify.toolchain.outcome import PassUsageError

_UNKNOWN_PASS = re.compile(
    r"'(?P<name>[^'\n]+)' does not refer to a registered pass or pass pipeline"
)
_UNKNOWN_OPTION = re.compile(r"no such option (?P<option>\S+)")
_NOISE = re.compile(r"^(?:MLIR Textual PassPipeline Parser:\d+:\d+: |<Pass-Options-Parser>: )?")
_ERROR = "error: "
_MAX_CLOSE, _CLOSENESS = 4, 0.6


def bad_pipeline(pass_name: str, owner: str, said: str, known: Iterable[str]) -> PassUsageError:
    """The error for a pipeline that `owner` refused and what it `said`, with names close to it."""
    prefix = f"`{pass_name}` is no pipeline of {owner}: "
    if match := _UNKNOWN_PASS.search(said):
        reason = f"there is no pass `{match['name']}`" + close_names(match["name"], known)
        return PassUsageError(prefix + reason)
    if match := _UNKNOWN_OPTION.search(said):
        return PassUsageError(f"{prefix}the pass has no option `{match['option']}`")
    first = next(filter(None, map(str.strip, said.splitlines())), "it gives no reason")
    return PassUsageError(prefix + _NOISE.sub("", first).removeprefix(_ERROR))


def close_names(name: str, known: Iterable[str]) -> str:
    """A half-sentence with the known names that look like `name`; where to find them if none."""
    found = get_close_matches(name, sorted(set(known)), _MAX_CLOSE, _CLOSENESS)
    if not found:
        return "; `verify-ir toolchains` lists passes that matter here"
    return "; close to it: " + ", ".join(f"`{each}`" for each in found)
