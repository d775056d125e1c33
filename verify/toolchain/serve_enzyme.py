"""The worker that holds Enzyme's extension module, loaded without JAX."""

import importlib.util
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from verify.toolchain.channel import Header
from verify.toolchain.serving import Method, serve
from verify.toolchain.stacks import print_stack_on_death


def main(read_fd: int, write_fd: int, memory_bytes: int) -> None:
    """Serve until the owner goes away."""
    serve(_load, read_fd, write_fd, memory_bytes)


def _load() -> Mapping[str, Method]:
    enzyme = _extension_module()
    print_stack_on_death()

    def run(arguments: Header, blob: bytes) -> tuple[Header, bytes]:
        # The functions named here would be renamed; with none named, all keep their names.
        try:
            _, text = enzyme.run_pass_pipeline([], blob.decode(), arguments["pipeline"])
        except (ValueError, RuntimeError) as error:
            return {"error": str(error)}, b""
        return {}, text.encode()

    def ping(_arguments: Header, _blob: bytes) -> tuple[Header, bytes]:
        return {}, b""

    return {"run": run, "ping": ping}


def _extension_module() -> Any:
    path = extension_path()
    if path is None:
        raise ModuleNotFoundError("enzyme_ad has no enzyme_call extension")
    spec = importlib.util.spec_from_file_location("enzyme_call", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def extension_path() -> Path | None:
    """Where the installed `enzyme_ad` keeps its extension, without importing the package."""
    package = importlib.util.find_spec("enzyme_ad")
    for folder in (package.submodule_search_locations or ()) if package else ():
        found = sorted((Path(folder) / "jax").glob("enzyme_call*.so"))
        if found:
            return found[0]
    return None
