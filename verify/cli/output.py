"""Where results are written, and what the place can show."""

import os
import shutil
import sys
from pathlib import Path

import click

_WIDTH = 100


def write(text: str, output: str | None = None, *, is_utf8: bool = False) -> None:
    """Write a result to a file or to standard output, there as UTF-8 if it says that it is.

    A reader that goes away is no fault: the rest is dropped, and the exit status still tells.
    """
    if output is not None:
        _write_file(text, Path(output))
        return
    try:
        _write_stdout(text, is_utf8=is_utf8)
    except BrokenPipeError:
        drop_stdout()
    except OSError as error:
        drop_stdout()
        reason = error.strerror or str(error)
        raise click.UsageError(f"cannot write standard output: {reason}") from error


def drop_stdout() -> None:
    """Send what is still to be written to standard output nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def _write_stdout(text: str, *, is_utf8: bool) -> None:
    if is_utf8 and hasattr(sys.stdout, "buffer"):
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))
    else:
        sys.stdout.write(text)
    sys.stdout.flush()


def _write_file(text: str, path: Path) -> None:
    try:
        path.write_bytes(text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise click.UsageError(f"cannot write `{path}`: {error.strerror}") from error


def check_writable(output: str | None, folder: str | None = None) -> None:
    """Fail before the work and not after it when the output has no place; makes `folder`."""
    if output is not None and not Path(output).parent.is_dir():
        raise click.UsageError(f"cannot write `{output}`: its folder does not exist")
    if folder is None:
        return
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise click.UsageError(f"cannot make folder `{folder}`: {error.strerror}") from error


def wants_color(color: str, output: str | None = None) -> bool:
    """Whether escape sequences are to be written, by option, environment and terminal."""
    if color != "auto":
        return color == "always"
    if output is not None or os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR") or os.environ.get("CLICOLOR_FORCE", "0") != "0":
        return True
    return sys.stdout is not None and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def columns(output: str | None = None) -> int:
    """How wide the result may be: as the terminal, or enough for most where there is none."""
    is_terminal = output is None and sys.stdout is not None and sys.stdout.isatty()
    return shutil.get_terminal_size().columns if is_terminal else _WIDTH


def can_draw(output: str | None = None) -> bool:
    """Whether the result goes to a terminal that shows box drawing."""
    encoding = sys.stdout.encoding or "ascii"
    return (
        output is None
        and sys.stdout is not None
        and sys.stdout.isatty()
        and encoding.lower().startswith("utf")
    )
